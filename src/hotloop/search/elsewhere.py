"""What the same kernel did elsewhere: on other devices, or on other problems, as an expectation for here.

Each *source* is a table of configurations with their times. Its log times are compressed and standardised, what it has not tried
is predicted from what it has, and the target's log times are expected to be a weighted sum of the sources. The weights are those
of a ridge regression towards equal shares of all sources, done anew with each result, so that a source that orders the
configurations otherwise than the target does loses its say to others. How much of all together is believed is judged by how likely it
makes the results, nothing at all included. The surrogate then models what is left.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hotloop.search.acquisition import compressed
from hotloop.search.features import Features
from hotloop.search.gaussian import Weights, fit, matern, screen, squared_distance, standardised

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from hotloop.model.space import Config
    from hotloop.search.grid import Grid, Positions

    Vector = NDArray[np.float64]
    Matrix = NDArray[np.float64]

FEWEST = 8
"""Least number of times that a source must have; fewer say nothing about the order of the other configurations."""
_LEARNT = 400
"""Times from which a source's missing ones are predicted: the better half of them the best ones."""
_FITTED = 100
"""Number of times from which it is estimated which parameters matter."""
_FAILED = 2.0
"""Value that a failure gets among standardised log times: slower than almost all configurations that work."""
_DISTRUST = 0.5
"""Standard deviation of a source's weight around an equal share, assumed before any data are seen."""
_NOISE = 0.3
"""Deviation of the target from the weighted sum, expected beforehand, in units of the target's own deviation."""
LEFT = 0.1
"""Variance of what trusted sources do not explain, expected beforehand, relative to the variance of the log times."""
_SHARES = np.linspace(0.0, 1.0, 5)
"""Shares of the sources' expectation that are held possible."""
_BEFORE = np.array([0.5, 0.125, 0.125, 0.125, 0.125])
"""Probability of each share before any result is known: with one half the other sources say nothing about this search."""
WITNESSES = 40
"""Results by which the sources are judged: the first ones, before proposals crowd around the best."""
_JUDGED_NOISE = 0.01
"""Variance of what not even the same configuration's features explain, relative to that of the log times."""
_SURE = 4.0
"""Results that would weigh as much as the belief in the variance of what each share leaves."""


class Source:
    """One table of times by positions, standardised."""

    def __init__(self, features: Features, times: Mapping[Positions, float | None]) -> None:
        self._features = features
        worked = [positions for positions, ns in times.items() if ns is not None]
        logs = np.log(np.array([ns for ns in times.values() if ns is not None]))
        self._scores, _, _ = standardised(compressed(logs))
        self._known = dict(zip(worked, self._scores.tolist(), strict=True))
        self._known |= dict.fromkeys((p for p, ns in times.items() if ns is None), _FAILED)
        order = np.argsort(self._scores, kind="stable")
        rng = np.random.default_rng(0)
        half = order[: _LEARNT // 2]
        rest = order[_LEARNT // 2 :]
        few = np.concatenate([half, rng.choice(rest, min(len(rest), _LEARNT // 2), replace=False)]).astype(int)
        self._points = features.of(np.array(worked, np.int32)[few])
        self._mean = float(self._scores[few].mean())
        self.spread = float(compressed(logs).std())
        """Deviation of its compressed log times."""
        self._targets = self._scores[few] - self._mean
        self._weights: Weights | None = None

    def at(self, rows: NDArray[np.int32]) -> Vector:
        """Return the expected standardised log times of positions, shape (rows,)."""
        times = [self._known.get(tuple(row)) for row in rows.tolist()]
        missing = np.array([score is None for score in times], bool)
        scores = np.array([0.0 if score is None else score for score in times])
        if missing.any():
            scores[missing] = self._mean + self._told(self._features.of(rows[missing]))
        return scores

    def _told(self, here: Matrix) -> Vector:
        """Return what its own times say of points that it has not tried."""
        if self._weights is None:
            few = np.argsort(self._targets, kind="stable")[:_FITTED]
            self._weights = fit(self._features, self._points[few], standardised(self._targets[few])[0])
        return screen(self._features, self._weights, self._points, self._targets, here)


class Elsewhere:
    """Several sources with the trust in each."""

    def __init__(self, grid: Grid, features: Features, tables: Sequence[Mapping[Config, float | None]]) -> None:
        self._sources = [
            Source(features, times)
            for times in (_encoded(grid, table) for table in tables)
            if sum(ns is not None for ns in times.values()) >= FEWEST
        ]

    def __bool__(self) -> bool:
        return bool(self._sources)

    def at(self, rows: NDArray[np.int32]) -> Matrix:
        """Return the sources' expectations, shape (sources, rows)."""
        return np.stack([source.at(rows) for source in self._sources])

    def trust(self, points: Matrix, log_times: Vector, seen: Matrix) -> float:
        """Return the share of the sources' expectation that the results so far speak for, from 0 to 1.

        For each share, the log times less that share of what the sources expect are taken for a Gaussian process whose variance is what
        the share leaves; level and variance are integrated out (Rasmussen and Williams 2006, section 2.7). Sources that are most likely
        worth nothing get nothing: a little of them would still disorder the best configurations, which differ by little.

        Args:
            points: features of the results, shape (results, features), weighted as is expected before any measurement.
            log_times: of the results, shape (results,).
            seen: expectations of the results, shape (sources, results).
        """
        spread = float(np.mean([source.spread for source in self._sources])) or 1.0
        here, there = compressed(log_times) / spread, seen.mean(0)
        inverse = np.linalg.inv(matern(squared_distance(points, points)) + _JUDGED_NOISE * np.eye(len(points)))
        ones = inverse.sum(1)
        apart = inverse - np.outer(ones, ones) / ones.sum()
        left = here[None] - _SHARES[:, None] * there[None]
        unexplained = np.einsum("si,ij,sj->s", left, apart, left)
        variance = left_variance(_SHARES)
        likelihood = 0.5 * _SURE * np.log(variance) - 0.5 * (len(here) - 1 + _SURE) * np.log(
            unexplained + _SURE * variance
        )
        chances = _BEFORE * np.exp(likelihood - likelihood.max())
        chances /= chances.sum()
        return 0.0 if chances[0] > 0.5 else float(chances @ _SHARES)

    def mean(self, seen: Matrix, targets: Vector, at: Matrix, trust: float = 1.0) -> tuple[Vector, Vector]:
        """Return the expectation of what is seen and of other points, in the units of `targets`.

        Args:
            seen: expectations of the results, shape (sources, results).
            targets: standardised log times of the results, shape (results,).
            at: expectations of the other points, shape (sources, points).
            trust: the share of it that is believed, see `trust`.
        """
        count = len(self._sources)
        equal = np.full(count, 1.0 / count)
        free = targets - equal @ seen
        design = np.vstack([np.ones(len(targets)), seen]).T
        belief = np.diag([1e-3, *np.full(count, (_NOISE / _DISTRUST) ** 2)])
        solved = np.linalg.solve(design.T @ design + belief, design.T @ free)
        weights = trust * (equal + solved[1:])
        level = float((targets - weights @ seen).mean())
        return weights @ seen + level, weights @ at + level


def left_variance(share: Vector | float) -> Vector | float:
    """Return the variance that is expected where so large a share of the sources' expectation is believed."""
    return LEFT + (1.0 - LEFT) * (1.0 - share * share)


def _encoded(grid: Grid, table: Mapping[Config, float | None]) -> dict[Positions, float | None]:
    """Return the rows of a table that the space has."""
    encoded: dict[Positions, float | None] = {}
    for config, ns in table.items():
        try:
            encoded[grid.encode(config)] = ns
        except KeyError:  # a value or a parameter that this space does not have
            continue
    return encoded
