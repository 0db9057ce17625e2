"""Infinities, NaN, zeros and very small numbers among others: whole rows of one of them, or one alone in a row."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hotloop.verify.domain import Freedom

    Array = NDArray[np.generic]

_TAKEN = 0.6
"""Part of the rows that are taken for special values."""


def special_rows(value: Array, free: Freedom, rng: np.random.Generator) -> Array | None:
    """Return whole rows, or stretches, of one special value each: the largest of nothing but minus infinities is one."""
    if not free.specials:
        return None
    most = value.size // (2 * len(free.specials))  # so that every value has a chance
    length = value.shape[-1] if value.ndim > 1 else int(rng.integers(1, max(2, most)))
    places = np.arange(value.size) // max(1, length)
    chosen = rng.choice(np.array(free.specials), int(places[-1]) + 1)[places]
    taken = (rng.random(int(places[-1]) + 1) < _TAKEN)[places]
    return np.where(taken, chosen, value.reshape(-1).astype(np.float64)).reshape(value.shape)


def lone(value: Array, free: Freedom, rng: np.random.Generator) -> Array | None:
    """Return rows, or stretches, that are ordinary but for one special value: in front, at the end or anywhere between."""
    if not free.specials:
        return None
    length = value.shape[-1] if value.ndim > 1 else int(rng.integers(1, value.size + 1))
    begins = np.arange(0, value.size, max(1, length))[rng.random(-(-value.size // max(1, length))) < _TAKEN]
    ends = np.minimum(begins + length, value.size)
    where = np.choose(rng.integers(0, 3, begins.size), (begins, ends - 1, rng.integers(begins, ends)))
    made = value.reshape(-1).astype(np.float64)
    made[where] = rng.choice(np.array(free.specials), begins.size)
    return made.reshape(value.shape) if begins.size else None
