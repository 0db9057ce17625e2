"""A search whose configurations are predicted several at a time.

Results are told in the order in which configurations were asked for, whichever is ready first, so that the same search goes the same way again.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hotloop.app.predict.crew import opened
from hotloop.host import deadline
from hotloop.host.settings import usable_cores

if TYPE_CHECKING:
    from hotloop.app.predict.bench import Bench
    from hotloop.model.space import Config
    from hotloop.predict.ranking import Ranked
    from hotloop.search.strategy import Strategy

_AHEAD = 2
"""Configurations that are asked for at a time, in multiples of the cores: one that takes long keeps no core waiting."""
_LOOK_S = 0.2
"""How often functions of the user's file that run in other threads are looked at, in s: one may never return."""


def told(
    made: Bench, strategy: Strategy, going: Callable[[], bool], limit_s: float, first_s: float | None = None
) -> Iterator[Ranked]:
    """Yield configurations as the search asks for them, with their predictions, while `going` says so; the first one in any case.

    Args:
        made: predicts them.
        strategy: the search; it is told each prediction.
        going: asked before each further configuration.
        limit_s: processor time that one prediction may take.
        first_s: as much for the first one, which is predicted alone then; None: as all others.
    """
    cores = usable_cores()
    with opened(made.staffed(first_s or limit_s)) as crew, ThreadPoolExecutor(cores, "predict") as pool:
        line = _Line(made, strategy, pool, going)

        def hurry() -> None:
            """Leave those at work the time of one prediction when no more are wanted; then end their processes."""
            if not going():
                crew.end_s = min(crew.end_s, time.monotonic() + limit_s)
                if time.monotonic() > crew.end_s:
                    crew.close()

        try:
            line.fill(1 if first_s else _AHEAD * cores)
            first = True
            while line.waiting:
                yield line.next(None if first else hurry)
                first, crew.limit_s = False, limit_s
                if going():
                    line.fill(_AHEAD * cores)
                else:  # those at work may end, the others are not begun
                    line.cut()
                    hurry()
        finally:
            line.cut()
            crew.close()  # what is at work ends
            line.empty()
            made.crew = None


@dataclass(slots=True)
class _Line:
    """Configurations that were asked for and not told yet, in this order."""

    made: Bench
    strategy: Strategy
    pool: ThreadPoolExecutor
    going: Callable[[], bool]
    waiting: deque[tuple[Config, Future[Ranked]]] = field(default_factory=deque)
    begun: bool = False

    def fill(self, most: int) -> None:
        """Ask for configurations until so many wait."""
        while len(self.waiting) < most and (not self.begun or self.going()):
            config = self.strategy.ask()
            if config is None:
                return
            self.begun = True
            self.waiting.append((config, self.pool.submit(self.made.candidate, config)))

    def next(self, hurry: Callable[[], None] | None) -> Ranked:
        """Return the one that was asked for first, when it is ready; `hurry` is called again and again until then."""
        config, future = self.waiting[0]
        _awaited(future, hurry)
        candidate = future.result()
        self.waiting.popleft()
        self.strategy.tell(config, candidate.prediction.time_ns if candidate.prediction else None)
        return candidate

    def cut(self) -> None:
        """Leave out what is not begun."""
        self.waiting = deque(item for item in self.waiting if not item[1].cancel())

    def empty(self) -> None:
        """Wait for those at work, whose results nobody asks for any more."""
        while self.waiting:
            _awaited(self.waiting.popleft()[1])


def _awaited(future: Future[Ranked], hurry: Callable[[], None] | None = None) -> None:
    """Wait for a prediction. A limit on a user's function is kept in the main thread only, unless whoever waits looks after it."""
    while wait([future], _LOOK_S).not_done:
        deadline.ring_elsewhere()
        if hurry is not None:
            hurry()
