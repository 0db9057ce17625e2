"""Energy: the objectives of a run, and meters that measure energy."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, runtime_checkable


class Objective(StrEnum):
    """Quantity that a run minimises."""

    TIME = "time"
    ENERGY = "energy"
    """Energy of one call, in joules."""
    EDP = "edp"
    """Energy times delay: joules of one call times its seconds."""


@dataclass(frozen=True, slots=True)
class Words:
    """Vocabulary of reports for an objective."""

    quantity: str
    short: str
    """The quantity without what it is of, where that is clear."""
    less: str
    equal: str
    more: str
    better: str
    """Name of the verdict that corresponds to FASTER."""
    worse: str


WORDS = {
    Objective.TIME: Words("time per call", "time", "faster", "as fast", "slower", "FASTER", "SLOWER"),
    Objective.ENERGY: Words("energy per call", "energy", "less energy", "as much energy", "more energy", "LEANER", "HUNGRIER"),
    Objective.EDP: Words("energy × time", "energy × time", "less energy × time", "as much energy × time", "more energy × time", "LEANER", "HUNGRIER"),
}  # fmt: skip


class Meter(Protocol):
    """A counter of the energy that a device uses, together with what shares its supply: a card's board, a processor's package."""

    source: str
    """Name of the counter and the part that it measures, for reports."""
    resolution_j: float
    """Smallest step of the counter."""
    period_s: float | None
    """Time between two updates; None: unknown, it must be measured."""

    def joules(self) -> float:
        """Return the energy used since the meter was opened. Raises MachineError if the counter can no longer be read."""


@dataclass(frozen=True, slots=True)
class Unmetered:
    """There is no energy counter."""

    reason: str
    """One sentence with what to do, if anything."""


@runtime_checkable
class Metering(Protocol):
    """A backend whose device has a meter of its own."""

    meter: Meter


@dataclass(frozen=True, slots=True, kw_only=True)
class Joules:
    """Energy of one call, in joules."""

    value: float
    low: float
    high: float
    windows: int
    """Number of windows, of many calls each, that were measured."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """Time and energy of one call of a variant."""

    label: str
    call_ns: float
    joules: Joules
