"""Removal of rounds that disagree with all others, because a burst of load hit only one contender."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

NORMAL_MAD = 1.4826
"""Standard deviation of a normal distribution over its median absolute deviation."""
REACH = 3.5
"""Robust standard deviations (1.4826 × MAD) from the median; normal noise exceeds it once in 2000 rounds (Hampel 1974)."""
FEW = 0.25
"""Largest fraction of rounds that may be removed; if more disagree, that is the machine's normal behaviour and all count."""


def agreeing(values: Sequence[float]) -> NDArray[np.float64]:
    """Return the values without the few that lie far from the median, in their order.

    >>> agreeing([1.0, 1.1, 0.9, 1.05, 0.95, 9.0]).tolist()
    [1.0, 1.1, 0.9, 1.05, 0.95]
    >>> agreeing([1.0, 1.0, 1.0, 9.0, 9.0]).tolist()
    [1.0, 1.0, 1.0, 9.0, 9.0]
    """
    data = np.asarray(values, dtype=np.float64)
    if data.size == 0:
        return data
    distance = np.abs(data - np.median(data))
    reach = REACH * NORMAL_MAD * float(np.median(distance))
    kept = data[distance <= reach]
    # A reach of 0 means that most values are exactly equal, due to a coarse clock; it says nothing about the others.
    return kept if reach > 0 and kept.size >= (1 - FEW) * data.size else data
