"""Energy: what a run is to make less of, and what counts it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, runtime_checkable


class Objective(StrEnum):
    """What a candidate has to have less of than the incumbent."""

    TIME = "time"
    ENERGY = "energy"
    """Joules of one call."""
    EDP = "edp"
    """Energy times delay: joules of one call times its seconds."""


@dataclass(frozen=True, slots=True)
class Words:
    """How an answer about an objective is said."""

    quantity: str
    less: str
    equal: str
    more: str
    better: str
    """Of one verdict alone, where time has FASTER."""
    worse: str


WORDS = {
    Objective.TIME: Words("time per call", "faster", "as fast", "slower", "FASTER", "SLOWER"),
    Objective.ENERGY: Words("energy per call", "less energy", "as much energy", "more energy", "LEANER", "HUNGRIER"),
    Objective.EDP: Words("energy × time", "less energy × time", "as much energy × time", "more energy × time", "LEANER", "HUNGRIER"),
}  # fmt: skip


class Meter(Protocol):
    """A counter of the energy that a device takes, and whatever shares it: a card's board, a processor's package."""

    source: str
    """Which counter of which part, for people."""
    resolution_j: float
    """Step in which it counts."""
    period_s: float | None
    """Time between two updates; None: not known, it has to be watched."""

    def joules(self) -> float:
        """Return what was taken since the meter was opened. Raises MachineError where the counter cannot be read any more."""


@dataclass(frozen=True, slots=True)
class Unmetered:
    """There is no counter."""

    reason: str
    """One sentence with what to do, if anything."""


@runtime_checkable
class Metering(Protocol):
    """A backend whose device has a meter of its own."""

    meter: Meter


@dataclass(frozen=True, slots=True, kw_only=True)
class Joules:
    """Energy of one call."""

    value: float
    low: float
    high: float
    windows: int
    """How many windows of many calls it is from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """What one call of a variant takes."""

    label: str
    call_ns: float
    joules: Joules
