"""Addresses that a linker has put into a code object's instructions, moved to where a launch puts the object's variables.

A linked kernel reaches its variables by a distance from the program counter: ``s_getpc_b64`` of a pair of registers, then
an addition of the low and one of the high word. Source: "User Guide for AMDGPU Backend" of LLVM, "Relocation Records".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from hotloop.emulate.operands import Kind, Operand

if TYPE_CHECKING:
    from hotloop.emulate.constants import Constant
    from hotloop.emulate.instruction import Decoded

_LOW, _HIGH = re.compile(r"s_add(_co)?_u32$"), re.compile(r"s_add(c|_co_ci)_u32$")
_COUNTER = ("s_getpc_b64", "s_get_pc_i64")
_NEAR = 8
"""Instructions between the additions to the low and the high word at most."""

_BESIDE = 256
"""Bytes beside a section that count as its own."""


def resolved(code: Sequence[Decoded], items: Sequence[Constant], addresses: Sequence[int]) -> list[Decoded]:
    """Return the instructions with distances to the variables' places in memory."""
    moved = {
        item.at: (len(item.data), place) for item, place in zip(items, addresses, strict=True) if item.at is not None
    }
    made, counters = list(code), dict[int, int]()
    for index, item in enumerate(code):
        if item.name in _COUNTER:
            counters[item.operands[0].first] = item.address + 4
        elif _LOW.match(item.name) and moved and item.operands[0].registers and item.operands[0].first in counters:
            _move(made, index, counters[item.operands[0].first], moved)
    return made


def _move(made: list[Decoded], index: int, pc: int, moved: Mapping[int, tuple[int, int]]) -> None:
    low = made[index]
    near = range(index + 1, min(index + _NEAR, len(made)))
    high = next(
        (n for n in near if _HIGH.match(made[n].name) and made[n].operands[0].first == low.operands[0].first + 1), None
    )
    if high is None or not _number(low) or not _number(made[high]):
        return
    wanted = pc + (low.operands[2].integer & 0xFFFFFFFF) + (made[high].operands[2].integer << 32) & 0xFFFFFFFFFFFFFFFF
    place = _place(wanted, moved.items())
    if place is not None:
        distance = place - pc & 0xFFFFFFFFFFFFFFFF
        made[index] = _with(low, distance & 0xFFFFFFFF)
        made[high] = _with(made[high], distance >> 32)


def _number(item: Decoded) -> bool:
    """Tell whether an instruction adds a number to the register that it writes."""
    return item.operands[1].registers == item.operands[0].registers and item.operands[2].kind is Kind.INTEGER


def _place(wanted: int, moved: Iterable[tuple[int, tuple[int, int]]]) -> int | None:
    """Return where an address is put; one just beside a section belongs to it, too: ``t[i - 1]`` counts from before ``t``."""
    inside = [(place, at) for at, (size, place) in moved if at <= wanted < at + size]
    beside = [(place, at) for at, (size, place) in moved if at - _BESIDE <= wanted < at + size + _BESIDE]
    return next((place + wanted - at for place, at in (*inside, *beside)), None)


def _with(item: Decoded, number: int) -> Decoded:
    return replace(item, operands=(*item.operands[:2], Operand(hex(number), Kind.INTEGER, integer=number)))
