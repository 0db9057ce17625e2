"""What chance hardly ever draws: a single long way through all places, two parts that hardly touch, points of which none lies inside.

What repeats a step until nothing moves needs few steps for random contents: best ways are short, everything is reached soon, the second
eigenvalue is far from the first. A kernel that ends after as many steps as were ever needed there is right for all that a file draws, and
wrong for a chain, a maze, or a matrix that falls into two.
"""

from __future__ import annotations

from math import isqrt, prod
from typing import TYPE_CHECKING

import numpy as np

from hotloop.model.dtype import floating
from hotloop.verify.domain import reach
from hotloop.verify.ways import DRAWN, bits, maze, of_bits, order

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hotloop.verify.domain import Freedom

    Array = NDArray[np.generic]

_LEAST, _MOST_ROOT = 4, 64
"""Least size of a matrix, and most of one that is a row of an array: a row of 256 numbers may be one of 16 x 16."""
_NEAR = 0.25
"""Part of the range of values, at its ends, from which the values of parts are drawn."""


def chained(value: Array, free: Freedom, rng: np.random.Generator) -> Array | None:
    """Return square matrices in which one way leads through all places, maps of two values that are mazes, rings of points; None for others.

    The way is of the least values among the greatest or the other way round, its places in order, in reverse or in any; the first stays first.
    """
    if (related := bits(value)) is not None and (free.extremes or value.min() <= 1 or related.any):
        return of_bits(value, related, rng)
    if not _exact(value):
        return None
    low, high = _ends(value)
    if low == high:
        return None
    if value.ndim > 1 and value.shape[-1] == 2 and value.shape[-2] >= _LEAST and floating(value.dtype):
        return _rings(value, rng)
    shape = _matrices(value)
    if shape is None:
        return (
            _mazes(value.shape, low, high, rng)
            if value.ndim > 1 and min(value.shape[-2:]) > _LEAST and _two(value)
            else None
        )
    made = np.stack([_matrix(shape[-1], low, high, rng, two=_two(value)) for _ in range(min(shape[0], DRAWN))])
    return made[rng.integers(0, len(made), shape[0])].reshape(value.shape)


def blocks(value: Array, _free: Freedom, rng: np.random.Generator) -> Array | None:
    """Return matrices of two parts on the diagonal: values near one end there, and near the other end elsewhere; None for other arrays."""
    if value.ndim < 2 or not _exact(value) or value.dtype.kind == "b" or bits(value) is not None:
        return None
    low, high = _ends(value)
    shape = _matrices(value) or (prod(value.shape[:-2]), *value.shape[-2:])
    if min(shape[1:]) < _LEAST or low == high:
        return None
    rows, columns = (np.arange(size) for size in shape[1:])
    cuts = [rng.integers(1, size, (shape[0], 1)) for size in shape[1:]]
    same = (rows < cuts[0])[:, :, None] == (columns < cuts[1])[:, None, :]
    same ^= (rng.random(shape[0]) < 0.5)[:, None, None]
    part = rng.random(shape) * _NEAR
    wide = np.where(same, high - part * (high - low), low + part * part * (high - low))
    return (wide if floating(value.dtype) else np.floor(wide)).reshape(value.shape)


def _exact(value: Array) -> bool:
    """Tell whether float64 holds the numbers of an array, and NumPy knows how to find equal ones."""
    return value.dtype.kind in "fb" or (value.dtype.kind in "iu" and value.dtype.itemsize < 8)


def _ends(value: Array) -> tuple[float, float]:
    """Return the least and the greatest value but for marks (`hotloop.verify.domain.reach`), of both signs the one that lies nearest to zero and the greatest."""
    if value.dtype.kind in "iu":
        least, most = reach(value)
        return float(least), float(most)
    wide = value.astype(np.float64)
    low, high = float(wide.min()), float(wide.max())
    return (float(np.abs(wide).min()), high) if low < 0 < high and floating(value.dtype) else (low, high)


def _two(value: Array) -> bool:
    """Tell whether an array is a map of two values."""
    some = value.reshape(-1)[: 1 << 16]
    return (value.dtype.kind != "f" and np.unique(some).size == 2) or bool(
        np.isin(some.astype(np.float64), (0.0, 1.0)).all()
    )


def _matrices(value: Array) -> tuple[int, int, int] | None:
    """Return the form of an array as square matrices, which may be its rows; None: it has none."""
    if value.ndim > 1 and value.shape[-1] == value.shape[-2] >= _LEAST:
        return prod(value.shape[:-2]), value.shape[-2], value.shape[-1]
    root = isqrt(value.shape[-1])
    fits = value.ndim == 2 and root * root == value.shape[-1] and _LEAST <= root <= _MOST_ROOT
    return (value.shape[0], root, root) if fits else None


def _matrix(size: int, low: float, high: float, rng: np.random.Generator, *, two: bool) -> NDArray[np.float64]:
    if two and rng.integers(2):
        return maze(size, size, low, high, rng)
    ground, way = (high, low) if rng.integers(2) and not two else (low, high)
    made, places = np.full((size, size), ground), order(size, rng)
    made[places[:-1], places[1:]] = way
    return made


def _mazes(shape: tuple[int, ...], low: float, high: float, rng: np.random.Generator) -> NDArray[np.float64]:
    return np.broadcast_to(maze(shape[-2], shape[-1], low, high, rng), shape)


def _rings(value: Array, rng: np.random.Generator) -> NDArray[np.float64]:
    """Return points in a plane that lie on a ring, in any order: none is inside of the others. Whole numbers stay whole."""
    wide, count = value.astype(np.float64), value.shape[-2]
    low, high = float(wide.min()), float(wide.max())
    turns = (np.argsort(rng.random(value.shape[:-1]), axis=-1) + rng.random((*value.shape[:-2], 1))) * (
        2 * np.pi / count
    )
    ring = np.stack([np.cos(turns), np.sin(turns)], axis=-1) * (high - low) / 2 + (high + low) / 2
    return np.asarray(np.round(ring) if (np.round(wide) == wide).all() else ring)
