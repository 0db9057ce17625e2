"""Functions that the pseudocode names without defining them, after the text of the ISA references and IEEE 754."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import ml_dtypes
import numpy as np

from pseudocode.values import (
    SkippedError,
    UnknownError,
    Value,
    converted,
    exponent_of,
    fused,
    integer,
    is_nan,
    is_signalling,
    literal,
    packed,
    quieted,
    rounded,
    type_of,
)  # fmt: skip

EIGHT: dict[str, Any] = {"fp8": ml_dtypes.float8_e4m3fn, "bf8": ml_dtypes.float8_e5m2}
"""gfx942's are of another kind: `EIGHT.update(FNUZ)`."""
FNUZ = {"fp8": ml_dtypes.float8_e4m3fnuz, "bf8": ml_dtypes.float8_e5m2fnuz}
OCP = {"fp8": ml_dtypes.float8_e4m3fn, "bf8": ml_dtypes.float8_e5m2}
ROUNDING = frozenset({"f32_to_f16"})


def known(name: str) -> Callable[..., Any] | None:
    """Return a function, conversions ``a_to_b`` included; None: it is another instruction."""
    if name in _TABLE:
        return _TABLE[name]
    source, arrow, target = name.partition("_to_")
    return _conversion(source, target) if arrow else None


def scaled(value: Value, power: int) -> Value:
    """Return value * 2 ** power, rounded once."""
    if is_nan(value) or math.isinf(value.number) or value.number == 0:
        return value
    minus = bool(value.bits >> value.width - 1)
    limit = max(-5000, min(5000, power))
    return rounded(Fraction(value.number) * Fraction(2) ** limit, value.kind, value.width, negative=minus)


def _flag(value: object) -> Value:
    return integer("u", 1, int(bool(value)))


def _through(function: Callable[[float], float]) -> Callable[[Value], Value]:
    """A function of one float, computed in float64 and rounded; infinities and NaNs as C has them."""

    def made(value: Value) -> Value:
        with np.errstate(all="ignore"):
            return converted(packed("f", 64, function(np.float64(value.number))), value.kind, value.width)

    return made


def _whole(function: Callable[[Fraction], int]) -> Callable[[Value], Value]:
    def made(value: Value) -> Value:
        if is_nan(value) or math.isinf(value.number):
            return value
        minus = bool(value.bits >> value.width - 1)
        return rounded(Fraction(function(Fraction(value.number))), value.kind, value.width, negative=minus)

    return made


def _fract(value: Value) -> Value:
    if is_nan(value) or math.isinf(value.number):
        return packed(value.kind, value.width, math.nan)
    number = Fraction(value.number)
    return rounded(number - math.floor(number), value.kind, value.width, negative=False)


def _mantissa(value: Value) -> Value:
    return packed(value.kind, value.width, math.frexp(value.number)[0])


def _magnitude(value: Value) -> Value:
    return (
        Value(value.kind, value.width, value.bits & ~(1 << value.width - 1))
        if value.is_float
        else literal(abs(value.raw))
    )


def _power(base: Value, value: Value) -> Value:
    with np.errstate(all="ignore"):
        return converted(packed("f", 64, np.float64(base.number) ** np.float64(value.number)), value.kind, value.width)


def _sign_extended(value: Value, size: Value) -> Value:
    count = size.raw
    number = value.raw & (1 << count) - 1 if count else 0
    return literal(number - (1 << count) if count and number >> count - 1 else number)


def _conversion(source: str, target: str) -> Callable[..., Any] | None:
    """Return the conversion of one type to another."""
    if target in ("snorm", "unorm"):
        return lambda value: _normalised(value, signed=target == "snorm")
    if source in EIGHT:
        return lambda value: (
            value if value.is_float else packed(*type_of(target), float(np.uint8(value.bits & 255).view(EIGHT[source])))
        )
    if target in EIGHT:
        return lambda value: _to_eight(value, target)
    try:
        _, (kind, width) = type_of(source), type_of(target)
    except UnknownError:
        return None
    if kind in ("f", "bf"):
        if (source, target) == ("f32", "f16"):
            return _to_half
        return lambda value: _quiet(converted(value, kind, width))
    return lambda value: _to_integer(value, kind, width)


def _to_half(machine: Any, value: Value) -> Value:
    return _quiet(converted(value, "f", 16, to_zero=machine.rounding == "ROUND_TOWARD_ZERO"))


def _quiet(value: Value) -> Value:
    return quieted(value) if is_nan(value) else value


def _to_integer(value: Value, kind: str, width: int) -> Value:
    """Cut what comes after the point and keep within the range."""
    low, high = (-(1 << width - 1), (1 << width - 1) - 1) if kind == "i" else (0, (1 << width) - 1)
    if not value.is_float:
        return integer(kind, width, min(max(value.raw, low), high))
    if is_nan(value):
        return integer(kind, width, 0)
    if math.isinf(value.number):
        return integer(kind, width, high if value.number > 0 else low)
    return integer(kind, width, min(max(math.trunc(Fraction(value.number)), low), high))


def _normalised(value: Value, *, signed: bool) -> Value:
    if is_nan(value):
        return integer("u", 16, 0)
    size, low = (32767, -1.0) if signed else (65535, 0.0)
    number = min(max(value.number, low), 1.0)
    return integer("i" if signed else "u", 16, round(Fraction(number) * size))


def _to_eight(value: Value, target: str) -> Value:
    """Round to nearest even; what becomes of larger numbers the text leaves to a mode of the machine."""
    kind = EIGHT[target]
    number = value.number
    if abs(number) > float(ml_dtypes.finfo(kind).max):
        raise SkippedError
    return integer("u", 8, int(np.float32(number).astype(kind).view(np.uint8)))


def _sin(value: Value) -> Value:
    return _through(np.sin)(value)


_TABLE: dict[str, Callable[..., Any]] = {
    "isNAN": lambda v: _flag(is_nan(v)),
    "isSignalNAN": lambda v: _flag(is_signalling(v)),
    "isQuietNAN": lambda v: _flag(is_nan(v) and not is_signalling(v)),
    "cvtToQuietNAN": quieted,
    "sign": lambda v: _flag(v.bits >> v.width - 1),
    "exponent": lambda v: literal(exponent_of(v)),
    "mantissa": _mantissa,
    "abs": _magnitude,
    "floor": _whole(math.floor),
    "trunc": _whole(math.trunc),
    "ceil": _whole(math.ceil),
    "fract": _fract,
    "isEven": lambda v: _flag(v.number % 2 == 0),
    "ldexp": lambda v, n: scaled(v, n.raw),
    "fma": fused,
    "sqrt": _through(np.sqrt),
    "log2": _through(np.log2),
    "sin": _sin,
    "cos": _through(np.cos),
    "pow": _power,
    "signext": lambda v: v,
    "signext_from_bit": _sign_extended,
    "bitCount": lambda v: literal(v.bits.bit_count()),
    "IsM0": lambda _: _flag(0),
    "LT_NEG_ZERO": lambda a, b: _flag(a.number < b.number or (a.number == b.number == 0 and a.bits > b.bits)),
    "GT_NEG_ZERO": lambda a, b: _flag(a.number > b.number or (a.number == b.number == 0 and a.bits < b.bits)),
}
