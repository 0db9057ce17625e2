import importlib
import time

import numpy as np
import pytest

from hotloop.app.run.checking import _JUDGES
from hotloop.model import check, dtype
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


@pytest.mark.parametrize(
    ("attribute", "put"),
    [
        ("__init__", lambda self, **_: None),
        ("summary", property(lambda _self: "")),
        ("passed", property(lambda _self: True)),
    ],
)
def test_methods_and_properties_of_what_is_judged_are_looked_at(monkeypatch, attribute, put):
    with monkeypatch.context() as patch:
        patch.setattr(check.CheckReport, attribute, put)
        assert replaced() == (f"hotloop.model.check.CheckReport.{attribute}",)
    assert replaced() == ()


def test_all_modules_that_judge_are_at_home():
    for name in _JUDGES:
        importlib.import_module(name)
    assert replaced(_JUDGES) == ()


def test_one_numpy_function_in_the_place_of_another_is_named(monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(np, "subtract", np.multiply)
        assert replaced() == ("numpy.subtract",)
