"""Passes of one program put together, and whether they can have done the same work.

Every pass is a run of its own. The waves launched are the same in all of them, or the runs did different work; times differ
with clocks and load, and beyond `TOLERANCE` counters of different passes must not be divided by one another.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from hotloop.metrics.delivered import ACCUMULATED, ACCUMULATOR
from hotloop.profilers.joining import WAVES, joined
from hotloop.profiles.names import parsed
from hotloop.profiles.profile import Dispatch
from hotloop.units import duration

TOLERANCE: Final = 0.10
"""Relative difference of a kernel's mean duration between two passes, above which they are said to disagree."""


@dataclass(frozen=True, slots=True)
class Part:
    """Launches and counters of one pass."""

    name: str
    dispatches: tuple[Dispatch, ...]
    counters: tuple[str, ...] = ()
    """Counters in the order in which they were asked for."""


@dataclass(frozen=True, slots=True)
class Merged:
    """Launches with the counters of all passes."""

    dispatches: tuple[Dispatch, ...]
    agreement: tuple[str, ...]
    """Comparisons that agree, one sentence each."""
    notes: tuple[str, ...]
    """Disagreements, and things that were left out."""


def merged(parts: Sequence[Part]) -> Merged:
    """Return each launch once, with the counters that all passes collected for it.

    The passes are runs of the same program, so their launches are matched in order (`joined`). Where two passes tell the
    same, a time or a counter, the first pass counts.
    """
    if not parts:
        return Merged((), (), ())
    named = [Part(part.name, _named(part), part.counters) for part in parts]
    together, notes = named[0].dispatches, list[str]()
    for part in named[1:]:
        join = joined(together, part.dispatches, part.name)
        together = join.dispatches
        notes += join.notes
    waves, times = _waves(named), _times(named)
    agreement = tuple(text for text, fine in (waves, times) if text and fine)
    notes += [times[0]] if not times[1] else []
    return Merged(together, agreement, tuple(notes))


def _named(part: Part) -> tuple[Dispatch, ...]:
    """Return a pass's launches with its accumulator named after the level that it added up."""
    order = part.counters
    if ACCUMULATOR not in order:
        return part.dispatches
    level = order[order.index(ACCUMULATOR) - 1] + ACCUMULATED
    return tuple(replace(launch, counters=_renamed(launch.counters, level)) for launch in part.dispatches)


def _renamed(counters: Mapping[str, float], level: str) -> dict[str, float]:
    return {(level if name == ACCUMULATOR else name): value for name, value in counters.items()}


def _waves(parts: Sequence[Part]) -> tuple[str, bool]:
    """Return whether all passes that counted waves counted the same; `joined` words what differs."""
    rows = [tuple(launch.counters.get(WAVES) for launch in part.dispatches) for part in parts]
    counted = [row for row in rows if row and None not in row]
    if len(counted) < 2:
        return "", True
    return f"{WAVES} is the same in {len(counted)} passes", all(row == counted[0] for row in counted)


def _times(parts: Sequence[Part]) -> tuple[str, bool]:
    """Return how far a kernel's mean durations lie apart, the worst kernel."""
    means = [_means(part.dispatches) for part in parts]
    worst, where, limits, shared = 0.0, "", (0.0, 0.0), 0
    for kernel in dict.fromkeys(name for part in means for name in part):
        times = [part[kernel] for part in means if part.get(kernel)]
        shared = max(shared, len(times))
        if len(times) > 1 and (apart := max(times) / min(times) - 1) >= worst:
            worst, where, limits = apart, kernel, (min(times), max(times))
    if shared < 2:
        return "", True
    span = f"{duration(limits[0])} to {duration(limits[1])}"
    if worst <= TOLERANCE:
        return f"durations agree within {worst:.1%} ({span}; tolerance {TOLERANCE:.0%})", True
    words = f"durations of {where} differ by {worst:.0%} between passes ({span}; tolerance {TOLERANCE:.0%})"
    return f"{words}: clocks or load changed, so rates over several passes are uncertain", False


def _means(dispatches: Sequence[Dispatch]) -> dict[str, float]:
    sums: dict[str, list[float]] = {}
    for launch in dispatches:
        if launch.duration_ns is not None:
            sums.setdefault(parsed(launch.kernel).full, []).append(launch.duration_ns)
    return {name: sum(values) / len(values) for name, values in sums.items()}
