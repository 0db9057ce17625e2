"""Runs that are about energy, on the fake device: its meter counts in steps of a virtual clock, and its fastest kernel is hungry."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from hotloop.app import spec as specs
from hotloop.app.events import Silent
from hotloop.app.run import faceoff
from hotloop.app.session import Options
from hotloop.cli import tables
from hotloop.model.energy import Objective
from hotloop.model.verdict import Verdict
from hotloop.stats.energy import per_call
from hotloop.store import Store

KERNEL = Path(__file__).with_name("null_energy.py")
FAST, EVEN, LEAN = (f"{KERNEL}@CLOCK={clock},W=8" for clock in (3, 2, 1))
TRUE_J = {FAST: 0.4, EVEN: 0.216, LEAN: 0.2}
LIMIT_S = 600


def options(objective):
    return Options(language="null", objective=Objective(objective))


def test_compare_is_about_energy_and_the_interval_holds_the_truth():
    specs_ = [specs.parse(text) for text in (FAST, LEAN)]
    answer = faceoff.compare(*specs_, specs_[0].kernel.problem, options("energy"), Silent())
    found = answer.comparison
    assert (found.verdict, found.word, found.objective) == (Verdict.FASTER, "LEANER", Objective.ENERGY)
    assert found.speedup == pytest.approx(2.0, rel=0.03)
    for outcome, true_j in zip(answer.outcomes, (TRUE_J[FAST], TRUE_J[LEAN]), strict=True):
        spent = per_call(outcome.samples)
        assert spent.low <= true_j <= spent.high
        assert spent.high - spent.low < 0.05 * true_j
    assert outcome.call_ns == pytest.approx(2e6, rel=0.01)


def test_bench_ranks_by_the_objective():
    specs_ = [specs.parse(text) for text in (FAST, EVEN)]
    answer = faceoff.bench(specs_[0].kernel, specs_, specs_[0].kernel.problem, options("edp"), Silent())
    assert [row.ratio for row in answer.rows] == pytest.approx([1.0, 0.4 * 1.0 / (0.216 * 1.2)], rel=0.04)
    assert [row.joules.windows for row in answer.rows] == [6, 6]
    assert tables.bench(answer)


def test_a_search_ends_with_what_takes_least_and_shows_the_front(tmp_path):
    """Of the product of energy and time FAST and LEAN take as much, and EVEN takes less."""
    page = tmp_path / "page.html"
    options = ["--objective", "edp", "--budget", "60", "--store", tmp_path / "s.db", "--html", page, "--seed", "1"]
    command = [sys.executable, "-m", "hotloop", "optimize", KERNEL, *options, "--json", "--quiet"]
    ended = subprocess.run([*map(str, command)], capture_output=True, text=True, timeout=LIMIT_S, check=False)
    view = json.loads(ended.stdout)
    winner = next(step for step in view["steps"] if step["winner"])
    assert dict(winner["config"]) == {"CLOCK": "2", "W": "8"}
    assert winner["verdict"] == "LEANER"
    assert view["headline"]["objective"] == "edp"
    times = [row["time_ns"] for row in view["front"]]
    joules = [row["joules"]["value"] for row in view["front"]]
    assert times == sorted(times)
    assert joules == sorted(joules, reverse=True)
    assert [row["label"] for row in view["front"] if row["winner"]] == ["CLOCK=2 W=8"]
    assert "no variant of this run beats one of these in both" in page.read_text(encoding="utf-8")
    with Store.open(str(tmp_path / "s.db")) as store:
        assert not store.all_best()  # who asks for speed must not get it
