"""References from a device: trusted when they agree with NumPy's, looked at by NumPy where anything is wrong."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from hotloop.app.run.inputs import truth
from hotloop.app.run.inputs.truth import Lent, Truth
from hotloop.model.kernel import Empty, Kernel, Tolerance
from hotloop.model.problem import Problem, Work
from hotloop.model.record import Record
from hotloop.verify.cases import Case, draw
from hotloop.verify.guards import make_banded
from hotloop.verify.judge import judge
from hotloop.verify.oracle import Scales, expect

SIZE = 60


@pytest.fixture(scope="module", params=["", "lies", "dies", "none"])
def witness(request, elsewhere):
    made = elsewhere(request.param)
    yield made, request.param
    made.close()


def reference(problem, arrays):
    wide = arrays["x"].astype("f8")
    return {"y": wide / wide.sum(1, keepdims=True) @ np.abs(wide).T}


def inputs(problem, rng):
    n = problem.integer("n")
    return {"x": 1 + np.abs(rng.standard_normal((n, n))).astype("f4"), "y": Empty((n, n))}


PROBLEM = Problem("products", Record(n=SIZE))
KERNEL = Kernel(
    family="products",
    problem=PROBLEM,
    inputs=inputs,
    reference=reference,
    work=lambda p: Work(flops=1.0, bytes=1.0),
    implementations=(),
    tolerance=Tolerance(terms=lambda p: p.integer("n")),
    awkward=lambda p: (p.replace(n=7), p.replace(n=40)),
)


@pytest.fixture
def made(witness, monkeypatch):
    monkeypatch.setattr(truth, "LARGE", 100)
    return Truth(SimpleNamespace(witness=witness[0]), KERNEL, PROBLEM, 1), witness[1]


def case(made):
    asked = Case(PROBLEM, "normal", 1, 0)
    drawn = draw(KERNEL, asked)
    return asked, drawn, made.expected(PROBLEM, drawn)


def test_a_reference_comes_from_the_device_only_where_it_is_numpys(made):
    subject, device = made
    _, drawn, found = case(subject)

    assert isinstance(found.outputs, Lent) == (device == "")
    np.testing.assert_allclose(found.outputs["y"], expect(KERNEL, PROBLEM, drawn).outputs["y"], rtol=1e-12)
    assert ("not what NumPy computes" in subject.distrusted) == (device == "lies")


@pytest.mark.parametrize("spoilt", [False, True])
def test_a_verdict_is_the_same_wherever_results_are_compared(made, spoilt):
    subject, _ = made
    asked, drawn, found = case(subject)
    result = expect(KERNEL, PROBLEM, drawn).outputs["y"].astype("f4")
    if spoilt:
        result[-1, -1] *= 1.5
    arrays = {"x": make_banded(drawn["x"]), "y": make_banded(result)}
    there = judge(KERNEL, asked, drawn, arrays, expected=found)
    here = judge(KERNEL, asked, drawn, arrays)

    assert there.passed == here.passed != spoilt
    assert there.reason == here.reason
    assert there.guard == here.guard
    assert there.max_err == pytest.approx(here.max_err)
    assert there.worst_ratio == pytest.approx(here.worst_ratio)


def test_what_is_kept_is_numpys_and_compared_here(made):
    subject, _ = made
    _, drawn, found = case(subject)
    sure = subject.sure(PROBLEM, drawn, found) if found.scales else found

    assert sure.scales is None
    assert not isinstance(sure.outputs, Lent)


def test_what_numpy_would_take_minutes_for_stays_and_is_compared_here(made):
    subject, device = made
    _, drawn, found = case(subject)
    subject.host_s = 1e3
    if device == "":
        sure = subject.sure(PROBLEM, drawn, found)
        assert isinstance(sure.outputs, Lent)
        assert sure.scales is None
    subject.host_s, subject.once_s = 1e3, 0.25
    assert subject.usual_s(1.0) == 0.75
    assert subject.usual_s(1.0) == 1.0  # they are asked once
    assert subject.confirming_s == 0.0


def test_once_numpy_has_confirmed_a_reference_of_the_problem_others_come_from_the_device(made):
    subject, device = made
    _, drawn, found = case(subject)
    if device != "":
        assert subject.confirming_s == 0.0
        return
    subject.host_s = 2.0
    assert subject.confirming_s == 2.0
    sure = subject.sure(PROBLEM, drawn, found)
    assert not isinstance(sure.outputs, Lent)
    assert subject.confirming_s == 0.0
    subject.took_s = 9.0  # so that it is worth a message

    other = draw(KERNEL, Case(PROBLEM, "normal", 2, 0))
    again = subject.expected(PROBLEM, other, sure=True)
    assert isinstance(again.outputs, Lent)
    assert again.scales is None  # compared here
    np.testing.assert_allclose(again.outputs["y"], expect(KERNEL, PROBLEM, other).outputs["y"], rtol=1e-12)


def test_a_reference_that_numpy_does_not_confirm_ends_the_trust(made):
    subject, device = made
    _, drawn, found = case(subject)
    if device != "":
        return
    spoilt = {**drawn, "x": drawn["x"] * 1.001}
    subject.sure(PROBLEM, spoilt, found)  # as if the device had computed something else
    assert "not what NumPy computes" in subject.distrusted
    assert not isinstance(subject.expected(PROBLEM, drawn, sure=True).outputs, Lent)


def test_a_reference_that_is_quicker_here_is_computed_here(made):
    subject, device = made
    _, drawn, found = case(subject)
    if device != "":
        return
    assert isinstance(found.outputs, Lent)
    subject.there_s, subject.host_s, subject.once_s = 7.0, 2.0, 0.0  # in 33,000 pieces, say
    assert not isinstance(subject.expected(PROBLEM, drawn).outputs, Lent)
    subject.took_s = 9.0  # and here it took longer still
    assert isinstance(subject.expected(PROBLEM, drawn).outputs, Lent)


def test_values_are_numpys_when_the_witness_has_gone(made):
    subject, device = made
    if device != "":
        return
    _, drawn, found = case(subject)
    lost = Lent(SimpleNamespace(fetch=_gone), found.outputs.far, lambda: expect(KERNEL, PROBLEM, drawn).outputs)
    np.testing.assert_array_equal(lost["y"], expect(KERNEL, PROBLEM, drawn).outputs["y"])


def _gone(_):
    raise truth.OnHostError("gone")


def test_what_a_launch_says_is_not_asked_for_again():
    drawn = draw(KERNEL, Case(PROBLEM, "normal", 1, 0))
    known = replace(expect(KERNEL, PROBLEM, drawn), scales=Scales())
    made = Truth(SimpleNamespace(witness=None), replace(KERNEL, launched=True, reference=None), PROBLEM, 1)
    sure = made.sure(PROBLEM, drawn, known)
    assert sure.outputs is known.outputs
    assert sure.scales is None


def test_nobody_waits_for_a_witness_that_starts_where_arrays_are_small():
    from hotloop.engine.witness.link import Witness

    class Starting(Witness):
        def __init__(self):
            pass

        @property
        def works(self):
            raise AssertionError("PyTorch's start takes seconds")

    subject = Truth(SimpleNamespace(witness=Starting()), KERNEL, PROBLEM, 1)
    _, drawn, found = case(subject)
    assert found.scales is None
    assert isinstance(subject.sure(PROBLEM, drawn, found).outputs["y"], np.ndarray)
