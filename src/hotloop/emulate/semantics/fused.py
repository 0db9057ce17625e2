"""Multiply-adds that are rounded once, on NumPy arrays.

float32 work is done in float64 and rounded once, with a correction where rounding twice could differ.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hotloop.emulate.semantics import exact as ends

if TYPE_CHECKING:
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
    plain = (exact == 0) | ~(np.isfinite(high) & np.isfinite(low) & np.isfinite(exact))
    near = np.where(plain, high + c, exact)  # which also has a zero's sign
    return ends.fused(a, b, c, near)


def _two_sum(a: Array, b: Array) -> tuple[Array, Array]:
    total = a + b
    back = total - a
    return total, (a - (total - back)) + (b - back)
