"""Random valid configurations, from spaces small and large.

A space that can be enumerated is sampled exactly, and one whose constraints let enough random points pass is sampled
uniformly by rejection. From the rest, samples come from random walks over valid one-parameter moves, begun at repaired
random points; that is not uniform, but it reaches everything that moves reach.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from hotloop.search.catalogue import Catalogue, catalogue, distinct, valid_rows
from hotloop.search.grid import Grid
from hotloop.search.ledger import Ledger
from hotloop.search.repair import repair

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from hotloop.model.space import Config, Space
    from hotloop.search.foretold import Foretold
    from hotloop.search.grid import Positions

_THROWN = 16384
"""Number of random points in one batch of rejection sampling, except for the first batch."""
_FIRST_EACH = 8
"""Number of random points in the first batch for each wanted point, which is enough where one in eight passes."""
_THROWS = 8
"""Largest number of batches; if too few points passed by then, random walks are cheaper."""
_WALKS = 16
_STRIDE = 3
"""Steps of a walk between two samples, so that consecutive ones differ in several parameters."""
_TRIES = 64
_MOST_TRIES, _MOST_WALKED = 32768, 1024
"""Number of random configurations that are drawn when all of the first ones are known: in spaces that can be listed, and in others."""
_MOST_KEPT = 4
_KEPT: list[Sampler] = []


def sampler_of(space: Space) -> Sampler:
    """Return the sampler of a space, the same one for every phase of a search: to enumerate costs as much as some trials.

    Known by identity, for spaces of equal values may be of other types; held, so that the identity stays its own.
    """
    kept = next((sampler for sampler in _KEPT if sampler.grid.space is space), None) or Sampler(Grid(space))
    _KEPT[:] = [kept, *(sampler for sampler in _KEPT if sampler is not kept)][:_MOST_KEPT]
    return kept


class Sampler:
    """Draws valid positions of one grid; the space is enumerated at first use."""

    def __init__(self, grid: Grid) -> None:
        self.grid = grid

    @cached_property
    def catalogue(self) -> Catalogue | None:
        """All valid configurations, or None when they are too many to list."""
        return catalogue(self.grid)

    def draw(self, rng: np.random.Generator, size: int) -> NDArray[np.int32]:
        """Return positions of at most `size` distinct valid configurations, shape (rows, parameters)."""
        if self.catalogue is not None:
            return self.catalogue.sample(rng, size)
        passed = self._passed(rng, size)
        if passed is not None:
            return passed
        walks = [self._walk(rng, -(-size // _WALKS)) for _ in range(_WALKS)]
        distinct = dict.fromkeys(positions for walk in walks for positions in walk)
        return np.array(list(distinct)[:size], np.int32).reshape(-1, len(self.grid.names))

    def unseen(self, rng: np.random.Generator, seen: Ledger) -> Positions | None:
        """Return a random valid configuration that is not in `seen`; None when there is none (or none was found)."""
        for row in self.draw(rng, _TRIES).tolist():
            if tuple(row) not in seen:
                return tuple(row)
        if self.catalogue is not None and self.catalogue.count <= _TRIES:
            return None
        rest = self.draw(rng, _MOST_TRIES if self.catalogue is not None else _MOST_WALKED).tolist()
        return next((tuple(row) for row in rest if tuple(row) not in seen), None)

    def _passed(self, rng: np.random.Generator, size: int) -> NDArray[np.int32] | None:
        """Return `size` distinct random points that meet all rules; None when too few of the thrown ones do."""
        rows = np.empty((0, len(self.grid.sizes)), np.int32)
        for batch in range(_THROWS + 1):
            thrown = _THROWN if batch else min(_THROWN, _FIRST_EACH * size)
            points = rng.integers(self.grid.sizes, size=(thrown, len(self.grid.sizes)), dtype=np.int32)
            rows = distinct(self.grid, np.concatenate([rows, valid_rows(self.grid, points)]))
            if len(rows) >= size:
                return rows[:size]
            if batch and len(rows) * _THROWS < size * batch:
                return None
        return None

    def _walk(self, rng: np.random.Generator, samples: int) -> list[Positions]:
        here = self._somewhere(rng)
        if here is None:
            return []
        path = [here]
        while len(path) < samples:
            for _ in range(_STRIDE):
                here = self._step(rng, here)
            path.append(here)
        return path

    def _somewhere(self, rng: np.random.Generator) -> Positions | None:
        config = repair(self.grid, self.grid.decode(rng.integers(self.grid.sizes).tolist()))
        return None if config is None else self.grid.encode(config)

    def _step(self, rng: np.random.Generator, here: Positions) -> Positions:
        """Change one random parameter to a random value if that is valid, otherwise stay (after a few tries)."""
        columns = rng.integers(len(here), size=8).tolist()
        for column, share in zip(columns, rng.random(8).tolist(), strict=True):
            there = int(share * self.grid.sizes[column])
            moved = (*here[:column], there, *here[column + 1 :])
            if moved != here and self.grid.valid(moved):
                return moved
        return here


class Sampled:
    """What every strategy begins with: a space's sampler, and a ledger of what was asked and told."""

    def __init__(
        self,
        space: Space,
        seed: int,
        start: Sequence[Config] = (),
        elsewhere: Sequence[Mapping[Config, float | None]] = (),
        applies: Callable[[Config], bool] | None = None,
        foretold: Foretold | None = None,
    ) -> None:
        del elsewhere, foretold  # most learn from what they try themselves
        self._sampler = sampler_of(space)
        self._grid = self._sampler.grid
        self._ledger = Ledger(self._grid, seed, start, applies)
