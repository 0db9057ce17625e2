"""Arguments are judged before any device is touched, so none of these opens one."""

from __future__ import annotations

import numpy as np
import pytest

from hotloop import ops
from hotloop.dispatch import place
from hotloop.errors import BadArrayError, BadShapeError, UnknownNameError, UsageError


@pytest.fixture(autouse=True)
def no_device(monkeypatch):
    def refuse(name=""):
        raise AssertionError("a device was opened")

    monkeypatch.setattr(place, "session", refuse)


A, B = np.ones((3, 4), "f4"), np.ones((4, 5), "f4")


@pytest.mark.parametrize(
    ("arguments", "kind", "said"),
    [
        ({"b": np.ones((3, 5), "f4")}, BadShapeError, r"op\(a\) is 3 by 4 and op\(b\) is 3 by 5"),
        ({"transpose_a": True}, BadShapeError, r"op\(a\) is 4 by 3"),
        ({"transpose_b": True}, BadShapeError, r"op\(b\) is 5 by 4"),
        ({"b": np.ones((4, 5), "f8")}, BadArrayError, "a is float32 and b is float64"),
        ({"b": np.ones(4, "f4")}, BadArrayError, "b has 1 dimensions"),
        ({"a": np.ones((3, 4), "i8")}, BadArrayError, "dtype int64"),
        ({"beta": 1.0}, UsageError, "no c to multiply"),
        ({"beta": 1.0, "c": np.ones((5, 3), "f4")}, BadShapeError, r"c has shape \(5, 3\)"),
        ({"beta": 1.0, "c": np.ones((3, 5), "f8")}, BadArrayError, "c is float64"),
        ({"beta": 1.0, "c": [[1.0]]}, BadArrayError, "c must be a NumPy array, not list"),
        ({"out": np.ones((3, 4), "f4")}, BadShapeError, r"out has shape \(3, 4\)"),
        ({"out": np.ones((3, 5), "f2")}, BadArrayError, "out is float16"),
        ({"out": np.broadcast_to(np.float32(0), (3, 5))}, BadArrayError, "out is read-only"),
        ({"bias": np.ones(3, "f4")}, BadShapeError, "each of the 5 columns"),
        ({"bias": np.ones((1, 5), "f4")}, BadShapeError, "bias has shape"),
        ({"bias": np.ones(5, "f8")}, BadArrayError, "bias is float64"),
        ({"activation": "tanh"}, UnknownNameError, "unknown activation 'tanh'; known: gelu"),
    ],
)
def test_bad_arguments_are_usage_errors_that_name_the_argument(arguments, kind, said):
    with pytest.raises(kind, match=said) as caught:
        ops.gemm(**({"a": A, "b": B} | arguments))
    assert isinstance(caught.value, UsageError)
    assert caught.value.exit_code == 2


@pytest.mark.parametrize(("m", "n"), [(0, 5), (3, 0), (0, 0)])
def test_an_empty_product_needs_no_device(m, n):
    found = ops.gemm(np.ones((m, 4), "f4"), np.ones((4, n), "f4"), beta=2.0, c=np.ones((m, n), "f4"))
    assert (found.shape, found.dtype) == ((m, n), np.float32)


def test_an_empty_out_comes_back():
    out = np.ones((0, 5), "f4")
    assert ops.gemm(A[:0], B, out=out) is out
