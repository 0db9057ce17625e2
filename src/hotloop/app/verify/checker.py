"""The use case `verify-checker`: plant bugs in kernels that are right, and see which of them the check finds.

Without a kernel the catalogue is run, through the same functions that the loop uses: the quick check of every candidate,
the check of what timed calls computed, the full check of a winner. With a kernel of the user's, generic mutations show
what its reference, tolerance and awkward problems would let pass. Both end with what they have when a budget is used up.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from typing import TYPE_CHECKING, cast

import numpy as np

from hotloop import registry
from hotloop.app import spec as specs
from hotloop.app import userfile
from hotloop.app.events import Counted, Listener, Notice, Stage
from hotloop.app.run import checking, timing
from hotloop.app.run.inputs.sizes import scalars
from hotloop.app.run.inputs.workload import Workload
from hotloop.app.session import Options, desk
from hotloop.app.verify.answer import Answer, Clean, Row
from hotloop.errors import UsageError
from hotloop.host import clock
from hotloop.host.clock import SystemClock
from hotloop.model.check import CheckReport, Guard
from hotloop.model.kernel import Empty, Implementation, Kernel, Variant
from hotloop.model.outcome import CompileFailed, Failure, NotApplicable, WrongResult, describe
from hotloop.model.space import Config
from hotloop.model.subject import Subject
from hotloop.ports import Executed, Hurried
from hotloop.verify.cases import Case, cases, declared, draw
from hotloop.verify.catalogue.generic import CORRUPTIONS, Corruption, source_mutants
from hotloop.verify.catalogue.mutant import Mutant, Specimen, planted
from hotloop.verify.distributions import NORMAL
from hotloop.verify.guards import first_change, payload_view
from hotloop.verify.judge import judge

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hotloop.app.desk import Desk
    from hotloop.app.run.inputs.prepared import Prepared
    from hotloop.app.spec import Spec
    from hotloop.model.kernel import Inputs, Outputs
    from hotloop.model.problem import Problem
    from hotloop.model.program import Program
    from hotloop.ports import Dataset, Engine

SPECIMENS = "hotloop.verify.catalogue.specimens"
PLAIN_TOLERANCE = 1e-2
"""Relative tolerance of the plain comparison beside which the check is shown, as benchmarks of kernels use it."""

_LEAST_LIMIT_S, _LIMIT_SHARE = 3.0, 0.1
"""For compiling or running a mutant, in s; more where the kernel itself needed more for its whole check, up to a share of the budget."""
_KEPT_BYTES = 64 * 2**20
"""Of results of the clean kernel, which all corruptions of results share."""


class _Shelf:
    """Datasets of one workload under names of its own: workloads of one engine must not share buffers."""

    def __init__(self, engine: Engine, prefix: str) -> None:
        self._engine = engine
        self._prefix = prefix

    def dataset(self, name: str, inputs: Mapping[str, object], outputs: Sequence[str], poison: int = 0) -> Dataset:
        return self._engine.dataset(self._prefix + name, cast("Mapping[str, float]", inputs), outputs, poison)


@dataclass(slots=True)
class _Stand:
    """One kernel at a desk, with a workload for each problem."""

    desk: Desk
    name: str
    kernel: Kernel
    workloads: dict[Problem, Workload] = field(default_factory=dict)
    _plain: dict[Problem, tuple[Inputs, Outputs]] = field(default_factory=dict)

    def workload(self, problem: Problem) -> Workload:
        if problem not in self.workloads:
            shelf = cast("Engine", _Shelf(self.desk.engine, f"{self.name}.{len(self.workloads)}."))
            self.workloads[problem] = Workload(shelf, self.kernel, problem, self.desk.device, self.desk.seed)
        return self.workloads[problem]

    def plain(self, problem: Problem) -> tuple[Inputs, Outputs]:
        """Return inputs of a problem and what is expected of them; outputs start as zeros, as in many scripts."""
        if problem not in self._plain:
            inputs = draw(self.kernel, Case(problem, NORMAL, self.desk.seed, 0))
            zeroed = {k: np.zeros(v.shape, v.dtype) if isinstance(v, Empty) else v for k, v in inputs.items()}
            with np.errstate(all="ignore"):
                self._plain[problem] = zeroed, self.kernel.reference(problem, inputs)
        return self._plain[problem]


@dataclass(frozen=True, slots=True)
class _Found:
    answer: CheckReport | Failure
    stage: str
    inputs: int


@dataclass(slots=True)
class _Round:
    """What is to be run, by name, until the budget is used up."""

    names: Sequence[str]
    budget_s: float
    began_s: float
    done: int = 0
    unrun: list[str] = field(default_factory=list)
    longest_s: float = 0.0
    """What the longest of them took: the next one must end in time, too."""
    _latest_s: float | None = None  # when the latest one began

    def goes_on(self, made: Desk) -> bool:
        """Count the next one; tell whether there is time for it."""
        name, self.done = self.names[self.done], self.done + 1
        now_s = made.clock.monotonic_s()
        self.longest_s = max(self.longest_s, now_s - (now_s if self._latest_s is None else self._latest_s))
        self._latest_s = None
        if now_s + self.longest_s - self.began_s >= self.budget_s:
            self.unrun.append(name)
            return False
        self._latest_s = now_s
        made.tell(Counted(self.done - 1, len(self.names), f"done, now {name}"))
        return True


def catalogue(options: Options, listener: Listener, only: Sequence[str] = (), budget_s: float = inf) -> Answer:
    """Check every mutant of the catalogue, or of the named specimens, as many as the budget allows.

    Raises:
        UnknownNameError: no such specimen.
        NoDeviceError: no OpenCL device works.
    """
    rows: list[Row] = []
    clean: list[Clean] = []
    skipped: list[str] = []
    device = ""
    specimens: dict[str, Specimen] = {
        n: registry.load(SPECIMENS, n, "SPECIMEN") for n in only or registry.names(SPECIMENS)
    }
    names = [row for name, specimen in specimens.items() for row in _names(name, specimen)]
    turn = _Round(names, budget_s, SystemClock().monotonic_s())
    for name, specimen in specimens.items():
        chosen = Options(
            device=options.device if specimen.language == "opencl" else "",
            language=specimen.language, limit_s=options.limit_s, seed=options.seed,
        )  # fmt: skip
        with desk(chosen, listener) as made:
            made.tell(Stage(f"{name}: {len(specimen.mutants)} mutants"))
            device = made.device.key if specimen.language == "opencl" or not device else device
            stand = _Stand(made, name, _kernel(specimen))
            if turn.goes_on(made):
                clean += _cleans(stand, specimen)
            for mutant in filter(lambda _: turn.goes_on(made), specimen.mutants):
                shown = _mutant(stand, specimen, mutant)
                if isinstance(shown, Row):
                    rows.append(shown)
                else:
                    skipped.append(f"{specimen.name}/{mutant.name}: {shown.reason}")
    return Answer(device, tuple(rows), tuple(clean), tuple(skipped), tuple(turn.unrun))


def _names(name: str, specimen: Specimen) -> list[str]:
    return [f"{name} without a bug", *(f"{name}/{mutant.name}" for mutant in specimen.mutants)]


def _cleans(stand: _Stand, specimen: Specimen) -> Iterator[Clean]:
    """Verify the clean kernel in every configuration and on every problem that a mutant uses, the main one fully."""
    implementation = stand.kernel.implementation()
    setups = dict.fromkeys(
        (_problem(stand, specimen, m), _config(implementation, specimen, m)) for m in specimen.mutants
    )
    for problem, config in setups:
        asked = stand.kernel.problem.replace(**specimen.sizes)
        main = problem == asked and config == (specimen.config or implementation.start)
        report = _check(stand, problem, Variant(implementation, config), full=main)
        reason = "" if isinstance(report.answer, CheckReport | NotApplicable) else describe(report.answer)
        yield Clean(specimen.name, problem.key, str(config), reason)


def _mutant(stand: _Stand, specimen: Specimen, mutant: Mutant) -> Row | NotApplicable:
    if mutant.runtime and mutant.runtime != stand.desk.device.runtime_key:
        return NotApplicable(f"{mutant.runtime} only; other runtimes run work-items in an order that hides it")
    implementation = planted(stand.kernel.implementation(), mutant)
    variant = Variant(implementation, _config(implementation, specimen, mutant))
    problem = _problem(stand, specimen, mutant)
    report = _check(stand, problem, variant)
    if isinstance(report.answer, NotApplicable):
        return report.answer
    if isinstance(report.answer, CompileFailed):
        name = f"{specimen.name}/{mutant.name}"
        raise UsageError(f"mutant {name} does not compile, so it proves nothing: {describe(report.answer)}.")
    return _row(specimen.name, mutant, report, allclose=_plain(stand, problem, variant))


def _kernel(specimen: Specimen) -> Kernel:
    """Return the specimen's kernel with the implementation that it is about as its first."""
    kernel = specimen.kernel or userfile.find(specimen.family or specimen.name)
    return replace(kernel, implementations=(kernel.implementation(specimen.implementation or None),))


def _problem(stand: _Stand, specimen: Specimen, mutant: Mutant) -> Problem:
    return stand.kernel.problem.replace(**specimen.sizes).replace(**mutant.sizes)


def _config(implementation: Implementation, specimen: Specimen, mutant: Mutant) -> Config:
    return mutant.config or specimen.config or implementation.start


def _row(specimen: str, mutant: Mutant, found: _Found, *, allclose: bool | None) -> Row:
    passed = isinstance(found.answer, CheckReport)
    return Row(
        specimen=specimen,
        mutant=mutant.name,
        kind=mutant.kind,
        bug=mutant.bug,
        guard="" if passed else guard(cast("Failure", found.answer)),
        stage="" if passed else found.stage,
        inputs=found.inputs,
        reason=found.answer.summary if isinstance(found.answer, CheckReport) else describe(found.answer),
        allclose=allclose,
    )


def _check(stand: _Stand, problem: Problem, variant: Variant, *, timed: bool = True, full: bool = True) -> _Found:
    """Do what the loop does to a candidate that wins: quick check, check of timed calls, full check."""
    workload = stand.workload(problem)
    subject = Subject.of(variant, workload.problem, workload.device)
    quick = checking.check(stand.desk, workload, subject, "quick")
    ran = _count(quick.answer)
    if quick.report is None:
        return _Found(quick.answer, "quick", ran)
    if timed:
        measured = timing.measure(stand.desk, workload, workload.program(variant), 1)
        ran += 2  # the timed inputs, and new ones in their place
        if not isinstance(measured, timing.Alone):
            return _Found(measured, "timed", ran)
    if not full:
        return _Found(quick.answer, "quick", ran)
    thorough = checking.check(stand.desk, workload, subject, "full")
    return _Found(thorough.answer, "full", ran + _count(thorough.answer))


def _count(answer: CheckReport | Failure) -> int:
    report = answer.check if isinstance(answer, WrongResult) else answer
    return len(report.cases) if isinstance(report, CheckReport) else 1


def guard(failure: Failure) -> str:
    """Return which guard a failure comes from, in two or three words."""
    if not isinstance(failure, WrongResult):
        return f"isolation ({type(failure).__name__})"
    case = next(case for case in failure.check.cases if not case.passed)
    if case.guard in (None, Guard.REFERENCE):
        return f"reference, {case.distribution} inputs"
    return str(case.guard)


def _plain(stand: _Stand, problem: Problem, variant: Variant) -> bool:
    """Tell whether ``allclose`` on one input of the problem sees the bug."""
    zeroed, expected = stand.plain(problem)
    try:
        program = variant.program(problem, stand.desk.device).resolved(scalars(zeroed))
    except ValueError:
        return True
    dataset = stand.desk.engine.dataset(f"{stand.name}.plain", zeroed, tuple(expected))
    ran = stand.desk.engine.execute(program, dataset)
    stand.desk.engine.discard(dataset)
    if not isinstance(ran, Executed):
        return True
    return not all(_close(ran, name, zeroed[name], value) for name, value in expected.items())


def _close(
    ran: Executed, name: str, target: object, expected: np.ndarray[tuple[int, ...], np.dtype[np.generic]]
) -> bool:
    assert isinstance(target, np.ndarray)
    actual = payload_view(ran.arrays[name], target.dtype, target.shape)
    with np.errstate(all="ignore"):
        return bool(np.allclose(actual.astype(np.float64), expected, rtol=PLAIN_TOLERANCE))


# --- a user's kernel -------------------------------------------------------------------------------------------------


def own(
    spec: Spec, problem: Problem, options: Options, listener: Listener, most: int = 60, budget_s: float = inf
) -> Answer:
    """Mutate a user's kernel and the results of it, and see what its own check finds; first it must pass itself.

    The budget counts from the start of the command, where this process is for one.

    Raises:
        UsageError: the kernel as it is does not pass, so mutants would prove nothing.
    """
    command_s = clock.command_s()
    began_s = SystemClock().monotonic_s() if command_s is None else command_s
    with desk(options.running(spec.chosen), listener) as made:
        opened_s = made.clock.monotonic_s()
        with specs.opened(options, spec) as store:
            variant = spec.variant(problem, made.device, store, options)
        stand = _Stand(made, "own", spec.kernel)
        made.tell(Stage("verifying the kernel as it is"))
        report = _check(stand, problem, variant, timed=False)
        if not isinstance(report.answer, CheckReport):
            raise UsageError(f"{spec.text} does not pass its own check: {describe(report.answer)}; mend it first.")
        if isinstance(made.engine, Hurried):  # a loop that a mutant never leaves is a bug that shows
            whole_s = made.clock.monotonic_s() - opened_s
            made.engine.hurry(max(_LEAST_LIMIT_S, min(whole_s, budget_s * _LIMIT_SHARE)))
        mutants = source_mutants(variant.program(problem, made.device).source, most)
        names = [
            *(f"result: {corruption.bug}" for corruption in CORRUPTIONS),
            *(f"source, {mutant.name}" for mutant in mutants),
        ]
        turn = _Round(names, budget_s, began_s)
        made.tell(Stage(f"{len(CORRUPTIONS)} mutants of the results"))
        possible, results = filter(lambda _: turn.goes_on(made), CORRUPTIONS), _Results(stand, variant)
        rows = [row for corruption in possible if (row := _corrupted(results, problem, corruption))]
        made.tell(Stage(f"{len(mutants)} mutants of the source"))
        for mutant in filter(lambda _: turn.goes_on(made), mutants):
            bad = Variant(planted(variant.implementation, mutant), variant.config)
            outcome = _check(stand, problem, bad, timed=False)
            if isinstance(outcome.answer, CompileFailed | NotApplicable):
                made.tell(Notice(f"{mutant.name}: does not compile, left out"))
                continue
            rows.append(_row("source", mutant, outcome, allclose=None))
        clean = (Clean("own", problem.key, variant.label, ""),)
        return Answer(made.device.key, tuple(rows), clean, unrun=tuple(turn.unrun))


@dataclass(slots=True)
class _Results:
    """Results of the clean kernel by case, run once for all corruptions."""

    stand: _Stand
    variant: Variant
    _kept: dict[Case, tuple[Prepared, Mapping[str, NDArray[np.uint8]]] | None] = field(default_factory=dict)
    _kept_bytes: int = 0

    def of(self, case: Case) -> tuple[Prepared, Mapping[str, NDArray[np.uint8]]] | None:
        """Return what was prepared, and the arrays after a run; None where the case does not run."""
        if case in self._kept:
            return self._kept[case]
        ran = self._run(case)
        size_bytes = sum(array.nbytes for array in ran[1].values()) if ran else 0
        if self._kept_bytes + size_bytes <= _KEPT_BYTES:
            self._kept_bytes += size_bytes
            self._kept[case] = ran
        return ran

    def _run(self, case: Case) -> tuple[Prepared, Mapping[str, NDArray[np.uint8]]] | None:
        stand = self.stand
        home = case.problem if case.problem in stand.workloads else next(iter(stand.workloads))
        prepared = stand.workload(home).prepare(case)
        try:
            program: Program = self.variant.program(case.problem, stand.desk.device).resolved(prepared.scalars)
        except ValueError:
            return None
        ran = stand.desk.engine.execute(program, prepared.dataset)
        return (
            (prepared, {name: array.copy() for name, array in ran.arrays.items()})
            if isinstance(ran, Executed)
            else None
        )


def _corrupted(results: _Results, problem: Problem, corruption: Corruption) -> Row | None:
    """Judge corrupted results of the clean kernel on the cases of the full check; None where it changes no result."""
    mutant = Mutant(name="result", kind="result", bug=corruption.bug)
    ran = 0
    for case in declared(cases(results.stand.kernel, problem, "full", results.stand.desk.seed)):
        answer = _judged(results, case, corruption)
        ran += answer is not None
        if answer is not None and not answer.passed:
            return _row("result", mutant, _Found(WrongResult(answer), "full", ran), allclose=None)
    return _row("result", mutant, _Found(CheckReport(()), "", ran), allclose=None) if ran else None


def _judged(results: _Results, case: Case, corruption: Corruption) -> CheckReport | None:
    result = results.of(case)
    if result is None:
        return None
    prepared, before = result
    arrays = dict(before)
    for name in prepared.expected.outputs:
        value = prepared.inputs[name]
        assert isinstance(value, np.ndarray | Empty)
        arrays[name] = before[name].copy()
        with np.errstate(all="ignore"):
            corruption.change(payload_view(arrays[name], value.dtype, value.shape))
    if all(first_change(before[name], arrays[name]) is None for name in prepared.expected.outputs):
        return None
    return CheckReport((judge(results.stand.kernel, case, prepared.inputs, arrays, expected=prepared.expected),))
