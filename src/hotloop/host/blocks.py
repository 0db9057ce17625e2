"""Work on large arrays in blocks, on all cores where there are several: copies and comparisons of memory."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from hotloop.host.settings import usable_cores

T = TypeVar("T")
STEP = 2**23
"""Bytes of a block: many blocks for each core, and few calls."""
_LEAST_CORES, _MOST_THREADS = 4, 8
"""Least cores for which threads are started, and most threads: below, they cost more than they bring; above, memory is no faster."""


def over(size: int, act: Callable[[int, int], T], *, step: int = STEP) -> list[T]:
    """Return what `act(start, stop)` returns for consecutive blocks that cover 0 … size, in order; the first error is raised.

    >>> over(5, lambda start, stop: stop - start, step=2)
    [2, 2, 1]
    """
    spans = [(start, min(start + step, size)) for start in range(0, size, step)]
    cores = usable_cores()
    if len(spans) < 2 or cores < _LEAST_CORES:
        return [act(*span) for span in spans]
    with ThreadPoolExecutor(min(_MOST_THREADS, cores, len(spans)), "blocks") as pool:
        return list(pool.map(lambda span: act(*span), spans))
