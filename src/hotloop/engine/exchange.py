"""Whose results lie in which output arrays: no timed call may find its own right answer where it is to write one.

The sets of a rotation exchange their output arrays with every turn: an array holds what another set's call left, which is
plausible and wrong, and its address tells nothing. That costs no time in a sample and nothing between samples; only where an
exchange is not possible (a single set, or one that was left out for some time) the array is poisoned again.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from dataclasses import dataclass, field

_NOBODY = -1


@dataclass(slots=True)
class Exchange:
    """The output arrays of a rotation."""

    count: int
    """Sets that exchange, and so arrays; 1: they do not."""
    shift: int = 0
    """Set i writes the arrays of set i, or those of set i + shift; drawn when this is made."""
    holds: list[int] = field(default_factory=list)
    """By array: the set whose results it holds."""
    latest: int = 0
    """By how much the last call's arrays were shifted."""
    begun: int = 0
    """Kind of binding with which the latest plan began, counted from its first turn."""

    def __post_init__(self) -> None:
        self.shift = 1 + secrets.randbelow(self.count - 1) if self.count > 1 else 0
        self.holds = [_NOBODY] * self.count

    def plan(
        self, first: int, calls: int, sets: int, *, go_on: bool = False
    ) -> tuple[list[tuple[int, int]], list[int]]:
        """Return set and kind of binding (0: own arrays, 1: those of another set) of each call, and arrays to be poisoned.

        Args:
            first: set of the first call; the others follow in their order, and with each turn the arrays are exchanged.
            calls: how many.
            sets: of the rotation.
            go_on: the calls follow those of the plan before, whose count `first` continues: after its first two turns nothing is
                to be poisoned.

        >>> turns = Exchange(2)
        >>> turns.plan(0, 4, 2)[0] in ([(0, 0), (1, 0), (0, 1), (1, 1)], [(0, 1), (1, 1), (0, 0), (1, 0)])
        True
        >>> turns.plan(0, 4, 2)[1], Exchange(1).plan(0, 3, 1)
        ([], ([(0, 0), (0, 0), (0, 0)], [0]))
        """
        order = [divmod(first + call, sets) for call in range(calls)]
        if self.count == 1:
            return [(one, 0) for _, one in order], [] if go_on else list(dict.fromkeys(one for _, one in order))
        if not go_on:
            self.begun = min((0, 1), key=lambda kind: (len(self._own(order, kind)), secrets.randbelow(2)))
        begin = self.begun
        stale = self._own(order, begin)
        for turn, one in order:
            self.latest = self.shift * ((turn + begin) % 2)
            self.holds[(one + self.latest) % self.count] = one
        return [(one, (turn + begin) % 2) for turn, one in order], stale

    def release(self, arrays: Iterable[int]) -> None:
        """Take note that arrays were written otherwise."""
        for array in arrays:
            self.holds[array % self.count] = _NOBODY

    def _own(self, order: list[tuple[int, int]], begin: int) -> list[int]:
        """Return the arrays in which a set's first call would find that set's own results."""
        met: set[int] = set()
        own: list[int] = []
        for turn, one in order[: 2 * self.count]:
            array = (one + self.shift * ((turn + begin) % 2)) % self.count
            if array not in met and self.holds[array] == one:
                own.append(array)
            met.add(array)
        return own
