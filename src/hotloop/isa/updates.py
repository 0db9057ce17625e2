"""Sums that are kept in memory: a loop that writes the same place in every iteration.

Compilers keep a sum in memory where another pointer might point to the same place; some read it back, too. Read from x86
code: a store or scatter whose address is made of registers that the loop does not change.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from hotloop.isa.instruction import Instruction

_PLACE = re.compile(r"\[[^\]]*\]")
_REGISTER = re.compile(r"\b(?:r[a-z0-9]+|e[a-z]{2}|[xyz]mm\d+)\b")
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
    """Return the register that an instruction writes, in the name of its whole."""
    first = instruction.operands.partition(",")[0].partition("{")[0].strip()
    if instruction.mnemonic.startswith(_STAYING) or not _REGISTER.fullmatch(first):
        return set()
    return {_whole(first)}


def _whole(name: str) -> str:
    """Return the name of the 64-bit or the widest register that a name is a part of."""
    if name[1:3] == "mm":
        return f"z{name[1:]}"
    return f"r{name[1:]}" if name.startswith("e") else re.sub(r"^(r\d+)[dwb]$", r"\1", name)
