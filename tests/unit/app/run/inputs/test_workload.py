from dataclasses import replace
from time import sleep

import numpy as np
import pytest

from hotloop.app.patience import LateError
from hotloop.app.run.inputs.workload import Workload
from hotloop.backends.null import DEVICE
from hotloop.errors import BadShapeError, KernelFileError
from hotloop.model.kernel import Empty, Implementation, Kernel, Variant
from hotloop.model.problem import Problem, Work
from hotloop.model.program import Program
from hotloop.model.record import Record
from hotloop.model.space import Config, Space
from hotloop.ports import Dataset
from hotloop.verify.cases import Case

KERNEL = Kernel(
    family="sum",
    problem=Problem("sum", Record(n=4)),
    inputs=lambda p, rng: {"x": np.ones(4, np.float32)},
    reference=lambda p, i: {},
    work=lambda p: Work(1, 1),
    implementations=(Implementation("null", "null", Space(()), Config(), lambda p, c, d: Program("null", "")),),
    origin="sum.py",
)


class NoEngine:
    """Fails when a dataset is asked for: what is tested ends before that."""


def workload(**changes):
    kernel = replace(KERNEL, **changes)
    return Workload(NoEngine(), kernel, kernel.problem, DEVICE)


def test_shapes_that_cannot_fit_are_told_before_inputs_are_drawn():
    drawn = []
    made = workload(work=lambda p: Work(1, 1e18), inputs=lambda p, rng: drawn.append(p))
    with pytest.raises(BadShapeError, match=r"sum\.py\): n=4 does not fit in memory; choose a smaller shape"):
        made.sets()
    assert drawn == []


def test_planning_may_run_out_of_memory_too():
    """A program's arguments are learned from inputs that are drawn for nothing else."""

    def plan(problem, config, device):
        return np.ones(1 << 50, np.float64)

    made = workload()
    variant = Variant(Implementation("null", "null", Space(()), Config(), plan), Config())
    with pytest.raises(BadShapeError, match="n=4 does not fit in memory"):
        made.planned(variant, made.problem)


def test_a_work_that_never_ends_is_told_at_once():
    def work(problem):
        raise LateError("work of kernel sum did not end.")

    with pytest.raises(LateError, match="did not end"):
        workload(work=work).sets()


def test_a_work_that_raises_is_left_to_those_who_need_it():
    def work(problem):
        raise KernelFileError("work of kernel sum raises.")

    with pytest.raises(KernelFileError, match="must return a dict"):
        workload(work=work, inputs=lambda p, rng: {}).sets()


def test_linear_names_inputs():
    with pytest.raises(
        KernelFileError, match="linear of kernel sum names q, which inputs does not return; it returns x"
    ):
        workload(linear=("x", "q")).sets()


def test_domain_names_inputs_or_sizes():
    with pytest.raises(KernelFileError, match="domain of sum names q, which is no size, and inputs does not return it"):
        workload(domain={"x": "positive", "q": "sorted"}).sets()


def test_a_sentence_of_the_reference_itself_is_told_without_words_around_it():
    def reference(problem, inputs):
        raise KernelFileError("reference of kernel sum did not end within 1 s.")

    made = workload(reference=reference)
    with pytest.raises(KernelFileError, match=r"^reference of kernel sum did not end within 1 s\.$"):
        made.prepare(made.cases("quick", 1)[0])


def test_a_run_without_time_makes_no_large_cases_that_nobody_asked_for():
    made, drawn = workload(work=lambda p: Work(1, 2.0**18 * p.integer("n"))), []
    made.kernel = replace(made.kernel, inputs=lambda p, rng: drawn.append(p.integer("n")) or {})
    made.patience_s = -1.0
    for n in (100, 2):
        made.attempt(Case(made.problem.replace(n=n), "normal", 1, 0, added=True))
    assert drawn == [2]
    made.patience_s = 9.0
    made.attempt(Case(made.problem.replace(n=100), "normal", 2, 0, added=True))
    assert drawn[-1] == 100


class Shelf:
    """Lays out nothing, and counts."""

    witness = None

    def __init__(self):
        self.laid = []

    def dataset(self, name, inputs, outputs, poison=0):
        self.laid.append(name)
        return Dataset(name, ())


@pytest.mark.parametrize("launched", [True, False])
def test_a_reference_that_is_a_launch_serves_the_timed_calls_and_the_first_case(launched):
    asked = []

    def reference(problem, arrays):
        asked.append(problem.key)
        return {"y": 2 * arrays["x"]}

    def inputs(problem, rng):
        return {"x": rng.standard_normal(4).astype("f4"), "y": Empty((4,))}

    kernel = replace(KERNEL, launched=launched, reference=reference, inputs=inputs)
    made = Workload(Shelf(), kernel, kernel.problem, DEVICE)
    first = made.cases("quick", made.seed)[0]
    made.sets()
    assert made.prepared(first) is launched  # what is estimated of the end knows it
    prepared = made.prepare(first)
    assert (prepared.dataset is made.timed().dataset) is launched
    assert made.prepare(first, sure=True).expected.scales is None
    assert len(asked) == (1 if launched else 2)
    assert set(made.preparing_s()) == {kernel.problem}


def test_what_a_reference_takes_is_counted_without_the_time_that_others_have():
    """Else a busy machine would leave out long sizes; 0.2 s stand for what others take, of which nothing is computed."""

    def reference(problem, arrays):
        sleep(0.2)
        return {"x": arrays["x"]}

    made = workload(reference=reference)
    cpu, card = (replace(made, device=replace(DEVICE, kind=kind)) for kind in ("cpu", "gpu"))
    took_s, alone_s = (one._asking_s(Case(made.problem, "normal", 1, 0)) for one in (card, cpu))
    assert alone_s < 0.2 <= took_s


def test_references_of_content_that_others_have_met_are_computed_once():
    """Whoever is called faster is judged on up to 96 contents: computing their references took half of the time of such a look."""
    asked = []

    def reference(problem, arrays):
        asked.append(problem.key)
        return {"y": 2 * arrays["x"]}

    def inputs(problem, rng):
        return {"x": rng.standard_normal(4).astype("f4"), "y": Empty((4,))}

    kernel = replace(KERNEL, reference=reference, inputs=inputs)
    made = Workload(Shelf(), kernel, kernel.problem, DEVICE)
    made.sets()
    asked.clear()
    for who in ("one", "another"):
        for content in made.fresh(who, 40):
            made.expected_of(content)
    assert len(asked) == 40
