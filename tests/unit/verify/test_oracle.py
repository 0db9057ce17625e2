from dataclasses import replace

import numpy as np
import pytest

from hotloop.errors import KernelFileError
from hotloop.model.kernel import Empty, Kernel, Tolerance
from hotloop.model.problem import Problem, Work
from hotloop.model.record import Record
from hotloop.verify.oracle import Expected, Kind, conditioned, expect, sensible

PROBLEM = Problem("scale", Record(n=4))
INPUTS = {"a": 2.0, "x": np.arange(4, dtype="f4"), "y": Empty((4,))}


def kernel(reference, **more):
    return Kernel(
        family="scale", problem=PROBLEM, inputs=lambda p, rng: INPUTS, reference=reference,
        work=lambda p: Work(1, 1), implementations=(), origin="scale.py", **more,
    )  # fmt: skip


def right(p, i):
    return {"y": i["a"] * i["x"].astype("f8")}


def test_outputs_and_magnitudes():
    found = expect(kernel(right, magnitude=lambda p, i: {"y": np.abs(i["x"])}), PROBLEM, INPUTS)
    assert found.outputs["y"].tolist() == [0.0, 2.0, 4.0, 6.0]
    assert found.magnitudes["y"].tolist() == [0.0, 1.0, 2.0, 3.0]


def test_terms_with_signs_of_their_own_cancel_of_absolute_inputs_too_and_are_found_by_signs_drawn_at_random():
    """Of equal inputs a difference of neighbours is zero; its rounding error is not."""
    inputs = {"x": np.ones(64, "f4"), "n": 64, "y": Empty((64,))}
    found = expect(
        kernel(
            lambda p, i: {"y": np.cumsum(i["x"].astype("f8") * (-1.0) ** np.arange(64)) + 1e-3 * i["x"][::-1]},
            magnitude=lambda p, i: {"y": np.zeros(64)},
            linear=("x",),
        ),
        PROBLEM,
        inputs,
    )
    expected = np.sqrt(np.arange(1, 65))
    assert (found.magnitudes["y"] >= expected / 4).all()
    assert (found.magnitudes["y"] <= np.arange(1, 65) + 1).all()
    wide = kernel(right, magnitude=lambda p, i: {"y": np.full(4, np.abs(i["x"]).sum())}, linear=("x",))
    spoilt = {**INPUTS, "x": np.where(np.arange(4) == 2, np.nan, INPUTS["x"])}
    assert np.isfinite(expect(wide, PROBLEM, spoilt).magnitudes["y"]).all(), (
        "of what NaN does not reach it says the rest"
    )
    plain = kernel(right, magnitude=lambda p, i: {"y": i["a"] * np.abs(i["x"])}, linear=("x",))
    assert expect(plain, PROBLEM, INPUTS).magnitudes["y"].tolist() == [0.0, 2.0, 4.0, 6.0]


def mutating(p, i):
    i["x"][0] = 7
    return right(p, i)


@pytest.mark.parametrize(
    ("reference", "message"),
    [
        (lambda p, i: 1 / 0, r"reference of scale \(scale\.py\) raises on scale\[n=4\]: ZeroDivisionError"),
        (mutating, "read-only"),
        (lambda p, i: [1], "must return arrays by output name, not list"),
        (lambda p, i: {"q": np.zeros(4)}, "'q', which is not an array"),
        (lambda p, i: {"a": np.zeros(4)}, "'a', which is not an array"),
        (lambda p, i: {"y": np.zeros(5)}, r"y of shape \[5\], the array has \[4\]"),
        (lambda p, i: {"y": np.array(["a"] * 4)}, "not numbers"),
        (lambda p, i: {"y": np.array([0, 1, np.nan, 3])}, r"gives y\[2\] = nan although all inputs are finite"),
    ],
)
def test_senseless_references_are_refused(reference, message):
    with pytest.raises(KernelFileError, match=message):
        expect(kernel(reference), PROBLEM, INPUTS)
    assert INPUTS["x"][0] == 0


def test_nan_may_stand_for_no_value_where_the_file_says_nan_of_an_input():
    """As the deviation of a single number."""
    gappy = lambda p, i: {"y": np.array([0, 1, np.nan, 3])}  # noqa: E731
    assert np.isnan(expect(replace(kernel(gappy), domain={"x": "nan"}), PROBLEM, INPUTS).outputs["y"][2])
    with pytest.raises(KernelFileError, match=r"say so of an input: domain=dict\(name='nan'\)"):
        expect(kernel(gappy), PROBLEM, INPUTS)


def test_nan_from_nan_is_fine():
    inputs = {**INPUTS, "x": np.array([np.nan, 1, 2, 3], "f4")}
    assert np.isnan(expect(kernel(right), PROBLEM, inputs).outputs["y"][0])


def test_absolute_tolerances_grow_with_results():
    def made(size):
        return {"x": np.array([1.0, 2.0, -3.0, 0.5], "f4") * np.float32(size), "y": Empty((4,))}

    def room(size, usual=None):
        inputs = made(size)
        found = conditioned(own, PROBLEM, inputs, expect(own, PROBLEM, inputs), Kind(floats=True), usual)
        return found.slack["y"]

    own = kernel(lambda p, i: {"y": i["x"].astype("f8")}, tolerance=Tolerance(absolute=1e-3))
    usual, large = (expect(own, PROBLEM, made(size)) for size in (1.0, 32.0))
    np.testing.assert_allclose(room(32.0, usual) - room(32.0), 31 * 1e-3)
    np.testing.assert_array_equal(room(1.0, large), room(1.0))


def packed(_problem, inputs):
    """Return float32 rounded to the upper 16 bits: half to even."""
    b = inputs["x"].view("u4").astype("u8")
    return {"y": ((b + 0x7FFF + (b >> 16 & 1)) >> 16).astype("u2")}


def test_halves_that_few_bits_make_are_the_kernels_to_round():
    halves = (np.arange(0x3F80, 0x4080, dtype="u4") << 16 | 0x8000).view("f4")
    for few, room in ((False, 1.0), (True, 0.0)):
        inputs = {"x": halves, "y": Empty((halves.size,), "u2")}
        own = kernel(packed)
        found = conditioned(own, PROBLEM, inputs, expect(own, PROBLEM, inputs), Kind(few=few))
        assert np.max(found.slack.get("y", 0.0)) == room


@pytest.mark.parametrize(
    ("kind", "value", "holds"),
    [
        ("uint32", 2**32 - 1, True),
        ("uint32", 2**32, False),
        ("int16", -(2**15), True),
        ("int16", -(2**15) - 1, False),
        ("uint8", 255.0, True),
        ("uint8", np.nan, False),
        ("float32", 1e30, True),
        ("float32", 1e37, False),
    ],
)
def test_results_that_no_output_can_hold_say_nothing_about_a_kernel(kind, value, holds):
    assert sensible({"y": Empty((2,), kind)}, Expected({"y": np.array([0, value])}, {})) is holds
