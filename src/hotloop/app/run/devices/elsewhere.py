"""Times of the same implementation on other devices and problems from earlier runs, with which a search starts."""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING

from hotloop.model.near import distance
from hotloop.model.record import Record
from hotloop.search.elsewhere import FEWEST

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hotloop.model.space import Config
    from hotloop.store import Store, Timing

    Table = Mapping[Config, float | None]

MOST_TRIALS = 20_000
"""Largest number of trials that are read, newest first."""
MOST_TABLES = 6
"""Largest number of tables (one per device and problem) that a search gets, nearest first."""
OTHER_DEVICE = 1.0
"""Distance of another device, which counts like a size that differs by a factor of e."""


def tables(store: Store, family: str, implementation: str, sizes: Record, device: str, run: str) -> tuple[Table, ...]:
    """Return tables of ns by configuration (None: it failed), one per device and problem, nearest first.

    Trials of `run` itself are left out, because the search gets its own results anyway.
    """
    groups: dict[tuple[str, str], list[Timing]] = {}
    for timing in store.timings(family, implementation, MOST_TRIALS):
        if timing.run != run:
            groups.setdefault((timing.device, timing.problem), []).append(timing)
    enough = [rows for rows in groups.values() if sum(row.call_ns is not None for row in rows) >= FEWEST]
    return tuple(_table(rows) for rows in sorted(enough, key=lambda rows: _far(rows[0], sizes, device))[:MOST_TABLES])


def _far(row: Timing, sizes: Record, device: str) -> float:
    return distance(sizes, Record(row.sizes)) + (OTHER_DEVICE if row.device != device else 0.0)


def _table(rows: Sequence[Timing]) -> Table:
    """Return the median time of each configuration; None only if it failed every time."""
    times: dict[Config, list[float]] = {}
    for row in rows:
        times.setdefault(row.config, []).extend([] if row.call_ns is None else [row.call_ns])
    return {config: median(times_ns) if times_ns else None for config, times_ns in times.items()}
