"""Passes of one program put together, and whether they can have done the same work.

Every pass is a run of its own. The waves launched are the same in all of them, or the runs did different work; times differ
with clocks and load, and beyond `TOLERANCE` counters of different passes must not be divided by one another.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from hotloop.profilers.joining import WAVES, joined
from hotloop.profiles.names import parsed
from hotloop.profiles.planning.plan import ACCUMULATOR
from hotloop.profiles.profile import Dispatch
from hotloop.units import duration

TOLERANCE: Final = 0.10
"""Relative difference of a kernel's mean duration between two passes, above which they are said to disagree."""
_ACCUMULATED: Final = "_ACCUM"


@dataclass(frozen=True, slots=True)
class Part:
    """What one pass saw."""

    name: str
    dispatches: tuple[Dispatch, ...]
    counters: tuple[str, ...] = ()
    """As they were asked for."""


@dataclass(frozen=True, slots=True)
class Merged:
    """All passes together."""

    dispatches: tuple[Dispatch, ...]
    agreement: tuple[str, ...]
    """What was compared and agrees, one sentence each."""
    notes: tuple[str, ...]
    """What disagrees or was left out."""


def merged(parts: Sequence[Part]) -> Merged:
    """Return the launches with the counters of all passes; times and whatever two passes have are the first one's."""
    if not parts:
        return Merged((), (), ())
    named = [Part(part.name, _named(part), part.counters) for part in parts]
    together, notes = named[0].dispatches, list[str]()
    for part in named[1:]:
        found = joined(together, part.dispatches, part.name)
        together = found.dispatches
        notes += found.notes
    waves, times = _waves(named), _times(named)
    agreement = tuple(text for text, fine in (waves, times) if text and fine)
    notes += [times[0]] if not times[1] else []
    return Merged(together, agreement, tuple(notes))


def _named(part: Part) -> tuple[Dispatch, ...]:
    """Return a pass's launches with its accumulator named after the level that it added up."""
    order = part.counters
    if ACCUMULATOR not in order:
        return part.dispatches
    level = order[order.index(ACCUMULATOR) - 1] + _ACCUMULATED
    return tuple(replace(one, counters=_renamed(one.counters, level)) for one in part.dispatches)


def _renamed(counters: Mapping[str, float], level: str) -> dict[str, float]:
    return {(level if name == ACCUMULATOR else name): value for name, value in counters.items()}


def _waves(parts: Sequence[Part]) -> tuple[str, bool]:
    """Return whether all passes that counted waves counted the same; `joined` words what differs."""
    counted = [tuple(one.counters.get(WAVES) for one in part.dispatches) for part in parts]
    known = [row for row in counted if row and None not in row]
    if len(known) < 2:
        return "", True
    return f"{WAVES} is the same in {len(known)} passes", all(row == known[0] for row in known)


def _times(parts: Sequence[Part]) -> tuple[str, bool]:
    """Return how far a kernel's mean durations lie apart, the worst kernel."""
    means = [_means(part.dispatches) for part in parts]
    worst, where, limits, shared = 0.0, "", (0.0, 0.0), 0
    for kernel in dict.fromkeys(name for one in means for name in one):
        known = [one[kernel] for one in means if one.get(kernel)]
        shared = max(shared, len(known))
        if len(known) > 1 and (apart := max(known) / min(known) - 1) >= worst:
            worst, where, limits = apart, kernel, (min(known), max(known))
    if shared < 2:
        return "", True
    span = f"{duration(limits[0])} to {duration(limits[1])}"
    if worst <= TOLERANCE:
        return f"durations agree within {worst:.1%} ({span}; tolerance {TOLERANCE:.0%})", True
    words = f"durations of {where} differ by {worst:.0%} between passes ({span}; tolerance {TOLERANCE:.0%})"
    return f"{words}: clocks or load changed, so rates over several passes are uncertain", False


def _means(dispatches: Sequence[Dispatch]) -> dict[str, float]:
    sums: dict[str, list[float]] = {}
    for one in dispatches:
        if one.duration_ns is not None:
            sums.setdefault(parsed(one.kernel).full, []).append(one.duration_ns)
    return {name: sum(values) / len(values) for name, values in sums.items()}
