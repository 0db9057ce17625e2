"""Which launches are timed, and what the times of a kernel come to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

_ALWAYS = 12
"""Launches of a kernel that are timed from its first; later ones at powers of two."""
_KEPT = 64
_FLUSHED = 256


@dataclass(slots=True)
class Tally:
    """Calls and times of one kernel with one set of argument kinds."""

    calls: int = 0
    times_ns: list[float] = field(default_factory=list)
    pending: list[Callable[[], float | None]] = field(default_factory=list)
    """Times that are known later: events of a GPU."""
    host_ns: float = 0.0
    """Time that recording itself took, in ns."""
    threads: set[int] = field(default_factory=set)

    def timed(self) -> bool:
        """Tell whether the next launch is to be timed."""
        number = self.calls + 1
        return number <= _ALWAYS or number & (number - 1) == 0

    def due(self) -> bool:
        """Tell whether the counts are to be written now."""
        return self.calls <= _ALWAYS or self.calls & (self.calls - 1) == 0 or self.calls % _FLUSHED == 0

    def add(self, elapsed_ns: float) -> None:
        """Take one time."""
        self.times_ns = [*self.times_ns, elapsed_ns][-_KEPT:]

    def settle(self) -> None:
        """Ask for the times that were pending."""
        waiting, self.pending = self.pending, []
        for pending in waiting:
            if (elapsed := pending()) is not None:
                self.add(elapsed)
