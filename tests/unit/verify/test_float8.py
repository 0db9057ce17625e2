"""float8_e4m3fn through verification: its numbers, its poison, results that it cannot hold."""

import numpy as np
import pytest

from hotloop.model.dtype import dtype_of, floating, item_bytes, limits, numeric, roundoff
from hotloop.model.kernel import Empty
from hotloop.ports import BAND_BYTES, Slot
from hotloop.verify.compare import compare
from hotloop.verify.distributions import ALL, redraw
from hotloop.verify.guards import canary, first_change, make_banded, overrun, payload_view
from hotloop.verify.poison import fill, is_poison, pattern
from hotloop.verify.tolerance import Bound, eps

NAME = "float8_e4m3fn"
F8 = dtype_of(NAME)
ALL_BITS = np.arange(256, dtype=np.uint8).view(F8)


def test_the_properties_are_those_of_the_type_itself():
    numbers = ALL_BITS.astype(np.float64)
    positive = np.unique(numbers[numbers > 0])
    known = limits(F8)
    assert (known.largest, known.smallest) == (positive.max(), positive.min())
    assert known.eps == positive[positive > 1].min() - 1 == eps(NAME) == 2 * roundoff(NAME)
    assert known.normal == 2.0**-6
    assert float(np.array(2.0**known.digits - 1).astype(F8)) == 2.0**known.digits - 1
    assert float(np.array(2.0**known.digits + 1).astype(F8)) == 2.0**known.digits
    assert not known.infinite
    assert not np.isinf(numbers).any()
    assert np.flatnonzero(np.isnan(numbers)).tolist() == [0x7F, 0xFF]


@pytest.mark.parametrize("name", ["float16", "bfloat16", "float32", "float64", NAME])
def test_rounding_to_the_nearest_number_is_off_by_the_roundoff_at_most(name):
    values = np.random.default_rng(0).uniform(1, 2, 3000)
    error = np.abs(values.astype(dtype_of(name)).astype(np.float64) - values) / values
    assert error.max() <= roundoff(name)
    if name != "float64":
        assert error.max() > 0.8 * roundoff(name)


def test_it_counts_as_a_number_of_one_byte():
    assert floating(F8)
    assert numeric(F8)
    assert item_bytes(NAME) == 1
    assert Slot("x", NAME, (3, 5), "", output=False, input=True).payload_bytes == 15


def test_poison_is_nan_or_large_and_recognised_until_written():
    assert np.isnan(pattern(NAME, 0).view(F8)).all()
    assert float(pattern(NAME, 1).view(F8)[0]) > 400
    for poison in (0, 1):
        payload = np.zeros(10, np.uint8)
        fill(payload, NAME, poison)
        values = payload.view(F8)
        assert is_poison(values, poison).all()
        assert not is_poison(values, poison + 1).any()
        values[3] = 1
        assert is_poison(values, poison).tolist() == [i != 3 for i in range(10)]
    assert not is_poison(np.array([np.nan], F8), 0).any()  # what conversions make


@pytest.mark.parametrize("phase", range(13))
def test_every_second_number_of_a_band_is_nan(phase):
    assert np.isnan(canary(phase).view(F8).astype(np.float64)).reshape(-1, 2).any(axis=1).all()


def test_inputs_survive_the_banding_and_changes_show():
    values = np.random.default_rng(0).standard_normal((5, 7)).astype(F8)
    banded = make_banded(values)
    after = payload_view(banded, NAME, (5, 7))
    assert first_change(values, after) is None
    assert overrun(banded) is None
    after[2, 3] = 100
    assert first_change(values, after) == (2, 3)
    banded[-BAND_BYTES:].view(F8)[0] = 1.0
    assert overrun(banded) == "canary after {} overwritten at +0 B"


@pytest.mark.parametrize("distribution", ALL)
def test_inputs_stay_of_the_type_whatever_the_distribution(distribution):
    before = {"x": np.random.default_rng(0).standard_normal((40, 25)).astype(F8), "y": Empty((40,), NAME)}
    after = redraw(distribution, before, ("x",), np.random.default_rng(1))
    assert (after["x"].dtype, after["x"].shape, after["y"]) == (F8, (40, 25), before["y"])
    wide = after["x"].astype("f8")
    seen = {
        "normal": bool((wide < 0).any()),
        "positive": bool((wide >= 0).all()),
        "wide": bool(np.abs(wide).max() > 7 and np.abs(wide).min() < 0.15),
        "integers": set(np.unique(wide)) == {-3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0},
        "special": bool(np.isnan(wide).sum() == 3),  # NaN is what it has for infinities
    }
    assert seen[distribution]


@pytest.mark.parametrize("given", [[np.nan, np.nan, 1.0], [448.0, -448.0, 1.0]])
def test_beyond_the_largest_number_lies_nan_or_that_number(given):
    reference = np.array([1000.0, -np.inf, 1.0])
    assert compare("y", np.array(given, F8), reference, Bound(0.01, 0.0)).passed
    assert not compare("y", np.array([*given[:2], 2.0], F8), reference, Bound(0.01, 0.0)).passed


@pytest.mark.parametrize("given", [[-448.0], [416.0]])
def test_neither_the_other_sign_nor_a_smaller_number_will_do(given):
    assert not compare("y", np.array(given, F8), np.array([1000.0]), Bound(0.01, 0.0)).passed


def test_nan_is_no_number_that_fits():
    assert not compare("y", np.array([np.nan], F8), np.array([100.0]), Bound(0.1, 0.0)).passed
    assert compare("y", np.array([np.nan], F8), np.array([np.nan]), Bound(0.1, 0.0)).passed
