"""Typed values of the pseudocode: integers of any width, floats that are rounded after every operation, raw bits."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import ml_dtypes
import numpy as np

FLOATS: dict[tuple[str, int], Any] = {
    ("f", 64): np.float64, ("f", 32): np.float32, ("f", 16): np.float16, ("bf", 16): ml_dtypes.bfloat16,
}  # fmt: skip
_WORDS = {8: np.uint8, 16: np.uint16, 32: np.uint32, 64: np.uint64}
_MANTISSA = {
    ("f", 64): (52, -1022, 1023),
    ("f", 32): (23, -126, 127),
    ("f", 16): (10, -14, 15),
    ("bf", 16): (7, -126, 127),
}


class UnknownError(Exception):
    """Something that this reading of the pseudocode does not know."""


class SkippedError(Exception):
    """Operands about which the text is silent."""


@dataclass(frozen=True, slots=True)
class Value:
    """kind: u, i (integers; width 0: a literal), b (bits), f, bf (floats: `raw` holds the bits)."""

    kind: str
    width: int
    raw: int
    """Of an integer its value, signed if it is; of everything else its bits."""

    @property
    def is_float(self) -> bool:
        return self.kind in ("f", "bf")

    @property
    def bits(self) -> int:
        """The bits, without a sign."""
        return self.raw & (1 << (self.width or 64)) - 1

    @property
    def number(self) -> Any:
        """A float's value as a Python float, an integer's as int."""
        return float(native(self)) if self.is_float else self.raw

    @property
    def truth(self) -> bool:
        return self.number != 0 if self.is_float else self.raw != 0


def native(value: Value) -> Any:
    """Return a float's value in its own NumPy type."""
    return _WORDS[value.width](value.bits).view(FLOATS[value.kind, value.width])


def packed(kind: str, width: int, number: Any) -> Value:
    """Return the value of a NumPy float of a type."""
    return Value(kind, width, int(np.asarray(number, FLOATS[kind, width]).view(_WORDS[width])))


def integer(kind: str, width: int, number: int) -> Value:
    """Return an integer, wrapped to its width."""
    number &= (1 << width) - 1
    if kind == "i" and number >> width - 1:
        number -= 1 << width
    return Value(kind, width, number)


def literal(number: int) -> Value:
    """Return an integer without a width."""
    return Value("i", 0, number)


def type_of(text: str) -> tuple[str, int]:
    """Return kind and width of a suffix such as ``f32``. Raises UnknownError."""
    match = re.fullmatch(r"(bf|[fuib])(\d+)", text)
    if match is None:
        raise UnknownError(f"type {text}")
    kind, width = match[1], int(match[2])
    if kind == "f" and width not in (16, 32, 64):
        raise UnknownError(f"type {text}")
    return ("bf8" if kind == "bf" and width == 8 else kind), width


def seen_as(value: Value, kind: str, width: int) -> Value:
    """Return the bits of a value read as another type."""
    if kind in ("u", "i", "b"):
        return integer("u" if kind == "b" else kind, width, value.bits if value.width else value.raw)
    return Value(kind, width, value.bits & (1 << width) - 1)


# -- floats -----------------------------------------------------------------------------------------------------------


def is_nan(value: Value) -> bool:
    """Tell whether a float is no number."""
    return value.is_float and math.isnan(value.number)


def is_signalling(value: Value) -> bool:
    """Tell whether a float is a signalling NaN."""
    fraction = _MANTISSA[value.kind, value.width][0]
    return is_nan(value) and not value.bits >> fraction - 1 & 1


def quieted(value: Value) -> Value:
    """Return a NaN as a quiet one."""
    return Value(value.kind, value.width, value.bits | 1 << _MANTISSA[value.kind, value.width][0] - 1)


def exponent_of(value: Value) -> int:
    """Return the exponent's field."""
    fraction, lowest, highest = _MANTISSA[value.kind, value.width]
    return value.bits >> fraction & (highest - lowest + 2)


def is_denormal(value: Value) -> bool:
    """Tell whether a float is smaller than the normal ones, and not zero."""
    return value.is_float and exponent_of(value) == 0 and value.number != 0


def converted(value: Value, kind: str, width: int, *, to_zero: bool = False) -> Value:
    """Return a number in another float type, rounded to nearest even or to zero; a NaN keeps whether it signals."""
    if value.is_float:
        if is_nan(value):
            fraction, own = _MANTISSA[kind, width][0], _MANTISSA[value.kind, value.width][0]
            payload = value.bits & (1 << own) - 1
            payload = payload << fraction - own if fraction >= own else payload >> own - fraction
            quiet = 0 if is_signalling(value) else 1 << fraction - 1
            sign = (value.bits >> value.width - 1) << width - 1
            top = packed(kind, width, math.inf).raw
            return Value(kind, width, sign | top | (payload or 1) | quiet)
        if math.isinf(value.number):
            return packed(kind, width, value.number)
        negative = bool(value.bits >> value.width - 1)
        return rounded(Fraction(value.number), kind, width, negative=negative, to_zero=to_zero)
    return rounded(Fraction(value.raw), kind, width, negative=value.raw < 0, to_zero=to_zero)


def rounded(number: Fraction, kind: str, width: int, *, negative: bool, to_zero: bool = False) -> Value:
    """Return an exact number as a float; `negative` decides the sign of zero."""
    fraction, lowest, highest = _MANTISSA[kind, width]
    sign = int(number < 0 or (number == 0 and negative)) << width - 1
    size = abs(number)
    if size == 0:
        return Value(kind, width, sign)
    power = size.numerator.bit_length() - size.denominator.bit_length()
    if Fraction(2) ** power > size:
        power -= 1
    unit = Fraction(2) ** (max(power, lowest) - fraction)
    steps = size / unit
    whole = steps.numerator // steps.denominator
    rest = steps - whole
    if not to_zero and (rest > Fraction(1, 2) or (rest == Fraction(1, 2) and whole & 1)):
        whole += 1
    value = whole * unit
    top = (2 - Fraction(1, 1 << fraction)) * Fraction(2) ** highest
    if value > top:
        return (
            packed(kind, width, float(top) if to_zero else float("inf"))
            if not sign
            else Value(kind, width, sign | packed(kind, width, float(top) if to_zero else float("inf")).raw)
        )
    return Value(kind, width, sign | packed(kind, width, float(value)).raw)


def fused(a: Value, b: Value, c: Value) -> Value:
    """Return a * b + c, rounded once."""
    kind, width = a.kind, a.width
    if any(is_nan(v) or math.isinf(v.number) for v in (a, b, c)):
        product = a.number * b.number if not (is_nan(a) or is_nan(b)) else math.nan
        return packed(kind, width, product + c.number)
    product = Fraction(a.number) * Fraction(b.number)
    minus = (a.bits >> width - 1) ^ (b.bits >> width - 1)
    total = product + Fraction(c.number)
    negative = bool(minus and c.bits >> width - 1) if total == 0 and product == 0 and c.number == 0 else False
    return rounded(total, kind, width, negative=negative)
