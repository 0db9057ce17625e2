"""Events that a running use case sends to a listener; the command line displays them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from hotloop.model.finding import Finding, Move
from hotloop.model.step import Step


@dataclass(frozen=True, slots=True)
class Stage:
    """A stage began, e.g. ``measuring ceilings``."""

    text: str


@dataclass(frozen=True, slots=True)
class Began:
    """The devices are ready."""

    began_s: float
    """Reading of the monotonic clock from which the budget counts."""


@dataclass(frozen=True, slots=True)
class Diagnosed:
    """The incumbent was explained."""

    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class Trying:
    """A move is being compiled, verified and compared."""

    index: int
    move: Move


@dataclass(frozen=True, slots=True)
class Took:
    """A step ended."""

    step: Step
    call_ns: float | None
    """Median call time of the incumbent after the step."""
    roof_fraction: float | None


@dataclass(frozen=True, slots=True)
class Searched:
    """The search evaluated one configuration."""

    evaluated: int
    failed: int
    best_ratio: float | None
    """Best time over the incumbent's time so far."""


@dataclass(frozen=True, slots=True)
class Counted:
    """Progress: how many of a known number of equal pieces of work are done."""

    done: int
    whole: int
    what: str


@dataclass(frozen=True, slots=True)
class Notice:
    """A message to the user that is no error."""

    text: str


@dataclass(frozen=True, slots=True)
class Checked:
    """One verification case ended."""

    problem: str
    distribution: str
    passed: bool
    reason: str


@dataclass(frozen=True, slots=True)
class Worker:
    """One device at work."""

    place: str
    done: int
    """Number of quick looks that it has made in this phase."""
    doing: str
    """The variant that it works on; empty: it waits."""
    lost: bool = False


@dataclass(frozen=True, slots=True)
class Working:
    """What the devices of a run are doing."""

    workers: tuple[Worker, ...]


Event = Stage | Began | Diagnosed | Trying | Took | Searched | Counted | Notice | Checked | Working


class Listener(Protocol):
    """Receives events as they happen."""

    def notify(self, event: Event) -> None:
        """Receive an event; must return quickly and never raise."""


class Silent:
    """Ignores everything."""

    def notify(self, event: Event) -> None:
        """Do nothing."""
