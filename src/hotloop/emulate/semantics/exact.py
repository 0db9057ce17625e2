"""float64 multiply-adds next to the ends of the range, where error terms are no floats any more: in whole numbers."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from hotloop.emulate.arrays import Array

_SMALL, _LARGE = 2.0**-900, 2.0**990
"""Products below lose digits of their error term; factors above cannot be split."""


def fused(a: Array, b: Array, c: Array, near: Array) -> Array:
    """Return a * b + c rounded once to float64; `near` is that of operands in the middle of the range."""
    product = np.abs(a * b)
    low = (product < _SMALL) & (np.abs(c) < _SMALL) & (a != 0) & (b != 0)
    high = (np.maximum(np.abs(a), np.abs(b)) > _LARGE) | (product > _LARGE)
    doubtful = (low | high) & np.isfinite(a) & np.isfinite(b) & np.isfinite(c)
    if not doubtful.any():
        return near
    result = np.array(near)
    for place in zip(*np.nonzero(doubtful), strict=True):
        result[place] = _once(float(a[place]), float(b[place]), float(c[place]))
    return result


def _once(a: float, b: float, c: float) -> float:
    total = Fraction(a) * Fraction(b) + Fraction(c)
    if total == 0:
        return a * b + c
    try:
        return float(total) or float(np.copysign(0.0, 1 if total > 0 else -1))
    except OverflowError:
        return float("inf") if total > 0 else float("-inf")
