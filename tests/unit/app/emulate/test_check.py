"""Which cases a check runs on the executor, and what of them says nothing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from hotloop.app.emulate import judged
from hotloop.app.emulate.check import _affordable
from hotloop.emulate.answer import Answer
from hotloop.model.kernel import Empty, Kernel
from hotloop.model.problem import Problem, Work
from hotloop.model.record import Record
from hotloop.verify.cases import Case, cases, tamed
from hotloop.verify.distributions import NORMAL, SPECIAL

PROBLEM = Problem("above", Record(n=300))
KERNEL = Kernel(
    family="above",
    problem=PROBLEM,
    inputs=lambda p, rng: {
        "x": rng.standard_normal(p.integer("n")).astype("f4"),
        "y": Empty((p.integer("n"),), "int32"),
        "limit": float(rng.uniform(-1, 1)),
    },
    reference=lambda p, i: {"y": (i["x"] > i["limit"]).astype("i4")},
    work=lambda p: Work(0, 8 * p.integer("n")),
    implementations=(),
    varied=True,
)


def test_kinds_of_input_and_sizes_that_hotloop_chose_are_tried_where_they_are_small():
    every = list(_affordable(KERNEL, cases(KERNEL, PROBLEM)))
    chosen = [case for case in every if case.added]
    assert not every[0].added
    assert {"ties", "constant", "numbers"} <= {case.distribution for case in chosen}
    assert {1, 2, 299, 301, 65601} <= {case.problem.integer("n") for case in chosen}
    assert max(case.problem.integer("n") for case in chosen) < 2**20


def test_small_problems_meet_all_kinds_before_the_asked_one_meets_the_first():
    """The executor takes seconds for a case at the asked size, and there are some of them for all."""
    every = cases(replace(KERNEL, awkward=lambda p: (p.replace(n=5),)), PROBLEM)
    sizes = [case.problem.integer("n") for case in _affordable(KERNEL, every) if case.added]
    assert sizes == sorted(sizes)
    assert sizes.count(5) >= 8


def test_a_time_that_is_used_up_leaves_the_cases_of_the_file(monkeypatch):
    monkeypatch.setattr("hotloop.app.emulate.check._ADDED_S", -1.0)
    assert not any(case.added for case in _affordable(KERNEL, cases(KERNEL, PROBLEM)))


@pytest.mark.parametrize(("compares", "right"), [(np.greater, True), (np.greater_equal, False)])
def test_equal_values_show_a_limit_that_is_off(monkeypatch, compares, right):
    """`execute` stands for the executor: it computes what the kernel does."""
    monkeypatch.setattr(judged, "execute", lambda inputs, how: _answer(_ran(inputs, compares)))
    ties = next(case for case in cases(KERNEL, PROBLEM) if case.distribution == "ties")
    kernel = replace(KERNEL, inputs=lambda p, rng: {**KERNEL.inputs(p, rng), "limit": 0.5})
    answer = judged.attempt(kernel, ties, lambda problem, inputs, pattern: inputs, None)
    assert answer.result.passed == right


def _answer(arrays):
    return Answer(label="", target="", findings=(), executed=0, waves=0, duration_s=0.0, arrays=arrays)


def _ran(inputs, compares):
    return {"x": inputs["x"], "y": compares(inputs["x"], inputs["limit"]).astype("i4")}


def test_inputs_that_the_file_refuses_say_nothing():
    def reference(p, i):
        raise ValueError

    ties = next(case for case in cases(KERNEL, PROBLEM) if case.distribution == "ties")
    assert judged.attempt(replace(KERNEL, reference=reference), ties, None, None) is None


def test_kernels_whose_tiles_spread_infinities_are_checked_without():
    spreads = lambda problem: problem.integer("n") > 5  # noqa: E731
    special, small = (Case(PROBLEM.replace(n=n), SPECIAL, 1, 0) for n in (300, 5))
    assert (tamed(special, spreads).distribution, tamed(small, spreads)) == (NORMAL, small)
