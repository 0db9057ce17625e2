"""Floating-point numbers of an array by pieces: sums, largest magnitudes, and scales that planted infinities spoil."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hotloop.verify.guards import chunks

if TYPE_CHECKING:
    from numpy.typing import NDArray

CHUNK = 1 << 13
"""Elements of a piece: temporaries of 64 KiB stay in the caches and below the size that malloc maps afresh each time."""


def alike(value: NDArray[np.float64], reference: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Tell by element whether both are NaN, or equal."""
    return np.asarray((np.isnan(value) & np.isnan(reference)) | (value == reference), dtype=np.bool_)


def dot(left: NDArray[np.float64], right: NDArray[np.float64]) -> float:
    """Return the scalar product, by one thread: BLAS would start more for longer pieces, and idle they disturb the kernels."""
    return float(np.dot(left, right) if left.size <= CHUNK else np.einsum("i,i->", left, right))


def flat(values: NDArray[np.generic]) -> NDArray[np.generic]:
    """Return an array in one dimension."""
    return np.asarray(np.ravel(values))


def plain(values: NDArray[np.generic]) -> NDArray[np.generic]:
    """Return floating-point numbers in a type of NumPy's own: bfloat16's casts are slow."""
    return values if values.dtype.kind == "f" else values.astype(np.float32)


def finite_scale(scale: NDArray[np.generic]) -> NDArray[np.float64]:
    """Return a scale without infinities and NaN, see `with_spare`."""
    wide = scale.astype(np.float64)
    return wide if np.isfinite(wide).all() else with_spare(wide, largest_of(scale))


def with_spare(scale: NDArray[np.float64], spare: float) -> NDArray[np.float64]:
    """Return a scale with its largest finite value where it is not finite: a planted NaN times a factor of zero."""
    return np.where(np.isfinite(scale), scale, spare)


def largest_of(values: NDArray[np.generic]) -> float:
    """Return the largest magnitude of the finite elements, 0 where there are none."""
    largest = 0.0
    for start, stop in chunks(values.size, CHUNK):
        piece = np.abs(values[start:stop].astype(np.float64))
        largest = max(largest, float(piece.max(initial=0.0, where=np.isfinite(piece))))
    return largest


def reach(values: NDArray[np.generic]) -> float:
    """Return the largest magnitude; NaN or infinite where an element is."""
    return max(abs(float(values.max(initial=0))), abs(float(values.min(initial=0))))
