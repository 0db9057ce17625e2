"""The use case `verify-checker FILE`: what a user's reference, tolerance, inputs and awkward problems would let pass.

Generic mutations of results and of the source meet the file's own check. Most bugs show in the quick check, which takes a tenth of
the full one; so all mutants meet that first, and those that pass meet the full one in what is left of a budget.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import TYPE_CHECKING

import numpy as np

from hotloop.app import spec as specs
from hotloop.app.events import Listener, Notice, Stage
from hotloop.app.run import checking
from hotloop.app.session import Options, desk
from hotloop.app.verify.answer import Answer, Clean, Row
from hotloop.app.verify.checker import Found, Stand, Turns, counted, row_of
from hotloop.errors import UsageError
from hotloop.host import clock
from hotloop.host.clock import SystemClock
from hotloop.model.check import CheckReport
from hotloop.model.kernel import Empty, Variant
from hotloop.model.outcome import CompileFailed, Failure, NotApplicable, TimedOut, WrongResult, describe
from hotloop.model.subject import Subject
from hotloop.ports import Executed, Hurried
from hotloop.verify.cases import Case, Level, cases, declared
from hotloop.verify.catalogue.generic import CORRUPTIONS, Corruption, source_mutants
from hotloop.verify.catalogue.mutant import Mutant, planted
from hotloop.verify.guards import first_change, payload_view
from hotloop.verify.judge import judge

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hotloop.app.run.inputs.prepared import Prepared
    from hotloop.app.spec import Spec
    from hotloop.model.problem import Problem
    from hotloop.model.program import Program

_LEAST_LIMIT_S, _LIMIT_SHARE = 3.0, 0.1
"""For compiling or running a mutant, in s; more where the kernel itself needed more for its whole check, up to a share of the budget."""
_FULL = 10.0
"""About how many quick checks a full one takes."""
WHOLE = "the kernel as it is, in the full check"
_KEPT_BYTES = 64 * 2**20
"""Largest size in bytes of results of the clean kernel that are kept, for all corruptions of results."""


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
        with specs.opened(options, spec) as store:
            variant = spec.variant(problem, made.device, store, options)
        planting = _Planting(Stand(made, "own", spec.kernel), problem, variant, budget_s, began_s)
        planting.passes(spec.text)
        rows = [*planting.results(), *planting.sources(spec.text, most)]
        clean = (Clean("own", problem.key, variant.label, ""),) if planting.whole_s else ()
        return Answer(made.device.key, tuple(rows), clean, unrun=tuple(planting.unrun))


@dataclass(slots=True)
class _Planting:
    """Mutants of one kernel, until a budget is used up."""

    stand: Stand
    problem: Problem
    variant: Variant
    budget_s: float
    began_s: float
    quick_s: float = 0.0
    """Time in s of the quick check of the unchanged kernel."""
    whole_s: float = 0.0
    """Time in s of the full check of the unchanged kernel, which is about that of a mutant that passes; 0.0: it was not reached."""
    unrun: list[str] = field(default_factory=list)

    def passes(self, name: str) -> None:
        """Check the kernel as it is, quickly, and lower the limits of what follows. Raises UsageError where it is refused."""
        desk = self.stand.desk
        desk.tell(Stage("verifying the kernel as it is"))
        opened_s = desk.clock.monotonic_s()
        _mended(name, self._answer(self.variant, "quick"))
        self.quick_s = desk.clock.monotonic_s() - opened_s
        if isinstance(desk.engine, Hurried):  # a loop that a mutant never leaves is a bug that shows
            desk.engine.hurry(max(_LEAST_LIMIT_S, min(_FULL * self.quick_s, self.budget_s * _LIMIT_SHARE)))

    def _whole(self, name: str) -> None:
        """Check the kernel as it is in full, if there is time. Raises UsageError where it is refused."""
        desk, began_s = self.stand.desk, self.stand.desk.clock.monotonic_s()
        if not self._turns([WHOLE], _FULL * self.quick_s).goes_on(desk):
            return
        answer = self._answer(self.variant, "full")
        if isinstance(answer, TimedOut):  # by the limits that are meant for mutants
            self.unrun.append(WHOLE)
            return
        _mended(name, answer)
        self.whole_s = desk.clock.monotonic_s() - began_s

    def results(self) -> list[Row]:
        """Return what becomes of corrupted results."""
        self.stand.desk.tell(Stage(f"{len(CORRUPTIONS)} mutants of the results"))
        turn, results = (
            self._turns([f"result: {corruption.bug}" for corruption in CORRUPTIONS]),
            _Results(self.stand, self.variant),
        )
        possible = (corruption for corruption in CORRUPTIONS if turn.goes_on(self.stand.desk))
        return [row for corruption in possible if (row := _corrupted(results, self.problem, corruption))]

    def sources(self, name: str, most: int) -> list[Row]:
        """Return what becomes of mutants of the source: of all in the quick check first, then of those that pass it in the full one.

        Between the two the kernel as it is meets the full one, which takes as long as many quick ones. Raises UsageError where it fails.
        """
        mutants = source_mutants(self.variant.program(self.problem, self.stand.desk.device).source, most)
        self.stand.desk.tell(Stage(f"{len(mutants)} mutants of the source"))
        rows, passed = list[Row](), list[Mutant]()
        for mutant in self._reached(mutants, 0.0):
            checked = self._checked(mutant, "quick")
            if isinstance(checked.answer, CompileFailed | NotApplicable):
                self.stand.desk.tell(Notice(f"{mutant.name}: does not compile, left out"))
            elif isinstance(checked.answer, CheckReport):
                passed.append(mutant)
            else:
                rows.append(row_of("source", mutant, checked, allclose=None))
        self._whole(name)
        self.stand.desk.tell(Stage(f"{len(passed)} of them pass the quick check and meet the full one"))
        for mutant in self._reached(passed, self.whole_s or inf):
            rows.append(row_of("source", mutant, self._checked(mutant, "full"), allclose=None))
        return sorted(rows, key=lambda row: int(row.mutant.removeprefix("line ").partition(":")[0]))

    def _reached(self, mutants: Sequence[Mutant], longest_s: float) -> Iterator[Mutant]:
        turn = self._turns([f"source, {mutant.name}" for mutant in mutants], longest_s)
        return (mutant for mutant in mutants if turn.goes_on(self.stand.desk))

    def _turns(self, names: Sequence[str], longest_s: float = 0.0) -> Turns:
        return Turns(names, self.budget_s, self.began_s, unrun=self.unrun, longest_s=longest_s)

    def _checked(self, mutant: Mutant, level: Level) -> Found:
        answer = self._answer(Variant(planted(self.variant.implementation, mutant), self.variant.config), level)
        return Found(answer, level, counted(answer))

    def _answer(self, variant: Variant, level: Level) -> CheckReport | Failure:
        workload = self.stand.workload(self.problem)
        subject = Subject.of(variant, self.problem, workload.device)
        return checking.check(self.stand.desk, workload, subject, level).answer


def _mended(name: str, answer: CheckReport | Failure) -> None:
    if not isinstance(answer, CheckReport):
        raise UsageError(f"{name} does not pass its own check: {describe(answer)}; mend it first.")


@dataclass(slots=True)
class _Results:
    """Results of the clean kernel by case, run once for all corruptions."""

    stand: Stand
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
            return row_of("result", mutant, Found(WrongResult(answer), "full", ran), allclose=None)
    return row_of("result", mutant, Found(CheckReport(()), "", ran), allclose=None) if ran else None


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
