"""Program binaries of PoCL for CPUs.

A ``poclbin`` container holds copies of PoCL's cache files: after a header, per file the length of its path, the path
``/<kernel>/<local size>/<kernel>.so``, the length of the content and the content. The headers changed with almost every
version, the file records did not, so the shared objects are found by their own signature. A directory such as
``16-16-1-goffs0-smallgrid`` is code specialised for that local size, made at the first launch; ``0-0-0`` is code for any
size, made when a binary is asked for. A binary that was fetched before the first launch therefore holds only the latter.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from hotloop.isa import elf
from hotloop.isa.code import Code

_PATH = re.compile(rb"/(?P<kernel>[^/]+)/(?P<size>\d+-\d+-\d+)(?P<special>[\w.-]*)/[^/]+\.so$")
_LONGEST_PATH = 1024
_LENGTH_BYTES = 4
_GENERIC = "0-0-0"


class PoclContainer:
    """Reads the shared objects inside."""

    name = "PoCL for CPUs"

    def recognises(self, binary: bytes) -> bool:
        """Tell by the magic word."""
        return binary.startswith(b"poclbin\0")

    def select(self, binary: bytes, entry: str, local_size: tuple[int, ...] | None) -> Code:
        """Return the work-group function of a kernel, specialised for the local size where the binary has that."""
        objects = {size: blob for kernel, size, blob in _objects(binary) if kernel == entry}
        if not objects:
            raise ValueError(f"the PoCL binary holds no machine code for kernel {entry!r}")
        asked = "-".join(map(str, (*(local_size or ()), 1, 1, 1)[:3]))
        size = asked if local_size and asked in objects else _GENERIC
        if size not in objects:
            raise ValueError(f"the PoCL binary has kernel {entry!r} for local sizes {', '.join(sorted(objects))} only")
        functions = elf.functions(objects[size])
        name = f"_pocl_kernel_{entry}_workgroup"
        if name not in functions:
            raise ValueError(f"no symbol {name} in PoCL's object")
        note = "code for any local size, not what a launch runs" if size == _GENERIC else f"local size {size}"
        return Code(name, functions[name].address, functions[name].code, functions[name].dialect, note)


def _objects(binary: bytes) -> Iterator[tuple[str, str, bytes]]:
    """Yield (kernel, local size, shared object) for every file record."""
    start = binary.find(elf.MAGIC)
    while start >= 0:
        length = int.from_bytes(binary[start - _LENGTH_BYTES : start], "little")
        path = _PATH.search(binary[max(0, start - _LENGTH_BYTES - _LONGEST_PATH) : start - _LENGTH_BYTES])
        blob = binary[start : start + length]
        if path and len(blob) == length:
            yield path["kernel"].decode(errors="replace"), path["size"].decode(), blob
        start = binary.find(elf.MAGIC, start + max(length if path else 1, 1))


CONTAINER = PoclContainer()
