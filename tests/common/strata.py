"""Which part of a long catalogue an ordinary run of the tests takes.

A catalogue names the class of each of its items; of every class some are taken, always the same: what fails does so in every run, for
the change that broke it and no other. ``HOTLOOP_TESTS=whole pytest`` takes all.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

T = TypeVar("T")
WHOLE = os.environ.get("HOTLOOP_TESTS") == "whole"


def part(items: Iterable[T], kind: Callable[[T], Hashable], most: int = 1) -> list[T]:
    """Return the first items of every class, in their order; all where the whole is asked for."""
    met: Counter[Hashable] = Counter()
    chosen = []
    for item in items:
        met[kind(item)] += 1
        if WHOLE or met[kind(item)] <= most:
            chosen.append(item)
    return chosen
