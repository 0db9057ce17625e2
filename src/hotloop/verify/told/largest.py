"""Whole numbers of the largest magnitude, and those that most powers of two divide: what narrow sums and shifts get wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hotloop.verify.domain import Freedom, reach

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.generic]


def largest(value: Array, free: Freedom, _rng: np.random.Generator) -> Array | None:
    """Return integers that are the drawn one of the largest magnitude, or the end that the file asked for: no other content counts or adds up to more.

    Each row begins with an odd one: multiples of a power of two would stay exact in a float far beyond the length of its mantissa.
    None for other types.

    >>> largest(np.array([3, -8, 5]), Freedom(), np.random.default_rng(1)).tolist()
    [-7, -8, -8]
    """
    if value.dtype.kind not in "iu":
        return None
    low, high = free.ends or reach(value)
    most, nearer = (low, 1) if -low > high else (high, -1)
    made = np.full(value.shape, most, value.dtype)
    if most % 2 == 0 and low < high and value.shape[-1] > 1:
        made[..., 0] = most + nearer
    return made


def roundest(low: int, high: int) -> int:
    """Return the number between two, but for zero, that most powers of two divide, of the sign that reaches further.

    >>> roundest(2**30 + 1, 2**31 - 1), roundest(-9, 8), roundest(5, 5), roundest(0, 0)
    (1610612736, -8, 5, 0)
    """
    low, high, sign = (low, high, 1) if high >= -low else (-high, -low, -1)
    least = max(low, 1)
    step = next((1 << bit for bit in range(64, 0, -1) if high >> bit << bit >= least), 1)
    return sign * (high // step * step)
