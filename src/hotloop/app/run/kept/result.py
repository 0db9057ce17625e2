"""What a run has found, while it goes on and at its end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from hotloop.app.run.kept.searched import Summary
from hotloop.model.device import Ceilings
from hotloop.model.finding import Finding
from hotloop.model.kernel import Variant
from hotloop.model.outcome import Measured
from hotloop.model.step import Decision, PeerResult, Step
from hotloop.model.verdict import Comparison


@dataclass(frozen=True, slots=True, kw_only=True)
class Hosted:
    """The winner as a host launches it that nobody changes."""

    variant: Variant
    comparison: Comparison | None = None
    """Comparison with the baseline, where it is faster; None where the host must be changed."""
    why: str = ""
    """Why the host must be changed."""
    refused: bool = False
    """True where there is no text for launches as they are."""


@dataclass(slots=True)
class Result:
    """What a run has found so far; complete at every moment, so that an interruption can report it."""

    steps: list[Step] = field(default_factory=list)
    peers: list[PeerResult] = field(default_factory=list)
    findings: tuple[Finding, ...] = ()
    ceilings: Ceilings | None = None
    noise: float | None = None
    overall: Comparison | None = None
    hosted: Hosted | None = None
    """None where the winner is launched as the baseline is."""
    search: Summary | None = None
    stop_reason: str = ""

    @property
    def winner(self) -> Step | None:
        """The last step that was kept, or None when even the baseline failed."""
        kept = [s for s in self.steps if s.decision in (Decision.BASELINE, Decision.KEEP)]
        return kept[-1] if kept and isinstance(kept[-1].outcome, Measured) else None

    def sound(self, wrong: Callable[[Step], str]) -> Step | None:
        """Return the winner that passes every case of the full verification; steps that fail it are refused.

        `wrong` returns what fails, in words, or an empty text.
        """
        while (winner := self.winner) is not None and winner.index > 0 and (why := wrong(winner)):
            reason = f"fails the full verification that only winners undergo: {why}"
            self.steps[winner.index] = replace(winner, decision=Decision.REFUSE, reason=reason)
        return winner
