"""Steps and trajectories: what an optimize run did, as recorded data without live objects."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from hotloop.model.evidence import Evidence
from hotloop.model.finding import Gain
from hotloop.model.outcome import Outcome
from hotloop.model.space import Config
from hotloop.model.verdict import Comparison


class Decision(StrEnum):
    """What was done with a move."""

    BASELINE = "baseline"
    KEEP = "keep"
    REVERT = "revert"
    REFUSE = "refuse"
    """The variant did not compile, was wrong, crashed, hung or was impossibly fast, and was never compared."""


STANDING = (Decision.BASELINE, Decision.KEEP)
"""Decisions after which the step's variant is the incumbent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One move with prediction, measurement and decision."""

    index: int
    technique: str
    change: str
    why: str
    implementation: str
    config: Config
    outcome: Outcome
    decision: Decision
    reason: str
    """Why it was kept, reverted or refused."""
    rule: str = ""
    predicted: Gain | None = None
    """Gain that the technique's mechanism allows in principle."""
    promised: Gain | None = None
    """Interval that contained most measured gains of similar predictions; None without a prediction, and in older records."""
    comparison: Comparison | None = None
    evidence: Evidence = Evidence()
    elapsed_s: float = 0.0
    """Wall time that the step took, compile and check included."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PeerResult:
    """A peer timed in the same run."""

    name: str
    outcome: Outcome
    comparison: Comparison | None = None
    """Peer as incumbent, the run's winner as candidate."""
