"""What the expressions of the tables may call, on NumPy arrays; the names are those of C functions with the same meaning.

Those on bits stand in `bits`, fused multiply-adds in `fused`.
Sources: AMD's RDNA 1 to 4 and CDNA 3 and 4 ISA references, chapters "Vector ALU" and "Instructions".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from hotloop.emulate.semantics import bits, formats, fused

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from hotloop.emulate.arrays import Array


def flush(a: Array) -> Array:
    """Return float32 values with subnormal ones as zero of the same sign."""
    return np.where(np.abs(a) < np.float32(2.0**-126), np.copysign(np.float32(0), a), a)


def unary(function: Callable[[Array], Array]) -> Callable[[Array], Array]:
    """Return a float32 function computed in float64, subnormal numbers flushed as the hardware's approximations do."""
    return lambda a: flush(function(flush(a).astype(np.float64)).astype(np.float32))


def half(function: Callable[[Array], Array]) -> Callable[[Array], Array]:
    """Return a float16 function computed in float64."""
    return lambda a: np.asarray(function(a.astype(np.float64)).astype(np.float16))


def _sine(a: Array) -> Array:
    return np.sin(2 * np.pi * (a - np.floor(a)))


def _cosine(a: Array) -> Array:
    return np.cos(2 * np.pi * (a - np.floor(a)))


_BITS = {2: np.uint16, 4: np.uint32, 8: np.uint64}


def _ordered(
    function: Callable[[Array, Array], Array], a: Array, b: Array, signs: Callable[[Array, Array], Array]
) -> Array:
    """Return a minimum or maximum for which -0 is below +0: of equal numbers the signs are joined."""
    if a.dtype.kind != "f":
        return function(a, b)
    bits = _BITS[a.dtype.itemsize]
    joined = signs(np.ascontiguousarray(a).view(bits), np.ascontiguousarray(b).view(bits)).view(a.dtype)
    return np.where(a == b, joined, function(a, b))


def fmin(a: Array, b: Array) -> Array:
    """Return the smaller of two floats, the number where one is a NaN."""
    return _ordered(np.fmin, a, b, np.bitwise_or)


def fmax(a: Array, b: Array) -> Array:
    """Return the larger of two floats, the number where one is a NaN."""
    return _ordered(np.fmax, a, b, np.bitwise_and)


def clamped(a: Array) -> Array:
    """Return a value limited to [0, 1]; NaN and -0 give 0."""
    if a.dtype.kind != "f":
        return np.clip(a, 0, 1)
    return np.where(a > 0, np.minimum(a, a.dtype.type(1)), a.dtype.type(0))


def fract(a: Array) -> Array:
    """Return a - floor(a), below one."""
    one = a.dtype.type(1)
    return np.minimum(a - np.floor(a), np.nextafter(one, a.dtype.type(0)))


def med3(a: Array, b: Array, c: Array) -> Array:
    """Return the middle of three."""
    return np.maximum(np.minimum(a, b), np.minimum(np.maximum(a, b), c))


def fmed3(a: Array, b: Array, c: Array) -> Array:
    """Return the middle of three floats; with a NaN the smallest of them."""
    nan = np.isnan(a) | np.isnan(b) | np.isnan(c)
    lower, upper = _ordered(np.minimum, a, b, np.bitwise_or), _ordered(np.maximum, a, b, np.bitwise_and)
    middle = _ordered(np.maximum, lower, _ordered(np.minimum, upper, c, np.bitwise_or), np.bitwise_and)
    return np.where(nan, fmin(fmin(a, b), c), middle)


def to_unsigned(a: Array, bits: int = 32) -> Array:
    """Return a float truncated towards zero and limited to an unsigned range; NaN gives 0."""
    limit = float((1 << bits) - 1)
    wide = np.nan_to_num(np.trunc(a.astype(np.float64)), nan=0.0, posinf=limit, neginf=0.0)
    return np.clip(wide, 0.0, limit).astype(np.uint64).astype(np.uint32 if bits > 16 else np.uint16)


def to_signed(a: Array, bits: int = 32) -> Array:
    """Return a float truncated towards zero and limited to a signed range; NaN gives 0."""
    low, high = -float(1 << bits - 1), float((1 << bits - 1) - 1)
    wide = np.nan_to_num(np.trunc(a.astype(np.float64)), nan=0.0, posinf=high, neginf=low)
    return np.clip(wide, low, high).astype(np.int64).astype(np.int32 if bits > 16 else np.int16)


def to_half(a: Array) -> Array:
    """Return float32 rounded to float16."""
    return np.asarray(a.astype(np.float16))


def towards_zero(a: Array) -> Array:
    """Return float32 rounded towards zero to float16."""
    near = a.astype(np.float16)
    over = (np.abs(near.astype(np.float32)) > np.abs(a)) & np.isfinite(a)
    return np.where(over, near.view(np.uint16) - np.uint16(1), near.view(np.uint16)).view(np.float16)


def ldexp(a: Array, exponent: Array) -> Array:
    """Return a * 2**exponent, rounded once."""
    return np.ldexp(a.astype(np.float64), np.clip(exponent, -4000, 4000)).astype(a.dtype)


def frexp_exponent(a: Array) -> Array:
    """Return the exponent for which the mantissa lies in [0.5, 1); 0 for zero, infinity and NaN."""
    return np.where(np.isfinite(a), np.frexp(a)[1], 0).astype(np.int32)


def frexp_mantissa(a: Array) -> Array:
    """Return the mantissa in [0.5, 1)."""
    return np.where(np.isfinite(a), np.frexp(a)[0], a)


def unorm(a: Array, scale: float) -> Array:
    """Return a float in [0, 1] as an unsigned number of 16 bits."""
    return np.rint(np.clip(np.nan_to_num(a.astype(np.float64)), 0, 1) * scale).astype(np.uint16)


def snorm(a: Array, scale: float) -> Array:
    """Return a float in [-1, 1] as a signed number of 16 bits."""
    return np.rint(np.clip(np.nan_to_num(a.astype(np.float64)), -1, 1) * scale).astype(np.int16)


def class_of(a: Array, mask: Array) -> Array:
    """Tell whether floats belong to one of the classes in a mask (signalling NaN, quiet NaN, -inf, -normal, ...)."""
    bits, mantissa = {2: (np.uint16, 10), 4: (np.uint32, 23), 8: (np.uint64, 52)}[a.dtype.itemsize]
    quiet = (np.ascontiguousarray(a).view(bits) >> bits(mantissa - 1) & bits(1)).astype(bool)
    negative, nan, tiny = np.signbit(a), np.isnan(a), np.abs(a) < np.finfo(a.dtype).tiny
    size = np.where(np.isinf(a), 2, np.where(a == 0, 5, np.where(tiny, 4, 3)))
    place = np.where(nan, quiet.astype(np.int64), np.where(negative, size, 11 - size))
    return (mask.astype(np.int64) >> place & 1).astype(bool)


def _pi(bits: int) -> int:
    """Return pi * 2**bits, rounded down, by Machin's formula with 64 bits to spare."""
    one = 1 << bits + 64

    def arctangent(inverse: int) -> int:
        term = total = one // inverse
        for n in range(3, 2 * bits, 2):
            term //= -inverse * inverse
            total += term // n
            if -1 <= term <= 0:
                break
        return total

    return 4 * (4 * arctangent(5) - arctangent(239)) >> 64


_DIGITS = 1201
_TWO_OVER_PI = (1 << 2 * _DIGITS + 1) // _pi(_DIGITS)
"""2/pi as a fraction of so many bits."""


def two_over_pi(a: Array, segment: Array) -> Array:
    """Return 53 bits of 2/pi: those of a segment, further down for large numbers, which reducing an angle needs."""
    exponent = (np.ascontiguousarray(a).view(np.uint64) >> np.uint64(52) & np.uint64(0x7FF)).astype(np.int64)
    shift = (segment & np.uint32(31)).astype(np.int64) * 53 + np.maximum(exponent - 1077, 0)
    scale = -53 - shift + np.where(exponent >= 1968, 128, 0)
    most = int(shift.max(initial=0))
    digits = [_TWO_OVER_PI << n >> _DIGITS - 53 & (1 << 53) - 1 for n in range(most + 1)]
    return np.ldexp(np.array(digits, np.float64)[shift], scale)


def _of(module: str, names: Mapping[str, Any]) -> dict[str, Any]:
    """Return the public functions that a module defines itself."""
    own = (name for name, value in names.items() if getattr(value, "__module__", "") == module)
    return {name: names[name] for name in own if not name.startswith("_")}


FUNCTIONS: dict[str, Any] = {
    **_of(bits.__name__, vars(bits)),
    **_of(fused.__name__, vars(fused)),
    **_of(__name__, globals()),
} | {
    "rcp": unary(lambda a: 1.0 / a),
    "rsq": unary(lambda a: 1.0 / np.sqrt(a)),
    "sqrtf": unary(np.sqrt),
    "exp2f": unary(np.exp2),
    "log2f": unary(np.log2),
    "sinf": unary(_sine),
    "cosf": unary(_cosine),
    "rcp16": half(lambda a: 1.0 / a),
    "rsq16": half(lambda a: 1.0 / np.sqrt(a)),
    "sqrt16": half(np.sqrt),
    "exp16": half(np.exp2),
    "log16": half(np.log2),
    "sin16": half(_sine),
    "cos16": half(_cosine),
    "select": np.where,
    "minimum": lambda a, b: _ordered(np.minimum, a, b, np.bitwise_or),
    "maximum": lambda a, b: _ordered(np.maximum, a, b, np.bitwise_and),
    "isnan": np.isnan,
    "trunc": np.trunc,
    "ceil": np.ceil,
    "rint": np.rint,
    "floor": np.floor,
    "sqrt": np.sqrt,
    "to_bf16": formats.to_bf16,
    "f32": np.float32,
    "f64": np.float64,
    "u32": np.uint32,
    "i32": np.int32,
    "u16": np.uint16,
    "i64": np.int64,
    "u64": np.uint64,
}
"""Names of the tables' language; ``select(condition, yes, no)`` is C's conditional."""
