"""Verification of a variant: cases run in the worker, judged here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hotloop.app.events import Checked
from hotloop.app.workload import Prepared
from hotloop.model.check import CaseResult, CheckReport
from hotloop.model.outcome import Failure, LaunchFailed, NotApplicable, WrongResult
from hotloop.ports import Executed
from hotloop.verify.cases import Level, cases
from hotloop.verify.judge import judge

if TYPE_CHECKING:
    from hotloop.app.desk import Desk
    from hotloop.app.workload import Workload
    from hotloop.model.device import Device
    from hotloop.model.kernel import Variant
    from hotloop.model.problem import Problem
    from hotloop.model.program import Program


@dataclass(frozen=True, slots=True)
class Subject:
    """What is verified: a variant or a peer, as a function from case to program."""

    label: str
    plan: Callable[[Problem, Device], Program | None]

    @classmethod
    def of(cls, variant: Variant) -> Subject:
        """Return a variant as subject."""
        return cls(variant.label, variant.program)


@dataclass(frozen=True, slots=True)
class Verified:
    """The answer of a verification and how long the problem itself took in it."""

    answer: CheckReport | Failure
    """The report when every case ran and passed, else the failure."""
    device_ns: float | None = None
    """Device time of one unwarmed call on the problem: enough to see that a variant is hopelessly slow."""

    @property
    def report(self) -> CheckReport | None:
        """The report of a passed verification, else None."""
        return self.answer if isinstance(self.answer, CheckReport) else None


def check(
    desk: Desk, workload: Workload, subject: Subject, level: Level = "quick", *, to_the_end: bool = False
) -> Verified:
    """Run the cases of a level in the worker and judge them here.

    Stops at the first case that fails, because the rest cannot change the answer, unless `to_the_end`.
    """
    results: list[CaseResult] = []
    device_ns = None
    for case in cases(workload.kernel, workload.problem, level, desk.seed):
        prepared = workload.prepare(case)
        # The problem itself is run again by the duel, whose outputs are judged too; small cases are run twice here.
        twice = level == "full" or case.problem != workload.problem
        ran = _one(desk, workload, subject, prepared, twice=twice)
        if ran is None:
            continue
        if not isinstance(ran, _Ran):
            return Verified(ran)
        results.append(ran.result)
        device_ns = ran.device_ns if case.problem == workload.problem else device_ns
        desk.tell(Checked(ran.result.problem, ran.result.distribution, ran.result.passed, ran.result.reason))
        if not ran.result.passed and not to_the_end:
            break
    if not results:
        return Verified(NotApplicable("no verification case applies to this configuration"))
    report = CheckReport(tuple(results))
    return Verified(report if report.passed else WrongResult(report), device_ns)


def recheck(desk: Desk, workload: Workload, program: Program) -> CaseResult | LaunchFailed:
    """Judge what the timed path of a program computed."""
    prepared = workload.timed()
    left = desk.engine.outputs(program, prepared.dataset)
    if not isinstance(left, Executed):
        return left
    return judge(workload.kernel, prepared.case, prepared.inputs, left.arrays, expected=prepared.expected)


@dataclass(frozen=True, slots=True)
class _Ran:
    result: CaseResult
    device_ns: float | None


def _one(desk: Desk, workload: Workload, subject: Subject, prepared: Prepared, *, twice: bool) -> _Ran | Failure | None:
    """Run one case, `twice` from the same start to catch races; None when the configuration does not apply to it."""
    try:
        planned = subject.plan(prepared.case.problem, desk.device)
    except ValueError as reason:
        return NotApplicable(str(reason)) if prepared.case.problem == workload.problem else None
    if planned is None:
        return None
    program = planned.resolved(prepared.scalars)
    runs = []
    for _ in range(2 if twice else 1):
        ran = desk.engine.execute(program, prepared.dataset)
        if not isinstance(ran, Executed):
            return ran
        runs.append(ran)
    second = runs[1].arrays if twice else None
    case, inputs = prepared.case, prepared.inputs
    result = judge(workload.kernel, case, inputs, runs[0].arrays, second, expected=prepared.expected)
    return _Ran(result, runs[-1].device_ns)
