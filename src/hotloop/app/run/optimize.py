"""The loop: baseline, evidence, diagnosis, one move, verify, compare, keep or revert, remember."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import cycle
from typing import TYPE_CHECKING

from hotloop.app.events import Diagnosed, Notice, Stage, Took, Trying
from hotloop.app.run import aim, ceilings, checking, ending, foresight, polish, rivals, seeds
from hotloop.app.run.attempt import Attempt, Attempts
from hotloop.app.run.decision import decide, noted
from hotloop.app.run.devices import second
from hotloop.app.run.evidence import collect
from hotloop.app.run.kept import hosted, secured
from hotloop.app.run.kept.result import Result
from hotloop.app.run.moves import screen
from hotloop.app.run.moves.choice import Choice
from hotloop.app.run.pace import Pace, within
from hotloop.app.run.plan import Plan
from hotloop.diagnose.engine import diagnose
from hotloop.errors import SpentError
from hotloop.metrics.roofline import BEYOND, roofline
from hotloop.model.device import Ceilings
from hotloop.model.evidence import Evidence
from hotloop.model.finding import Gain, Move
from hotloop.model.kernel import Implementation, Kernel, Variant
from hotloop.model.outcome import Measured, describe
from hotloop.model.problem import Problem
from hotloop.model.step import Decision, Step
from hotloop.search.foretold import Foretold
from hotloop.stats.paired import PairedTest
from hotloop.techniques.calibration import Record
from hotloop.units import counted

if TYPE_CHECKING:
    from hotloop.app.desk import Desk
    from hotloop.app.run.inputs.workload import Workload
    from hotloop.model.space import Config


@dataclass(slots=True)
class Loop:
    """One optimize run."""

    desk: Desk
    kernel: Kernel
    problem: Problem
    plan: Plan
    calibration: Sequence[Record]
    elsewhere: Sequence[Mapping[Config, float | None]] = ()
    """Times of the implementation in ns on other devices and problems, for the search."""
    foretold: Foretold = field(default_factory=Foretold)
    result: Result = field(default_factory=Result)
    _pace: Pace = field(init=False)
    _attempts: Attempts = field(init=False)
    _choice: Choice = field(init=False)
    _incumbent: Variant = field(init=False)
    _attempt: Attempt = field(init=False)
    _evidence: Evidence = field(init=False, default=Evidence())
    _doubted: bool = field(init=False, default=False)
    """Whether the ceilings were measured again because a kernel was faster than they allow."""
    _looks: screen.Looks = field(init=False, default_factory=screen.Looks)
    _tried: set[Config] = field(init=False, default_factory=set)
    _searched: dict[Config, float | None] = field(init=False, default_factory=dict)
    _secured: secured.Secured = field(init=False, default_factory=secured.Secured)

    def run(self) -> Result:
        """Run to the end; `result` is up to date whenever this raises."""
        implementation = self.kernel.implementation(self.plan.implementation or None)
        workload = within(self.plan.budget_s, self.desk, self.kernel, self.problem)
        self._pace = Pace(self.desk, self.plan.budget_s, hosted=implementation.hosted is not None)
        if said := self._pace.short_start():
            self.desk.tell(Notice(said))
        try:
            with self._pace.bounded("the baseline", self._pace.baseline_s, anywhere=True):
                if not self._began(workload, implementation):
                    return self.result
        except SpentError:
            self.result.stop_reason = self._pace.short_baseline()
            return self.result
        try:
            self._improve()
        except SpentError:
            left = f"the budget of {self.plan.budget_s:g} s ended in the middle of step {len(self.result.steps)}"
            self.result.stop_reason = "; then ".join(filter(None, (self.result.stop_reason, left)))
        self._confirm()
        self.result.stop_reason += ending.content(self.result.winner, self._fraction())
        return self.result

    def _began(self, workload: Workload, implementation: Implementation) -> bool:
        """Measure what comes before the first trial; tell whether there is a baseline."""
        self._incumbent = Variant(implementation, self.plan.start or implementation.start)
        foresight.start(self.desk, workload, self._incumbent)
        self.result.ceilings = ceilings.of(self.desk, workload, self._pace.ceilings_s)
        foresight.warm(self.desk, implementation.language, opening=True)
        self._attempts = Attempts(self.desk, workload, self.result.ceilings, PairedTest(margin=self.plan.margin))
        self._choice = Choice(self.desk, workload, self.result.steps, self.calibration, self.plan.margin)
        return self._baseline()

    def _improve(self) -> None:
        self._seed(self.plan.seeds)
        if self.plan.techniques:
            self.result.stop_reason = self._climb()
            implementation = self._incumbent.implementation
            if self._seed(seeds.pick(self.kernel, self.problem, implementation, self.desk.device, ())):
                self.result.stop_reason = self._climb()
        self._polish()

    # --- baseline ----------------------------------------------------------------------------------------------------

    def _baseline(self) -> bool:
        self.desk.tell(Stage("verifying and timing the baseline"))
        workload, before_s = self._attempts.workload, self._attempts.workload.once_s
        self._attempt = self._attempts.baseline(self._incumbent)
        key = workload.subject(self._incumbent).key("inputs and references of the baseline")
        self._pace.compared(self.desk.remember(key, float, lambda: workload.once_s - before_s))
        measured = isinstance(self._attempt.outcome, Measured)
        self._tried.add(self._incumbent.config)
        if measured:
            self._adopt(self._incumbent, self._attempt)
            subject = workload.subject(self._incumbent)
            self._pace.expect(workload, subject, self._attempt.call_ns or 0.0, subject.key("pace of the full check"))
        reason = "where the run starts" if measured else describe(self._attempt.outcome)
        decision = Decision.BASELINE if measured else Decision.REFUSE
        why = "the implementation's start"
        start = Move(technique="baseline", variant=self._incumbent, change="start", why=why, gain=Gain(1.0, 1.0))
        self._note(start, self._attempt, decision, reason)
        if not measured:
            self.result.stop_reason = (
                f"the baseline is not usable: {ending.unusable(workload.kernel, self._attempt.outcome)}"
            )
            return False
        return True

    def _noise(self, variant: Variant) -> None:
        compared = self.result.winner is not self.result.steps[0]
        limit_s = self._pace.left_s - (self._pace.comparing_s if compared else 0.0)
        workload, call_ns = self._attempts.workload, self._attempt.call_ns or 0.0
        noise = ending.noise(self.desk, workload, variant, limit_s, call_ns)
        self._attempts.noise = self.result.noise = noise

    def _seed(self, configs: Sequence[Config]) -> bool:
        """Try configurations that are the best known for this or other shapes; tell whether one was kept.

        `tune` begins with them; `optimize` looks at the shipped rows when the menu is empty, so that a climb from a slow
        start ends no lower than where others arrived, where the budget reaches that far.
        """
        kept = False
        for config in configs:
            if (
                config in self._tried
                or not self._incumbent.implementation.space.valid(config)
                or not self._pace.allows()
            ):
                continue
            kept |= self._try(seeds.move(self._incumbent, config))
        return kept

    # --- the menu ----------------------------------------------------------------------------------------------------

    def _climb(self) -> str:
        """Apply techniques until nothing is left to try; returns why it stopped."""
        self._diagnose()
        failures: Counter[str] = Counter()
        while True:
            if reason := self._at_roof():
                return reason
            if self._pace.beyond(self.plan.menu_share) or not self._pace.allows():
                return self._out_of_time()
            if not (moves := self._looked() if self._looking else self._moves()):
                return ending.nothing_left(self.result.steps, self.result.findings, self._looks.seen)
            # Each technique gets one attempt before any gets a second: a finding can be right and its answer wrong.
            move = moves[0] if self._looking else min(moves, key=lambda m: failures[m.technique])
            foresight.soon(self.desk, self._attempts.programs, moves)
            if not self._choice.promising(self._incumbent, move, self._evidence):
                continue
            if self._try(move):
                failures.clear()
                self._diagnose()
            else:
                failures[move.technique] += 1

    def _out_of_time(self) -> str:
        if len(self.result.steps) > 1:
            moves = self._looks.fresh(self._moves())
            return f"the techniques' share of the budget is used up{ending.left_to_try(moves)}"
        return f"the budget of {self.plan.budget_s:g} s was used up before a technique could be tried ({self._pace})"

    def _diagnose(self) -> None:
        diagnosis = diagnose(self._evidence)
        self.result.findings = diagnosis.findings
        self.desk.tell(Diagnosed(diagnosis.findings))

    def _at_roof(self) -> str:
        if self._fraction() < self.plan.target or not self._measure_roof_again():
            return ""
        fraction = self._fraction()
        if not self.plan.target <= fraction <= BEYOND:
            return ""
        return f"the roofline is reached: {min(fraction, 1.0):.0%} of what this machine can do"

    def _fraction(self) -> float:
        return self._evidence.get("roof.fraction") or 0.0

    def _measure_roof_again(self) -> bool:
        """Measure the ceilings once more before calling it a day: a disturbed ceiling looks like a reached one; tell whether there was time."""
        before, limit_s = self.result.ceilings, self._pace.ceilings_s
        key = self._attempts.workload.subject(self._incumbent).key("ceilings again")
        if before is None or (limit_s <= 0 and self.desk.journal.recall(key) is None):
            return False
        now = self.desk.remember(key, Ceilings, lambda: ceilings.peak(self.desk, before, limit_s))
        self.result.ceilings = self._attempts.ceilings = now
        self._evidence = self._evidence.merged(roofline(self.kernel.work(self.problem), now, self._attempt.call_ns))
        return True

    def _moves(self) -> tuple[Move, ...]:
        return self._choice.moves(self._incumbent, self.result.findings, self._evidence, self._tried)

    @property
    def _looking(self) -> bool:
        """Tell whether moves get a quick look first."""
        return self._incumbent.implementation.looks and self.desk.device.kind != "cpu"

    def _looked(self) -> tuple[Move, ...]:
        """Return the moves that looked faster than the incumbent, the fastest first, after looks at those that are new."""
        moves = self._choice.moves(self._incumbent, self.result.findings, self._evidence, self._tried, 0.0)
        call_ns = aim.cost(self.desk, self._attempt.outcome) or 0.0
        for fresh in self._looks.rounds(moves):
            self.desk.tell(Stage(f"quick looks at {counted(len(fresh), 'move')}"))
            until_s = self.desk.spent_s + screen.SHARE * max(0.0, self._pace.searching_s)
            self._looks.look(self.desk, self._attempts, self._incumbent, call_ns, fresh, until_s)
            self.result.search = self._looks.summary
        return self._looks.worth(moves) if self._looks.seen else self._moves()

    def _try(self, move: Move, purpose: str = "step") -> bool:
        """Attempt a move; returns whether it was kept."""
        self.desk.tell(Trying(len(self.result.steps), move))
        promised = self._choice.promised(move, self._looks.faster(move))
        self._tried.add(move.variant.config)
        with self._pace.bounded(f"step {len(self.result.steps)}", self._pace.trying_s):
            attempt = self._attempts.against(self._incumbent, move.variant, purpose, self._pace.step_s)
        start = self.result.winner is self.result.steps[0]
        self._pace.compared(timed=attempt.comparison is not None, start=start)
        decision, reason = decide(attempt, ending.simpler(move.variant, self._incumbent), self._attempts.start)
        kept, before = decision is Decision.KEEP, (self._incumbent, self._attempt)
        if kept:
            self._adopt(move.variant, attempt)
        self._note(move, attempt, decision, reason, move.gain, promised)
        if kept and self._secured.worth(self._pace) and not self._secure():
            self._adopt(*before)
            return False
        return kept

    def _secure(self) -> bool:
        """Verify the step that was just kept on every case, so that it outlives a budget that ends early; tell whether it stays kept."""
        index = len(self.result.steps) - 1
        with self._pace.bounded(f"the full verification of step {index}", self._pace.ending_s):
            stands = self.result.sound(self._wrong)
        self._pace.verified()
        if stands is None or stands.index != index:
            return False
        self._secured.indices.add(index)
        return True

    def _adopt(self, variant: Variant, attempt: Attempt) -> None:
        self._incumbent, self._attempt = variant, attempt
        self._choice.aside.clear()
        self._attempts.pace(variant, attempt.call_ns or 0.0)
        self._evidence = collect(
            self.desk, self._attempts.workload, variant, attempt.outcome, attempt.phases, self.result.ceilings
        )
        if self._fraction() > 1 and not self._doubted:  # a ceiling was disturbed, or the data stay in caches
            self._doubted = True
            self._measure_roof_again()

    # --- search and end ----------------------------------------------------------------------------------------------

    def _polish(self) -> None:
        """Search around the incumbent while budget is left; winners of a search must win a duel like any move."""
        if not self._incumbent.implementation.space.parameters:
            self.result.stop_reason = self.result.stop_reason or "the kernel has no parameters to search"
            return
        evaluated, phases = 0, cycle(polish.phases(self.plan.strategies, self.elsewhere, self.foretold))
        while not self._at_roof() and self._pace.allows():
            self.desk.tell(Stage("searching around the incumbent"))
            left_s = self._pace.searching_s
            until_s = self.desk.spent_s + min(left_s, max(polish.PHASE_S, left_s / 2))
            with self.desk.bounded(self._pace.trying_s):
                searched = polish.search(
                    self.desk,
                    self._attempts,
                    self._incumbent,
                    aim.cost(self.desk, self._attempt.outcome) or 0.0,
                    until_s,
                    polish.known(self.desk, self.result.steps, self._searched, self._incumbent, self._attempt.outcome),
                    next(phases),
                    elsewhere=self.elsewhere,
                    foretold=self.foretold,
                )
            self._pace.looked(searched.look_s)
            self.result.search = polish.joined(self.result.search, searched.summary)
            self._searched.update(searched.times_ns)
            evaluated += searched.summary.evaluated
            # A phase for which there was no time would begin again for ever: what is spent grows with answers only.
            if not self._duel_finalists(searched) and (searched.summary.exhausted or not searched.times_ns):
                break
        if evaluated:
            reasons = (self.result.stop_reason, f"a search of {counted(evaluated, 'configuration')}")
            self.result.stop_reason = "; then ".join(filter(None, reasons))
            self._diagnose()
        elif not self.result.stop_reason:
            late = f"the budget of {self.plan.budget_s:g} s left no time for a search ({self._pace})"
            self.result.stop_reason = self._at_roof() or late

    def _duel_finalists(self, searched: polish.Found) -> bool:
        kept = False
        for index, variant in enumerate(searched.finalists):
            if not self._pace.allows_finalist(first=index == 0):
                break
            kept |= self._try(polish.move(self._incumbent, variant, searched), purpose="confirm")
        return kept

    def _confirm(self) -> None:
        """Verify the winner on every case, compare it with the baseline and with the peers; what there is no time for is dropped."""
        variant = None
        try:
            with self._pace.bounded("the end", self._pace.ending_s, anywhere=True):
                variant = self._confirmed()
        except SpentError:
            ending.drop(self.result)
            self._evidence = self.result.steps[0].evidence
        self.result.hosted = hosted.tried(self._attempts, self._pace, self.result.steps, variant)
        if variant is not None and self.plan.peers:
            peers = self.kernel.peers_on(self.desk.device)
            self.result.peers += rivals.compare(self.desk, self._attempts, variant, peers, self._pace)

    def _confirmed(self) -> Variant | None:
        """Return what stands after the full verification and the comparison with the baseline."""
        if (winner := self._secured.standing(self.result) or self._sound()) is None:
            return None
        self._noise(variant := self._variant(winner))
        return self._against_baseline(variant) if winner.index > 0 else variant

    def _sound(self) -> Step | None:
        """Return the winner that passes every case; where the time for that ends, the last step that passed before."""
        limit_s = self._pace.ending_s - (self._pace.comparing_s if self._secured.indices else 0.0)
        try:
            with self._pace.bounded("the winner's verification", limit_s):
                return self.result.sound(self._wrong)
        except SpentError:
            if not self._secured.back(self.result):
                raise
            return self.result.winner

    def _variant(self, step: Step) -> Variant:
        return Variant(self.kernel.implementation(step.implementation), step.config)

    def _against_baseline(self, variant: Variant) -> Variant:
        """Return the variant that the comparison with the baseline lets stand, the baseline where none is; others are dropped."""
        baseline, steps = self._variant(self.result.steps[0]), self.result.steps
        self.desk.tell(Stage("comparing the winner with the baseline"))
        overall, remark = ending.last(self._attempts, self._pace, baseline, variant, steps, self.result.noise)
        plainer = ending.simpler(variant, baseline)
        reason = "" if ending.confirmed(overall, plainer=plainer) else ending.unconfirmed(overall, remark)
        reason = reason or second.objection(
            self.desk, self._attempts, baseline, variant, self._pace.left_s, plainer=plainer
        )
        if not reason:
            self.result.overall = overall
            self.result.stop_reason = "; ".join(filter(None, (self.result.stop_reason, remark)))
            return variant
        kept = [s for s in self.result.steps if s.decision is Decision.KEEP]
        for step in kept if self.desk.spent_s > self.plan.budget_s else kept[-1:]:
            self.result.steps[step.index] = replace(step, decision=Decision.REVERT, reason=reason)
        now = self.result.sound(self._wrong)  # only the one before it has been verified on every case
        if now is None or now.index == 0:
            self.result.stop_reason = ending.dropped(self.result.stop_reason)
            self._evidence = self.result.steps[0].evidence
            return baseline
        return self._against_baseline(self._variant(now))

    def _wrong(self, step: Step) -> str:
        """Return what a winner fails of the full verification, in words: a case, or the accuracy that it may give up beside the start."""
        self.desk.tell(Stage("verifying the winner on every case"))
        subject = (workload := self._attempts.workload).subject(self._variant(step))
        workload.patience_s = self._pace.patience_s
        wrong = lambda: checking.wrong(self.desk, workload, subject, self._attempts.start)  # noqa: E731
        return self.desk.remember(subject.key("full verification"), str, wrong)

    def _note(
        self, move: Move, attempt: Attempt, decision: Decision, reason: str, predicted: Gain | None = None, promised: Gain | None = None
    ) -> None:  # fmt: skip
        evidence = self._evidence if decision in (Decision.BASELINE, Decision.KEEP) else Evidence()
        index, at_s = len(self.result.steps), round(self.desk.spent_s, 2)
        step = noted(index, move, attempt, decision, reason, predicted, promised, evidence, at_s)
        self.result.steps.append(step)
        self.desk.tell(Took(step, self._attempt.call_ns, self._evidence.get("roof.fraction")))
