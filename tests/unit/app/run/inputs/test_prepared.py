"""What is judged once: a result that is the same to the last byte as one that was right."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from hotloop.app.run.inputs import prepared
from hotloop.app.run.inputs.prepared import Prepared
from hotloop.model.check import CaseResult


@pytest.fixture
def asked(monkeypatch):
    """Runs that were judged; those that begin with 9 are wrong."""
    seen = []

    def judge(kernel, case, inputs, first, second=None, expected=None):
        seen.append((int(first["y"][0]), expected))
        return CaseResult(problem="k", distribution="normal", seed=1, passed=first["y"][0] != 9, reason="")

    monkeypatch.setattr(prepared, "judge", judge)
    return seen


CASE = Prepared.of(None, {}, "this", SimpleNamespace(slots=()))


def left(number, size=8):
    return {"x": np.zeros(4, np.uint8), "y": np.full(size, number, np.uint8)}


def test_the_same_bytes_are_judged_once_and_others_anew(asked):
    case = replace(CASE)
    first = case.judged(None, left(1))
    assert case.judged(None, left(1)) is first
    assert case.judged(None, left(1), left(1)) is first
    case.judged(None, left(2))
    case.judged(None, {**left(1), "x": np.ones(4, np.uint8)})
    case.judged(None, {"y": left(1)["y"]})
    assert [number for number, _ in asked] == [1, 2, 1, 1]


def test_what_was_wrong_moved_or_is_expected_otherwise_is_judged_each_time(asked):
    case = replace(CASE)
    for _ in range(2):
        assert not case.judged(None, left(9)).passed
        case.judged(None, left(1), left(2))
    case.judged(None, left(3))
    replace(case, expected="sure").judged(None, left(3))
    assert asked == [(9, "this"), (1, "this"), (9, "this"), (1, "this"), (3, "this"), (3, "sure")]


def test_large_results_are_not_kept(asked):
    case = replace(CASE)
    for _ in range(2):
        case.judged(None, left(1, size=1 << 19))
    assert len(asked) == 2
