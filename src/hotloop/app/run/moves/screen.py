"""Quick looks at the menu's moves before one of them is compared in full.

A rewrite of somebody's text helps or does not for reasons that a prediction from the text rarely knows; a look of a few rounds tells in less than
a second, verification included. On a CPU that is so of parameters, too: how often a technique helped elsewhere says no more of an unknown
kernel than how often moves help at all. What looked slower is not compared, and what looked best is compared first; only a comparison decides.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from math import inf
from typing import TYPE_CHECKING

from hotloop.app.run import polish
from hotloop.app.run.kept.searched import Summary
from hotloop.techniques.menu import WORTH

if TYPE_CHECKING:
    from hotloop.app.desk import Desk
    from hotloop.app.run.attempt import Attempts
    from hotloop.model.finding import Move
    from hotloop.model.kernel import Implementation, Variant
    from hotloop.model.space import Config


@dataclass(frozen=True, slots=True)
class Manner:
    """How moves are looked at."""

    most: int
    """Looks in one round."""
    share: float
    """Part of the time for looks that one round of them may take."""
    least: float
    """Smallest chance of being kept for which a move gets a look."""
    worth: float
    """Time over the incumbent's up to which a look is worth a comparison."""
    leap: float
    """Gain from which on a look ends its round: what the others bring is better seen beside the new incumbent, where a look takes less."""
    expected: bool
    """Whether it does so only of a move that was expected to bring that much."""
    again: float = 0.0
    """Time over the incumbent's up to which a move is looked at once more beside a new incumbent; above it the look stands."""
    waits: bool = False
    """Whether what looked faster is compared before further moves are looked at."""
    told: bool = False
    """Whether the search is told what was seen, so that it does not look again."""


ON_GPU = Manner(most=16, share=0.8, least=0.0, worth=0.99, leap=2.0, expected=True)
"""A look costs a fraction of a comparison, and events of the device time it."""
ON_CPU = Manner(most=8, share=0.5, least=WORTH, worth=0.96, leap=1.3, expected=False, again=1.1, waits=True, told=True)
"""The host's clock times it, so that a small lead may be chance; and what parameters bring depends on the others."""


def manner(implementation: Implementation, kind: str) -> Manner | None:
    """Return how moves of an implementation are looked at on a kind of device; None: they are compared at once."""
    if kind == "cpu":
        return ON_CPU
    return ON_GPU if implementation.looks else None


def _any(_move: Move) -> bool:
    return True


@dataclass(slots=True)
class Looks:
    """What quick looks of one run saw."""

    manner: Manner | None = ON_GPU
    """None: there are none."""
    summary: Summary | None = None
    made: int = 0
    """How many there were, beside all incumbents."""
    times_ns: dict[Config, float | None] = field(default_factory=dict)
    """Time of one call of configurations that were looked at, for the search; None: it failed."""
    _ratios: dict[str, float] = field(default_factory=dict)
    """Time over the incumbent's by change; infinite: it failed."""

    @property
    def seen(self) -> int:
        """Return of how many moves it is known how they looked."""
        return len(self._ratios)

    def fresh(self, moves: Sequence[Move], supported: Callable[[Move], bool] = _any) -> tuple[Move, ...]:
        """Return the first moves that were not looked at and that their machine code supports."""
        most = self.manner.most if self.manner else None
        unseen = (move for move in moves if move.change not in self._ratios)
        return tuple(islice(filter(supported, unseen), most))

    def rounds(self, moves: Sequence[Move], supported: Callable[[Move], bool] = _any) -> Iterator[tuple[Move, ...]]:
        """Yield moves to look at, and further ones as long as there are looks and none of them is worth a comparison."""
        before = -1
        waits = self.manner is not None and self.manner.waits
        while before < self.seen and not (waits and self.worth(moves)):
            if not (fresh := self.fresh(moves, supported)):
                return
            before, waits = self.seen, True
            yield fresh

    def renew(self) -> None:
        """Forget, beside a new incumbent, how moves looked that may look otherwise there."""
        again = self.manner.again if self.manner else 0.0
        self._ratios = {change: ratio for change, ratio in self._ratios.items() if ratio > again}

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
        manner = self.manner or ON_GPU
        changes = {move.variant.config: move.change for move in moves}
        leaps = frozenset(move.variant.config for move in moves if not manner.expected or move.gain.low >= manner.leap)
        asked = Listed(changes, leaps, incumbent_ns / manner.leap)
        search = polish.tried(desk, attempts, incumbent, incumbent_ns, until_s, asked)
        self.summary = polish.joined(self.summary, search.summary)
        self.made += len(search.times_ns)
        if manner.told:
            self.times_ns.update(search.times_ns)
        for config, call_ns in search.times_ns:
            self._ratios[changes[config]] = inf if call_ns is None else call_ns / incumbent_ns

    def worth(self, moves: Sequence[Move]) -> tuple[Move, ...]:
        """Return the moves that looked faster, the fastest first."""
        seen = [move for move in moves if self.faster(move) is not None]
        return tuple(sorted(seen, key=lambda move: self._ratios[move.change]))

    def faster(self, move: Move) -> float | None:
        """Return the speedup that a look showed where it is worth a comparison, else None."""
        ratio = self._ratios.get(move.change, inf)
        return 1 / ratio if self.manner is not None and ratio < self.manner.worth else None


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
        """Ask for no others after a configuration that may be a leap and took so little time."""
        if config in self._leaps and call_ns is not None and call_ns < self._enough_ns:
            self._left.clear()
