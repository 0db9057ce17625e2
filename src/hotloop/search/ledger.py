"""The questions and results of a strategy, which are its whole state."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hotloop.model.space import Config
    from hotloop.search.grid import Grid, Positions


class Ledger:
    """Results in the order in which they were told, configurations being measured, and start points not yet used."""

    def __init__(
        self, grid: Grid, seed: int, start: Sequence[Config] = (), applies: Callable[[Config], bool] | None = None
    ) -> None:
        self.grid = grid
        self._applies = applies
        self._applied: dict[Positions, bool] = {}
        """What `applies` said; it is asked only of what is about to be proposed, and once."""
        self.results: dict[Positions, float | None] = {}
        """Time of one call in ns, or None for a failure, by position."""
        self._seed = seed
        self._pending: set[Positions] = set()
        self._start = [grid.encode(config) for config in start if grid.space.valid(config)]

    def __contains__(self, positions: Positions) -> bool:
        """Tell whether a configuration must not be asked for: it was, its result is known, or it does not apply."""
        return positions in self.results or positions in self._pending or not self.fits(positions)

    def __len__(self) -> int:
        return len(self.results) + len(self._pending)

    def fits(self, positions: Positions) -> bool:
        """Tell whether a valid configuration applies to what is searched for."""
        if self._applies is None:
            return True
        if positions not in self._applied:
            self._applied[positions] = self._applies(self.grid.decode(positions))
        return self._applied[positions]

    def seen(self) -> list[Positions]:
        """Return everything told and asked, in a fixed order."""
        return [*self.results, *sorted(self._pending)]

    def out(self) -> list[Positions]:
        """Return what was asked and not told yet, in a fixed order."""
        return sorted(self._pending)

    def rng(self, *stream: int) -> np.random.Generator:
        """Return randomness that depends only on the seed and on `stream` (default: how much was asked and told)."""
        return np.random.default_rng([self._seed, *(stream or (len(self),))])

    def start(self) -> Positions | None:
        """Return the next start point that was neither asked nor told, or None."""
        return next((positions for positions in self._start if positions not in self), None)

    def issue(self, positions: Positions | None) -> Config | None:
        """Record that a configuration is being measured, and return it."""
        if positions is None:
            return None
        self._pending.add(positions)
        return self.grid.decode(positions)

    def record(self, config: Config, call_ns: float | None) -> Positions | None:
        """Store a result and return its positions, or None when one for this configuration is there already.

        Raises:
            ValueError: the configuration is not in the grid, or the time is not a positive finite number.
        """
        if call_ns is not None and not (math.isfinite(call_ns) and call_ns > 0):
            raise ValueError(f"call_ns is {call_ns}; tell a positive time in ns, or None for a failure")
        try:
            positions = self.grid.encode(config)
        except KeyError as error:
            raise ValueError(
                f"{error.args[0]!r} in {config} is neither a parameter nor a value of the space"
            ) from error
        self._pending.discard(positions)
        if positions in self.results:
            return None
        self.results[positions] = call_ns
        return positions

    def best(self) -> Positions | None:
        """Return the fastest configuration told so far, or None."""
        return next(iter(self.fastest(1)), None)

    def fastest(self, count: int) -> list[Positions]:
        """Return so many of the fastest configurations told so far, best first."""
        times = {positions: ns for positions, ns in self.results.items() if ns is not None}
        return sorted(times, key=times.__getitem__)[:count]
