"""Indices and results that depend on which of two nearly equal values is larger."""

from __future__ import annotations

import numpy as np
import pytest

from hotloop.verify.rounding.nearly import Nearly
from hotloop.verify.tolerance import EXACT
from hotloop.verify.watched import behind, selections


def nearest(inputs):
    x, c = (inputs[name].astype("f8") for name in ("x", "c"))
    return {"at": ((x[:, None] - c[None]) ** 2).sum(axis=2).argmin(axis=1)}


def largest(inputs):
    return {"at": np.argmax(inputs["x"].astype("f8"), axis=1)}


def looped(inputs):
    x = inputs["x"].astype("f8")
    found = []
    for row in x:
        best = 0
        for place in range(1, row.size):
            if row[place] * 3.0 > row[best] * 3.0:
                best = place
        found.append(best)
    return {"at": np.array(found)}


def explained(reference, inputs, actual, *, exact=False):
    nearly = Nearly(reference, inputs, reference(inputs))
    return nearly.explained("at", np.array(actual), EXACT, exact=exact)


CENTRES = np.array([[0.1, 0.3], [0.3, 0.1], [0.1, 0.3], [0.7, 0.7]], "f4")
ORIGIN = np.zeros((1, 2), "f4")


def test_of_permuted_sums_either_is_right_and_a_farther_one_is_not():
    inputs = {"x": ORIGIN, "c": CENTRES}
    assert explained(nearest, inputs, [1]).tolist() == [1]
    assert explained(nearest, inputs, [3]) is None
    assert explained(nearest, inputs, [9]) is None


def test_of_equal_rows_the_first_is_right():
    assert explained(nearest, {"x": ORIGIN, "c": CENTRES}, [2]) is None


def test_of_equal_inputs_the_first_is_right():
    inputs = {"x": np.array([[0.1, 0.7, 0.7, 0.2]], "f4")}
    assert largest(inputs)["at"].tolist() == [1]
    assert explained(largest, inputs, [2]) is None


def test_sums_of_few_bits_round_nothing():
    inputs = {"x": ORIGIN, "c": np.array([[0.5, 0.25], [0.25, 0.5]], "f4")}
    assert explained(nearest, inputs, [1], exact=True) is None


def test_integers_have_no_rounding():
    inputs = {"x": np.array([[3, 5, 5]], "i4")}
    assert explained(largest, inputs, [2]) is None


def test_a_loop_is_asked_again_with_moved_inputs():
    inputs = {"x": np.array([[0.1, np.nextafter(np.float32(0.7), np.float32(1)), 0.7, 0.2]] * 3, "f4")}
    assert looped(inputs)["at"].tolist() == [1, 1, 1]
    assert explained(looped, inputs, [1, 2, 1]).tolist() == [1, 2, 1]
    assert explained(looped, inputs, [1, 3, 1]) is None
    assert explained(looped, inputs, [1, 2, 1], exact=True) is None


@pytest.mark.parametrize(
    "find", [lambda v: v.argmin(axis=-1), lambda v: np.argsort(v, axis=-1), lambda v: np.nanargmin(v, axis=-1)]
)
def test_calls_are_seen_through_what_numpy_computes(find):
    inputs = {"x": np.random.default_rng(3).standard_normal((5, 7)).astype("f4")}

    def reference(given):
        return {"at": find(np.sqrt(np.abs(np.einsum("ij->ij", given["x"]) + 1)).reshape(5, 7)).astype("i4")}

    calls = selections(reference, inputs)
    assert behind(reference(inputs)["at"], calls)


def test_rows_that_a_loop_looks_at_one_by_one_belong_together():
    inputs = {"x": np.random.default_rng(4).standard_normal((5, 7)).astype("f4")}

    def reference(given):
        return {"at": np.array([row.argmax() for row in given["x"]])}

    assert behind(reference(inputs)["at"], selections(reference, inputs)) == (0, 1, 2, 3, 4)


def test_an_order_names_each_place_once():
    def order(given):
        return {
            "at": np.argsort((given["x"].astype("f8")[:, None] * given["w"].astype("f8")).sum(axis=1), kind="stable")
        }

    inputs = {"x": np.array([0.1, 0.1, 0.9], "f4"), "w": np.array([0.3, 0.6], "f4")}
    assert explained(order, inputs, [1, 0, 2]).tolist() == [1, 0, 2]
    assert explained(order, inputs, [1, 1, 2]) is None


def cells(given):
    """Return the cell of a grid along a line, and how many lie in each."""
    at = np.floor((given["x"].astype("f8") + 1) * 16).astype("i8")
    return {"cell": at, "count": np.bincount(at, minlength=32)}


@pytest.mark.parametrize("steps", [True, False])
def test_integers_may_be_what_the_reference_decides_when_its_steps_are_rounded(steps):
    x = np.full(500, 0.3, "f4")
    x[:40] = -3e-8  # beside a border, nearer than float32 tells
    asked = {"x": x}
    single = {"x": np.where(x < 0, np.float32(0), x)}
    truth = Nearly(cells, asked, cells(asked))
    for name, right in cells(single).items():
        found = truth.explained(name, right, EXACT, exact=False, steps=steps)
        assert (found is not None and np.array_equal(found, right)) == steps
    wrong = cells(single)["cell"] + (np.arange(500) > 400)
    found = truth.explained("cell", wrong, EXACT, exact=False, steps=steps)
    assert found is None or (found != wrong).sum() == 99


def first_above(inputs):
    return {"at": (np.cumsum(inputs["x"].astype("f8"), axis=1) > 0.5).argmax(axis=1)}


@pytest.mark.parametrize("reference", [first_above, lambda inputs: {"at": first_above(inputs)["at"].astype("i4")}])
def test_of_places_where_something_holds_the_first_is_right(reference):
    """All of them select the same truth: only where rounding decides is a neighbour right, too."""
    inputs = {"x": np.array([[0.1, 0.3, 0.2, 0.1, 0.3], [0.25, 0.25, 0.3, 0.1, 0.1]], "f4")}
    assert reference(inputs)["at"].tolist() == [2, 2]
    assert explained(reference, inputs, [4, 2]) is None
    assert explained(reference, inputs, [3, 2]) is None
    assert explained(reference, inputs, [2, 1]).tolist() == [2, 1]  # 0.25 + 0.25 with a last bit more
