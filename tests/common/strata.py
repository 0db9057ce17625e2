"""Which part of a long catalogue an ordinary run of the tests takes.

A catalogue names the class of each of its items; of every class some are taken, always the same: what fails does so in every run, for
the change that broke it and no other. ``HOTLOOP_TESTS=whole pytest`` takes all.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TypeVar

C, T = TypeVar("C"), TypeVar("T")
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


def covering(items: Iterable[T], *traits: Callable[[T], Hashable]) -> list[T]:
    """Return the items with which something new is met: of each trait every value that any item has; all where the whole is asked for.

    Fewer than a `part` of all combinations of traits: an item of a kind in one configuration, and one of another kind in another.
    """
    met: set[tuple[int, Hashable]] = set()
    chosen = []
    for item in items:
        values = {(place, trait(item)) for place, trait in enumerate(traits)}
        if WHOLE or not values <= met:
            chosen.append(item)
        met |= values
    return chosen


def shared(
    grid: Sequence[tuple[str, T]], cases: Sequence[C], alone: Sequence[C] = ()
) -> list[tuple[str, T, Sequence[C]]]:
    """Return each pair of a name and something else with the cases that it meets: all of them where the whole is asked for.

    The cases are shared out to the pairs of a name, so that the name meets all; a name that stands in one pair meets `alone`, by
    default every other case, its neighbour the rest.
    """
    pairs = Counter(name for name, _ in grid)
    places = {name: place for place, name in enumerate(pairs)}
    met: Counter[str] = Counter()
    found = []
    for name, other in grid:
        place, several = places[name], pairs[name] > 1
        first = (
            met[name] + place + place // (2 if several else 4)
        )  # or a name's second neighbour would meet what it meets
        own = alone if alone and not several else cases[first % max(2, pairs[name]) :: max(2, pairs[name])]
        found.append((name, other, cases if WHOLE else own))
        met[name] += 1
    return found
