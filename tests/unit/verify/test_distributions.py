import numpy as np
import pytest

from hotloop.errors import UnknownNameError
from hotloop.model.kernel import Empty
from hotloop.verify.distributions import ALL, redraw


def inputs():
    rng = np.random.default_rng(0)
    return {
        "a": 2.5,
        "x": rng.standard_normal((40, 25)).astype("f4"),
        "h": rng.standard_normal(64).astype("f2"),
        "n": np.arange(5, dtype="i4"),
        "z": np.zeros((0, 3), "f4"),
        "s": np.array(-1.5, "f8"),
        "y": Empty((40,), "float32"),
    }


LINEAR = ("x", "h", "z", "s", "n")


@pytest.mark.parametrize("distribution", ALL)
def test_names_shapes_types_scalars_and_integers_stay(distribution):
    before = inputs()
    after = redraw(distribution, before, LINEAR, np.random.default_rng(1))
    assert list(after) == list(before)
    for name in ("a", "n", "z", "y"):
        assert after[name] is before[name]
    for name in ("x", "h", "s"):
        assert isinstance(after[name], np.ndarray)
        assert (after[name].dtype, after[name].shape) == (before[name].dtype, before[name].shape)
    assert all(
        np.array_equal(v, w)
        for v, w in zip(inputs().values(), before.values(), strict=True)
        if not isinstance(v, Empty)
    )


@pytest.mark.parametrize("distribution", ["wide", "integers", "special"])
def test_inputs_that_are_not_linear_stay(distribution):
    before = inputs()
    after = redraw(distribution, before, ("x",), np.random.default_rng(1))
    assert after["h"] is before["h"]
    assert not np.array_equal(after["x"], before["x"])


def test_positive_keeps_magnitudes_and_domains():
    before = {"x": np.array([-1.0, 2.0], "f4"), "d": np.array([-3.0, -4.0], "f4")}
    after = redraw("positive", before, (), np.random.default_rng(1))
    assert after["x"].tolist() == [1.0, 2.0]
    assert after["d"].tolist() == [-3.0, -4.0]


def test_positive_leaves_no_input_with_signs_that_could_cancel():
    before = {"a": np.array([-1.0, 2.0], "f4"), "b": np.array([-3.0, 4.0], "f4")}
    after = redraw("positive", before, ("a",), np.random.default_rng(1))
    assert after["b"].tolist() == [3.0, 4.0]


def test_wide_spans_binades_and_fits_the_type():
    after = redraw("wide", inputs(), LINEAR, np.random.default_rng(1))
    exponents = np.log2(np.abs(after["x"]))
    assert exponents.min() < -10 < 10 < exponents.max()
    assert (after["x"] < 0).any()
    assert np.abs(after["h"]).max() <= 8


def test_integers_are_small_and_whole():
    x = redraw("integers", inputs(), LINEAR, np.random.default_rng(1))["x"]
    assert set(np.unique(x)) == {-3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0}


def test_special_plants_one_of_each():
    x = redraw("special", inputs(), LINEAR, np.random.default_rng(1))["x"]
    assert (np.isnan(x).sum(), (x == np.inf).sum(), (x == -np.inf).sum()) == (1, 1, 1)
    s = redraw("special", inputs(), LINEAR, np.random.default_rng(1))["s"]
    assert not np.isfinite(s)


def test_unknown_distribution():
    with pytest.raises(UnknownNameError, match="cauchy"):
        redraw("cauchy", inputs(), (), np.random.default_rng(1))
