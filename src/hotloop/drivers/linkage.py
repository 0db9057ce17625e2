"""What compiled code takes from the process that it runs in: on a CPU a kernel may declare `fork` and call it.

Intel's runtime links what a kernel leaves undefined with any library of its process, the C library and Python's interpreter
among them, so a kernel could start processes, slow others, or change the clock that it is timed by. The binary holds a
relocatable object whose symbol table tells what is undefined (found out by declaring functions of the C library; ELF-64,
https://refspecs.linuxfoundation.org/elf/gabi4+/contents.html). Assembly could do the same, so its keywords are taken away.
"""

from __future__ import annotations

import re
import struct

import numpy as np

_OBJECT = b"\x7fELF\x02\x01\x01"
"""64 bit, little endian, version 1."""
_RELOCATABLE, _SYMBOL_TABLE = 1, 2
_SECTION = np.dtype(
    [("name", "<u4"), ("type", "<u4"), ("flags", "<u8"), ("address", "<u8"), ("offset", "<u8"), ("size", "<u8"),
     ("link", "<u4"), ("info", "<u4"), ("align", "<u8"), ("entry", "<u8")]
)  # fmt: skip
_SYMBOL = np.dtype(
    [("name", "<u4"), ("info", "u1"), ("other", "u1"), ("section", "<u2"), ("value", "<u8"), ("size", "<u8")]
)
_HEADER = struct.Struct("<16xH22xQ10xHH")
"""Type, place of the section headers, their size and number."""
_BROUGHT = re.compile(
    r"__ocl_\w+|__opencl_printf|__lprefetch|trans_coord_\w+|mem(?:cpy|move|set)|__(?:u?div|u?mod|fix\w*|float\w*|mul|ash[lr]|lshr)[dst]i\d?"
    r"|__(?:trunc|extend)[hbsdxt]f[hbsdxt]f2|__gnu_[fh]2[fh]_ieee|__powi[sdxt]f2"
)
"""What the runtime and its compiler bring: mathematics, printing, images, copies, wide integers."""
_ASSEMBLY = ("asm", "__asm", "__asm__")
_MENDED = re.compile(
    r"^[ \t\v\f]*(?:#|%:|\?\?=)[ \t\v\f]*(?:define|undef)[ \t\v\f]+(?:asm|__asm|__asm__)\b", re.MULTILINE
)
NO_ASSEMBLY = tuple(f"-D{word}=assembly_is_refused_in_kernels_for_a_CPU" for word in _ASSEMBLY)
"""Options that make assembly an error, however it is spelled."""


def assembly(source: str) -> bool:
    r"""Tell whether a source gives the keywords of assembly back.

    >>> assembly("#undef asm"), assembly(" %: /* a */ define \\\n __asm__ __asm__"), assembly("#undef asmx")
    (True, True, False)
    """
    joined = re.sub(r"(?:\\|\?\?/)[ \t]*\r?\n", "", source)
    return _MENDED.search(re.sub(r"/\*.*?\*/", " ", joined, flags=re.DOTALL)) is not None


def foreign(binary: bytes) -> tuple[str, ...]:
    """Return the names that a program's code takes from other libraries of its process; none where no object is found."""
    begin = binary.find(_OBJECT, 1)
    while begin >= 0:
        try:
            return tuple(name for name in _undefined(binary[begin:]) if not _BROUGHT.fullmatch(name))
        except (ValueError, IndexError, StopIteration, struct.error):  # bytes that look like an object and are none
            begin = binary.find(_OBJECT, begin + 1)
    return ()


def _undefined(blob: bytes) -> list[str]:
    kind, place, size, count = _HEADER.unpack_from(blob)
    if kind != _RELOCATABLE or size != _SECTION.itemsize:
        raise ValueError
    sections = np.frombuffer(blob, _SECTION, count, place)
    table = next(section for section in sections if section["type"] == _SYMBOL_TABLE)
    names = sections[int(table["link"])]
    texts = blob[int(names["offset"]) : int(names["offset"] + names["size"])]
    symbols = np.frombuffer(blob, _SYMBOL, int(table["size"]) // _SYMBOL.itemsize, int(table["offset"]))
    places = symbols["name"][(symbols["section"] == 0) & (symbols["name"] != 0)]
    return [texts[at : texts.index(b"\0", at)].decode("utf-8", "replace") for at in map(int, places)]
