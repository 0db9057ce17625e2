"""What the store keeps besides trials, as plain frozen data; nothing here knows SQL."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from hotloop.model.finding import Gain
from hotloop.model.space import Config
from hotloop.model.verdict import Comparison
from hotloop.store.owner import Owner


class RunKind(StrEnum):
    """Which use case a run belongs to."""

    OPTIMIZE = "optimize"
    TUNE = "tune"
    BENCH = "bench"
    CHECK = "check"
    COMPARE = "compare"


class RunState(StrEnum):
    """How far a run came."""

    RUNNING = "running"
    FINISHED = "finished"
    INTERRUPTED = "interrupted"
    """Stopped early, by hand, by a kill or by the machine; the same request resumes it."""
    FAILED = "failed"
    """Ended by an error of the tool or the request; it is not resumed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunInfo:
    """One run as the store knows it."""

    id: str
    """UUID; any unique prefix names the run."""
    kind: RunKind
    title: str
    request: str
    """JSON of the request."""
    fingerprint: str
    """Digest of the request's content, whatever the order of its keys; a run resumes the unfinished one of an equal request."""
    state: RunState
    """State now: a run that a dead process left as running reads as interrupted."""
    started: str
    """UTC, ISO 8601."""
    finished: str | None
    conditions: str
    """JSON of the circumstances that the caller recorded at the start."""
    hotloop: str
    """Version of hotloop that began it."""
    owner: Owner
    """Process that ran it last."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Winner:
    """A verified variant that won its run's final comparison on one problem and device."""

    family: str
    problem: str
    """Key of the problem."""
    sizes: Config
    device: str
    """Key of the device."""
    device_fingerprint: str
    implementation: str
    config: Config
    call_ns: float
    """Median wall time of one call, in ns."""
    comparison: Comparison | None = None
    """Against the runner-up or the former best; None when there was nothing to compare with."""
    fingerprint: str = ""
    """Digest of the variant (source, configuration, compiler, target); tells whether the source changed since."""
    run: str = ""
    created: str = ""
    """UTC; filled in by the store when empty."""
    hotloop: str = ""
    """Version of hotloop that measured it; filled in by the store when empty."""


@dataclass(frozen=True, slots=True)
class Known:
    """The best-known winner of one problem on one device."""

    winner: Winner
    stale: bool
    """True when it was measured under another driver or runtime than the current one and nothing newer exists."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """One prediction and what came of it."""

    technique: str
    rule: str
    """Rule whose finding led to the move; empty for a move of the search."""
    target: str
    """Instruction set target of the device, across which corrections are learned."""
    predicted: Gain
    measured: float | None
    """Speedup, time before over time after; None when the candidate was never timed."""
    verdict: str
    """Verdict of the comparison, or ``REFUSED``."""
    run: str = ""
    created: str = ""
    """UTC; filled in by the store when empty."""


@dataclass(frozen=True, slots=True)
class JournalEntry:
    """One thing that a run already did."""

    key: str
    data: str
    """JSON."""
    created: str
    """UTC, ISO 8601."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """What one trial says about its configuration, without its samples."""

    run: str
    problem: str
    sizes: Config
    device: str
    config: Config
    call_ns: float | None
    """Median time of one call in ns; None: it did not work."""
