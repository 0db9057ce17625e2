"""The configurations that a model chooses from, with what does not depend on the model's weights."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hotloop.search.acquisition import Survival

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from hotloop.search.features import Features
    from hotloop.search.grid import Positions


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
        points = self._features.of(np.array([positions for positions, _ in results], np.int32))
        for point, (positions, works) in zip(points, results, strict=True):
            self.take(positions)
            self._survival.vote(point, works=works)

    def foremost(self, score: NDArray[np.floating]) -> Positions | None:
        """Return the free candidate with the largest score, none near failures; what worked counts nothing: it would keep all near itself."""
        if not self.free.any():
            return None
        promise = np.where(self.free, score + np.log(self._survival.chance(failures_only=True)), -np.inf)
        return self._at(int(np.argmax(promise)))

    def choose(self, log_improvement: NDArray[np.float64], centres: Sequence[Positions] = ()) -> Positions | None:
        """Return the free candidate with the largest expected improvement times chance to work.

        Args:
            log_improvement: shape (candidates,).
            centres: consider only one-parameter moves of the first of them that has a free one, where one has.
        """
        if not self.free.any():
            return None
        promise = np.where(self.free, log_improvement + np.log(self._survival.chance()), -np.inf)
        near = (np.where((self.rows != np.array(centre)).sum(1) == 1, promise, -np.inf) for centre in centres)
        promise = next((moves for moves in near if np.isfinite(moves).any()), promise)
        return self._at(int(np.argmax(promise)))

    def _at(self, row: int) -> Positions:
        positions: list[int] = self.rows[row].tolist()
        return tuple(positions)
