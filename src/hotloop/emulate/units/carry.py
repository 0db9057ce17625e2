"""Vector instructions with a second result or an implicit mask: carries, wide multiply-adds, division steps.

Source: AMD's ISA references, "V_ADD_CO_U32", "V_ADDC_CO_U32", "V_MAD_U64_U32", "V_DIV_SCALE_F32", "V_DIV_FMAS_F32",
"V_DIV_FIXUP_F32".
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

import numpy as np

from hotloop.emulate.operands import Kind, Operand
from hotloop.emulate.semantics.fused import fma32, fma32_scaled, fma64
from hotloop.emulate.state import EXEC_ROW, VCC_ROW
from hotloop.emulate.units import lanes, subdword
from hotloop.emulate.units.values import mask_row, sink, source

if TYPE_CHECKING:
    from hotloop.emulate.arrays import Array
    from hotloop.emulate.cohort import Cohort
    from hotloop.emulate.instruction import Context, Decoded


Step = Callable[["Cohort"], None]
CARRY = re.compile(r"v_(add|sub|subrev)(c|b|brev)?_co(_ci)?_u32$|v_(addc|subb|subbrev)_co(?:_ci)?_u32$")


def bind(ins: Decoded, context: Context) -> Step | None:
    """Return the step of such an instruction, or None."""
    if CARRY.match(ins.name):
        return _carry(ins, context)
    if "_dpp" in ins.mnemonic:
        return None
    if match := re.match(r"v_mad_(?:co_)?([ui])64_[ui]32$", ins.name):
        return _wide(ins, context, signed=match[1] == "i")
    makers = {"v_div_scale_f": _scale, "v_div_fmas_f": _fmas, "v_div_fixup_f": _fixup}
    if ins.name == "v_div_fixup_f16":
        return _fixup(ins, context)
    maker = makers.get(ins.name[:-2])
    return maker(ins, context) if maker and ins.name[-2:] in ("32", "64") else None


def _row(item: Operand, ins: Decoded) -> int | None:
    return None if item.kind is Kind.NULL else mask_row(item, ins)


def _put(c: Cohort, row: int | None, hit: Array) -> None:
    if row is not None:
        c.put_mask(row, hit & c.exec)
        if row == EXEC_ROW:
            c.refresh()


def _carry(ins: Decoded, context: Context) -> Step:
    name, operands = ins.name, ins.operands
    takes = "_ci_" in name or name.startswith(("v_addc", "v_subb"))
    reads = []
    for place, item in enumerate(operands[2:4]):
        sdwa = "_sdwa" in ins.mnemonic
        reads.append(subdword.source(item, "u32", place, ins, context) if sdwa else source(item, "u32", ins, context))
    chosen = None
    if "_dpp" in ins.mnemonic:
        reads[0], chosen = lanes.permuted(reads[0], ins, context), lanes.written(ins, context)
    left, right = reads[::-1] if "rev" in name else reads
    put, out = sink(operands[0], "u32", ins, context), _row(operands[1], ins)
    into = mask_row(operands[4], ins) if takes else None
    subtract = name.startswith("v_sub")

    def step(c: Cohort) -> None:
        a, b = left(c).astype(np.int64), right(c).astype(np.int64)
        extra = c.mask(into).astype(np.int64) if into is not None else 0
        total = a - b - extra if subtract else a + b + extra
        over = total < 0 if subtract else total > 0xFFFFFFFF
        with lanes.only(c, chosen(c)) if chosen else nullcontext():
            put(c, (total & 0xFFFFFFFF).astype(np.uint32))
            _put(c, out, np.broadcast_to(over, c.exec.shape))

    return step


def _wide(ins: Decoded, context: Context, *, signed: bool) -> Step:
    narrow, wide = ("i32", "i64") if signed else ("u32", "u64")
    one, two = (source(item, narrow, ins, context) for item in ins.operands[2:4])
    add, put, out = (
        source(ins.operands[4], wide, ins, context),
        sink(ins.operands[0], wide, ins, context),
        _row(ins.operands[1], ins),
    )
    dtype = np.int64 if signed else np.uint64

    def step(c: Cohort) -> None:
        product, addend = one(c).astype(dtype) * two(c).astype(dtype), add(c)
        total = product + addend
        put(c, total)
        over = (product ^ total) & (addend ^ total) < 0 if signed else total < product
        _put(c, out, np.broadcast_to(over, c.exec.shape))

    return step


# -- division ---------------------------------------------------------------------------------------------------------

_FORMS: dict[str, tuple[Any, int, int, int, int, int, int]] = {
    "f32": (np.uint32, 23, 255, 96, 64, 23, 150),
    "f64": (np.uint64, 52, 2047, 768, 128, 53, 1075),
}
"""Bits, mantissa bits, largest exponent, exponent distance that needs scaling, scale, smallest numerator exponent, underflow."""


def _exponent(a: Array, kind: str) -> Array:
    bits, mantissa, largest, *_ = _FORMS[kind]
    return (np.ascontiguousarray(a).view(bits) >> bits(mantissa)).astype(np.int64) & largest


def _scale(ins: Decoded, context: Context) -> Step:
    kind = ins.name[-3:]
    reads = [source(item, kind, ins, context) for item in ins.operands[2:5]]
    put, out = sink(ins.operands[0], kind, ins, context), _row(ins.operands[1], ins)

    def step(c: Cohort) -> None:
        first, below, above = (np.broadcast_to(read(c), c.exec.shape) for read in reads)
        value, scaled = _scaled(first, below, above, kind)
        put(c, value)
        _put(c, out, scaled)

    return step


def _scaled(first: Array, below: Array, above: Array, kind: str) -> tuple[Array, Array]:
    """Return an operand of a division scaled against overflow, and whether the quotient must be scaled back.

    AMD's pseudocode scales the denominator up where 1/denominator and the quotient are both denormal. It would overflow there, and every such
    quotient be infinite; scaled down, all quotients are right, those of any other operands, too.
    """
    _, _, _, distance, scale, smallest, _ = _FORMS[kind]
    dtype = first.dtype.type
    up, down = dtype(2.0**scale), dtype(2.0**-scale)
    high, low = _exponent(above, kind), _exponent(below, kind)
    tiny = np.finfo(first.dtype).tiny
    is_below, is_above = first == below, first == above
    nan = (above == 0) | (below == 0)
    far = high - low >= distance
    small = (low == 0) & (below != 0)
    flat = np.abs(1.0 / below.astype(np.float64)) < (2.0**-1022 if kind == "f64" else 2.0**-126)
    quotient = np.abs(above.astype(np.float64) / below.astype(np.float64)) < float(tiny)
    conditions = [nan, far, small, flat & quotient, flat, quotient, high <= smallest]
    results = [
        np.full_like(first, np.nan), np.where(is_below, first * up, first), first * up,
        np.where(is_below, first * down, first), first * down, np.where(is_above, first * up, first), first * up,
    ]  # fmt: skip
    value = np.select(conditions, results, first)
    flags = np.select(conditions, [False, True, False, True, False, True, False], default=False)
    return value.astype(first.dtype), flags.astype(bool)


def _fmas(ins: Decoded, context: Context) -> Step:
    kind = ins.name[-3:]
    reads, put = (
        [source(item, kind, ins, context) for item in ins.operands[1:4]],
        sink(ins.operands[0], kind, ins, context),
    )
    scale, fused = _FORMS[kind][4], fma32 if kind == "f32" else fma64
    middle = 127 if kind == "f32" else 1023

    def step(c: Cohort) -> None:
        a, b, addend = (np.broadcast_to(read(c), c.exec.shape) for read in reads)
        plain = fused(a, b, addend)
        mask = c.mask(VCC_ROW)
        if mask.any():
            factor = np.where(_exponent(addend, kind) > middle, 2.0**scale, 2.0**-scale)
            scaled = fma32_scaled(a, b, addend, factor) if kind == "f32" else plain * factor
            plain = np.where(mask, scaled, plain)
        put(c, plain)

    return step


def _fixup(ins: Decoded, context: Context) -> Step:
    kind, chosen = ins.name[-3:], ins.modifiers.bits("op_sel")
    upper = [place < len(chosen) and bool(chosen[place]) for place in range(4)]
    reads, put = (
        [source(item, kind, ins, context, high=high) for item, high in zip(ins.operands[1:4], upper, strict=False)],
        sink(ins.operands[0], kind, ins, context, high=upper[3] if chosen else None),
    )

    def step(c: Cohort) -> None:
        quotient, below, above = (np.broadcast_to(read(c), c.exec.shape) for read in reads)
        put(c, _fixed(quotient, below, above, kind))

    return step


def _fixed(quotient: Array, below: Array, above: Array, kind: str) -> Array:
    sign = np.signbit(below) ^ np.signbit(above)
    signed = np.where(sign, -1.0, 1.0).astype(quotient.dtype)
    zero, infinite = quotient.dtype.type(0), quotient.dtype.type(np.inf)
    tiny = np.finfo(quotient.dtype).smallest_subnormal
    conditions = [
        np.isnan(above), np.isnan(below), ((above == 0) & (below == 0)) | (np.isinf(above) & np.isinf(below)),
        (below == 0) | np.isinf(above), np.isinf(below) | (above == 0),
    ]  # fmt: skip
    results = [
        above, below, np.full_like(quotient, np.nan), signed * infinite, signed * zero,
    ]  # fmt: skip
    if kind in _FORMS:  # of halves, whose quotients are computed in 32 bits, nothing has overflowed or come to nothing
        _, _, largest, *_, under = _FORMS[kind]
        high, low = _exponent(above, kind), _exponent(below, kind)
        # What overflowed on the way is infinity, as tinygrad found on cards.
        conditions += [high - low < -under, (low == largest) | np.isnan(quotient)]
        results += [signed * tiny * quotient.dtype.type(0.25), signed * infinite]
    return np.select(conditions, results, np.copysign(np.abs(quotient), signed)).astype(quotient.dtype)
