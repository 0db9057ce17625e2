"""The use cases `check`, `compare` and `bench`: single answers about given variants."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from hotloop.app import spec as specs
from hotloop.app.candidate.remote import Remote
from hotloop.app.events import Listener, Stage
from hotloop.app.run import busy, checking, floor, timing
from hotloop.app.run import ceilings as limits
from hotloop.app.run.contest import BenchAnswer, BenchRow, contest
from hotloop.app.run.inputs.workload import Workload
from hotloop.app.session import Options, desk
from hotloop.app.spec import Spec
from hotloop.errors import UsageError
from hotloop.model.check import Accuracy, CheckReport, Guard
from hotloop.model.device import Device
from hotloop.model.language import language
from hotloop.model.outcome import Artifact, Failure, Impossible, Measured, NotApplicable, Outcome, WrongResult, describe
from hotloop.model.subject import Subject
from hotloop.model.verdict import Comparison, Verdict
from hotloop.ports import ROTATED
from hotloop.stats.paired import PATIENT, PairedTest
from hotloop.verify.cases import Level, Within, belongs
from hotloop.verify.texts.contraction import PRAGMA, joins, uncontracted

if TYPE_CHECKING:
    from hotloop.app.desk import Desk
    from hotloop.model.kernel import Kernel, Variant
    from hotloop.model.problem import Problem
    from hotloop.model.program import Program

_JOINED = (
    f"with {PRAGMA} in front of its source every case is right: what this compiler makes of products and sums that it joins is wrong (put the "
    "line there), or rounds otherwise by more than the file's tolerance"
)
_USUAL, _MANY = 16, 60
"""Rounds of the noise floor, and on a crowded machine, where few rounds leave it so wide that no difference is one."""


@dataclass(frozen=True, slots=True)
class CheckAnswer:
    """Answer of `check`: the report, or the failure that ended it."""

    label: str
    device: Device
    answer: CheckReport | Failure
    remark: str = ""
    """What a wrong result goes away with, in words; empty where nothing is known."""

    @property
    def passed(self) -> bool:
        """True when every case passed."""
        return isinstance(self.answer, CheckReport)


@dataclass(frozen=True, slots=True)
class CompareAnswer:
    """Answer of `compare`: a comparison, or why there was none."""

    incumbent: str
    candidate: str
    device: Device
    outcomes: tuple[Outcome, Outcome]
    comparison: Comparison | None
    noise: float | None
    mode: str = ROTATED
    """How warm the caches were."""
    accuracy: Accuracy | None = None
    """Errors of both on the same inputs; None where one is not right, or they are not floating-point numbers."""


def check(spec: Spec, problem: Problem, options: Options, listener: Listener, level: Level = "full") -> CheckAnswer:
    """Verify a variant on every case of a level."""
    with desk(options.running(spec.chosen), listener) as made, specs.opened(options, spec) as store:
        variant = spec.variant(problem, made.device, store, options)
        workload = Workload(made.engine, spec.kernel, problem, made.device, made.seed)
        return checked(made, workload, variant, level)


def checked(
    made: Desk, workload: Workload, variant: Variant, level: Level = "full", *, to_the_end: bool = True
) -> CheckAnswer:
    """Do what `check` does, at a desk that may serve further problems; not `to_the_end`: up to the first case that fails."""
    built = _build(made, workload, variant)
    if not isinstance(built, Artifact):
        return CheckAnswer(variant.label, made.device, built)
    subject = Subject.of(variant, workload.problem, workload.device)
    verified = checking.check(made, workload, subject, level, to_the_end=to_the_end)
    told = to_the_end and level == "full"
    remark = _contracted(made, workload, variant, level, verified.answer) if told else ""
    return CheckAnswer(variant.label, made.device, verified.answer, remark)


def _contracted(made: Desk, workload: Workload, variant: Variant, level: Level, answer: CheckReport | Failure) -> str:
    """Say that a wrong result is right where the compiler may join no products and sums; empty where it is wrong then, too."""
    other = uncontracted(variant)
    if other is None or not isinstance(answer, WrongResult):
        return ""
    failed = next(case for case in answer.check.cases if not case.passed)
    source = workload.program(variant).source
    if failed.guard is not Guard.REFERENCE or not joins(source):
        return ""
    subject = Subject.of(other, workload.problem, workload.device)
    return _JOINED if checking.check(made, workload, subject, level).report else ""


def compare(
    incumbent: Spec,
    candidate: Spec | Remote,
    problem: Problem,
    options: Options,
    listener: Listener,
    margin: float = 0.02,
) -> CompareAnswer:
    """Verify two variants on the incumbent's inputs and reference, then time them against each other.

    The process of a candidate that runs separately is closed before anything is timed.

    Raises:
        UsageError: the two kernels do not take the same inputs.
    """
    options = options.running(incumbent.chosen)
    local = (incumbent, candidate) if isinstance(candidate, Spec) else (incumbent,)
    with desk(options, listener) as made, specs.opened(options, *local) as store:
        workload = Workload(made.engine, incumbent.kernel, problem, made.device, made.seed)
        variants = [spec.variant(problem, made.device, store, options) for spec in local]
        if isinstance(candidate, Remote):
            _same_clock(incumbent, candidate)
            variants.append(candidate.variant)
        _same_inputs(incumbent, candidate, problem, workload)
        answers: list[CheckReport | Failure] = []
        for spec, variant in zip((incumbent, candidate), variants, strict=True):
            made.tell(Stage(f"verifying {spec.text}"))
            answers.append(_verified(made, workload, variant))
        if all(isinstance(report, CheckReport) for report in answers):
            answers[1] = checking.lossy(made, workload, *answers) or answers[1]  # type: ignore[arg-type]
        labels = (incumbent.text, candidate.text)
        if any(not isinstance(outcome, CheckReport) for outcome in answers):
            first, second = (NotApplicable("verified, not timed") if isinstance(o, CheckReport) else o for o in answers)
            return CompareAnswer(*labels, made.device, (first, second), None, None)
        errors = Accuracy.of(*(report if isinstance(report, CheckReport) else None for report in answers))
        programs = [workload.program(v) for v in variants]
        if isinstance(candidate, Remote):
            _plan_others(made, workload, variants[1])
            candidate.close()
        duel = _duel(made, workload, labels, programs, margin)
        won = duel.comparison is not None and duel.comparison.verdict is Verdict.FASTER
        subjects = [Subject.of(variant, problem, made.device) for variant in variants]
        wrong = _narrow(made, workload, *subjects) if won else None
        duel = replace(duel, accuracy=errors)
        return replace(duel, outcomes=(duel.outcomes[0], wrong), comparison=None) if wrong else duel


def _plan_others(made: Desk, workload: Workload, candidate: Variant) -> None:
    """Ask for the plans at other sizes while there is a process that makes them."""
    others = (case.problem for case in workload.cases("full", made.seed) if belongs(case, workload.problem, "others"))
    for problem in dict.fromkeys(others):
        with suppress(ValueError):  # not applicable there
            candidate.program(problem, made.device)


def _narrow(made: Desk, workload: Workload, incumbent: Subject, candidate: Subject) -> Failure | None:
    """Return what is wrong with a winner on inputs of other kinds, or at other sizes; None where the incumbent fails there, too."""
    for words, within in _LOOKS:
        made.tell(Stage(f"verifying the winner {words}"))
        look = partial(checking.check, made, workload, level="full", within=within)
        answer = look(candidate).answer
        if isinstance(answer, CheckReport) or (within == "others" and isinstance(answer, NotApplicable)):
            continue
        if isinstance(look(incumbent).answer, CheckReport):
            return answer
        both = (look(subject, to_the_end=True).answer for subject in (candidate, incumbent))
        if own := _own(*both):
            return own
    return None


def _own(answer: CheckReport | Failure, theirs: CheckReport | Failure) -> Failure | None:
    """Return what is wrong with a winner in cases that the incumbent passes, although it fails others; None: nothing.

    Where the incumbent did not get through all cases nobody knows which it would pass.
    """
    if isinstance(answer, CheckReport) or not isinstance(theirs, WrongResult):
        return None
    if not isinstance(answer, WrongResult):
        return answer
    passed = {case.key for case in theirs.check.cases if case.passed}
    cases = tuple(case for case in answer.check.cases if case.passed or case.key in passed)
    return None if all(case.passed for case in cases) else WrongResult(CheckReport(cases))


_LOOKS: tuple[tuple[str, Within], ...] = (("with every kind of input", "asked"), ("at other sizes", "others"))
"""What a winner is verified with, whose source may be right only for what it was timed on."""


def bench(
    kernel: Kernel, wanted: Sequence[Spec], problem: Problem, options: Options, listener: Listener
) -> BenchAnswer:
    """Verify variants and peers, then time all that are correct in the same interleaved rounds."""
    options = options.running(wanted[0].chosen)
    with desk(options, listener) as made, specs.opened(options, *wanted) as store:
        variants = [spec.variant(problem, made.device, store, options) for spec in wanted]
        named = [(spec.text, variant) for spec, variant in zip(wanted, variants, strict=True)]
        workload = Workload(made.engine, kernel, problem, made.device, made.seed)
        return contest(made, workload, named, limits.of(made, workload), energy=True)


def _duel(
    made: Desk, workload: Workload, labels: tuple[str, str], programs: list[Program], margin: float
) -> CompareAnswer:
    made.tell(Stage("measuring the noise floor"))
    crowded = busy.crowded(made)
    noise = timing.noise(made, workload, programs[0], _MANY if crowded else _USUAL)
    floor = noise.floor if isinstance(noise, timing.Noise) else None
    test = PairedTest(margin=margin, looks=PATIENT) if crowded else PairedTest(margin=margin)
    made.tell(Stage("comparing in interleaved rounds"))
    duel = timing.duel(made, workload, programs[0], programs[1], test, floor)
    if not isinstance(duel, timing.Duel):
        return CompareAnswer(*labels, made.device, (NotApplicable("verified"), duel), None, floor)
    if duel.comparison.verdict is Verdict.FASTER and (refused := _impossible(made, workload, duel.candidate)):
        return CompareAnswer(*labels, made.device, (duel.incumbent, refused), None, floor, made.mode)
    outcomes = (duel.incumbent, duel.candidate)
    return CompareAnswer(*labels, made.device, outcomes, duel.comparison, floor, made.mode)


def _impossible(made: Desk, workload: Workload, measured: Measured) -> Impossible | None:
    """Refuse a winner whose time is below the roofline floor; the ceilings are measured for this test."""
    work = workload.kernel.work(workload.problem)
    cold_bytes = floor.cold_bytes_of(made, workload, work)
    if work.flops <= 0 and not cold_bytes:
        return None
    ceilings = limits.of(made, workload)
    suspect = floor.impossible_speed(measured, work, ceilings, cold_bytes)
    if suspect is None or ceilings is None:
        return None
    return floor.impossible_speed(measured, work, limits.peak(made, ceilings), cold_bytes)


def _verified(made: Desk, workload: Workload, variant: Variant) -> CheckReport | Failure:
    built = _build(made, workload, variant)
    return (
        built
        if not isinstance(built, Artifact)
        else checking.check(made, workload, Subject.of(variant, workload.problem, workload.device)).answer
    )


def _build(made: Desk, workload: Workload, variant: Variant) -> Artifact | Failure:
    try:
        return made.engine.build(workload.program(variant))
    except ValueError as reason:
        return NotApplicable(str(reason))


def _same_clock(incumbent: Spec, candidate: Remote) -> None:
    """Raise UsageError for a candidate whose times would not be real times on this machine."""
    name = candidate.variant.implementation.language
    if not language(name).declared and name != incumbent.chosen.language:
        raise UsageError(f"{candidate.text} is in {name}, which is not compared with {incumbent.chosen.language}.")


def _same_inputs(incumbent: Spec, candidate: Spec | Remote, problem: Problem, workload: Workload) -> None:
    if isinstance(candidate, Remote):
        if candidate.given and set(workload.timed().inputs) != set(given := candidate.inputs(problem)):
            raise _unlike(incumbent, candidate, workload, given)
        return
    if candidate.kernel is incumbent.kernel or candidate.kernel.family == incumbent.kernel.family == problem.family:
        return
    ours = workload.timed().inputs
    try:
        theirs = candidate.kernel.inputs(problem, np.random.default_rng(0))
    except Exception as error:  # the other file's function may raise anything on an unexpected problem
        reason = f"it has no size {error}" if isinstance(error, KeyError) else error
        raise UsageError(f"{candidate.text} cannot take the problem {problem.key}: {reason}.") from error
    if set(ours) != set(theirs):
        raise _unlike(incumbent, candidate, workload, theirs)


def _unlike(incumbent: Spec, candidate: Spec | Remote, workload: Workload, theirs: Iterable[str]) -> UsageError:
    return UsageError(
        f"{incumbent.text} takes {', '.join(workload.timed().inputs)} but {candidate.text} takes {', '.join(theirs)}; "
        "only kernels with the same inputs can be compared."
    )


__all__ = [
    "BenchAnswer", "BenchRow", "CheckAnswer", "CompareAnswer", "bench", "check", "checked", "compare", "contest", "describe",
]  # fmt: skip
