"""Integers that are links: whoever follows them comes to an end. Other values in their places would lead in circles, which no file draws."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_LEAST_ROW = 5
"""Length of a row from which on its numbers may be taken for links."""
_VARIED = 3
"""Part of a row's length, as a divisor, that its numbers must be different ones; of random places about two thirds are."""
_BY_CHANCE = -4.0
"""Logarithm of how probable it may be that random places lead to ends."""


def ending(value: NDArray[np.generic]) -> bool:
    """Tell whether the numbers of each row are places in it, and whoever follows them comes to an end: linked lists, forests in any order.

    An end is a place that leads to itself, or a negative number. Of random rows of n numbers e/n end so.

    >>> ending(np.array([[1, 2, 3, 4, 4, 0], [5, 5, 0, 2, 3, 5]] * 3)), ending(np.array([[1, 2, 3, 4, 4, 0], [5, 3, 1, 2, 3, 5]] * 3))
    (True, False)
    """
    length = value.shape[-1] if value.ndim else 0
    if length < _LEAST_ROW or value.max() >= length or value.max() < 2 or value.min() < -1:
        return False
    rows = value.reshape(-1, length).astype(np.int64)
    if np.unique(rows[0]).size * _VARIED < length:  # labels and counts: few numbers lead anywhere
        return False
    chance = len(rows) * (1.0 - np.log(length))  # (e/n) to the number of rows, as a logarithm
    return bool(chance < _BY_CHANCE) and _end(rows[:1]) and _end(rows)


def _end(rows: NDArray[np.int64]) -> bool:
    leads = np.where(rows < 0, np.arange(rows.shape[1]), rows)
    to = leads
    for _ in range(rows.shape[1].bit_length()):
        to = np.take_along_axis(to, to, 1)
    return bool((np.take_along_axis(leads, to, 1) == to).all())
