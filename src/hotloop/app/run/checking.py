"""Verification of a variant: cases run in the worker, judged here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from hotloop.app.events import Checked
from hotloop.app.run.workload import Prepared
from hotloop.errors import KernelFileError
from hotloop.model.check import CaseResult, CheckReport, Guard
from hotloop.model.dtype import dtype_of
from hotloop.model.kernel import Empty
from hotloop.model.outcome import Failure, LaunchFailed, NotApplicable, WrongResult, describe
from hotloop.ports import Executed, Run, Timed, TimeRequest
from hotloop.verify.cases import Case, Level, draw
from hotloop.verify.distributions import NORMAL, SPECIAL
from hotloop.verify.integrity import replaced
from hotloop.verify.judge import judge

if TYPE_CHECKING:
    from hotloop.app.desk import Desk
    from hotloop.app.run.workload import Workload
    from hotloop.model.kernel import Inputs
    from hotloop.model.program import Program
    from hotloop.model.subject import Subject
    from hotloop.ports import Dataset


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

    Raises:
        KernelFileError: a kernel file has replaced functions that judge it, or its own functions are at fault.
    """
    results: list[CaseResult] = []
    device_ns, own = None, workload.problem.key
    for ran in _outcomes(desk, workload, subject, level):
        if not isinstance(ran, _Ran):
            return Verified(ran)
        results.append(ran.result)
        device_ns = ran.device_ns if ran.result.problem == own else device_ns
        desk.tell(Checked(ran.result.problem, ran.result.distribution, ran.result.passed, ran.result.reason))
        if not ran.result.passed and not to_the_end:
            break
    _intact(workload)
    if not results:
        return Verified(NotApplicable("no verification case applies to this configuration"))
    report = CheckReport(tuple(results))
    return Verified(report if report.passed else WrongResult(report), device_ns)


def _intact(workload: Workload) -> None:
    """Refuse to judge when code that runs in this process has put its own functions in the place of the judging ones."""
    names = replaced(_JUDGES)
    if names:
        raise KernelFileError(
            f"{', '.join(names[:3])} {'was' if len(names) == 1 else 'were'} replaced by other code, presumably "
            f"{workload.kernel.origin or 'the kernel file'}; a kernel file must not change what judges it."
        )


_JUDGES = (
    "hotloop.app.run.checking",
    "hotloop.app.run.timing",
    "hotloop.app.run.attempt",
    "hotloop.app.run.workload",
    "hotloop.engine.local",
)


def timed(desk: Desk, workload: Workload, program: Program) -> CaseResult | LaunchFailed:
    """Judge what the timed path of a program computed."""
    prepared = workload.timed()
    left = desk.engine.outputs(program, prepared.dataset)
    if not isinstance(left, Executed):
        return left
    _intact(workload)
    return judge(workload.kernel, prepared.case, prepared.inputs, left.arrays, expected=prepared.expected)


def recheck(desk: Desk, workload: Workload, program: Program) -> CaseResult | LaunchFailed:
    """Judge what the timed path of a program computed, then what it computes from inputs that it has not met."""
    result = timed(desk, workload, program)
    if isinstance(result, LaunchFailed) or not result.passed:
        return result
    return _fresh(desk, workload, program, workload.timed()) or result


def _fresh(desk: Desk, workload: Workload, program: Program, timed: Prepared) -> CaseResult | None:
    """Replace the inputs in the very buffers that were timed and judge the result; None when it is right.

    Whatever a kernel kept from earlier calls (in scratch memory, in variables of the program, by address of an input) is
    stale then. What it finds again by content is right, but shows in time: new inputs take longer than known ones.
    """
    case = Case(workload.problem, NORMAL, _FRESH_SEED + desk.seed, timed.case.poison)
    other = workload.prepare(case)
    if other.scalars != timed.scalars or _forms(other.dataset) != _forms(timed.dataset):
        return None  # inputs whose sizes or numbers are drawn too: another program
    replay = _replay(desk, program, timed, other.inputs)
    kept = isinstance(replay, _Replay) and replay.remembers and _always(desk, workload, program, timed)
    desk.engine.execute(_idle(program), timed.dataset)  # other contenders use the same buffers next
    if not isinstance(replay, _Replay):
        return _failed(case, f"with new inputs in the same buffers: {describe(replay)}")
    result = judge(workload.kernel, case, other.inputs, replay.left.arrays, expected=other.expected)
    if not result.passed:
        guard = result.guard if result.guard in (Guard.CANARY, Guard.POISON) else Guard.FRESH
        return replace(result, reason=f"with new inputs in the same buffers: {result.reason}", guard=guard)
    return _failed(case, "calls on inputs met before are far shorter: results are kept, not computed") if kept else None


@dataclass(frozen=True, slots=True)
class _Replay:
    left: Executed
    new_ns: float
    """First call on the new inputs."""
    known_ns: float
    """Second call on them."""

    @property
    def remembers(self) -> bool:
        return self.new_ns > _MUCH_LONGER * self.known_ns and self.new_ns - self.known_ns > _CERTAIN_NS


def _replay(desk: Desk, program: Program, timed: Prepared, inputs: Inputs) -> _Replay | Failure:
    """Run the timed path on other inputs in the timed buffers; scratch areas stay as the last call left them.

    Outputs hold the results of the timed inputs instead of poison: whoever computes only where poison is, or where
    nothing plausible is there yet, leaves them wrong.
    """
    old = {name: value.astype(_dtype(timed.inputs[name])) for name, value in timed.expected.outputs.items()}
    stale = {name: old[name] if isinstance(value, Empty) else value for name, value in inputs.items()}
    dataset = desk.engine.dataset("fresh", stale, tuple(old), timed.case.poison)
    try:
        return _timed_on(desk, program, replace(timed.dataset, slots=dataset.slots))
    finally:
        desk.engine.discard(dataset)


def _dtype(target: object) -> np.dtype[np.generic]:
    return dtype_of(target.dtype if isinstance(target, np.ndarray | Empty) else "float32")


def _timed_on(desk: Desk, program: Program, swapped: Dataset) -> _Replay | Failure:
    loaded = desk.engine.execute(_idle(program), swapped)
    if not isinstance(loaded, Executed):
        return loaded
    timed = desk.engine.time(
        TimeRequest(programs=(program,), datasets=(swapped,), rounds=1, calls=(1,), target_sample_ns=1.0, warmup_ns=0.0)
    )
    if not isinstance(timed, Timed):
        return timed
    left = desk.engine.outputs(program, swapped)
    if not isinstance(left, Executed):
        return left
    new, known = (s.device_ns if s.device_ns is not None else s.wall_ns for _, s in timed.rounds[0].samples)
    return _Replay(left, new, known)


def _idle(program: Program) -> Program:
    """Return a program that launches nothing: executing it only loads the dataset."""
    return replace(program, launches=(), scratch=())


def _always(desk: Desk, workload: Workload, program: Program, timed: Prepared) -> bool:
    """Tell whether several other inputs show the same: once may be another process on this machine."""
    for index in range(1, _CONFIRMATIONS + 1):
        inputs = draw(workload.kernel, Case(workload.problem, NORMAL, _FRESH_SEED + desk.seed + 1000 * index, 0))
        replay = _replay(desk, program, timed, inputs)
        if not isinstance(replay, _Replay) or not replay.remembers:
            return False
    return True


def _forms(dataset: Dataset) -> tuple[tuple[str, str, tuple[int, ...]], ...]:
    return tuple((slot.name, slot.dtype, slot.shape) for slot in dataset.slots)


def _failed(case: Case, reason: str) -> CaseResult:
    return CaseResult(
        problem=case.problem.key, distribution=case.distribution, seed=case.seed, passed=False, reason=reason,
        guard=Guard.FRESH,
    )  # fmt: skip


_TOGETHER_BYTES = 64 * 2**20
"""Most bytes of results that are waited for together."""
_FRESH_SEED = 3_000_000
_MUCH_LONGER, _CERTAIN_NS, _CONFIRMATIONS = 3.0, 3e5, 3
"""New inputs must take three times as long as known ones, and 0.3 ms longer, each of four times."""


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
    """Run twice from the same start, to catch races."""

    @property
    def count(self) -> int:
        return 2 if self.twice else 1

    @property
    def runs(self) -> tuple[Run, ...]:
        return (Run(self.program, self.prepared.dataset),) * self.count

    @property
    def size_bytes(self) -> int:
        return self.count * self.prepared.payload_bytes


def _outcomes(desk: Desk, workload: Workload, subject: Subject, level: Level) -> Iterator[_Ran | Failure]:
    """Yield what became of each case; nothing is run ahead of who asks, but for the rest of a batch."""
    for batch in _batches(_trials(desk, workload, subject, level)):
        if isinstance(batch, NotApplicable):
            yield batch
        else:
            yield from _judged(desk, workload, batch)


def _trials(desk: Desk, workload: Workload, subject: Subject, level: Level) -> Iterator[_Trial | NotApplicable]:
    """Yield the cases that apply to a configuration; that it does not apply to the problem itself is the whole answer."""
    for asked in workload.cases(level, desk.seed):
        tame = asked.distribution == SPECIAL and subject.spreads(asked.problem)
        case = replace(asked, distribution=NORMAL) if tame else asked
        prepared = workload.prepare(case)
        try:
            planned = subject.plan(case.problem, desk.device)
        except ValueError as reason:
            if case.problem == workload.problem:
                yield NotApplicable(str(reason))
            continue
        if planned is not None:
            # The problem itself is run again by the duel, whose outputs are judged too; small cases are run twice here.
            twice = level == "full" or case.problem != workload.problem
            yield _Trial(prepared, planned.resolved(prepared.scalars), twice)


def _batches(trials: Iterable[_Trial | NotApplicable]) -> Iterator[list[_Trial] | NotApplicable]:
    """Put small cases together: a request costs more than such a run, and results of large ones fill the memory."""
    batch: list[_Trial] = []
    together_bytes = 0
    for trial in trials:
        if isinstance(trial, NotApplicable):
            yield trial
            return
        together_bytes += trial.size_bytes
        if batch and together_bytes > _TOGETHER_BYTES:
            yield batch
            batch, together_bytes = [], trial.size_bytes
        batch.append(trial)
    if batch:
        yield batch


def _judged(desk: Desk, workload: Workload, batch: Sequence[_Trial]) -> Iterator[_Ran | Failure]:
    """Run cases in one request and yield what became of each, up to the first that did not run."""
    answers = iter(desk.engine.execute_all([run for trial in batch for run in trial.runs]))
    for trial in batch:
        ran = []
        for answer in islice(answers, trial.count):
            if not isinstance(answer, Executed):
                yield answer
                return
            ran.append(answer)
        case, inputs, expected = trial.prepared.case, trial.prepared.inputs, trial.prepared.expected
        second = ran[1].arrays if trial.twice else None
        result = judge(workload.kernel, case, inputs, ran[0].arrays, second, expected=expected)
        yield _Ran(result, ran[-1].device_ns)
