"""Which move gets the next duel: what experience, the run's own steps and the compiled candidate say of the menu."""

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
from hotloop.techniques.calibration import Calibration, Record
from hotloop.techniques.foresight import Foresight, foreseen
from hotloop.techniques.menu import WORTH, ranked, worth
from hotloop.techniques.past import Past
from hotloop.techniques.situation import Situation

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from hotloop.app.desk import Desk
    from hotloop.app.run.inputs.workload import Workload
    from hotloop.model.finding import Finding, Move
    from hotloop.model.space import Config

SAME_CODE = "the compiler makes the same machine code of it"


@dataclass(slots=True)
class Choice:
    """Chooses moves for one run; the answers of compilations are in its journal."""

    desk: Desk
    workload: Workload
    steps: Sequence[Step]
    """Of the run, growing."""
    earlier: Sequence[Record]
    """What other runs say about predictions."""
    margin: float
    aside: dict[Config, str] = field(default_factory=dict)
    """Configurations whose code spoke against them beside the present incumbent, and why: left to the search."""

    def experience(self) -> Calibration:
        """Return what this run and others say about predictions."""
        target = self.desk.device.target
        rows = predictions(self.steps)
        own = (Record(s.technique, target, s.predicted, measured) for s, measured in rows if s.predicted and measured)
        return Calibration((*self.earlier, *own))

    def moves(
        self, variant: Variant, findings: Sequence[Finding], evidence: Evidence, tried: Collection[Config]
    ) -> tuple[Move, ...]:
        """Return the moves that are worth a duel as far as is known, best first."""
        situation = Situation(variant, self.workload.problem, self.desk.device, evidence)
        entries = ranked(situation, findings, self.experience(), {*tried, *self.aside}, margin=self.margin)
        return worth(entries, variant.config, past(self.steps))

    def promising(self, incumbent: Variant, move: Move, evidence: Evidence) -> bool:
        """Tell whether the candidate's machine code lets a move stand; one that it speaks against is set aside."""
        if self.desk.device.kind != "cpu":  # on GPUs other waves hide what a wave's instructions cost
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
        target, gain = self.desk.device.target, seen.corrected(move.gain)
        return self.experience().chance(move.technique, target, gain, self.margin) >= WORTH

    def _seen(self, incumbent: Variant, candidate: Variant, evidence: Evidence) -> Foresight:
        before, after = self.workload.program(incumbent), self.workload.program(candidate)
        binary = self.desk.engine.binary(after)
        if not binary or after.main is None:  # the attempt tells what is wrong with it
            return Foresight()
        if before.launches == after.launches and before.scratch == after.scratch:
            old = _codes(before, self.desk.engine.binary(before))
            if old is not None and old == _codes(after, binary):
                return Foresight(0.0, SAME_CODE)
        return foreseen(evidence, static_evidence(binary, after.main))


def past(steps: Sequence[Step]) -> tuple[Past, ...]:
    """Return what was changed by each step, and what came of it."""
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
        return tuple(code.select(binary, one.entry, one.local_size).code for one in program.launches)
    except (ValueError, MissingExtraError):
        return None
