"""Local search: polishes a good configuration by changing one parameter at a time.

All one-parameter moves of the incumbent are tried, small steps before large ones, and the first improvement becomes
the incumbent. When none improves, the climb starts again from the best configuration with a few parameters shaken.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hotloop.search.neighbours import near_and_far
from hotloop.search.repair import repair
from hotloop.search.sampler import Sampled

if TYPE_CHECKING:
    from hotloop.model.space import Config
    from hotloop.search.grid import Positions

_SHAKES = 12
"""Number of attempts to find an unseen configuration near the best one; after that, any unseen configuration is taken."""


class Local(Sampled):
    """First-improvement hill climbing with restarts near the best."""

    _incumbent_ns = 0.0
    _moves: list[Positions] | None = None
    """One-parameter moves of the incumbent in the order of trial; None before the first success."""

    def ask(self) -> Config | None:
        """Return a start point, a move of the incumbent or a restart point; None when all is seen."""
        ledger = self._ledger
        move = next((m for m in self._moves or () if m not in ledger), None)
        return ledger.issue(ledger.start() or move or self._restart())

    def tell(self, config: Config, call_ns: float | None) -> None:
        """Record a result and move on if it is better, or if the incumbent had nothing left to try."""
        exhausted = self._moves is None or all(
            m in self._ledger.results or not self._ledger.fits(m) for m in self._moves
        )
        positions = self._ledger.record(config, call_ns)
        if positions is None or call_ns is None:
            return
        if exhausted or call_ns < self._incumbent_ns:
            self._incumbent_ns = call_ns
            self._moves = self._around(positions)

    def _around(self, positions: Positions) -> list[Positions]:
        near, far = near_and_far(self._grid, positions)
        rng = self._ledger.rng(1, len(self._ledger.results))
        return [group[i] for group in (near, far) for i in rng.permutation(len(group)).tolist()]

    def _restart(self) -> Positions | None:
        rng, best = self._ledger.rng(), self._ledger.best()
        for _ in range(_SHAKES if best else 0):  # without parameters there is nothing to shake
            shaken = list(best or ())
            for column in rng.integers(len(shaken), size=3).tolist():
                shaken[column] = int(rng.integers(self._grid.sizes[column]))
            config = repair(self._grid, self._grid.decode(shaken))
            positions = None if config is None else self._grid.encode(config)
            if positions is not None and positions not in self._ledger:
                return positions
        return self._sampler.unseen(rng, self._ledger)


STRATEGY = Local
