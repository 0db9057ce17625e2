"""How likely a configuration is to work at all, judged by which ones did.

Two beliefs work together. Registers, local memory and threads of a work-group are products of sizes, so on logarithmic scales what a
device refuses lies beyond a plane: `Limits` fits it, and learns that way which parameters have a say and what happens in regions
that nobody tried. What no plane explains, such as a compiler that stumbles over a few combinations, is left to the votes of the
configurations nearby, which outweigh the plane where there are any.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from hotloop.search.gaussian import squared_to

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]

_OPTIMISM = 0.8
"""Chance to work that is believed in before any failure."""


class Limits:
    """Logistic regression of what works on features, for each point of a pool.

    How much features have a say is not known beforehand: each deviation of the weights in `_SIZES` is fitted and believed as far as it is
    likely (Laplace's approximation; MacKay 1992), so failures without a pattern leave all points about alike.
    """

    _SIZES = (0.5, 2.0, 6.0)
    """Deviations of the weights that are held possible; a feature goes from 0 to 1."""
    _LEVEL_SIZE = 1.0
    """Deviation of the level, in logits."""
    _STEPS = 6
    _LONGEST = 3.0
    """Longest step of a weight, for Newton's method may overshoot."""
    _GROWTH = 1.1
    """Successes wait for so much growth of the results, failures do not."""

    def __init__(self, pool: Numbers) -> None:
        self._pool = _with_level(pool).astype(np.float32)
        self._seen: list[Numbers] = []
        self._works: list[bool] = []
        self._due = 0
        """Results that the chance should know; decided by results and their order alone, so that a search resumes exactly."""
        self._fitted = 0
        """Results that it knows."""
        self._chance = np.full(len(pool), _OPTIMISM)

    def learn(self, points: Numbers, works: list[bool]) -> None:
        """Take results into account, given their features."""
        self._seen.append(_with_level(points))
        for worked in works:
            self._works.append(worked)
            if not worked or len(self._works) >= self._GROWTH * self._due:
                self._due = len(self._works)

    def chance(self) -> Numbers:
        """Return the chance to work, shape (pool,); the same everywhere until something has failed."""
        if self._fitted != self._due and not all(self._works[: self._due]):
            self._chance = self._refitted(
                np.concatenate(self._seen)[: self._due], np.array(self._works[: self._due], float)
            )
            self._fitted = self._due
        return self._chance

    def _refitted(self, seen: Numbers, works: Numbers) -> Numbers:
        evidence, chances = np.empty(len(self._SIZES)), []
        for number, size in enumerate(self._SIZES):
            weights, evidence[number], covariance = self._climbed(seen, works, size)
            chances.append(self._at(weights, covariance))
        share = np.exp(evidence - evidence.max())
        return np.asarray(share @ np.array(chances) / share.sum(), np.float64)

    def _climbed(self, seen: Numbers, works: Numbers, size: float) -> tuple[Numbers, float, Numbers]:
        """Return the most likely weights, their log evidence and covariance, by Newton's method."""
        weights = expected = _expected(seen.shape[1])
        precision = np.full(len(weights), size**-2)
        precision[0] = self._LEVEL_SIZE**-2
        curvature = np.diag(precision)
        for _ in range(self._STEPS):
            chance = 1.0 / (1.0 + np.exp(-seen @ weights))
            curvature = (seen.T * np.maximum(chance * (1.0 - chance), 1e-4)) @ seen + np.diag(precision)
            step = np.linalg.solve(curvature, seen.T @ (works - chance) - precision * (weights - expected))
            weights = weights + step * min(1.0, self._LONGEST / max(float(np.abs(step).max()), self._LONGEST))
        logits = np.where(works > 0, -1.0, 1.0) * (seen @ weights)
        unlikely = np.logaddexp(0.0, logits).sum() + 0.5 * (precision * (weights - expected) ** 2).sum()
        evidence = 0.5 * (np.log(precision).sum() - np.linalg.slogdet(curvature)[1]) - unlikely
        return weights, float(evidence), np.asarray(np.linalg.inv(curvature), np.float64)

    def _at(self, weights: Numbers, covariance: Numbers) -> NDArray[np.float32]:
        """Return the chance at each point of the pool, nearer to a half where the weights are not known (MacKay 1992)."""
        single = covariance.astype(np.float32)
        variance = ((self._pool @ single) * self._pool).sum(1)
        return np.asarray(
            1.0 / (1.0 + np.exp(-(self._pool @ weights.astype(np.float32)) / np.sqrt(1.0 + 0.3927 * variance)))
        )


class Survival:
    """Chance that a configuration works, for each point of a pool."""

    _REACH = 9.0
    """Sharpening of the model's weights: whether a kernel fits a device changes within one or two steps."""
    _BELIEF = 0.5
    """Votes that `Limits` has; a single result nearby outweighs them."""
    _LEAST = 0.02
    """Lowest chance that `Limits` can give."""

    def __init__(self, pool: Numbers, scale: Numbers) -> None:
        self._scale = (scale * np.sqrt(self._REACH)).astype(np.float32)
        self._pool = pool.astype(np.float32) * self._scale
        self._norms = (self._pool * self._pool).sum(1)
        self._works = np.zeros(len(pool))
        self._votes = np.zeros(len(pool))
        self._limits = Limits(pool)

    def learn(self, points: Numbers, works: list[bool]) -> None:
        """Take results into account, given their features, shape (results, features)."""
        self._limits.learn(points, works)
        for point, worked in zip(points, works, strict=True):
            near = np.exp(-0.5 * squared_to(self._pool, self._norms, point.astype(np.float32) * self._scale))
            self._votes += near
            if worked:
                self._works += near

    def chance(self, *, failures_only: bool = False) -> Numbers:
        """Return the chance to work, in (0, 1), shape (pool,); `failures_only`: no higher for what worked near than before any result."""
        believed = np.maximum(self._limits.chance(), self._LEAST)
        chance = (self._works + self._BELIEF * believed) / (self._votes + self._BELIEF)
        return np.minimum(chance, _OPTIMISM) if failures_only else chance


def _expected(count: int) -> Numbers:
    """Return the weights that are expected beforehand: a level, and no say of any feature."""
    return np.array([math.log(_OPTIMISM / (1.0 - _OPTIMISM)), *[0.0] * (count - 1)])


def _with_level(points: Numbers) -> Numbers:
    """Return centred features with a column of ones before them."""
    return np.concatenate([np.ones((len(points), 1)), points - 0.5], axis=1)
