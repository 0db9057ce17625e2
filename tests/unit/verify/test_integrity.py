import time

import numpy as np
import pytest

from hotloop.model import dtype
from hotloop.verify import compare, integrity, judge, tolerance
from hotloop.verify.integrity import replaced


def test_nothing_is_replaced_here():
    assert replaced() == ()
    assert replaced(("hotloop.verify.integrity", "no.such.module")) == ()


@pytest.mark.parametrize(
    ("place", "attribute", "name"),
    [
        (np, "subtract", "numpy.subtract"),
        (np, "abs", "numpy.abs"),
        (np, "where", "numpy.where"),
        (np, "einsum", "numpy.einsum"),
        (np, "array_equal", "numpy.array_equal"),
        (time, "perf_counter_ns", "time.perf_counter_ns"),
        (judge, "compare", "hotloop.verify.judge.compare"),
        (judge, "judge", "hotloop.verify.judge.judge"),
        (compare, "is_poison", "hotloop.verify.compare.is_poison"),
        (compare, "floating", "hotloop.verify.compare.floating"),
        (dtype, "limits", "hotloop.model.dtype.limits"),
        (tolerance.Bound, "at", "hotloop.verify.tolerance.Bound.at"),
        (integrity, "replaced", "hotloop.verify.integrity.replaced"),
    ],
)
def test_a_function_of_ours_in_the_place_of_theirs_is_named(monkeypatch, place, attribute, name):
    watch = replaced
    with monkeypatch.context() as patch:
        patch.setattr(place, attribute, lambda *a, **k: None)
        assert watch(("hotloop.verify.integrity",)) == (name,)
    assert watch() == ()


def test_one_numpy_function_in_the_place_of_another_is_named(monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(np, "subtract", np.multiply)
        assert replaced() == ("numpy.subtract",)
