"""Verification of a variant: cases run in the worker process, and the parent process judges their results."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from math import inf
from typing import TYPE_CHECKING

import numpy as np

from hotloop.app.desk import foresighted
from hotloop.app.events import Checked
from hotloop.app.run import fenced, foresight
from hotloop.app.run.abreast import abreast
from hotloop.app.run.inputs.chosen import ready, searched
from hotloop.app.run.inputs.prepared import Prepared
from hotloop.engine import names
from hotloop.errors import KernelFileError
from hotloop.model.check import Accuracy, CaseResult, CheckReport, Guard
from hotloop.model.kernel import Empty
from hotloop.model.outcome import (
    CompileFailed,
    Crashed,
    Failure,
    LaunchFailed,
    NotApplicable,
    TimedOut,
    WrongResult,
    describe,
)
from hotloop.ports import Executed, Run
from hotloop.verify.cases import Level, Within, belongs, tamed
from hotloop.verify.distributions import NORMAL
from hotloop.verify.extents import outgrown
from hotloop.verify.guards import first_change
from hotloop.verify.integrity import replaced
from hotloop.verify.judge import judge
from hotloop.verify.mirror import Order, orders
from hotloop.verify.remnants.apart import apart
from hotloop.verify.sizes import endless
from hotloop.verify.tolerance import one_rounding
from hotloop.verify.variety import CONSTANT, ENDS

if TYPE_CHECKING:
    from hotloop.app.desk import Desk
    from hotloop.app.run.inputs.workload import Workload
    from hotloop.model.problem import Problem
    from hotloop.model.program import Program
    from hotloop.model.subject import Subject


_OTHERS_S = 3.0  # that other sizes alone may take to prepare before no further one is begun


@dataclass(frozen=True, slots=True)
class Verified:
    """Result of a verification, and how long the call on the asked problem took in it."""

    answer: CheckReport | Failure
    """The report when every case ran and passed, else the failure."""
    device_ns: float | None = None
    """Device time of one call on the problem without warm-up: enough to recognise a hopelessly slow variant."""

    @property
    def report(self) -> CheckReport | None:
        """The report of a passed verification, else None."""
        return self.answer if isinstance(self.answer, CheckReport) else None

    @property
    def wrong(self) -> str:
        """What did not pass, in words; empty where everything did."""
        return "" if isinstance(self.answer, CheckReport) else describe(self.answer)


def check(
    desk: Desk,
    workload: Workload,
    subject: Subject,
    level: Level = "quick",
    *,
    to_the_end: bool = False,
    within: Within = "all",
    programs: int | None = None,
) -> Verified:
    """Run the cases of a level in the worker and judge them here; `within`: of the asked problem only, or of the others (see `Within`).

    `programs`: how many programs it compiles at most, cases of further ones are left out; None: all (see `SEARCHED`).

    Stops at the first case that fails, because the rest cannot change the answer, unless `to_the_end`.

    Raises:
        KernelFileError: a kernel file has replaced functions that judge it, or its own functions are at fault.
    """
    results: list[CaseResult] = []
    device_ns, asked, spent_s = None, workload.problem.key, workload.spent_s()
    for ran in _outcomes(desk, workload, subject, level, within=within, programs=programs):
        if not isinstance(ran, _Ran):
            return Verified(ran)
        results.append(ran.result)
        desk.due()
        device_ns = ran.device_ns if ran.result.problem == asked else device_ns
        desk.tell(Checked(ran.result.problem, ran.result.distribution, ran.result.passed, ran.result.reason))
        late = within == "others" and workload.spent_s() - spent_s > _OTHERS_S
        if late or (not ran.result.passed and not to_the_end):
            break
    intact(workload)
    if not results:
        return Verified(NotApplicable("no verification case applies to this configuration"))
    report = CheckReport(tuple(results))
    return Verified(report if report.passed else WrongResult(report), device_ns)


def lossy(desk: Desk, workload: Workload, start: CheckReport | None, passed: CheckReport) -> WrongResult | None:
    """Return the failure of a variant that is right, but gives up more accuracy beside the start than file or command allow."""
    most = workload.kernel.tolerance.loss if desk.loss is None else desk.loss
    if most == inf or start is None:
        return None
    prepared = workload.timed()
    outputs = [prepared.inputs[name] for name in prepared.expected.outputs]
    types = [value.dtype for value in outputs if isinstance(value, np.ndarray | Empty)]
    least = max((one_rounding(workload.kernel.tolerance, workload.problem, kind) for kind in types), default=0.0)
    errors = Accuracy.of(start, passed)
    report = errors.refused(passed, most, least) if errors else None
    return WrongResult(report) if report else None


def wrong(desk: Desk, workload: Workload, subject: Subject, start: CheckReport | None) -> str:
    """Return what a winner fails of the full check, also beside the accuracy of the start, in words; empty where nothing."""
    verified = check(desk, workload, subject, "full")
    lost = lossy(desk, workload, start, verified.report) if verified.report else None
    return describe(lost) if lost else verified.wrong


def intact(workload: Workload) -> None:
    """Raise if code in this process, such as a kernel file, has replaced the functions that judge results."""
    names = replaced(_JUDGES)
    if names:
        raise KernelFileError(
            f"{', '.join(names[:3])} {'was' if len(names) == 1 else 'were'} replaced by other code, presumably "
            f"{workload.kernel.origin or 'the kernel file'}; a kernel file must not change what judges it."
        )


_JUDGES = (
    "hotloop.app.run.abreast",
    "hotloop.app.run.checking",
    "hotloop.app.run.busy",
    "hotloop.app.run.honest",
    "hotloop.app.run.lent.joined",
    "hotloop.app.run.lent.keeping",
    "hotloop.app.run.lent.parting",
    "hotloop.app.run.lent.power",
    "hotloop.app.run.seen",
    "hotloop.app.run.timing",
    "hotloop.app.run.attempt",
    "hotloop.app.run.inputs.alike",
    "hotloop.app.run.inputs.prepared",
    "hotloop.app.run.inputs.workload",
    "hotloop.app.run.inputs.truth",
    "hotloop.app.run.fenced",
    "hotloop.app.run.devices.second",
    "hotloop.app.run.faceoff",
    "hotloop.cli.commands.check",
    "hotloop.cli.commands.compare",
    "hotloop.engine.answers",
    "hotloop.engine.local",
    "hotloop.engine.witness.functions",
    "hotloop.engine.witness.link",
)


_TURNED = (NORMAL, CONSTANT, ENDS)
"""Kinds of input for which programs also run in other orders of work-items; each order costs a build for each problem.
Compilers turn arithmetic that overflows into arithmetic that does not, so the ends of a type are run unoptimized, too."""
_APART = "other bytes beside its local arrays (results that begin with 0x7F: some of these were written)"
_SLOWER, _ORDERS_NS = 100, 1e9
"""Assumed slowdown of a program compiled without optimization, and the time limit of such a run in ns."""
_BUSY, _AGAIN = 8, 3
"""How many times that limit a call may seem to take before it is asked again, how many times: a busy machine must not decide what is looked at."""
_CONTENDED, _CONTENDED_NS = 16, 1e9
"""Number of runs when work-groups update the same elements, and the time limit of all of them in ns."""
_TOGETHER_BYTES = 64 * 2**20
"""Largest total size of the results of runs that share one request."""


@dataclass(frozen=True, slots=True)
class _Ran:
    result: CaseResult
    device_ns: float | None


@dataclass(frozen=True, slots=True)
class _Trial:
    """One case with the program that is to run on it."""

    prepared: Prepared
    program: Program
    twice: bool
    """True when the program runs twice from the same state, to detect races."""
    fence: str
    """Side on which the arrays of the second run adjoin inaccessible pages; empty: no such pages."""
    orders: tuple[Order, ...] = ()
    """Versions of the program whose work-items run in other orders, or whose local arrays lie apart; empty when none are tried."""
    made_up: bool = False
    """True for sizes that hotloop chose; if they cannot be launched, the kernel does not claim to support them."""

    @property
    def count(self) -> int:
        return 2 if self.twice else 1

    @property
    def runs(self) -> tuple[Run, ...]:
        first, second = Run(self.program, self.prepared.dataset), Run(self.program, self.prepared.dataset, self.fence)
        return (first, second)[: self.count]

    @property
    def size_bytes(self) -> int:
        return self.count * self.prepared.payload_bytes


def _chosen(batch: list[_Trial] | NotApplicable) -> bool:
    return isinstance(batch, NotApplicable) or batch[0].made_up


def _executed(desk: Desk, batch: list[_Trial] | NotApplicable) -> Sequence[Executed | Failure]:
    if isinstance(batch, NotApplicable):
        return ()
    programs = {names.build(trial.program): trial.program for trial in batch} if desk.device.kind == "gpu" else {}
    if len(programs) > 1 and (engine := foresighted(desk, batch[0].program.language)):
        engine.ahead(tuple(programs.values()))  # on all cores at once: one after the other they take seconds
    return desk.engine.execute_all([run for trial in batch for run in trial.runs])


def _outcomes(
    desk: Desk,
    workload: Workload,
    subject: Subject,
    level: Level,
    *,
    within: Within = "all",
    programs: int | None = None,
) -> Iterator[_Ran | Failure]:
    """Yield the outcome of each case; cases run when the consumer asks for them, except that a whole batch runs at once."""
    ran_ns: dict[str, float] = {}
    problems: dict[str, Problem] = {}
    if level == "full" and within == "all":
        foresight.begin(desk, workload, subject)
    batches = _batches(_trials(desk, workload, subject, level, within=within, programs=programs))
    run, overlap = partial(_executed, desk), level == "full" and desk.device.kind == "gpu"
    # whether sizes that hotloop chose are worth running depends on those before
    for batch, ran_all in abreast(batches, run, lambda one: not overlap or _chosen(one)):
        if isinstance(batch, NotApplicable):
            yield batch
            continue
        times = [(problems[key], ns) for key, ns in ran_ns.items()]
        if batch[0].made_up and endless(workload.problem, batch[0].prepared.case.problem, times):
            continue
        problems |= {trial.prepared.case.problem.key: trial.prepared.case.problem for trial in batch}
        for ran in _judged(desk, workload, batch, ran_all()):
            if isinstance(ran, _Ran) and ran.device_ns is not None:  # what others do on the machine only lengthens it
                ran_ns[ran.result.problem] = min(ran_ns.get(ran.result.problem, inf), ran.device_ns)
            yield ran


def _trials(
    desk: Desk,
    workload: Workload,
    subject: Subject,
    level: Level,
    *,
    within: Within = "all",
    programs: int | None = None,
) -> Iterator[_Trial | NotApplicable]:
    """Yield the cases that apply to a configuration; if it does not apply to the asked problem, yield only that failure."""
    every = workload.cases(level, desk.seed)
    named = {case.problem for case in every if not case.added}
    every = every if programs is None else searched(subject, every, desk.device, programs)
    for index, asked in enumerate(case for case in every if belongs(case, workload.problem, within)):
        case = tamed(asked, subject.spreads)
        prepared = ready(workload, subject, case, level)
        if prepared is None:
            continue
        try:
            planned = subject.plan(case.problem, desk.device)
        except ValueError as reason:
            if case.problem == workload.problem:
                yield NotApplicable(str(reason))
            continue
        if planned is not None and not (case.added and outgrown(planned, workload.problem, case.problem, named)):
            # The problem itself is run again by the duel, whose outputs are judged too; small cases are run twice here.
            twice = level == "full" or case.problem != workload.problem
            fence = fenced.place(index, planned.source) if level == "full" else ""
            program = planned.resolved(prepared.scalars)
            turn = level == "full" and case.distribution in _TURNED
            made_up = case.problem not in named
            yield _Trial(prepared, program, twice, fence, _versions(desk, program) if turn else (), made_up)


def _versions(desk: Desk, program: Program) -> tuple[Order, ...]:
    """Return versions of a program that do the same: in other orders, and on a CPU with bands beside its local arrays."""
    banded = apart(program) if desk.device.kind == "cpu" else None
    return (*orders(program), *((Order(banded, _APART),) if banded else ()))


def _batches(trials: Iterable[_Trial | NotApplicable]) -> Iterator[list[_Trial] | NotApplicable]:
    """Group small cases: a request costs more than running one, while results of large cases would fill the memory."""
    batch: list[_Trial] = []
    together_bytes = 0
    for trial in trials:
        if isinstance(trial, NotApplicable):
            yield trial
            return
        together_bytes += trial.size_bytes
        if batch and (together_bytes > _TOGETHER_BYTES or trial.made_up or batch[-1].made_up):
            yield batch
            batch, together_bytes = [], trial.size_bytes
        batch.append(trial)
    if batch:
        yield batch


def _turned(desk: Desk, workload: Workload, trial: _Trial, device_ns: float | None) -> CaseResult | None:
    """Run a case again with work-items in other orders; return the first wrong result, or None.

    `device_ns` is the time of its usual run.
    """
    prepared = trial.prepared
    if (
        device_ns is not None and _ORDERS_NS < _SLOWER * device_ns <= _BUSY * _ORDERS_NS
    ):  # it may have waited for others
        again = desk.engine.execute_all([Run(trial.program, prepared.dataset)] * _AGAIN)
        device_ns = min(device_ns, _least_ns(again) or inf)
    if device_ns is None or _SLOWER * device_ns > _ORDERS_NS:
        return None
    for order in trial.orders:
        most = int(_CONTENDED_NS / (_SLOWER * max(device_ns, 1.0)))
        times = min(_CONTENDED, max(1, most)) if order.contended else 1
        for ran in desk.engine.execute_all([Run(order.program, prepared.dataset)] * times):
            if not isinstance(ran, Executed):
                break  # the changed order may not compile or launch; that shows nothing about the kernel
            judged = judge(workload.kernel, prepared.case, prepared.inputs, ran.arrays, expected=prepared.expected)
            if not judged.passed:
                guard = Guard.CANARY if order.words == _APART else Guard.ORDER
                return replace(judged, guard=guard, reason=f"with {order.words}: {judged.reason}")
    return None


def _one_by_one(desk: Desk, workload: Workload, batch: Sequence[_Trial]) -> Iterator[_Ran | Failure]:
    """Run each case separately after one of them killed the worker: first without inaccessible pages, then with them."""
    for trial in batch:
        case, program = trial.prepared.case, trial.program
        unfenced = [replace(trial, fence="")]
        yield from _judged(desk, workload, unfenced, _executed(desk, unfenced))
        if trial.twice and (failed := fenced.beyond(desk, case, program, trial.prepared.dataset, trial.fence)):
            yield _Ran(failed, None)


def _unsteady(desk: Desk, trial: _Trial, wrong: CaseResult) -> CaseResult:
    """Return a wrong result of a program's own text, which says so where two more runs do not agree with each other: then it is no reference."""
    answers = desk.engine.execute_all(list(replace(trial, twice=True, fence="").runs))
    first, then = ([answer.arrays for answer in answers if isinstance(answer, Executed)] + [{}, {}])[:2]
    if all(first_change(first[name], after) is None for name, after in then.items()):
        return wrong
    reason = "its results differ from launch to launch, a race or memory that was never set"
    return replace(wrong, reason=f"{reason}; {wrong.reason}", guard=Guard.REPEAT)


def _judged(
    desk: Desk, workload: Workload, batch: Sequence[_Trial], executed: Sequence[Executed | Failure]
) -> Iterator[_Ran | Failure]:
    """Yield the outcomes of cases that ran in one request, up to the first that did not run."""
    if isinstance(executed[-1], Crashed) and any(trial.fence for trial in batch):
        yield from _one_by_one(desk, workload, batch)
        return
    answers = iter(executed)
    for trial in batch:
        ran = []
        for answer in islice(answers, trial.count):
            if not isinstance(answer, Executed):
                if not (trial.made_up and isinstance(answer, LaunchFailed | CompileFailed | TimedOut)):
                    yield answer
                return
            ran.append(answer)
        result = trial.prepared.judged(workload.kernel, ran[0].arrays, ran[1].arrays if trial.twice else None)
        if not result.passed and not trial.twice and workload.kernel.launched:
            result = _unsteady(desk, trial, result)
        if result.passed and trial.orders:
            result = _turned(desk, workload, trial, _least_ns(ran)) or result
        yield _Ran(result, _least_ns(ran))


def _least_ns(ran: Iterable[Executed | Failure]) -> float | None:
    return min((one.device_ns for one in ran if isinstance(one, Executed) and one.device_ns is not None), default=None)
