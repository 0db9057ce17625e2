"""A search whose configurations are predicted several at a time.

Results are told in the order in which configurations were asked for, whichever is ready first, so that the same search goes the same way again.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING

from hotloop.app.predict.crew import opened
from hotloop.host.settings import usable_cores

if TYPE_CHECKING:
    from hotloop.app.predict.bench import Bench
    from hotloop.model.space import Config
    from hotloop.predict.ranking import Ranked
    from hotloop.search.strategy import Strategy

_AHEAD = 2
"""Configurations that are asked for at a time, in multiples of the cores: one that takes long keeps no core waiting."""


def told(made: Bench, strategy: Strategy, going: Callable[[], bool], limit_s: float) -> Iterator[Ranked]:
    """Yield configurations as the search asks for them, with their predictions, while `going` says so; the first one in any case.

    Args:
        made: predicts them.
        strategy: the search; it is told each prediction.
        going: asked before each further configuration.
        limit_s: processor time that one prediction may take.
    """
    cores = usable_cores()
    waiting = deque[tuple["Config", "Future[Ranked]"]]()
    with opened(made.staffed(limit_s)) as crew, ThreadPoolExecutor(cores, "predict") as pool:
        try:
            begun = False
            while True:
                while len(waiting) < _AHEAD * cores and (not begun or going()):
                    config = strategy.ask()
                    if config is None:
                        break
                    begun = True
                    waiting.append((config, pool.submit(made.candidate, config)))
                if not waiting:
                    return
                config, future = waiting.popleft()
                candidate = future.result()
                strategy.tell(config, candidate.prediction.time_ns if candidate.prediction else None)
                yield candidate
                if not going():  # those at work may end, the others are not begun
                    waiting = deque(item for item in waiting if not item[1].cancel())
                    crew.end_s = min(crew.end_s, time.monotonic() + limit_s)
        finally:
            for _, future in waiting:
                future.cancel()
            crew.close()  # before the pool waits for its threads
            made.crew = None
