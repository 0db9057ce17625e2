"""What a device does while this process prepares what it will do next: one thing ahead, no more."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")


def abreast(
    items: Iterable[T], act: Callable[[T], R], alone: Callable[[T], bool]
) -> Iterator[tuple[T, Callable[[], R]]]:
    """Yield items in their order with what returns `act` of each; an item is acted on while the next one is made.

    What is `alone` is acted on when somebody asks for it, after all before it were yielded. Items are made in this thread; what making
    one raises is raised after those before it were yielded. However this ends, nothing is under way afterwards.

    >>> [(item, answer()) for item, answer in abreast([1, 2, 3], lambda item: -item, lambda item: item == 2)]
    [(1, -1), (2, -2), (3, -3)]
    """
    with ExitStack() as stack:
        pool: ThreadPoolExecutor | None = None  # most checks of a search act on one thing
        before: list[tuple[T, Callable[[], R]]] = []
        source = iter(items)
        while True:
            try:
                item = next(source)
            except StopIteration:
                break
            except Exception:
                yield from before
                raise
            if alone(item):
                yield from before
                before = []
                yield item, partial(act, item)
                continue
            pool = pool or stack.enter_context(ThreadPoolExecutor(1, "abreast"))
            answer = pool.submit(act, item).result
            yield from before
            before = [(item, answer)]
        yield from before
