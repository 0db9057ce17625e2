"""Registers that ptxas kept in private memory, told by the code: no table of a cubin counts them.

A spilled register has a place of its own at a constant distance from the stack pointer, where it is stored and from where it is read
again, the last time by ``LDL.LU``. An array that is indexed at run time is reached through other registers; where a kernel has one,
constant places may be its elements, and only those of ``LDL.LU`` count.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from hotloop.isa.instruction import Instruction, InstructionKind

_PLACE = re.compile(r"\[R1(?:\+(-?0x[0-9a-f]+))?\]")
_BITS = re.compile(r"\.(64|128)\b")
_WORD_BITS = 32


def spills(code: Sequence[Instruction]) -> int:
    """Return the registers of a kernel that are stored to private memory to be read again."""
    accesses = [i for i in code if i.kind is InstructionKind.STACK and i.mnemonic.startswith(("LDL", "STL"))]
    indexed = any(not _PLACE.search(i.operands) for i in accesses)
    stored = _words(i for i in accesses if i.mnemonic.startswith("STL"))
    read = _words(i for i in accesses if i.mnemonic.startswith("LDL") and (".LU" in i.mnemonic or not indexed))
    return len(stored & read)


def _words(accesses: Iterable[Instruction]) -> set[int]:
    """Return the places, in words, that instructions touch at a constant distance from the stack pointer."""
    found: set[int] = set()
    for instruction in accesses:
        place, wide = _PLACE.search(instruction.operands), _BITS.search(instruction.mnemonic)
        if place:
            first = int(place[1] or "0", 16) * 8 // _WORD_BITS
            found |= set(range(first, first + (int(wide[1]) // _WORD_BITS if wide else 1)))
    return found
