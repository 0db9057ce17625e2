"""Configurations of one phase of a search, asked for ahead of their results so that all devices have something to do.

What waits was asked for when less was known. So with each result the search says anew which of it is the most promising, and a device that
is free takes that, as far as it is compiled: what turned out to be of little use is measured last, or never.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hotloop.model.kernel import Variant
from hotloop.search.strategy import Ranking

if TYPE_CHECKING:
    from hotloop.app.run.attempt import Attempt, Attempts
    from hotloop.app.run.devices.lanes import Crew
    from hotloop.model.space import Config
    from hotloop.search.strategy import Strategy


@dataclass(slots=True)
class Window:
    """Configurations of one phase, asked for ahead of their results."""

    crew: Crew
    incumbent: Variant
    strategy: Strategy
    size: int
    _waits_s: deque[float] = field(default_factory=deque)
    """Waiting times of the latest answers, in s."""

    def fill(self, most: int) -> bool:
        """Ask until enough configurations are being measured, at most `most`; return whether the strategy has no more."""
        exhausted = False
        while self.crew.out < min(self.size, most) and not exhausted:
            asked = self.strategy.ask()
            exhausted = asked is None
            if asked is not None:
                self.crew.begin(Variant(self.incumbent.implementation, asked))
        if isinstance(self.strategy, Ranking):
            self.crew.arrange(self.strategy.ranked)
        return exhausted

    def next(self, attempts: Attempts) -> tuple[Config, Attempt] | None:
        """Return a configuration that was asked for, with its result; None if none is being measured."""
        if not self.crew.out:
            return None
        variant = self.crew.next()
        attempt = attempts.glance(self.incumbent, variant, self.crew.answer)
        self.crew.told()
        self._waits_s.append(attempts.desk.latest_s)
        if len(self._waits_s) > self.crew.most:
            self._waits_s.popleft()
        return variant.config, attempt

    @property
    def rest_s(self) -> float:
        """Return how long it will take until what is under way is answered, as the latest answers took."""
        return sum(self._waits_s)
