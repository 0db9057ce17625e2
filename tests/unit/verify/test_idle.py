"""What nobody may look at while a number is zero: found by asking the reference, and left alone where it multiplies as well."""

import numpy as np
import pytest

from hotloop.errors import KernelFileError
from hotloop.verify.told.idle import idled

X, Y = np.arange(1, 9, dtype="f4"), np.full(8, 2, "f4")


def skipping(inputs):
    """A reference that leaves the old result alone where its factor is zero."""
    old = 0 if inputs["beta"] == 0 else inputs["beta"] * inputs["y"].astype("f8")
    return {"y": inputs["a"] * inputs["x"].astype("f8") + old}


def drawn(beta, a=1.5):
    return {"x": X, "norm": X**2, "y": Y, "a": a, "beta": beta}


def nan(found):
    return found and {name for name, value in found.items() if isinstance(value, np.ndarray) and np.isnan(value).all()}


@pytest.mark.parametrize(
    ("answer", "draws", "words", "idle"),
    [
        (skipping, [drawn(0.0)], {}, {"y"}),  # and not the norms, which are never read and follow from x
        (skipping, [drawn(0.5), drawn(0.0)], {"beta": "range"}, {"y"}),  # the second seed draws it
        (skipping, [drawn(0.5), drawn(0.5)], {}, {"y"}),  # a factor by its name
        (skipping, [drawn(0.5), drawn(0.5)], {"beta": "range"}, None),  # which the file forbids
        (lambda i: {"y": i["a"] * i["x"] + i["beta"] * i["y"]}, [drawn(0.0), drawn(0.0)], {}, None),  # it multiplies
        (
            lambda i: {"y": np.divide(i["x"], i["beta"], out=np.full(8, np.inf), where=i["beta"] != 0)},
            [drawn(0.5), drawn(0.5)],
            {},
            None,
        ),  # and here it divides
    ],
)
def test_arrays_that_a_zero_makes_idle(answer, draws, words, idle):
    assert nan(idled(answer, iter(draws), words)) == idle


def test_all_numbers_that_some_draw_has_as_zero_may_be_zero_at_once():
    def both(i):
        return {"y": (i["a"] * i["x"] if i["a"] else 0 * X) + (i["b"] * i["y"] if i["b"] else 0)}

    draws = [{"x": X, "y": Y, "a": a, "b": b} for a, b in ((0.0, 1.0), (1.0, 0.0), (1.0, 1.0))]
    assert nan(idled(both, iter(draws), {}, every=True)) == {"x", "y"}
    assert nan(idled(both, iter(draws), {})) == {"x"}


def test_where_the_reference_refuses_nothing_is_tried():
    def refuses(inputs):
        raise KernelFileError("no")

    assert idled(refuses, iter([drawn(0.0)]), {}) is None


def test_a_factor_is_zero_where_nothing_is_idle():
    found = idled(lambda i: {"y": i["alpha"] * i["x"]}, iter([{"x": X, "alpha": np.float32(2)}]), {})
    assert found["alpha"] == 0
    assert found["alpha"].dtype == np.float32
    assert nan(found) == set()
