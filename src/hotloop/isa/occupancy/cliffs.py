"""Where one resource more or less changes the answer; works on any figure that falls as the resource grows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

Figure = Callable[[int], int]
"""Figure of merit as a function of one resource; never rises."""


@dataclass(frozen=True, slots=True)
class Step:
    """All values up to `most` give `figure`."""

    figure: int
    most: int


@dataclass(frozen=True, slots=True)
class Cliff:
    """The neighbourhood of one value of one resource."""

    resource: str
    unit: str
    value: int
    figure: int
    better: Step | None
    """The largest smaller value that gives more; None: no value helps, something else limits."""
    last: int
    """The largest value that still gives `figure`."""
    worse: int | None
    """The figure one above `last`; None at the end of the range."""

    @property
    def fewer(self) -> int | None:
        """How much less gives more; None when nothing does."""
        return None if self.better is None else self.value - self.better.most

    @property
    def room(self) -> int:
        """How much more costs nothing."""
        return self.last - self.value


def cliff(resource: str, unit: str, value: int, figure: Figure, low: int, high: int) -> Cliff:
    """Return the cliff around `value` of a resource that can be anything from `low` to `high`."""
    here = figure(value)
    better = None
    if value > low and figure(low) > here:
        most = last_at_least(figure, here + 1, low, value)
        better = Step(figure(most), most)
    last = last_at_least(figure, here, value, high)
    return Cliff(resource, unit, value, here, better, last, figure(last + 1) if last < high else None)


def steps(figure: Figure, low: int, high: int) -> Iterator[Step]:
    """Yield every level of the staircase from `low` to `high`."""
    value = low
    while value <= high:
        level = figure(value)
        most = last_at_least(figure, level, value, high)
        yield Step(level, most)
        value = most + 1


def last_at_least(figure: Figure, level: int, low: int, high: int) -> int:
    """Return the largest value in [low, high] whose figure is at least `level`; `low` must reach it."""
    while low < high:
        middle = (low + high + 1) // 2
        if figure(middle) >= level:
            low = middle
        else:
            high = middle - 1
    return low
