import numpy as np
import pytest

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
