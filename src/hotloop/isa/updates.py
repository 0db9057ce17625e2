"""Sums that are kept in memory: a loop that writes the same place in every iteration.

Compilers keep a sum in memory where another pointer might point to the same place; some read it back, too. Read from code of CPUs (x86,
AArch64): a store or scatter whose address is made of registers that the loop does not change.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from hotloop.isa.instruction import Instruction

_PLACE = re.compile(r"\[[^\]]*\]")
_REGISTER = re.compile(r"\b(?:r[a-z0-9]+|e[a-z]{2}|[xyz]mm\d+|[xw]\d+)\b")
_MOVED_BASE = re.compile(r"\[(x\d+)[^\]]*\](?:!|\s*,)")
"""An address of AArch64 that the access itself moves on."""
_PAIR = re.compile(r"\s*(\w+)\s*,\s*(\w+)\s*,\s*\[")
_STAYING = (
    "cmp",
    "test",
    "push",
    "call",
    "jmp",
    "bt",
    "ucomis",
    "vucomis",
    "comis",
    "vcomis",
    "ptest",
    "vptest",
    "vtest",
)
"""Beginnings of mnemonics that do not change their first operand."""


def memory_updates(code: Sequence[Instruction]) -> int:
    """Return how many places in memory a loop writes again in each iteration, its stack frame left out.

    Args:
        code: instructions of one loop; of straight-line code the answer means nothing.
    """
    changed = {name for i in code for name in _written(i)}
    updates: set[str] = set()
    for instruction in code:
        place = _PLACE.search(instruction.operands)
        if place is None or not instruction.traits.writes_memory or instruction.traits.stack:
            continue
        address = place[0].replace(" ", "")
        registers = {_whole(name) for name in _REGISTER.findall(address)}
        if registers and changed.isdisjoint(registers) and "rip" not in registers:
            updates.add(address)
    return len(updates)


def _written(instruction: Instruction) -> set[str]:
    """Return the registers that an instruction writes, in the names of their wholes."""
    moved = {base[1]} if (base := _MOVED_BASE.search(instruction.operands)) else set[str]()
    if instruction.traits.writes_memory and not instruction.traits.reads_memory:
        return moved  # a store's registers are what it stores
    first = instruction.operands.partition(",")[0].partition("{")[0].strip()
    both = _PAIR.match(instruction.operands) if instruction.traits.reads_memory else None
    names = both.groups() if both else (first,)
    if instruction.mnemonic.startswith(_STAYING):
        return moved
    return moved | {_whole(name) for name in names if _REGISTER.fullmatch(name)}


def _whole(name: str) -> str:
    """Return the name of the 64-bit or the widest register that a name is a part of."""
    if name[1:3] == "mm":
        return f"z{name[1:]}"
    if name[0] in "xw":
        return f"x{name[1:]}"
    return f"r{name[1:]}" if name.startswith("e") else re.sub(r"^(r\d+)[dwb]$", r"\1", name)
