"""What only the waits of a processor tell about a function, in the form of the report."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from hotloop.isa.summary.model import Hiding, Pressure, WaitPoint
from hotloop.isa.summary.regions import Region
from hotloop.isa.timing.clock import Clock
from hotloop.isa.timing.timeline import Timeline


@dataclass(frozen=True, slots=True)
class LoopTiming:
    """Waits and hidden latencies of one region."""

    waits: tuple[WaitPoint, ...] = ()
    hiding: tuple[Hiding, ...] = ()
    cycles: int | None = None
    """Cycles of one iteration of one wave alone, or of straight-line code; None: not known."""
    serial: int = 0
    """Global loads that a wait of the loop completes one by one, each before the next one is issued."""
    drains: int = 0
    """Waits for all outstanding reads of local memory."""
    cover: float | None = None
    """Matrix instructions between a global load and its wait over those of the loop, at least; None: it has none of either."""
    notes: tuple[str, ...] = ()
    """Properties that the model does not see."""
    clock: Clock | None = None
    """Unit pressure and critical path; None: not known."""
    timeline: Timeline | None = None
    """One wave alone, line by line."""


class Timing(Protocol):
    """The analysis of one function on one family of processors."""

    @property
    def why_not(self) -> str:
        """Why nothing is known; empty when something is."""

    @property
    def hazards(self) -> tuple[str, ...]:
        """Registers used before a sufficient wait."""

    def loop(self, region: Region) -> LoopTiming:
        """Return what is known about one region."""

    def pressure(self, region: Region | None) -> tuple[Pressure, ...]:
        """Return the peaks of a region, or of the whole function."""


@dataclass(frozen=True, slots=True)
class Untimed:
    """A function whose waits are not known."""

    why_not: str
    hazards: tuple[str, ...] = ()

    def loop(self, region: Region) -> LoopTiming:  # noqa: ARG002 - the protocol's argument
        """Return nothing."""
        return LoopTiming()

    def pressure(self, region: Region | None) -> tuple[Pressure, ...]:  # noqa: ARG002
        """Return nothing."""
        return ()
