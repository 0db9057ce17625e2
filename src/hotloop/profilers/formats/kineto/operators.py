"""Operators of the host in a trace without a kernel: the time of each without that of the operators that it calls."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from hotloop.profiles.cell import real
from hotloop.profiles.profile import ON_HOST, Calls, Tally

_CATEGORIES: Final = frozenset({"cpu_op", "Operator"})
"""What PyTorch calls an operator of the host; the second until 1.11."""
_NS: Final = 1e3
"""Nanoseconds in a microsecond, the trace's unit."""
_MOST: Final = 1_000_000
"""Operators that are kept; a trace with more is one of a device, and has kernels."""


@dataclass(slots=True)
class Operators:
    """Takes a trace's events one by one."""

    _threads: dict[tuple[str, str], list[tuple[float, float, str]]] = field(default_factory=dict)
    """Begin, duration and name of each operator by process and thread, in microseconds."""
    _count: int = 0

    def take(self, event: Mapping[str, Any]) -> None:
        """Keep an event that is an operator with begin and duration."""
        begin, spent = real(str(event.get("ts", ""))), real(str(event.get("dur", "")))
        if (
            str(event.get("cat", "")) not in _CATEGORIES
            or begin is None
            or spent is None
            or spent < 0
            or self._count >= _MOST
        ):
            return
        self._count += 1
        place = str(event.get("pid", "")), str(event.get("tid", ""))
        self._threads.setdefault(place, []).append((begin, spent, str(event.get("name", ""))))

    def calls(self) -> tuple[Calls, ...]:
        """Return what each operator took itself, all threads together."""
        tallies: dict[str, Tally] = {}
        for name, own_us in (pair for rows in self._threads.values() for pair in _alone(rows)):
            once = Tally(1, own_us * _NS, own_us * _NS, own_us * _NS)
            tallies[name] = tallies[name].merged(once) if name in tallies else once
        return tuple(Calls(ON_HOST, name, tally) for name, tally in tallies.items())


def _alone(rows: list[tuple[float, float, str]]) -> Iterator[tuple[str, float]]:
    """Yield each operator of a thread with its time less that of the operators directly inside it.

    >>> sorted(_alone([(0.0, 10.0, "linear"), (1.0, 6.0, "addmm"), (8.0, 1.0, "view")]))
    [('addmm', 6.0), ('linear', 3.0), ('view', 1.0)]
    """
    open_: list[list[float | str]] = []
    for begin, spent, name in sorted(rows, key=lambda row: (row[0], -row[1])):
        while open_ and begin >= float(open_[-1][0]):
            yield _closed(open_.pop())
        if open_:
            open_[-1][1] = float(open_[-1][1]) - spent
        open_.append([begin + spent, spent, name])
    while open_:
        yield _closed(open_.pop())


def _closed(row: list[float | str]) -> tuple[str, float]:
    """Return name and own time; times are rounded, so that parts may seem longer than the whole."""
    return str(row[2]), max(0.0, float(row[1]))
