"""Conversions between float32 and 8-bit floats.

Source: AMD's ISA references of CDNA 3 and 4 and RDNA 4, "V_CVT_F32_FP8", "V_CVT_PK_F32_FP8", "V_CVT_PK_FP8_F32"; what is too
large becomes NaN or infinity, in the mode FP16_OVFL the largest number.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from hotloop.emulate.semantics import formats
from hotloop.emulate.units.values import Read, sink, source

if TYPE_CHECKING:
    from hotloop.emulate.arrays import Array
    from hotloop.emulate.cohort import Cohort
    from hotloop.emulate.instruction import Context, Decoded

Step = Callable[["Cohort"], None]
_WIDEN, _WIDEN_PAIR = re.compile(r"v_cvt_f32_(fp8|bf8)$"), re.compile(r"v_cvt_pk_f32_(fp8|bf8)$")
_NARROW_PAIR = re.compile(r"v_cvt_pk_(fp8|bf8)_f32$")
_BYTES = {f"BYTE_{n}": n for n in range(4)} | {"WORD_1": 2}


def bind(ins: Decoded, context: Context) -> Step | None:
    """Return the step of such a conversion, or None."""
    if found := _WIDEN.match(ins.name):
        return _widen(ins, context, found[1], 1)
    if found := _WIDEN_PAIR.match(ins.name):
        return _widen(ins, context, found[1], 2)
    if found := _NARROW_PAIR.match(ins.name):
        return _narrow(ins, context, found[1])
    return None


def _form(context: Context, kind: str) -> formats.Format:
    return formats.fp8(context.target)[kind == "bf8"]


def _first(ins: Decoded, count: int) -> int:
    """Return the byte of the source that is converted first."""
    bits = (*ins.modifiers.bits("op_sel"), 0, 0)
    chosen = 2 * bits[0] if count == 2 else bits[0] * 2 + bits[1]
    return ins.modifiers.number("byte_sel", _BYTES.get(ins.modifiers.text("src0_sel"), chosen))


def _widen(ins: Decoded, context: Context, kind: str, count: int) -> Step:
    read, form, first = source(ins.operands[1], "u32", ins, context), _form(context, kind), _first(ins, count)
    rows = [context.layout.row(register) for register in ins.operands[0].registers[:count]]

    def step(c: Cohort) -> None:
        bits = np.broadcast_to(read(c), c.exec.shape).copy()
        for n, row in enumerate(rows):
            c.put(row, formats.decode(form, bits >> np.uint32(8 * (first + n)) & np.uint32(255)).view(np.uint32))

    return step


def _narrow(ins: Decoded, context: Context, kind: str) -> Step:
    reads: list[Read] = [source(item, "f32", ins, context) for item in ins.operands[1:3]]
    bits = (*ins.modifiers.bits("op_sel"), 0, 0, 0)
    put, form = sink(ins.operands[0], "u16", ins, context, high=bool(bits[2])), _form(context, kind)
    encoded = encoder(ins)

    def step(c: Cohort) -> None:
        low, high = (encoded(form, np.broadcast_to(read(c), c.exec.shape)).astype(np.uint16) for read in reads)
        put(c, low | high << np.uint16(8))

    return step


def encoder(ins: Decoded) -> Callable[[formats.Format, Array], Array]:
    """Return what an instruction's mode makes of numbers: too large ones become the largest, or NaN and infinity."""
    return formats.encode if ins.saturates else _encoded


def _encoded(form: formats.Format, values: Array) -> Array:
    """Return codes; beyond the largest value, after rounding, NaN or infinity."""
    codes = formats.encode(form, values)
    known = formats.table(form)
    largest = float(known[np.isfinite(known)].max())
    step = largest * 2.0 ** -(form.mantissa_bits + 1)
    over = np.abs(values) >= largest + step / 2
    if not over.any():
        return codes
    special = _special(form, values)
    return np.where(over, special, codes)


def _special(form: formats.Format, values: Array) -> Array:
    if form.fnuz:
        return np.full(values.shape, 1 << form.bits - 1)
    infinity = ((1 << form.exponent_bits) - 1) << form.mantissa_bits
    code = infinity if form.infinities else (1 << form.bits - 1) - 1
    return (
        np.where(np.isnan(values), (1 << form.bits - 1) - 1, code)
        | np.signbit(values).astype(np.int64) << form.bits - 1
    )
