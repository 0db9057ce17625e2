"""How promising an untried configuration is, from predicted mean, deviation and chance to work at all."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from hotloop.search.gaussian import squared_to

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]

_TWICE = math.log(2.0)
_TAIL = -3.0
"""Number of standard deviations below which the closed form loses its digits to cancellation, so that the tail formula is used."""


def log_expected_improvement(best: float, mean: NDArray[np.floating], deviation: NDArray[np.floating]) -> Numbers:
    """Return log E[max(best - value, 0)] for normally distributed values (Jones, Schonlau and Welch 1998, eq. 15).

    Args:
        best: smallest value so far.
        mean: predicted values, shape (n,).
        deviation: their standard deviations, positive, shape (n,).
    """
    ahead = (best - mean.astype(np.float64)) / deviation
    log_density = -0.5 * ahead * ahead - 0.9189385332046727  # log sqrt(2 pi)
    near = np.maximum(ahead, _TAIL)
    closed = np.log(np.exp(-0.5 * near * near) * 0.3989422804014327 + near * normal_cdf(near))
    tail = log_density - np.log(ahead * ahead + 3.0)
    return np.asarray(np.log(deviation) + np.where(ahead > _TAIL, closed, tail))


def normal_cdf(x: Numbers) -> Numbers:
    """Return the standard normal distribution function (Abramowitz and Stegun 7.1.26, absolute error below 1e-7).

    >>> import numpy as np
    >>> normal_cdf(np.array([-1.96, 0.0, 1.0])).round(4).tolist()
    [0.025, 0.5, 0.8413]
    """
    t = 1.0 / (1.0 + 0.3275911 * np.abs(x) * 0.7071067811865476)
    polynomial = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
    upper = 0.5 * polynomial * np.exp(-0.5 * x * x)
    return np.asarray(np.where(x < 0, upper, 1.0 - upper))


def compressed(log_times: Numbers) -> Numbers:
    """Return log times above the best, with the slow half squeezed: how slow a slow kernel is says little.

    Beyond the median of the log times, but at least a factor of two above the best, differences count a fifth.
    """
    above = log_times - log_times.min()
    knee = max(_median(above), _TWICE)
    return np.asarray(np.where(above > knee, knee + 0.2 * (above - knee), above))


def _median(values: Numbers) -> float:
    """Return what `numpy.median` does, which looks for NaN and axes for longer than it takes to find the middle."""
    middle = len(values) // 2
    ordered = np.sort(values)
    return float(ordered[middle]) if len(values) % 2 else float((ordered[middle - 1] + ordered[middle]) / 2.0)


class Survival:
    """Chance that a configuration works, for each point of a pool: votes of the configurations tried near it."""

    _REACH = 9.0
    """Sharpening of the model's weights: whether a kernel fits a device changes within one or two steps."""
    _BELIEF = 0.2
    """Votes held before any result; a single result nearby outweighs them."""
    _OPTIMISM = 0.8
    """Share of those votes for "works"."""

    def __init__(self, pool: Numbers, scale: Numbers) -> None:
        self._scale = (scale * np.sqrt(self._REACH)).astype(np.float32)
        self._pool = pool.astype(np.float32) * self._scale
        self._norms = (self._pool * self._pool).sum(1)
        self._works = np.full(len(pool), self._BELIEF * self._OPTIMISM)
        self._votes = np.full(len(pool), self._BELIEF)

    def vote(self, point: Numbers, *, works: bool) -> None:
        """Take the result of one configuration into account, given its features."""
        here = point.astype(np.float32) * self._scale
        near = np.exp(-0.5 * squared_to(self._pool, self._norms, here))
        self._votes += near
        if works:
            self._works += near

    def chance(self, *, failures_only: bool = False) -> Numbers:
        """Return the chance to work, in (0, 1), shape (pool,); `failures_only`: no higher for what worked near than before any result."""
        chance = np.asarray(self._works / self._votes)
        return np.minimum(chance, self._OPTIMISM) if failures_only else chance
