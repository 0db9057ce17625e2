"""Which cases a check runs."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from hotloop.app.run import checking
from hotloop.app.run.inputs import chosen
from hotloop.app.run.inputs.prepared import Prepared
from hotloop.model.check import CaseResult, Guard
from hotloop.model.problem import Problem
from hotloop.model.program import Array, Launch, Program
from hotloop.model.record import Record
from hotloop.ports import Executed
from hotloop.verify.cases import Case

SIZES = (100, 1, 7, 33)


def trials(macro, programs, level="quick", language="opencl", turn=0):
    """Return the sizes of the cases that are run, of a kernel whose size is a macro of its source or a value."""
    problems = [Problem("k", Record(n=n)) for n in SIZES]
    every = tuple(Case(problem, "normal", index, 0) for index, problem in enumerate(problems))
    workload = SimpleNamespace(
        problem=problems[0],
        cases=lambda _level, _seed: every,
        prepare=lambda case, sure: Prepared.of(case, {}, None, SimpleNamespace(slots=())),
    )
    launch = Launch("k", (Array("x"),), (1,), (1,))
    subject = SimpleNamespace(
        spreads=lambda _problem: False,
        fingerprint=f"{turn:08x}",
        chosen={},
        plan=lambda problem, _device: Program(language, "source", (f"-DN={problem.n}",) if macro else (), (launch,)),
    )
    desk = SimpleNamespace(seed=1, device=None)
    found = checking._trials(desk, workload, subject, level, programs=programs)
    return [trial.prepared.case.problem.n for trial in found]


@pytest.mark.parametrize(
    ("macro", "programs", "sizes"),
    [(True, chosen.SEARCHED, [100, 1]), (True, None, [*SIZES]), (False, chosen.SEARCHED, [*SIZES])],
)
def test_a_search_compiles_few_programs_for_one_candidate(macro, programs, sizes):
    assert trials(macro, programs) == sizes


@pytest.mark.parametrize(("then", "told"), [(1, ""), (2, "differ from launch to launch"), (None, "")])
def test_a_text_whose_own_results_move_is_told_from_a_wrong_one(then, told):
    trial = checking._Trial(Prepared.of(None, {}, None, SimpleNamespace(slots=())), None, False, "", (), False)
    answers = [Executed({"x": np.full(8, value, np.uint8)}) for value in (1, then) if value is not None]
    desk = SimpleNamespace(engine=SimpleNamespace(execute_all=lambda runs: answers[: len(runs)]))
    wrong = CaseResult(
        problem="k",
        distribution="normal",
        seed=1,
        passed=False,
        reason="x[0]: got 1, expected 2",
        guard=Guard.REFERENCE,
    )
    result = checking._unsteady(desk, trial, wrong)
    assert told in result.reason
    assert result.reason.endswith("x[0]: got 1, expected 2")
    assert (result.guard is Guard.REPEAT) == bool(told)


@pytest.mark.parametrize(("turn", "awkward"), [(0, 1), (1, 7), (2, 33), (3, 1)])
def test_where_numbers_are_compiled_into_programs_candidates_take_turns_with_the_awkward_sizes(turn, awkward):
    assert trials(macro=False, programs=chosen.SEARCHED, language="triton", turn=turn) == [100, awkward]
    assert trials(macro=True, programs=chosen.SEARCHED, turn=turn) == [100, awkward]


class _Asked(Exception):
    """What an engine was asked to run."""


@pytest.mark.parametrize(("kind", "sizes", "begun"), [("gpu", (7, 33), 2), ("gpu", (7, 7), 0), ("cpu", (7, 33), 0)])
def test_programs_of_cases_that_run_together_compile_together_on_a_gpu(kind, sizes, begun):
    asked = []

    class Engine:
        ahead = staticmethod(asked.extend)
        warm = staticmethod(asked.append)

        def execute_all(self, runs):
            raise _Asked

    launch = Launch("k", (Array("x"),), (1,), (1,))
    batch = [
        SimpleNamespace(program=(made := Program("cuda", "source", (f"-DN={size}",), (launch,))), runs=(made,))
        for size in sizes
    ]
    desk = SimpleNamespace(engine=Engine(), device=SimpleNamespace(kind=kind))
    with pytest.raises(_Asked):
        checking._executed(desk, batch)
    assert len(asked) == begun
