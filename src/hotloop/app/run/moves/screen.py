"""Quick looks at the menu's moves before one of them is compared in full: on a GPU a look costs a fraction of a comparison.

A rewrite of somebody's text helps or does not for reasons that a prediction from the text rarely knows; a look of a few rounds tells in less than
a second, verification included. What looked slower is not compared, and what looked best is compared first; only a comparison decides.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import TYPE_CHECKING

from hotloop.app.run import polish
from hotloop.app.run.kept.searched import Summary

if TYPE_CHECKING:
    from hotloop.app.desk import Desk
    from hotloop.app.run.attempt import Attempts
    from hotloop.model.finding import Move
    from hotloop.model.kernel import Variant
    from hotloop.model.space import Config

MOST = 16
"""Looks at moves beside one incumbent."""
SHARE = 0.8
"""Part of the time for looks that one round of them may take."""
_LEAP = 2.0
"""Gain from which on a move that was expected to bring it, and looks so, ends its round: what the others bring is better seen beside the new text."""
_WORTH = 0.99
"""Time over the incumbent's up to which a look is worth a comparison."""


@dataclass(slots=True)
class Looks:
    """What quick looks of one run saw."""

    summary: Summary | None = None
    _ratios: dict[str, float] = field(default_factory=dict)
    """Time over the incumbent's by change; infinite: it failed."""

    @property
    def seen(self) -> int:
        """Return at how many moves there were looks."""
        return len(self._ratios)

    def fresh(self, moves: Sequence[Move]) -> tuple[Move, ...]:
        """Return the first moves that were not looked at, whatever the incumbent was then."""
        return tuple(move for move in moves if move.change not in self._ratios)[:MOST]

    def rounds(self, moves: Sequence[Move]) -> Iterator[tuple[Move, ...]]:
        """Yield moves to look at, and further ones as long as there are looks and none of them is worth a comparison."""
        before = -1
        while before < self.seen and (fresh := self.fresh(moves)):
            if before >= 0 and self.worth(moves):
                return
            before = self.seen
            yield fresh

    def look(
        self,
        desk: Desk,
        attempts: Attempts,
        incumbent: Variant,
        incumbent_ns: float,
        moves: Sequence[Move],
        until_s: float,
    ) -> None:
        """Look at moves in their order until the desk has spent `until_s` seconds."""
        changes = {move.variant.config: move.change for move in moves}
        leaps = frozenset(move.variant.config for move in moves if move.gain.low >= _LEAP)
        asked = Listed(changes, leaps, incumbent_ns / _LEAP)
        search = polish.tried(desk, attempts, incumbent, incumbent_ns, until_s, asked)
        self.summary = polish.joined(self.summary, search.summary)
        for config, call_ns in search.times_ns:
            self._ratios[changes[config]] = inf if call_ns is None else call_ns / incumbent_ns

    def worth(self, moves: Sequence[Move]) -> tuple[Move, ...]:
        """Return the moves that looked faster, the fastest first."""
        seen = [move for move in moves if self.faster(move) is not None]
        return tuple(sorted(seen, key=lambda move: self._ratios[move.change]))

    def faster(self, move: Move) -> float | None:
        """Return the speedup that a look showed where it is worth a comparison, else None."""
        ratio = self._ratios.get(move.change, inf)
        return 1 / ratio if ratio < _WORTH else None


class Listed:
    """A strategy that asks for what it is given."""

    def __init__(
        self,
        configs: Sequence[Config] | dict[Config, str],
        leaps: frozenset[Config] = frozenset(),
        enough_ns: float = 0.0,
    ) -> None:
        self._left = deque(configs)
        self._leaps, self._enough_ns = leaps, enough_ns

    def ask(self) -> Config | None:
        """Return the next of them."""
        return self._left.popleft() if self._left else None

    def tell(self, config: Config, call_ns: float | None) -> None:
        """Ask for no others after a leap that was expected and took so little time."""
        if config in self._leaps and call_ns is not None and call_ns < self._enough_ns:
            self._left.clear()
