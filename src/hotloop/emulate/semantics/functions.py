"""What the expressions of the tables may call, on NumPy arrays; the names are those of C functions with the same meaning.

Rounding: float32 work is done in float64 and rounded once, with a correction where rounding twice could differ.
Sources: AMD's RDNA 1 to 4 and CDNA 3 and 4 ISA references, chapters "Vector ALU" and "Instructions".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from hotloop.emulate.semantics import formats

if TYPE_CHECKING:
    from collections.abc import Callable

    from hotloop.emulate.arrays import Array


_LOW29 = np.uint64((1 << 29) - 1)
_TIE29 = np.uint64(1 << 28)
_TINY = 2.0**-125


def fma32(a: Array, b: Array, c: Array) -> Array:
    """Return a * b + c rounded once to float32."""
    product = a.astype(np.float64) * b
    total = product + c
    double = total.astype(np.float32)
    low = total.view(np.uint64) & _LOW29
    doubtful = (low == _TIE29) | (np.abs(total) < _TINY)
    if doubtful.any():
        return np.asarray(_odd(product, np.broadcast_to(c, total.shape).astype(np.float64), total).astype(np.float32))
    return double


def _odd(product: Array, addend: Array, total: Array) -> Array:
    """Return the sum rounded to odd, after which a second rounding is right (Boldo and Melquiond)."""
    back = total - product
    error = (product - (total - back)) + (addend - back)
    bits = total.view(np.int64)
    even = bits & 1 == 0
    away = (error > 0) == (total > 0)
    inexact = np.isfinite(total) & (error != 0) & even
    return np.where(inexact, np.where(away, bits + 1, bits - 1), bits).view(np.float64)


def fma32_scaled(a: Array, b: Array, c: Array, scale: Array) -> Array:
    """Return (a * b + c) * scale, a power of two, rounded once to float32."""
    product = a.astype(np.float64) * b
    addend = np.broadcast_to(c, product.shape).astype(np.float64)
    return np.asarray((_odd(product, addend, product + addend) * scale).astype(np.float32))


def fma16(a: Array, b: Array, c: Array) -> Array:
    """Return a * b + c rounded once to float16."""
    return np.asarray((a.astype(np.float64) * b.astype(np.float64) + c.astype(np.float64)).astype(np.float16))


def _split(a: Array) -> tuple[Array, Array]:
    big = a * 134217729.0
    high = big - (big - a)
    return high, a - high


def fma64(a: Array, b: Array, c: Array) -> Array:
    """Return a * b + c rounded once to float64, by exact products and a sum rounded to odd."""
    a, b, c = np.broadcast_arrays(a, b, c)
    high = a * b
    (a1, a0), (b1, b0) = _split(a), _split(b)
    low = ((a1 * b1 - high) + a1 * b0 + a0 * b1) + a0 * b0
    middle, rest = _two_sum(c, low)
    top, left = _two_sum(high, middle)
    tail = _odd(left, rest, left + rest)
    exact = top + tail
    return np.where(np.isfinite(high) & np.isfinite(low) & np.isfinite(exact), exact, high + c)


def _two_sum(a: Array, b: Array) -> tuple[Array, Array]:
    total = a + b
    back = total - a
    return total, (a - (total - back)) + (b - back)


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


def fract(a: Array) -> Array:
    """Return a - floor(a), below one."""
    one = a.dtype.type(1)
    return np.minimum(a - np.floor(a), np.nextafter(one, a.dtype.type(0)))


def umulhi(a: Array, b: Array) -> Array:
    """Return the upper half of the unsigned 64-bit product."""
    return (a.astype(np.uint64) * b.astype(np.uint64) >> np.uint64(32)).astype(np.uint32)


def imulhi(a: Array, b: Array) -> Array:
    """Return the upper half of the signed 64-bit product."""
    return (a.astype(np.int64) * b.astype(np.int64) >> 32).astype(np.int32)


def u24(a: Array) -> Array:
    """Return the low 24 bits."""
    return a & np.uint32(0xFFFFFF)


def i24(a: Array) -> Array:
    """Return the low 24 bits, extended by their sign."""
    return (a << 8) >> 8


def bfe_u(a: Array, offset: Array, width: Array) -> Array:
    """Return an unsigned bit field."""
    size = width & 31
    return (a >> (offset & 31)) & ((np.uint32(1) << size) - np.uint32(1))


def bfe_i(a: Array, offset: Array, width: Array) -> Array:
    """Return a bit field extended by its sign; `a` is signed, offset and width are not."""
    size = (width & 31).astype(np.int64)
    moved = (a.astype(np.int64) >> (offset & 31).astype(np.int64)) & ((np.int64(1) << size) - 1)
    sign = np.where(size > 0, np.int64(1) << np.maximum(size - 1, 0), 0)
    return ((moved ^ sign) - sign).astype(np.int32)


def popcount(a: Array) -> Array:
    """Return how many bits are set."""
    return np.bitwise_count(a).astype(np.uint32)


def clz(a: Array) -> Array:
    """Return the leading zero bits of 32; -1 when there is no other bit."""
    exponent = np.frexp(a.astype(np.float64))[1].astype(np.int32)
    return np.where(a == 0, -1, 32 - exponent).astype(np.int32)


def ctz(a: Array) -> Array:
    """Return the trailing zero bits; -1 for zero."""
    lowest = a & (~a + np.uint32(1))
    return np.where(a == 0, -1, np.bitwise_count(lowest - np.uint32(1)).astype(np.int32)).astype(np.int32)


def clz64(a: Array) -> Array:
    """Return the leading zero bits of 64; -1 for zero."""
    high, low = (a >> np.uint64(32)).astype(np.uint32), (a & np.uint64(0xFFFFFFFF)).astype(np.uint32)
    return np.where(high != 0, clz(high), np.where(low != 0, clz(low) + 32, -1)).astype(np.int32)


def ctz64(a: Array) -> Array:
    """Return the trailing zero bits of 64; -1 for zero."""
    high, low = (a >> np.uint64(32)).astype(np.uint32), (a & np.uint64(0xFFFFFFFF)).astype(np.uint32)
    return np.where(low != 0, ctz(low), np.where(high != 0, ctz(high) + 32, -1)).astype(np.int32)


def field_u(a: Array, b: Array) -> Array:
    """Return the bit field whose offset stands in bits 0 to 4 of b and whose width in bits 16 to 22."""
    return field_u64(a.astype(np.uint64), b & np.uint32(0x7F001F)).astype(np.uint32)


def field_i(a: Array, b: Array) -> Array:
    """Return the same, extended by its sign."""
    width = (b >> np.uint32(16) & np.uint32(0x7F)).astype(np.int64)
    moved = (a.astype(np.int64) >> (b & np.uint32(31)).astype(np.int64)) & ((np.int64(1) << np.minimum(width, 62)) - 1)
    sign = np.where(width > 0, np.int64(1) << np.clip(width - 1, 0, 62), 0)
    return ((moved ^ sign) - sign).astype(np.int32)


def field_u64(a: Array, b: Array) -> Array:
    """Return the bit field of 64 bits whose offset stands in bits 0 to 5 of b and whose width in bits 16 to 22."""
    width = (b >> np.uint32(16) & np.uint32(0x7F)).astype(np.uint64)
    mask = np.where(width >= 64, ~np.uint64(0), (np.uint64(1) << np.minimum(width, np.uint64(63))) - np.uint64(1))
    return (a >> (b & np.uint32(63)).astype(np.uint64)) & mask


def field_i64(a: Array, b: Array) -> Array:
    """Return the same, extended by its sign."""
    width = (b >> np.uint32(16) & np.uint32(0x7F)).astype(np.uint64)
    moved = field_u64(a.view(np.uint64), b)
    sign = np.where((width > 0) & (width < 64), np.uint64(1) << (np.clip(width, 1, 64) - np.uint64(1)), np.uint64(0))
    return ((moved ^ sign) - sign).view(np.int64)


def cls(a: Array) -> Array:
    """Return how often the sign bit is repeated from the top; -1 when all bits are alike."""
    bits = a.astype(np.int32)
    return clz((bits ^ (bits >> 31)).astype(np.uint32))


def reverse(a: Array) -> Array:
    """Return the bits in reverse order."""
    shape = np.shape(a)
    octets = np.ascontiguousarray(a).reshape(-1, 1).view(np.uint8)
    bits = np.unpackbits(octets, axis=1, bitorder="little")[:, ::-1]
    return np.packbits(bits, axis=1, bitorder="little").view(a.dtype).reshape(shape)


def perm(a: Array, b: Array, selector: Array) -> Array:
    """Return bytes chosen from the pair {a, b}: 0 to 3 of b, 4 to 7 of a, 8 to 11 signs, 12 zero, above 255."""
    a, b, selector = np.broadcast_arrays(a, b, selector)
    pair = a.astype(np.uint64) << np.uint64(32) | b.astype(np.uint64)
    result = np.zeros(a.shape, np.uint64)
    for place in range(4):
        choice = (selector >> np.uint32(8 * place)) & np.uint32(0xFF)
        octet = (pair >> (np.minimum(choice, 7).astype(np.uint64) * np.uint64(8))) & np.uint64(0xFF)
        if (choice > 7).any():
            sign = (
                pair >> ((np.clip(choice, 8, 11).astype(np.uint64) - np.uint64(8)) * np.uint64(16) + np.uint64(15))
            ) & np.uint64(1)
            special = np.where(choice < 12, sign * np.uint64(255), np.where(choice == 12, np.uint64(0), np.uint64(255)))
            octet = np.where(choice > 7, special, octet)
        result |= octet << np.uint64(8 * place)
    return result.astype(np.uint32)


def alignbit(a: Array, b: Array, shift: Array) -> Array:
    """Return the low word of {a, b} moved right by bits."""
    pair = a.astype(np.uint64) << np.uint64(32) | b.astype(np.uint64)
    return (pair >> (shift & np.uint32(31)).astype(np.uint64)).astype(np.uint32)


def alignbyte(a: Array, b: Array, shift: Array) -> Array:
    """Return the low word of {a, b} moved right by bytes."""
    return alignbit(a, b, (shift & np.uint32(3)) * np.uint32(8))


def med3(a: Array, b: Array, c: Array) -> Array:
    """Return the middle of three."""
    return np.maximum(np.minimum(a, b), np.minimum(np.maximum(a, b), c))


def fmed3(a: Array, b: Array, c: Array) -> Array:
    """Return the middle of three floats; with a NaN the smallest of them."""
    nan = np.isnan(a) | np.isnan(b) | np.isnan(c)
    return np.where(nan, np.fmin(np.fmin(a, b), c), med3(a, b, c))


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


def pack(low: Array, high: Array) -> Array:
    """Return two 16-bit values of any type as one word."""
    low, high = np.broadcast_arrays(low, high)
    return bits16(low).astype(np.uint32) | bits16(high).astype(np.uint32) << np.uint32(16)


def bits16(a: Array) -> Array:
    """Return the bits of 16-bit values."""
    return a.view(np.uint16) if a.dtype != np.uint16 else a


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


def bitop3(a: Array, b: Array, c: Array, truth: int) -> Array:
    """Return the bitwise function of three words whose truth table is given: bit 4a + 2b + c of it."""
    result = np.zeros(np.broadcast_shapes(np.shape(a), np.shape(b), np.shape(c)), np.uint32)
    for case in range(8):
        if truth >> case & 1:
            result |= (a if case & 4 else ~a) & (b if case & 2 else ~b) & (c if case & 1 else ~c)
    return result


def sad_u8(a: Array, b: Array, c: Array) -> Array:
    """Return c plus the sum of absolute differences of the four bytes."""
    total = c
    for place in (0, 8, 16, 24):
        x, y = a >> np.uint32(place) & np.uint32(255), b >> np.uint32(place) & np.uint32(255)
        total = total + (np.maximum(x, y) - np.minimum(x, y))
    return total


FUNCTIONS: dict[str, Any] = {
    name: value for name, value in globals().items() if callable(value) and not name.startswith("_")
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
    "fmin": np.fmin,
    "fmax": np.fmax,
    "minimum": np.minimum,
    "maximum": np.maximum,
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
