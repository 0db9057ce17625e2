"""The configurations that a model chooses from, with what does not depend on the model's weights."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from hotloop.search.acquisition import Survival
from hotloop.search.demand import Demand

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from hotloop.search.features import Features
    from hotloop.search.grid import Positions

    Fits = Callable[[Positions], bool]


def _all(_: Positions) -> bool:
    return True


class Pool:
    """Candidate positions with their features, which of them are free, and their chance to work."""

    def __init__(self, features: Features, rows: NDArray[np.int32]) -> None:
        self.rows = rows
        """Positions, shape (candidates, parameters)."""
        self.seen = features.of(rows)
        """Features, shape (candidates, features)."""
        self.free = np.ones(len(rows), bool)
        self._features = features
        self._index = {tuple(row): i for i, row in enumerate(rows.tolist())}
        self._survival = Survival(self.seen, np.exp(0.5 * features.log_weights)[features.groups])
        self._demand = Demand(features.sizes, rows)

    def row(self, positions: Positions) -> int | None:
        """Return where a configuration is in the pool; None: it is not."""
        return self._index.get(positions)

    def take(self, positions: Positions) -> None:
        """Mark a configuration as not to be proposed again."""
        row = self._index.get(positions)
        if row is not None:
            self.free[row] = False

    def learn(self, results: Sequence[tuple[Positions, bool]]) -> None:
        """Learn from configurations (in the pool or not), each with whether it worked, and take them."""
        if not results:
            return
        rows = np.array([positions for positions, _ in results], np.int32)
        self._demand.learn(rows, [works for _, works in results])
        points = self._features.of(rows)
        for point, (positions, works) in zip(points, results, strict=True):
            self.take(positions)
            self._survival.vote(point, works=works)

    def foremost(self, score: NDArray[np.floating], fits: Fits = _all) -> Positions | None:
        """Return the free candidate with the largest score; one near failures scores less.

        Being near what worked counts nothing, or the search would stay there.
        """
        if not self.free.any():
            return None
        return self._best(score + np.log(self._survival.chance(failures_only=True)), (), fits)

    def choose(
        self,
        log_improvement: NDArray[np.float64],
        centres: Sequence[Positions] = (),
        fits: Fits = _all,
    ) -> Positions | None:
        """Return the free candidate with the largest expected improvement times chance to work.

        Args:
            log_improvement: shape (candidates,).
            centres: consider only one-parameter moves of the first of them that has a free one, where one has.
            fits: tells of a candidate whether it applies; asked of the most promising ones only.
        """
        if not self.free.any():
            return None
        near = ((self.rows != np.array(centre)).sum(1) == 1 for centre in centres)
        return self._best(self.promise(log_improvement), near, fits)

    def promise(self, log_improvement: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the logarithm of expected improvement times chance to work of each candidate, free or not."""
        foreseen = self._demand.log_chance()
        chance = np.log(self._survival.chance()) if foreseen is None else foreseen
        return np.asarray(log_improvement + chance)

    def _best(self, promise: NDArray[np.floating], groups: Iterable[NDArray[np.bool_]], fits: Fits) -> Positions | None:
        """Return the free candidate of most promise, of the first of some groups that has one; what does not apply is taken on the way."""
        for group in chain(groups, (self.free,)):
            ranked = np.where(group & self.free, promise, -np.inf)
            while np.isfinite(ranked[row := int(np.argmax(ranked))]):
                positions: list[int] = self.rows[row].tolist()
                if fits(candidate := tuple(positions)):
                    return candidate
                self.free[row], ranked[row] = False, -np.inf
        return None
