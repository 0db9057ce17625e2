"""What a report is made from: one run as it was recorded, without live objects."""

from __future__ import annotations

from dataclasses import dataclass

from hotloop.model.device import Ceilings, Device
from hotloop.model.energy import Objective, Point
from hotloop.model.finding import Finding
from hotloop.model.problem import Work
from hotloop.model.step import PeerResult, Step
from hotloop.model.verdict import Comparison


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchSummary:
    """What a budgeted search did."""

    evaluated: int
    """Configurations that were built, checked and timed, or failed in one of these."""
    invalid: int = 0
    """Configurations that were ruled out before anything was run."""
    failures: tuple[tuple[str, int], ...] = ()
    """(what happened, how often), e.g. ``("does not compile", 3)``."""
    curve: tuple[tuple[int, float], ...] = ()
    """(evaluation index, best time so far in ns, or in J or J·s of another objective), one entry per improvement."""
    points: tuple[Point, ...] = ()
    """Time and energy of what was measured, in runs that are about energy."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRecord:
    """One optimize, tune or bench run."""

    title: str
    kind: str
    """Verb that made it: ``optimize``, ``tune`` or ``bench``."""
    command: tuple[str, ...]
    """How to reproduce it, one shell line each."""
    started: str
    """UTC time, ISO 8601."""
    finished: str
    """UTC time, ISO 8601; empty while the run goes on."""
    state: str
    """``finished``, ``interrupted``, ``running`` ..."""
    stop_reason: str
    device: Device
    problem: str
    """Key of the problem."""
    work: Work
    steps: tuple[Step, ...]
    """Steps in the order of the run; the first is the baseline."""
    winner: int
    """Index (`Step.index`) of the step that won; the baseline's when nothing was better."""
    ceilings: Ceilings | None = None
    peers: tuple[PeerResult, ...] = ()
    findings: tuple[Finding, ...] = ()
    """Findings about what still limits the winner."""
    conditions: tuple[tuple[str, str], ...] = ()
    """(name, text), shown beside what device and samples say themselves; a name that both know is taken from here."""
    noise: float | None = None
    """Half width of the interval that A/A rounds gave on this machine, relative."""
    search: SearchSummary | None = None
    overall: Comparison | None = None
    """Baseline as incumbent, winner as candidate, when they were compared directly at the end."""
    objective: Objective = Objective.TIME
    """Quantity that the verdicts are about."""
