"""benchmarks/diagnosis_worth.py counts what comparisons confirmed, of both sides."""

import importlib
import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from hotloop.app.events import Searched, Took
from hotloop.model.step import Decision

BENCHMARKS = Path(__file__).parents[3] / "benchmarks"


@pytest.fixture
def worth(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return importlib.import_module("diagnosis_worth")


def took(decision, technique="search", speedup=1.0):
    step = SimpleNamespace(decision=decision, technique=technique, comparison=SimpleNamespace(speedup=speedup))
    return Took(step, 100.0, None)


@pytest.fixture
def searched(worth):
    """Return the curve of a search whose quick look promised 3 × and whose duel confirmed 1.35."""
    curve = worth.Curve()
    for event in (
        took(Decision.BASELINE),
        Searched(1, 0, 1 / 3),
        Searched(2, 0, 1 / 3),
        took(Decision.KEEP, speedup=1.35),
    ):
        curve.notify(event)
    return curve


def test_a_quick_look_reaches_nothing(searched):
    assert [(candidates, speedup) for candidates, _, speedup in searched.points] == [(3, 1.35)]
    assert not searched.until(2.0, 1.35)[2]


def test_a_duel_counts_for_no_more_than_the_last_comparison(searched):
    assert searched.until(1.3, 1.35)[2]
    assert not searched.until(1.3, 1.2)[2]


def test_a_kernel_whose_start_is_near_the_best_does_not_count(worth, searched):
    rows = [worth.Ran("k", mode, 1, final, "", searched) for mode, final in (("menu", 1.05), ("blind", 1.0))]
    assert "does not count" in "\n".join(worth.table(rows))
    assert "over 1 kernels" in "\n".join(worth.table([replace(row, final=1.35) for row in rows]))


def test_runs_that_counted_quick_looks_are_not_taken_over(worth, tmp_path):
    (tmp_path / "old.json").write_text(json.dumps({"runs": []}))
    with pytest.raises(SystemExit, match="no comparison confirmed"):
        worth.before(tmp_path / "old.json")
