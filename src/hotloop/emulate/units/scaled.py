"""Conversions between floats and 8- or 4-bit floats with a scale, of gfx950.

Source: AMD's ISA reference of CDNA 4, "V_CVT_SCALEF32_PK_FP8_F32" and its neighbours: the scale is the power of two in the exponent of a
float32; narrowing divides by it, widening multiplies. 4-bit floats have no infinity: what is too large becomes the largest.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from hotloop.emulate.semantics import formats
from hotloop.emulate.units.eight import encoder
from hotloop.emulate.units.values import source

if TYPE_CHECKING:
    from hotloop.emulate.arrays import Array
    from hotloop.emulate.cohort import Cohort
    from hotloop.emulate.instruction import Context, Decoded

Step = Callable[["Cohort"], None]
_NARROW = re.compile(r"v_cvt_scalef32_pk_(fp8|bf8|fp4)_(f32|f16|bf16)$")
_WIDEN = re.compile(r"v_cvt_scalef32_(pk_)?(f32|f16|bf16)_(fp8|bf8|fp4)$")
_FORMS = {"fp8": formats.E4M3, "bf8": formats.E5M2, "fp4": formats.E2M1}


def bind(ins: Decoded, context: Context) -> Step | None:
    """Return the step of such a conversion, or None."""
    if found := _NARROW.match(ins.name):
        return _narrow(ins, context, found[1], found[2])
    if found := _WIDEN.match(ins.name):
        return _widen(ins, context, found[3], found[2], 2 if found[1] else 1)
    return None


def _scale(bits: Array) -> Array:
    """Return the power of two of a float's exponent; NaN for that of infinities and NaNs."""
    exponent = (bits >> np.uint32(23) & np.uint32(0xFF)).astype(np.int64)
    return np.where(exponent == 0xFF, np.nan, np.ldexp(1.0, exponent - 127))


def _narrow(ins: Decoded, context: Context, kind: str, wide: str) -> Step:
    *values, scale = ins.operands[1:]
    read = [source(item, "f32" if wide == "f32" else "u32", ins, context) for item in values]
    exponents, row = source(scale, "u32", ins, context), context.layout.row(ins.operands[0].first)
    form, encoded = _FORMS[kind], formats.encode if kind == "fp4" else encoder(ins)
    shift, width = _place(ins, kind), 2 * form.bits
    kept = np.uint32(~((1 << width) - 1 << shift) & 0xFFFFFFFF)

    def step(c: Cohort) -> None:
        pair = [r(c) for r in read] if wide == "f32" else _halves(np.broadcast_to(read[0](c), c.exec.shape), wide)
        factor = np.broadcast_to(_scale(exponents(c)), c.exec.shape)
        low, high = (encoded(form, np.asarray(v, np.float64) / factor).astype(np.uint32) for v in pair)
        c.put(row, c.v[row] & kept | (low | high << np.uint32(form.bits)) << np.uint32(shift))

    return step


def _place(ins: Decoded, kind: str) -> int:
    """Return the bit of the destination at which a pair is written."""
    bits = ins.modifiers.bits("op_sel")
    if kind == "fp4":
        bits = (*bits, 0, 0, 0, 0)
        return 8 * (bits[2] + 2 * bits[3])
    return 16 * bits[-1] if bits else 0


def _halves(words: Array, wide: str) -> list[Array]:
    halves = [(words >> np.uint32(shift)).astype(np.uint16) for shift in (0, 16)]
    return [formats.from_bf16(half) if wide == "bf16" else half.view(np.float16) for half in halves]


def _widen(ins: Decoded, context: Context, kind: str, wide: str, count: int) -> Step:
    read, exponents = (source(item, "u32", ins, context) for item in ins.operands[1:3])
    form, bits = _FORMS[kind], (*ins.modifiers.bits("op_sel"), 0, 0, 0)
    first = 16 * bits[0] if count == 2 and kind != "fp4" else 8 * (bits[0] + 2 * bits[1])
    rows = [context.layout.row(register) for register in ins.operands[0].registers]
    high = bool(bits[2]) and count == 1

    def step(c: Cohort) -> None:
        words = np.broadcast_to(read(c), c.exec.shape) >> np.uint32(first)
        codes = [words >> np.uint32(form.bits * n) & np.uint32((1 << form.bits) - 1) for n in range(count)]
        values = [formats.decode(form, code).astype(np.float64) * _scale(exponents(c)) for code in codes]
        _put(c, rows, values, wide, high=high)

    return step


def _put(c: Cohort, rows: list[int], values: list[Array], wide: str, *, high: bool) -> None:
    if wide == "f32":
        for row, value in zip(rows, values, strict=True):
            c.put(row, value.astype(np.float32).view(np.uint32))
        return
    halves = [_half(value, wide).astype(np.uint32) for value in values]
    if len(halves) == 2:
        c.put(rows[0], halves[0] | halves[1] << np.uint32(16))
        return
    shift, kept = (np.uint32(16), np.uint32(0xFFFF)) if high else (np.uint32(0), np.uint32(0xFFFF0000))
    c.put(rows[0], c.v[rows[0]] & kept | halves[0] << shift)


def _half(values: Array, wide: str) -> Array:
    if wide == "bf16":
        return formats.to_bf16(values.astype(np.float32))
    return values.astype(np.float16).view(np.uint16)
