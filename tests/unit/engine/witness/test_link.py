from types import SimpleNamespace

import numpy as np
import pytest

from hotloop.engine.witness import link
from hotloop.engine.witness.far import OnHostError
from hotloop.verify.compare import compare
from hotloop.verify.tolerance import Bound


@pytest.fixture(scope="module")
def witness(elsewhere):
    made = elsewhere()
    yield made
    made.close()


LIMIT = Bound(1e-6, 1e-7, 1e-7)
RIGHT = np.random.default_rng(1).standard_normal(5000)


def test_a_right_result_has_the_measures_of_a_comparison_here(witness):
    actual, magnitude = RIGHT.astype("f4"), np.abs(RIGHT) + 1
    largest, ratio, error, due, *_ = witness.within(actual, witness.lend(RIGHT), witness.lend(magnitude), LIMIT)
    here = compare("y", actual, RIGHT, LIMIT, magnitude=magnitude)

    assert largest == pytest.approx(here.max_err)
    assert ratio == pytest.approx(here.worst_ratio)
    assert (error / due) ** 0.5 == pytest.approx(here.norm_err)


@pytest.mark.parametrize("value", [2.0, np.nan, np.inf])
def test_one_wrong_element_is_for_the_host(witness, value):
    actual = RIGHT.astype("f4")
    actual[4321] = value
    assert witness.within(actual, witness.lend(RIGHT), None, LIMIT) is None


def test_without_a_device_there_is_no_witness(elsewhere):
    none = elsewhere("none")
    try:
        assert not none.works
        assert "no such device" in none.lost
        with pytest.raises(OnHostError, match="no such device"):
            none.lend(RIGHT)
    finally:
        none.close()


def test_a_witness_that_dies_is_gone(elsewhere):
    mortal = elsewhere("dies")
    try:
        far = mortal.lend(RIGHT.reshape(50, 100))
        with pytest.raises(OnHostError):
            far @ far.T
        assert not mortal.works
    finally:
        mortal.close()


@pytest.fixture
def gpu_machine(monkeypatch):
    """A machine that shows a GPU, where a witness is no process."""
    monkeypatch.setattr(link.profiling, "vendor", lambda: "nvidia")
    monkeypatch.setattr(link, "Child", lambda *_: SimpleNamespace(kill=lambda: None))
    monkeypatch.delenv("HOTLOOP_REFERENCES", raising=False)
    monkeypatch.setattr(link.Witness, "_works", lambda _: None)


@pytest.mark.usefixtures("gpu_machine")
def test_a_witness_starts_while_a_worker_still_looks_for_the_gpu():
    began = link.foreseen({}, "triton")
    assert began is not None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(link, "Witness", lambda *_, **__: pytest.fail("a second one"))
        assert link.foreseen({}, "cuda", began) is link.called({}, "NVIDIA H200", began) is began
        assert link.called({}, "another GPU", began) is began
    assert began.gpu == "NVIDIA H200"
    began.close()


@pytest.mark.usefixtures("gpu_machine")
def test_nothing_starts_before_its_time_where_a_cpu_may_be_meant(monkeypatch):
    assert link.foreseen({}, "opencl") is None
    began = link.foreseen({}, "triton")
    assert link.called({}, "", began) is None  # Triton's interpreter
    assert began._child is None
    monkeypatch.setattr(link.profiling, "vendor", lambda: "")
    assert link.foreseen({}, "triton") is None
