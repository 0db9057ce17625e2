"""Data moving between the lanes of a wave: DPP, read and write of a lane, permutes, swizzles and swaps.

Sources: AMD's ISA references of Vega, CDNA 2 to 4 and RDNA 1 to 4, sections "DPP", "V_READLANE", "V_PERMLANE16",
"DS_SWIZZLE", "DS_PERMUTE".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from hotloop.emulate.operands import Kind
from hotloop.emulate.units.values import Read, Write, scalar, source
from hotloop.isa.amdgcn.registers import SGPR

if TYPE_CHECKING:
    from hotloop.emulate.arrays import Array
    from hotloop.emulate.cohort import Cohort
    from hotloop.emulate.instruction import Context, Decoded
    from hotloop.emulate.state import Registers


Step = Callable[["Cohort"], None]
SWIZZLE = "ds_swizzle_b32"
CROSSBAR = frozenset({SWIZZLE, "ds_bpermute_b32", "ds_permute_b32"})
"""Instructions of the local data share that move registers between lanes."""


# -- DPP --------------------------------------------------------------------------------------------------------------


def pattern(ins: Decoded, lanes: int) -> tuple[Array, Array]:
    """Return the lane that each lane reads, and whether there is one."""
    lane = np.arange(lanes)
    row, place = lane & ~15, lane & 15
    text = ins.modifiers.text
    valid = np.ones(lanes, bool)
    if eight := text("dpp8"):
        picks = np.array([int(p) for p in eight.strip("[]").split(",")])
        return (lane & ~7) + picks[lane & 7], valid
    if quad := text("quad_perm"):
        picks = np.array([int(p) for p in quad.strip("[]").split(",")])
        return (lane & ~3) + picks[lane & 3], valid
    moves: dict[str, Callable[[int], Array]] = {
        "row_shl": lambda n: place + n,
        "row_shr": lambda n: place - n,
        "row_ror": lambda n: (place - n) & 15,
        "row_share": lambda n: np.full(lanes, n),
        "row_newbcast": lambda n: np.full(lanes, n),
        "row_xmask": lambda n: place ^ n,
    }
    for name, move in moves.items():
        if value := text(name):
            moved = move(int(value, 0))
            return row + (moved & 15), (moved >= 0) & (moved < 16)
    return _special(ins, lanes)


def _special(ins: Decoded, lanes: int) -> tuple[Array, Array]:
    lane = np.arange(lanes)
    flags, text = ins.modifiers.flags, ins.modifiers.text
    if "row_mirror" in flags:
        return lane ^ 15, np.ones(lanes, bool)
    if "row_half_mirror" in flags:
        return lane ^ 7, np.ones(lanes, bool)
    if value := text("row_bcast"):
        last = int(value)
        if last == 15:
            return (lane & ~15) - 1, lane >= 16
        return np.full(lanes, 31), lane >= 32
    for name, step in (("wave_shl", 1), ("wave_shr", -1)):
        if text(name):
            moved = lane + step
            return np.clip(moved, 0, lanes - 1), (moved >= 0) & (moved < lanes)
    for name, step in (("wave_rol", 1), ("wave_ror", -1)):
        if text(name):
            return (lane + step) % lanes, np.ones(lanes, bool)
    raise ins.unmodelled("form of DPP")


def permuted(read: Read, ins: Decoded, context: Context) -> Read:
    """Return how the first operand is read through DPP; lanes without a source read 0."""
    index, valid = pattern(ins, context.lanes)
    index = np.where(valid, index, 0)
    inactive = bool(ins.modifiers.number("fi"))

    def moved(r: Registers) -> Any:  # noqa: ANN401 - arrays of any type
        values = np.broadcast_to(read(r), r.exec.shape)[:, index]
        there = valid if inactive or r.full else valid & r.exec[:, index]
        return values if there.all() else np.where(there, values, values.dtype.type(0))

    return moved


def written(ins: Decoded, context: Context) -> Callable[[Registers], Any]:
    """Return which lanes an instruction with DPP writes: none outside of the masks, none without a source where that is unbounded."""
    index, valid = pattern(ins, context.lanes)
    index = np.where(valid, index, 0)
    lane = np.arange(context.lanes)
    rows, banks = ins.modifiers.number("row_mask", 15), ins.modifiers.number("bank_mask", 15)
    chosen = ((rows >> (lane // 16 & 3) & 1) & (banks >> (lane // 4 & 3) & 1)).astype(bool)
    bounded = bool(ins.modifiers.text("bound_ctrl")) or bool(ins.modifiers.text("dpp8"))
    inactive = bool(ins.modifiers.number("fi"))

    def lanes(r: Registers) -> Any:  # noqa: ANN401 - arrays of any type
        there = np.broadcast_to(valid, r.exec.shape) if inactive or r.full else valid & r.exec[:, index]
        return r.exec & chosen & (there | bounded)

    return lanes


@contextmanager
def only(r: Registers, lanes: Any) -> Iterator[None]:  # noqa: ANN401
    """Let no other lanes be written."""
    kept, full = r.exec, r.full
    r.exec, r.full = lanes, bool(lanes.all())
    try:
        yield
    finally:
        r.exec, r.full = kept, full


def permuted_step(ins: Decoded, context: Context, compute: Callable[[Registers], Any], put: Write) -> Step:
    """Return the step of an instruction with DPP: lanes that it does not write keep their result."""
    chosen = written(ins, context)

    def step(c: Cohort) -> None:
        value = compute(c)
        with only(c, chosen(c)):
            put(c, value)

    return step


# -- single lanes -----------------------------------------------------------------------------------------------------


def bind(ins: Decoded, context: Context) -> Step | None:
    """Return the step of an instruction that moves data between lanes, or None."""
    makers = {
        "v_readfirstlane_b32": _read_first,
        "v_readlane_b32": _read_lane,
        "v_writelane_b32": _write_lane,
        "v_permlane16_b32": _permlane16,
        "v_permlanex16_b32": _permlane16,
        "v_permlane16_var_b32": _permlane_var,
        "v_permlanex16_var_b32": _permlane_var,
        "v_permlane64_b32": _permlane64,
        "v_permlane16_swap_b32": _swap_rows,
        "v_permlane32_swap_b32": _swap_rows,
        "v_swap_b32": _swap,
        "v_mbcnt_lo_u32_b32": _mbcnt,
        "v_mbcnt_hi_u32_b32": _mbcnt,
    }
    maker = makers.get(ins.name)
    return maker(ins, context) if maker else None


def _scalar_sink(ins: Decoded) -> Callable[[Cohort, Any], None]:
    item = ins.operands[0]
    if item.kind is Kind.NULL:
        return lambda c, value: None
    row = item.first - SGPR

    def write(c: Cohort, value: Any) -> None:  # noqa: ANN401
        c.s[row] = value
        if row in (126, 127):
            c.refresh()

    return write


def _read_first(ins: Decoded, context: Context) -> Step:
    read, write = source(ins.operands[1], "u32", ins, context), _scalar_sink(ins)

    def step(c: Cohort) -> None:
        values = np.broadcast_to(read(c), c.exec.shape)
        if c.full:
            write(c, values[:, 0])
        else:
            write(c, values[np.arange(c.waves), c.exec.argmax(axis=1)])

    return step


def _read_lane(ins: Decoded, context: Context) -> Step:
    read, lane, write = (
        source(ins.operands[1], "u32", ins, context),
        scalar(ins.operands[2], "u32", ins, context),
        _scalar_sink(ins),
    )
    most = context.lanes - 1

    def step(c: Cohort) -> None:
        values = np.broadcast_to(read(c), c.exec.shape)
        write(c, values[np.arange(c.waves), (lane(c) & np.uint32(most)).astype(np.int64)])

    return step


def _write_lane(ins: Decoded, context: Context) -> Step:
    value, lane = (scalar(item, "u32", ins, context) for item in ins.operands[1:3])
    row, most = context.layout.row(ins.operands[0].first), context.lanes - 1

    def step(c: Cohort) -> None:
        c.v[row, np.arange(c.waves), (lane(c) & np.uint32(most)).astype(np.int64)] = value(c)

    return step


def _permlane16(ins: Decoded, context: Context) -> Step:
    """Each lane of a row reads the lane that 4 bits of two scalar operands name; ``x``: of the neighbouring row."""
    read = source(ins.operands[1], "u32", ins, context)
    low, high = (scalar(item, "u32", ins, context) for item in ins.operands[2:4])
    crossed = 16 if "permlanex16" in ins.name else 0
    selects = ins.modifiers.bits("op_sel")
    inactive, bounded = bool(selects and selects[0]), len(selects) > 1 and bool(selects[1])
    lane, row = np.arange(context.lanes), context.layout.row(ins.operands[0].first)

    def step(c: Cohort) -> None:
        pair = low(c).astype(np.uint64) | high(c).astype(np.uint64) << np.uint64(32)
        shift = ((lane & 15) * 4).astype(np.uint64)
        pick = (pair[:, None] >> shift & np.uint64(15)).astype(np.int64)
        pick = np.broadcast_to(((lane & ~15) ^ crossed) + pick, c.exec.shape)
        values = np.take_along_axis(np.broadcast_to(read(c), c.exec.shape), pick, axis=1)
        there = np.ones_like(c.exec) if inactive or c.full else np.take_along_axis(c.exec, pick, axis=1)
        kept = c.v[row].copy()
        c.put(row, np.where(there, values, np.uint32(0) if bounded else kept))

    return step


def _permlane_var(ins: Decoded, context: Context) -> Step:
    """Each lane reads the lane of its row, or of the neighbouring one, that 4 bits of its own second operand name (RDNA 4)."""
    read, which = (source(item, "u32", ins, context) for item in ins.operands[1:3])
    first = np.arange(context.lanes) & ~15 ^ (16 if "permlanex16" in ins.name else 0)
    inactive, bounded = (bool(bit) for bit in (*ins.modifiers.bits("op_sel"), 0, 0)[:2])
    row = context.layout.row(ins.operands[0].first)

    def step(c: Cohort) -> None:
        pick = first + (np.broadcast_to(which(c), c.exec.shape) & np.uint32(15)).astype(np.int64)
        values = np.take_along_axis(np.broadcast_to(read(c), c.exec.shape), pick, axis=1)
        there = inactive | np.take_along_axis(c.exec, pick, axis=1)
        c.put(row, np.where(there, values, np.uint32(0) if bounded else c.v[row]))

    return step


def _permlane64(ins: Decoded, context: Context) -> Step:
    read, row = source(ins.operands[1], "u32", ins, context), context.layout.row(ins.operands[0].first)
    swapped = np.arange(context.lanes) ^ 32 if context.lanes == 64 else np.arange(context.lanes)
    return lambda c: c.put(row, np.broadcast_to(read(c), c.exec.shape)[:, swapped])


def _swap_rows(ins: Decoded, context: Context) -> Step:
    """Swap the odd rows (of 16 or 32 lanes) of the first register with the even rows of the second."""
    first, second = (context.layout.row(item.first) for item in ins.operands[:2])
    width = 16 if "16" in ins.name else 32
    lane = np.arange(context.lanes)
    odd = (lane // width & 1).astype(bool)
    other = lane ^ width

    def step(c: Cohort) -> None:
        one, two = c.v[first].copy(), c.v[second].copy()
        c.put(first, np.where(odd, two[:, other], one))
        c.put(second, np.where(odd, two, one[:, other]))

    return step


def _swap(ins: Decoded, context: Context) -> Step:
    first, second = (context.layout.row(item.first) for item in ins.operands[:2])

    def step(c: Cohort) -> None:
        one, two = c.v[first].copy(), c.v[second].copy()
        c.put(first, two)
        c.put(second, one)

    return step


def _mbcnt(ins: Decoded, context: Context) -> Step:
    """Count the mask's bits below a lane, in the lower or the upper 32 lanes, and add."""
    mask, add = (source(item, "u32", ins, context) for item in ins.operands[1:3])
    row, lane = context.layout.row(ins.operands[0].first), np.arange(context.lanes)
    place = lane if "_lo_" in ins.name else lane - 32
    below = np.where(place <= 0, 0, np.where(place >= 32, 0xFFFFFFFF, (1 << np.clip(place, 0, 32)) - 1)).astype(
        np.uint32
    )
    return lambda c: c.put(row, np.bitwise_count(mask(c) & below).astype(np.uint32) + add(c))


# -- through the local data share's crossbar --------------------------------------------------------------------------

_SWIZZLE = re.compile(r"swizzle\((\w+),?(.*)\)")


def swizzle_pattern(ins: Decoded, lanes: int) -> Array:
    """Return the lane that each lane reads in a ``ds_swizzle_b32``."""
    text, lane = ins.modifiers.text("offset", "0"), np.arange(lanes)
    found = _SWIZZLE.match(text)
    if found is None:
        return _swizzle_code(int(text, 0), lane)
    fields = [field.strip().strip('"') for field in found[2].split(",")]
    match found[1]:
        case "SWAP":
            return lane ^ int(fields[0])
        case "REVERSE":
            return lane ^ (int(fields[0]) - 1)
        case "BROADCAST":
            width, place = int(fields[0]), int(fields[1])
            return (lane & ~(width - 1)) + place
        case "QUAD_PERM":
            picks = np.array([int(f) for f in fields])
            return (lane & ~3) + picks[lane & 3]
        case "BITMASK_PERM":
            return _bitmask(fields[0], lane)
    raise ins.unmodelled("form of swizzle")


def _swizzle_code(code: int, lane: Array) -> Array:
    if code & 0x8000:
        picks = np.array([code >> 2 * n & 3 for n in range(4)])
        return (lane & ~3) + picks[lane & 3]
    keep, force, flip = code & 31, code >> 5 & 31, code >> 10 & 31
    return (lane & ~31) | (((lane & 31 & keep) | force) ^ flip)


def _bitmask(mask: str, lane: Array) -> Array:
    keep = sum((letter in "pi") << 4 - n for n, letter in enumerate(mask))
    force = sum((letter == "1") << 4 - n for n, letter in enumerate(mask))
    flip = sum((letter == "i") << 4 - n for n, letter in enumerate(mask))
    return (lane & ~31) | (((lane & 31 & keep) | force) ^ flip)


__all__ = ["bind", "pattern", "permuted", "permuted_step", "swizzle_pattern"]
