"""Assignment of output arrays to the input sets of a rotation: no timed call may find its own right result already there.

The input sets of a rotation exchange their output arrays with every turn. An array then holds the result of another set,
which looks plausible and is wrong, and its address reveals nothing. The exchange takes no time during or between samples.
Only where it is not possible (a single set, or one that was skipped for some time) the array is filled with poison again.
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
    """Number of input sets, and so of output arrays, that take part; 1: there is no exchange."""
    shift: int = 0
    """Set i writes its own arrays or those of set i + shift; drawn at random at construction."""
    holds: list[int] = field(init=False)
    """Number of the input set whose results each array holds; at first its own, for a run may have left them there before."""
    latest: int = 0
    """Shift of the last call's arrays: 0 or `shift`."""
    begun: int = 0
    """Kind of binding (0 or 1) in the first turn of the latest plan."""

    def __post_init__(self) -> None:
        self.shift = 1 + secrets.randbelow(self.count - 1) if self.count > 1 else 0
        self.holds = list(range(self.count))

    def plan(
        self, first: int, calls: int, sets: int, *, go_on: bool = False
    ) -> tuple[list[tuple[int, int]], list[int]]:
        """Return (set, kind of binding) of each call, and the arrays to poison; kind 0: own arrays, 1: those of another set.

        Args:
            first: set of the first call; the other sets follow in order, and the arrays are exchanged after each turn.
            calls: number of calls.
            sets: number of sets in the rotation.
            go_on: the calls continue the previous plan, and `first` its count; after two turns nothing needs poison.

        >>> turns = Exchange(2)
        >>> turns.plan(0, 4, 2)[0] in ([(0, 0), (1, 0), (0, 1), (1, 1)], [(0, 1), (1, 1), (0, 0), (1, 0)])
        True
        >>> turns.plan(0, 4, 2)[1], Exchange(1).plan(0, 3, 1)
        ([], ([(0, 0), (0, 0), (0, 0)], [0]))
        """
        order = [divmod(first + call, sets) for call in range(calls)]
        if self.count == 1:
            return [(dataset, 0) for _, dataset in order], [] if go_on else list(
                dict.fromkeys(dataset for _, dataset in order)
            )
        if not go_on:
            self.begun = min((0, 1), key=lambda kind: (len(self._own(order, kind)), secrets.randbelow(2)))
        begin = self.begun
        stale = self._own(order, begin)
        for turn, dataset in order:
            self.latest = self.shift * ((turn + begin) % 2)
            self.holds[(dataset + self.latest) % self.count] = dataset
        return [(dataset, (turn + begin) % 2) for turn, dataset in order], stale

    def lasting(self, kept: int, calls: int, sets: int) -> list[int]:
        """Return after how many further calls of a sample the results of a set's call are still where it wrote them, in either binding.

        In the next turn the arrays are exchanged: then another set may write there.

        >>> Exchange(1).lasting(0, 3, 1), Exchange(2).lasting(0, 3, 2), Exchange(2).lasting(1, 3, 2)
        ([0], [0, 1], [0])
        """
        both = {(kept + self.shift) % sets, (kept - self.shift) % sets}
        first = min(both) if self.count > 1 else sets
        return [more for more in range(min(calls, sets)) if kept + more - sets < first]

    def shift_before(self, kept: int, behind: int) -> int:
        """Return the shift of the arrays that hold the results of a set's call, `behind` calls before the last one that was planned."""
        return self.shift - self.latest if kept + behind >= self.count else self.latest

    def own(self, array: int) -> None:
        """Note that a call outside of any plan left a set's results in the set's own array."""
        if self.count > 1:
            self.holds[array] = array

    def release(self, arrays: Iterable[int]) -> None:
        """Forget which results the arrays hold, after something else has written to them."""
        for array in arrays:
            self.holds[array % self.count] = _NOBODY

    def _own(self, order: list[tuple[int, int]], begin: int) -> list[int]:
        """Return the arrays in which the first call of a set would find its own results."""
        met: set[int] = set()
        own: list[int] = []
        for turn, dataset in order[: 2 * self.count]:
            array = (dataset + self.shift * ((turn + begin) % 2)) % self.count
            if array not in met and self.holds[array] == dataset:
                own.append(array)
            met.add(array)
        return own
