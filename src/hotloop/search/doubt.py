"""How much less slow results are believed once fast ones are many.

What makes kernels slow, too few threads or spilled registers, is often not what decides among the fast ones, so a model that must explain slow
results exactly bends near the best. With few results each one is needed to learn where the slow ones lie.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Vector = NDArray[np.float64]

MANY = 24
"""Successful results from which the slow ones are doubted."""
_GROWTH = 1000.0
"""Relative growth of the noise variance at one standard deviation behind the median; it grows with the square of the distance."""


def noise_factors(targets: Vector, *, doubted: bool) -> Vector:
    """Return by what the noise variance of each result is multiplied: 1 for the fast half, more the slower a result is.

    Args:
        targets: standardised log times.
        doubted: whether there are enough results for that; 1 everywhere otherwise.
    """
    if not doubted:
        return np.ones(len(targets))
    behind = np.maximum(targets - np.median(targets), 0.0)
    return 1.0 + _GROWTH * behind * behind
