"""The mode register: what its bits change of arithmetic, known before anything runs.

Source: AMD's ISA references, "MODE register": FP16_OVFL (bit 23) clamps overflowing halves to the largest one and lets conversions to 8-bit
floats saturate; bits 0 to 3 choose how floats are rounded. Infinities become the largest 8-bit float, as in the saturating conversion of the
OCP specification. Bits for denormal numbers, exceptions and clamps decide nothing here.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from hotloop.emulate.errors import EmulateError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from hotloop.emulate.arrays import Array
    from hotloop.emulate.cohort import Cohort
    from hotloop.emulate.instruction import Context, Decoded

    Step = Callable[["Cohort"], None]

_REGISTER = re.compile(r"hwreg\((?:HW_REG_(?:WAVE_)?MODE|1)(?:, *(\d+), *(\d+))?\)")
_OVERFLOW, _ROUNDING = 1 << 23, 0xF
_CLEAR, _SET = 1, 2
_INDIRECT = re.compile(r"s_(setpc|swappc|set_pc|swap_pc|call|cbranch_[ijg]_)")
_EIGHT = re.compile(r"v_cvt_(\w*_)?(fp8|bf8)_")
_HALF = re.compile(
    r"v_(cvt_f16_|cvt_pk_?rtz_f16|(fma|mad)_mix(lo|hi)_|wmma_f16_|pk_\w+_f16$|(?!cmp|cvt_|pack_|dot2_f32|frexp_exp)\w+_f16$)"
)


def mark(code: Sequence[Decoded], entry: int) -> None:
    """Mark what is executed with FP16_OVFL set.

    Raises:
        UnmodelledError: floats are rounded in another direction, or whether an overflow saturates depends on the way to an instruction.
    """
    changes = {item.index: change for item in code if (change := _change(item))}
    if not changes:
        return
    for item, state in zip(code, _states(code, entry, changes), strict=True):
        if not state & _SET or not (_EIGHT.match(item.name) or _HALF.match(item.name)):
            continue
        if state & _CLEAR or item.name.startswith("v_wmma"):
            raise item.unmodelled(
                "its overflow with the bit FP16_OVFL of the mode register, which is set on some way to it"
            )
        item.saturates = True


def _change(item: Decoded) -> int:
    """Return what an instruction makes of FP16_OVFL; 0: nothing."""
    if item.name == "s_round_mode" and item.operands[0].integer & _ROUNDING:
        raise item.unmodelled("another direction of rounding")
    match = _REGISTER.match(item.text) if item.name.startswith("s_setreg") else None
    if match is None:
        return 0
    first, size = int(match[1] or 0), int(match[2] or 32)
    touched = (1 << size) - 1 << first
    if not touched & (_OVERFLOW | _ROUNDING):
        return 0
    if "imm32" not in item.name:
        raise item.unmodelled("a mode that is known only when it runs")
    value = item.operands[1].integer << first & touched
    if value & _ROUNDING:
        raise item.unmodelled("another direction of rounding")
    return (_SET if value & _OVERFLOW else _CLEAR) if touched & _OVERFLOW else 0


def _states(code: Sequence[Decoded], entry: int, changes: dict[int, int]) -> list[int]:
    """Return the states in which each instruction may begin; where jumps are computed, all that occur."""
    if any(_INDIRECT.match(item.name) for item in code):
        return [_CLEAR | _SET] * len(code)
    found, waiting = [0] * len(code), [(entry, _CLEAR)]
    while waiting:
        index, state = waiting.pop()
        if index >= len(code) or not state & ~found[index]:
            continue
        found[index] |= state
        waiting += [(to, changes.get(index, found[index])) for to in _next(code[index])]
    return found


def _next(item: Decoded) -> Iterator[int]:
    if item.target is not None:
        yield item.target
    if item.name not in ("s_branch", "s_endpgm"):
        yield item.index + 1


def guarded(item: Decoded, step: Step, context: Context) -> Step:
    """Return a step that refuses what FP16_OVFL would clamp: halves that come out infinite, whatever from."""
    if not item.saturates or _EIGHT.match(item.name):
        return step
    rows, masks = [context.layout.row(register) for register in item.operands[0].registers], _halves(item)

    def stepped(c: Cohort) -> None:
        step(c)
        if any(_infinite(c, c.v[row], mask) for row in rows for mask in masks):
            raise EmulateError(
                f"{item.where()} gives an infinity where the mode FP16_OVFL may clamp it, which is not modelled; take smaller inputs."
            )

    return stepped


def _halves(item: Decoded) -> tuple[int, ...]:
    """Return the shifts of the halves of its registers that an instruction writes."""
    if item.name.startswith("v_pk_") or "pk_rtz" in item.name or "pkrtz" in item.name:
        return 0, 16
    bits = (*item.modifiers.bits("op_sel"), 0, 0, 0, 0)
    last = len(item.operands) - 1
    return (16,) if item.operands[0].high or "mixhi" in item.name or bits[last] else (0,)


def _infinite(c: Cohort, words: Array, shift: int) -> bool:
    return bool(((words >> np.uint32(shift) & np.uint32(0x7FFF)) == 0x7C00)[c.exec].any())
