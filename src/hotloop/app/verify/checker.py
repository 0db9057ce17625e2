"""The use case `verify-checker`: plant bugs in kernels that are right, and see which of them the check finds.

Without a kernel the catalogue is run, through the same functions that the loop uses: the quick check of every candidate,
the check of what timed calls computed, the full check of a winner. It ends with what it has when a budget is used up. A user's
kernel is mutated in `hotloop.app.verify.mutated`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from typing import TYPE_CHECKING, cast

import numpy as np

from hotloop import registry
from hotloop.app import userfile
from hotloop.app.events import Counted, Listener, Stage
from hotloop.app.run import checking, timing
from hotloop.app.run.inputs.sizes import scalars
from hotloop.app.run.inputs.workload import Workload
from hotloop.app.session import Options, desk
from hotloop.app.verify.answer import Answer, Clean, Row
from hotloop.errors import UsageError
from hotloop.host.clock import SystemClock
from hotloop.model.check import CheckReport, Guard
from hotloop.model.kernel import Empty, Implementation, Kernel, Variant
from hotloop.model.outcome import CompileFailed, Failure, NotApplicable, WrongResult, describe
from hotloop.model.space import Config
from hotloop.model.subject import Subject
from hotloop.ports import Executed
from hotloop.verify.cases import Case, draw
from hotloop.verify.catalogue.mutant import Mutant, Specimen, planted
from hotloop.verify.distributions import NORMAL
from hotloop.verify.guards import payload_view

if TYPE_CHECKING:
    from hotloop.app.desk import Desk
    from hotloop.model.kernel import Inputs, Outputs
    from hotloop.model.problem import Problem
    from hotloop.ports import Dataset, Engine

SPECIMENS = "hotloop.verify.catalogue.specimens"
PLAIN_TOLERANCE = 1e-2
"""Relative tolerance of the plain comparison beside which the check is shown, as benchmarks of kernels use it."""


class _Shelf:
    """Datasets of one workload under names of its own: workloads of one engine must not share buffers."""

    def __init__(self, engine: Engine, prefix: str) -> None:
        self._engine = engine
        self._prefix = prefix

    def dataset(self, name: str, inputs: Mapping[str, object], outputs: Sequence[str], poison: int = 0) -> Dataset:
        return self._engine.dataset(self._prefix + name, cast("Mapping[str, float]", inputs), outputs, poison)


@dataclass(slots=True)
class Stand:
    """One kernel at a desk, with a workload for each problem."""

    desk: Desk
    name: str
    kernel: Kernel
    workloads: dict[Problem, Workload] = field(default_factory=dict)
    _plain: dict[Problem, tuple[Inputs, Outputs]] = field(default_factory=dict)

    def workload(self, problem: Problem) -> Workload:
        """Return the inputs and references of a problem, made once."""
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
class Found:
    """What a check says of a mutant, at which stage, after how many inputs."""

    answer: CheckReport | Failure
    stage: str
    inputs: int


@dataclass(slots=True)
class Turns:
    """What is to be run, by name, until the budget is used up."""

    names: Sequence[str]
    budget_s: float
    began_s: float
    done: int = 0
    unrun: list[str] = field(default_factory=list)
    longest_s: float = 0.0
    """Time in s of the longest one so far; the next one is begun only if such a time is left."""
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
    turn = Turns(names, budget_s, SystemClock().monotonic_s())
    for name, specimen in specimens.items():
        chosen = Options(
            device=options.device if specimen.language == "opencl" else "",
            language=specimen.language, limit_s=options.limit_s, seed=options.seed,
        )  # fmt: skip
        with desk(chosen, listener) as made:
            made.tell(Stage(f"{name}: {len(specimen.mutants)} mutants"))
            device = made.device.key if specimen.language == "opencl" or not device else device
            stand = Stand(made, name, _kernel(specimen))
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


def _cleans(stand: Stand, specimen: Specimen) -> Iterator[Clean]:
    """Verify the clean kernel in every configuration and on every problem that a mutant uses, the main one fully."""
    implementation = stand.kernel.implementation()
    setups = dict.fromkeys(
        (_problem(stand, specimen, m), _config(implementation, specimen, m)) for m in specimen.mutants
    )
    for problem, config in setups:
        asked = stand.kernel.problem.replace(**specimen.sizes)
        main = problem == asked and config == (specimen.config or implementation.start)
        report = checked(stand, problem, Variant(implementation, config), full=main)
        reason = "" if isinstance(report.answer, CheckReport | NotApplicable) else describe(report.answer)
        yield Clean(specimen.name, problem.key, str(config), reason)


def _mutant(stand: Stand, specimen: Specimen, mutant: Mutant) -> Row | NotApplicable:
    if mutant.runtime and mutant.runtime != stand.desk.device.runtime_key:
        return NotApplicable(f"{mutant.runtime} only; other runtimes run work-items in an order that hides it")
    implementation = planted(stand.kernel.implementation(), mutant)
    variant = Variant(implementation, _config(implementation, specimen, mutant))
    problem = _problem(stand, specimen, mutant)
    report = checked(stand, problem, variant)
    if isinstance(report.answer, NotApplicable):
        return report.answer
    if isinstance(report.answer, CompileFailed):
        name = f"{specimen.name}/{mutant.name}"
        raise UsageError(f"mutant {name} does not compile, so it proves nothing: {describe(report.answer)}.")
    return row_of(specimen.name, mutant, report, allclose=_plain(stand, problem, variant))


def _kernel(specimen: Specimen) -> Kernel:
    """Return the specimen's kernel with the implementation that it is about as its first."""
    kernel = specimen.kernel or userfile.find(specimen.family or specimen.name)
    return replace(kernel, implementations=(kernel.implementation(specimen.implementation or None),))


def _problem(stand: Stand, specimen: Specimen, mutant: Mutant) -> Problem:
    return stand.kernel.problem.replace(**specimen.sizes).replace(**mutant.sizes)


def _config(implementation: Implementation, specimen: Specimen, mutant: Mutant) -> Config:
    return mutant.config or specimen.config or implementation.start


def row_of(specimen: str, mutant: Mutant, found: Found, *, allclose: bool | None) -> Row:
    """Return the line that is told of a mutant."""
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


def checked(stand: Stand, problem: Problem, variant: Variant, *, timed: bool = True, full: bool = True) -> Found:
    """Do what the loop does to a candidate that wins: quick check, check of timed calls, full check."""
    workload = stand.workload(problem)
    subject = Subject.of(variant, workload.problem, workload.device)
    quick = checking.check(stand.desk, workload, subject, "quick")
    ran = counted(quick.answer)
    if quick.report is None:
        return Found(quick.answer, "quick", ran)
    if timed:
        measured = timing.measure(stand.desk, workload, workload.program(variant), 1)
        ran += 2  # the timed inputs, and new ones in their place
        if not isinstance(measured, timing.Alone):
            return Found(measured, "timed", ran)
    if not full:
        return Found(quick.answer, "quick", ran)
    thorough = checking.check(stand.desk, workload, subject, "full")
    return Found(thorough.answer, "full", ran + counted(thorough.answer))


def counted(answer: CheckReport | Failure) -> int:
    """Return how many inputs an answer is of."""
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


def _plain(stand: Stand, problem: Problem, variant: Variant) -> bool:
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
