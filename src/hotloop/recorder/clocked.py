"""Which launches are timed, and what the times of a kernel come to."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from hotloop.recorder.overlap import Overlap

_ALWAYS = 12
"""Launches of a kernel that are timed from its first; later ones eight times between a power of two and the next."""
_EIGHTH_BITS = 4
_KEPT = 192
DELAY_CYCLES, DELAY_NS = 400_000, 200_000.0
"""Clocks that a GPU is kept busy before a timed launch, so that the host's own time does not count, and about how long that is at least."""
_FLUSHED = 256


class Took(NamedTuple):
    """A span by the clock, and what all threads of this process had of the processor in it; both in ns."""

    wall_ns: int = 0
    busy_ns: int = 0

    def since(self, began: Took) -> Took:
        """Return what passed after another moment."""
        return Took(self.wall_ns - began.wall_ns, self.busy_ns - began.busy_ns)

    def with_(self, other: Took) -> Took:
        """Return both together."""
        return Took(self.wall_ns + other.wall_ns, self.busy_ns + other.busy_ns)


def clocks() -> Took:
    """Return this moment."""
    return Took(time.perf_counter_ns(), time.process_time_ns())


@dataclass(slots=True)
class Tally:
    """Calls and times of one kernel with one set of argument kinds."""

    calls: int = 0
    times_ns: list[float] = field(default_factory=list)
    pending: list[Callable[[], float | None]] = field(default_factory=list)
    """Times that are known later: events of a GPU."""
    busy_ns: list[float] = field(default_factory=list)
    """Processor time of the process while each of them ran; empty where a GPU tells the times."""
    numbers: list[int] = field(default_factory=list)
    """Which launch each of them is of, from 1 on; empty where times are known later."""
    host: Took = Took()
    """Time that recording itself took."""
    lanes: dict[int, tuple[int, int]] = field(default_factory=dict)
    """Of each thread that launches it, when its first launch began and its last one was made; one clock for all processes, in ns."""
    overlap: Overlap = field(default_factory=Overlap)
    """Of launches on a GPU with the program."""

    def timed(self) -> bool:
        """Tell whether the next launch is to be timed."""
        number = self.calls + 1
        return number <= _ALWAYS or number % (1 << (number.bit_length() - _EIGHTH_BITS)) == 0

    def due(self) -> bool:
        """Tell whether the counts are to be written now."""
        every = _FLUSHED if self.calls < 16 * _FLUSHED else 16 * _FLUSHED
        return self.calls <= _ALWAYS or self.calls & (self.calls - 1) == 0 or self.calls % every == 0

    def add(self, elapsed_ns: float) -> None:
        """Take one time."""
        self.times_ns = [*self.times_ns, elapsed_ns][-_KEPT:]

    def ran(self, took: Took) -> None:
        """Take one launch that was waited for, the next of its kind."""
        if len(self.times_ns) < _KEPT:
            self.add(took.wall_ns)
            self.busy_ns.append(took.busy_ns)
            self.numbers.append(self.calls + 1)

    def stood(self, thread: int, began_ns: int) -> None:
        """Take that a thread has made a launch, from a moment until now."""
        first_ns, _ = self.lanes.get(thread, (began_ns, 0))
        self.lanes[thread] = first_ns, time.perf_counter_ns()

    def settle(self) -> None:
        """Ask for the times that were pending."""
        waiting, self.pending = self.pending, []
        for pending in waiting:
            if (elapsed := pending()) is not None:
                self.add(elapsed)
