"""Detection of results that are rounded in one direction, e.g. towards zero: each is within its bound, but their errors add up.

Only the last rounding, to a type of 16 bits, is judged: approximations of functions and Newton's method may err to one side
by less than a unit of float32. Rounding to nearest errs by half a unit at most and to either side. Truncation to bfloat16, the
upper half of a float32, is a conversion that kernels use on purpose: it is allowed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hotloop.model.dtype import bfloat16, floating, limits

if TYPE_CHECKING:
    from numpy.typing import NDArray

_BYTES = 2
_SAMPLE, _ENOUGH = 4096, 64
"""Elements that are looked at, and different values of which at least as many must be inexact."""
_EXACT, _HALF, _WHOLE = 0.02, 0.55, 1.02
"""Errors in units in the last place: of an exact result, of one rounded to nearest, of one rounded in a direction; with room for float32."""
_SHARE = 0.2
"""Part of the inexact results whose errors exceed half a unit; of those rounded in a direction about half do."""


def direction(actual: NDArray[np.generic], reference: NDArray[np.generic]) -> str | None:
    """Return in which direction results of 16 bits are rounded, in words; None for rounding to nearest, or if it is not clear."""
    if not (floating(actual.dtype) and actual.dtype.itemsize == _BYTES and floating(reference.dtype)):
        return None
    step = max(1, actual.size // _SAMPLE)
    value, exact = (flat.reshape(-1)[::step].astype(np.float64) for flat in (actual, reference))
    type_limits = limits(actual.dtype)
    usual = np.isfinite(value) & (np.abs(exact) >= type_limits.normal) & (np.abs(exact) < type_limits.largest)
    value, exact = value[usual], exact[usual]
    error = (value - exact) / (type_limits.eps * np.exp2(np.floor(np.log2(np.abs(exact)))))
    inexact = np.abs(error) > _EXACT
    error, exact = error[inexact], exact[inexact]
    if np.unique(np.abs(exact)).size < _ENOUGH or np.abs(error).max() > _WHOLE:
        return None
    if np.mean(np.abs(error) > _HALF) < _SHARE:
        return None
    outward = error * np.sign(exact)
    if actual.dtype == bfloat16() and (outward < 0).all():
        return None
    sides = {"towards zero": outward < 0, "away from zero": outward > 0, "down": error < 0, "up": error > 0}
    return next((words for words, where in sides.items() if where.all()), None)
