"""What a search over configurations did, as a run keeps it."""

from __future__ import annotations

from dataclasses import dataclass

from hotloop.model.energy import Point


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """Counts of a finished search, for its report."""

    evaluated: int
    invalid: int
    failures: tuple[tuple[str, int], ...]
    curve: tuple[tuple[int, float], ...]
    """(evaluation, best time of one call so far in ns, or what else the run is about, in J or J·s)."""
    exhausted: bool
    """True when no configuration was left to try."""
    points: tuple[Point, ...] = ()
    """Points of the configurations whose energy was measured."""
