"""Arrays in which a file itself puts any value at any place: then no order or relation among their elements holds for all that is drawn.

Solved puzzles of which half are spoiled, words with letters exchanged for others: one call draws what a single element becomes, and
another one where. A kernel must tell such arrays from sound ones, so it may count on nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hotloop.verify.told.traced import Line

_WIDE = 0.5
"""Part of an array's range that a single element moves at least, if it may become anything: noise moves it less."""


@dataclass(slots=True)
class Overwritten:
    """What single elements of draws change of arrays, line by line."""

    values: dict[str, dict[Line, float]] = field(default_factory=dict)
    """By array, and line that changes one element of it at a time: how far at most, as a part of the array's range."""
    places: dict[str, set[Line]] = field(default_factory=dict)
    """By array: the lines that say where an element is changed."""
    spoiled: set[tuple[str, Line]] = field(default_factory=set)
    """Arrays and lines that also change more than that."""

    def note(self, name: str, line: Line, value: NDArray[np.generic], changes: Sequence[NDArray[np.float64]]) -> None:
        """Take over by how much elements of an array changed, each time that one element of a line's draws became another one."""
        supports = [frozenset(np.flatnonzero(change).tolist()) for change in changes if change.any()]
        whole = frozenset[int]().union(*supports)
        if len(whole) == 1:
            reach = float(value.max()) - float(value.min())
            most = max(float(np.abs(change).max()) for change in changes)
            found = self.values.setdefault(name, {})
            found[line] = max(found.get(line, 0.0), most / reach if reach else 0.0)
        elif len(supports) > 1 and max(map(len, supports)) == 2 and len(supports[0].intersection(*supports)) == 1:
            self.places.setdefault(name, set()).add(line)  # where it stood before, and where it stands each time
        else:
            self.spoiled.add((name, line))

    def anywhere(self, name: str) -> bool:
        """Tell whether one line draws what an element becomes, and another one where that is.

        >>> seen, old = Overwritten(), np.arange(9.0)
        >>> seen.note("x", ("value",), old, [np.eye(9)[3] * 5, np.eye(9)[3]])
        >>> seen.anywhere("x")
        False
        >>> seen.note("x", ("place",), old, [np.eye(9)[3] + np.eye(9)[4], np.eye(9)[3] - np.eye(9)[5]])
        >>> seen.anywhere("x")
        True
        """
        wide = {line for line, most in self.values.get(name, {}).items() if most >= _WIDE}
        sure = {line for line in wide if (name, line) not in self.spoiled}
        return any(place not in sure for place in self.places.get(name, set())) and bool(sure)
