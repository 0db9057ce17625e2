"""What compiled code takes from the process that it runs in: on a CPU a kernel may declare `fork` and call it.

Intel's runtime links what a kernel leaves undefined with any library of its process, the C library and Python's interpreter
among them, so a kernel could start processes, slow others, or change the clock that it is timed by. The binary holds a
relocatable object whose symbol table tells what is undefined (found out by declaring functions of the C library; ELF-64,
https://refspecs.linuxfoundation.org/elf/gabi4+/contents.html). Assembly could do the same, so its keywords are taken away, and
the attribute that makes a pointer one of a segment's (https://clang.llvm.org/docs/LanguageExtensions.html, "Memory references to
specified segments").

The same object tells what outlives a call: variables of the program lie in sections that may be written, tables of constants do not;
"common" ones lie in no section until they are linked, and only their symbols tell of them. And its functions begin by taking their frame
from the stack: what a kernel spills there is in no number that the runtime tells of private memory.
"""

from __future__ import annotations

import re
import struct
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hotloop.verify.texts.includes import readings

if TYPE_CHECKING:
    from numpy.typing import NDArray

_OBJECT = b"\x7fELF\x02\x01\x01"
"""First bytes of an ELF file of 64 bits, little endian, version 1."""
_RELOCATABLE, _SYMBOL_TABLE = 1, 2
_WRITABLE, _ALLOCATED, _EXECUTABLE = 1, 2, 4
"""Flags of ELF sections: may be written, takes memory when loaded, is code."""
_FRAME = re.compile(rb"\x48\x81\xec(....)", re.DOTALL)
"""``sub rsp, imm32``."""
_LARGEST_FRAME = 2**20
"""More than registers spill: an array, of which the runtime tells, or bytes that are no such instruction. Up to here a check overwrites all
that is granted (`hotloop.drivers.spoil`), so that a kernel wins nothing by bytes that only look like one."""
_ARRAYS = (14, 15, 16)
"""Types of sections with functions that run when an object is loaded, or left."""
_LOADING = re.compile(r"__orc_init|_GLOBAL__sub_I")
"""Beginnings of the names of functions that the compiler generates for constructors."""
_COMMON = (0xFFF2, 0xFF02)
"""Sections of symbols whose memory the loader gives: common ones, and on x86-64 large ones
(https://gitlab.com/x86-psABIs/x86-64-ABI, SHN_X86_64_LCOMMON)."""
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
"""Functions that the runtime and its compiler provide: mathematics, printing, images, copies, wide integers."""
_ASSEMBLY = ("asm", "__asm", "__asm__")
_SEGMENTS = ("address_space", "__address_space__")
"""Names of the attribute by which a pointer lies in a segment: FS and GS lead to the thread's own block, which outlives all calls."""
_MENDED = re.compile(
    rf"^[ \t\v\f]*(?:#|%:|\?\?=)[ \t\v\f]*(?:define|undef)[ \t\v\f]+({'|'.join((*_ASSEMBLY, *_SEGMENTS))})\b",
    re.MULTILINE,
)
BARRED = (
    *(f"-D{word}=assembly_is_refused_in_kernels_for_a_CPU" for word in _ASSEMBLY),
    *(f"-D{word}=segments_are_refused_in_kernels_for_a_CPU" for word in _SEGMENTS),
)
"""Options that make assembly an error, and an attribute for segments unknown, however they are spelled."""


def regained(source: str) -> str:
    r"""Return the first barred word that a source gives its meaning back; empty where there is none.

    >>> regained("#undef asm"), regained(" %: /* a */ define \\\n __asm__ __asm__"), regained("#undef asmx")
    ('asm', '__asm__', '')
    """
    return next((word[1] for text in readings(source) if (word := _MENDED.search(text))), "")


@dataclass(frozen=True, slots=True)
class Code:
    """What a program's objects say of themselves; nothing where no object is found."""

    foreign: tuple[str, ...] = ()
    """Names that they take from other libraries of their process."""
    loading: bool = False
    """True when code runs as soon as they are loaded, before any launch."""
    kept_bytes: int = 0
    """Size of the variables that outlive a call."""
    frame_bytes: int = 0
    """The largest frame that a function takes from the stack."""

    def __add__(self, other: Code) -> Code:
        """Return what two objects say together."""
        return Code(
            self.foreign + other.foreign, self.loading or other.loading, self.kept_bytes + other.kept_bytes,
            max(self.frame_bytes, other.frame_bytes),
        )  # fmt: skip


def examined(binary: bytes) -> Code:
    """Return what all objects in a program's binary say together."""
    code, begin = Code(), binary.find(_OBJECT, 1)
    while begin >= 0:
        with suppress(
            ValueError, IndexError, StopIteration, struct.error
        ):  # bytes that look like an object and are none
            code += _code(binary[begin:])
        begin = binary.find(_OBJECT, begin + 1)
    return code


def _code(blob: bytes) -> Code:
    kind, place, size, count = _HEADER.unpack_from(blob)
    if kind != _RELOCATABLE or size != _SECTION.itemsize:
        raise ValueError
    sections = np.frombuffer(blob, _SECTION, count, place)
    table = next(section for section in sections if section["type"] == _SYMBOL_TABLE)
    names = sections[int(table["link"])]
    texts = blob[int(names["offset"]) : int(names["offset"] + names["size"])]
    symbols = np.frombuffer(blob, _SYMBOL, int(table["size"]) // _SYMBOL.itemsize, int(table["offset"]))
    named = symbols[symbols["name"] != 0]
    undefined, defined = (_texts(texts, named[(named["section"] == 0) == wanted]) for wanted in (True, False))
    loading = bool(np.isin(sections["type"], _ARRAYS).any()) or any(_LOADING.match(name) for name in defined)
    kept = sections[(sections["flags"] & (_WRITABLE | _ALLOCATED)) == (_WRITABLE | _ALLOCATED)]
    foreign = tuple(name for name in undefined if not _BROUGHT.fullmatch(name))
    common = symbols[np.isin(symbols["section"], _COMMON)]
    return Code(foreign, loading, int(kept["size"].sum()) + int(common["size"].sum()), _frame_bytes(blob, sections))


def _frame_bytes(blob: bytes, sections: NDArray[np.void]) -> int:
    code = (
        blob[int(s["offset"]) : int(s["offset"] + s["size"])] for s in sections[(sections["flags"] & _EXECUTABLE) != 0]
    )
    frames = (int.from_bytes(match[1], "little") for text in code for match in _FRAME.finditer(text))
    return max((frame for frame in frames if frame <= _LARGEST_FRAME), default=0)


def _texts(texts: bytes, symbols: NDArray[np.void]) -> list[str]:
    return [texts[at : texts.index(b"\0", at)].decode("utf-8", "replace") for at in map(int, symbols["name"])]
