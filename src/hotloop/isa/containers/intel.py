"""Program binaries of Intel's OpenCL runtime for CPUs.

The binary is an ELF file of Intel's own type. Its section ``.ocl.obj`` holds an ordinary relocatable x86-64 object with
one function per kernel, named like the kernel, that runs a whole work-group: the loops over work-items are inside it,
and without barriers so is the vectorized body. A kernel with barriers has a second, vectorized function beside the
scalar one, named after the vector-function ABI: ``_ZGV<isa>N<lanes><parameters>_<kernel>``. It runs when the first
local size is a multiple of its lanes, the scalar one otherwise (found out by planting traps in either function).
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from hotloop.isa import elf
from hotloop.isa.code import Code

_CLONE = re.compile(r"_ZGV[a-zA-Z]N(?P<lanes>\d+)[a-z0-9]*_(?P<kernel>.+)")
_CLASS = b"\x02\x01"  # 64 bit, little endian
_ET_OFFSET = 16
_LOPROC = 0xFF00


class IntelContainer:
    """Reads the ``.ocl.obj`` section of binaries of Intel's CPU runtime."""

    name = "Intel OpenCL for CPUs"

    def recognises(self, binary: bytes) -> bool:
        """Tell whether this is an ELF file of a processor-specific type that names the section."""
        kind = int.from_bytes(binary[_ET_OFFSET : _ET_OFFSET + 2], "little")
        return binary.startswith(elf.MAGIC + _CLASS) and kind >= _LOPROC and b".ocl.obj\0" in binary

    def select(self, binary: bytes, entry: str, local_size: tuple[int, ...] | None) -> Code:
        """Return the kernel's function, or its vectorized clone when the launch uses that one."""
        functions = elf.functions(elf.section(binary, ".ocl.obj"))
        clones = _clones(functions, entry)
        if entry not in functions and not clones:
            kernels = ", ".join(sorted(name for name in functions if not name.startswith("_ZGV"))) or "none"
            raise ValueError(f"no function of kernel {entry!r} in the program binary; it has {kernels}")
        fitting = [lanes for lanes in clones if not local_size or local_size[0] % lanes == 0]
        if fitting:
            lanes = max(fitting)
            symbol, note = functions[clones[lanes]], f"vectorized by the runtime over {lanes} work-items"
        elif entry in functions:
            symbol = functions[entry]
            note = f"scalar version: local size is no multiple of {min(clones)}" if clones else ""
        else:
            raise ValueError(f"kernel {entry!r} has only functions for local sizes that are multiples of {min(clones)}")
        return Code(symbol.name, symbol.address, symbol.code, symbol.dialect, note)


def _clones(found: Mapping[str, elf.Symbol], entry: str) -> dict[int, str]:
    """Return the vectorized functions of a kernel by their number of lanes."""
    matches = [match for match in map(_CLONE.fullmatch, found) if match]
    return {int(match["lanes"]): match[0] for match in matches if match["kernel"] == entry and int(match["lanes"])}


CONTAINER = IntelContainer()
