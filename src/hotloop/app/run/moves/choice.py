"""Choice of the next move: earlier predictions, the steps of this run and the compiled candidate rank and filter the menu."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hotloop.app.run.decision import predictions
from hotloop.errors import MissingExtraError
from hotloop.isa import code
from hotloop.isa.static import static_evidence
from hotloop.model.evidence import Evidence
from hotloop.model.kernel import Variant
from hotloop.model.program import Program
from hotloop.model.step import Decision, Step
from hotloop.model.verdict import Verdict
from hotloop.techniques.calibration import SEARCH, Calibration, Record
from hotloop.techniques.foresight import Foresight, foreseen
from hotloop.techniques.menu import WORTH, ranked, worth
from hotloop.techniques.past import Past
from hotloop.techniques.situation import Situation

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from hotloop.app.desk import Desk
    from hotloop.app.run.inputs.workload import Workload
    from hotloop.model.finding import Finding, Gain, Move
    from hotloop.model.space import Config

SAME_CODE = "the compiler makes the same machine code of it"
SURE = 1.5
"""Gain from which on a move that is expected to bring at least so much is compared whatever its machine code looks like: a text with blocks has
loops for its edges, too, and which of its loops is the hot one is a guess."""


@dataclass(slots=True)
class Choice:
    """Chooses moves for one run; the answers of compilations are in its journal."""

    desk: Desk
    workload: Workload
    steps: Sequence[Step]
    """Steps of the run so far; the list grows while the run goes on."""
    earlier: Sequence[Record]
    """Predictions of other runs with the gains that were measured."""
    margin: float
    aside: dict[Config, str] = field(default_factory=dict)
    """Configurations that are left to the search, because their machine code looks worse than the incumbent's, with the reason."""

    def experience(self) -> Calibration:
        """Return the calibration of predictions from this run and from others."""
        target = self.desk.device.target
        rows = predictions(self.steps)
        own = (Record(s.technique, target, s.predicted, measured) for s, measured in rows if s.predicted and measured)
        return Calibration((*self.earlier, *own))

    def moves(
        self,
        variant: Variant,
        findings: Sequence[Finding],
        evidence: Evidence,
        tried: Collection[Config],
        least: float = WORTH,
    ) -> tuple[Move, ...]:
        """Return the moves that are worth a comparison, best first; `least` is how likely their success must be."""
        situation = Situation(variant, self.workload.problem, self.desk.device, evidence)
        entries = ranked(situation, findings, self.experience(), {*tried, *self.aside}, margin=self.margin)
        return worth(entries, variant.config, past(self.steps), least)

    def promised(self, move: Move, ahead: float | None = None) -> Gain:
        """Return the interval that most outcomes of such predictions lay in; `ahead`: the speedup that a quick look at the move showed."""
        seen = None if move.technique == SEARCH else ahead
        return self.experience().promised(move.technique, self.desk.device.target, move.gain, ahead=seen)

    def promising(self, incumbent: Variant, move: Move, evidence: Evidence) -> bool:
        """Return whether the candidate's machine code supports a move; if not, the move is set aside."""
        if self.desk.device.kind != "cpu":  # on GPUs other waves hide the latency of a wave's instructions
            return True
        subject = self.workload.subject(move.variant)
        key = subject.key("foresight", self.workload.subject(incumbent))
        seen = self.desk.remember(key, Foresight, lambda: self._seen(incumbent, move.variant, evidence))
        if not seen.reason or self._likely(move, seen):
            return True
        self.aside[move.variant.config] = seen.reason
        return False

    def _likely(self, move: Move, seen: Foresight) -> bool:
        if not seen.factor:
            return False
        if move.gain.low >= SURE:
            return True
        target, gain = self.desk.device.target, seen.corrected(move.gain)
        return self.experience().chance(move.technique, target, gain, self.margin) >= WORTH

    def _seen(self, incumbent: Variant, candidate: Variant, evidence: Evidence) -> Foresight:
        before, after = self.workload.program(incumbent), self.workload.program(candidate)
        binary = self.desk.engine.binary(after)
        if not binary or after.main is None:  # the attempt will report the failure
            return Foresight()
        if before.launches == after.launches and before.scratch == after.scratch:
            old = _codes(before, self.desk.engine.binary(before))
            if old is not None and old == _codes(after, binary):
                return Foresight(0.0, SAME_CODE)
        return foreseen(evidence, static_evidence(binary, after.main))


def past(steps: Sequence[Step]) -> tuple[Past, ...]:
    """Return the change that each step made, with its result."""
    return tuple(_past(steps))


def _past(steps: Sequence[Step]) -> Iterator[Past]:
    incumbent: Config | None = None
    for step in steps:
        kept = step.decision in (Decision.BASELINE, Decision.KEEP)
        if incumbent is not None:
            slower = step.comparison is not None and step.comparison.verdict is Verdict.SLOWER
            yield Past(incumbent, step.config, kept, slower)
        if kept:
            incumbent = step.config


def _codes(program: Program, binary: bytes) -> tuple[bytes, ...] | None:
    """Return the machine code of each launch, None where it cannot be read."""
    try:
        return tuple(code.select(binary, launch.entry, launch.local_size).code for launch in program.launches)
    except (ValueError, MissingExtraError):
        return None
