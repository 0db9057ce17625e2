"""Small floating-point formats: bfloat16, OCP and AMD 8-bit floats, 6- and 4-bit floats, as tables and as rounding.

Sources: OCP 8-bit Floating Point Specification and OCP Microscaling Formats (E4M3, E5M2, E3M2, E2M3, E2M1, E8M0); AMD CDNA 3
ISA reference for the biases of gfx942 (FNUZ: bias one larger, no infinities, a single NaN 0x80).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hotloop.emulate.arrays import Array
    from hotloop.targets.target import Target


@dataclass(frozen=True, slots=True)
class Format:
    """A small float with a sign."""

    exponent_bits: int
    mantissa_bits: int
    bias: int
    infinities: bool = False
    """True when the largest exponent means infinity and NaN as in IEEE 754."""
    fnuz: bool = False
    """True when 0x80 is the only NaN and there is no negative zero."""
    nan_all_ones: bool = False
    """True when only the largest magnitude is NaN."""

    @property
    def bits(self) -> int:
        """Size of a value."""
        return 1 + self.exponent_bits + self.mantissa_bits


E4M3, E5M2 = Format(4, 3, 7, nan_all_ones=True), Format(5, 2, 15, infinities=True)
E4M3_FNUZ, E5M2_FNUZ = Format(4, 3, 8, fnuz=True), Format(5, 2, 16, fnuz=True)
E2M3, E3M2, E2M1 = Format(2, 3, 1), Format(3, 2, 3), Format(2, 1, 1)


def fp8(target: Target) -> tuple[Format, Format]:
    """Return the formats that ``fp8`` and ``bf8`` mean on a processor."""
    return (E4M3_FNUZ, E5M2_FNUZ) if target.has("8-bit floats without negative zero") else (E4M3, E5M2)


@cache
def table(form: Format) -> Array:
    """Return the value of every code."""
    codes = np.arange(1 << form.bits)
    mantissa = codes & (1 << form.mantissa_bits) - 1
    exponent = codes >> form.mantissa_bits & (1 << form.exponent_bits) - 1
    sign = np.where(codes >> form.bits - 1, -1.0, 1.0)
    scale = np.ldexp(1.0, np.maximum(exponent, 1) - form.bias - form.mantissa_bits)
    value = sign * ((exponent > 0) * (1 << form.mantissa_bits) + mantissa) * scale
    top = exponent == (1 << form.exponent_bits) - 1
    if form.infinities:
        value = np.where(top, np.where(mantissa == 0, sign * np.inf, np.nan), value)
    if form.nan_all_ones:
        value = np.where(top & (mantissa == (1 << form.mantissa_bits) - 1), np.nan, value)
    if form.fnuz:
        value[1 << form.bits - 1] = np.nan
    return value.astype(np.float32)


def decode(form: Format, codes: Array) -> Array:
    """Return the values of codes."""
    return table(form)[codes]


def encode(form: Format, values: Array) -> NDArray[np.uint8]:
    """Return the codes nearest to values, ties to even; what is too large becomes the largest value (saturated)."""
    known = table(form)[: 1 << form.bits - 1].astype(np.float64)
    finite = known[np.isfinite(known)]
    size = np.abs(values.astype(np.float64))
    middle = (finite[1:] + finite[:-1]) / 2
    code = np.searchsorted(middle, size, side="left")
    tie = (code < len(middle)) & (size == middle[np.minimum(code, len(middle) - 1)]) & (code % 2 == 1)
    code = np.where(tie, code + 1, code)
    negative = np.signbit(values)
    if form.fnuz:
        negative = negative & (code > 0)
    bits = code | negative.astype(np.int64) << form.bits - 1
    nan = 1 << form.bits - 1 if form.fnuz else (1 << form.bits - 1) - 1
    return np.where(np.isnan(values), nan, bits).astype(np.uint8)


def from_bf16(bits: Array) -> Array:
    """Return the values of bfloat16 bits."""
    return (bits.astype(np.uint32) << np.uint32(16)).view(np.float32)


def to_bf16(values: Array) -> NDArray[np.uint16]:
    """Return float32 values rounded to bfloat16 bits, ties to even; a NaN stays one."""
    bits = np.ascontiguousarray(values, np.float32).view(np.uint32)
    rounded = (bits + np.uint32(0x7FFF) + (bits >> np.uint32(16) & np.uint32(1))) >> np.uint32(16)
    quiet = bits >> np.uint32(16) | np.uint32(0x40)
    return np.where(np.isnan(values), quiet, rounded).astype(np.uint16)
