"""How a run's end speaks of what was and was not done."""

from types import SimpleNamespace

import pytest

from hotloop.app.run import ending, timing
from hotloop.model.evidence import Evidence
from hotloop.model.outcome import NotApplicable
from hotloop.model.space import Config
from hotloop.model.step import Decision, Step


def step(index):
    return Step(
        index=index, technique="", change="", why="", implementation="", config=Config(), outcome=NotApplicable(""),
        decision=Decision.BASELINE, reason="", evidence=Evidence(),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("winner", "fraction", "said"),
    [(0, 0.93, "93% of its roof"), (0, 1.05, "100% of its roof"), (0, 0.89, ""), (0, 1.4, ""), (1, 0.95, "")],
)
def test_a_kernel_at_its_roof_is_called_good_and_nothing_beyond_it(winner, fraction, said):
    told = ending.content(step(winner), fraction)
    assert said in told
    assert ("nothing here is worth tuning" in told) == bool(said)


@pytest.mark.parametrize(("call_s", "limit_s", "measured"), [(1.0, 30.0, False), (1.0, 40.0, True), (0.0, 0.0, False)])
def test_a_noise_floor_is_not_begun_where_there_is_no_time_for_the_rounds_that_it_takes(
    monkeypatch, call_s, limit_s, measured
):
    told = []
    desk, workload = SimpleNamespace(tell=told.append), SimpleNamespace(program=lambda _: None)
    monkeypatch.setattr(timing, "noise", lambda *_, **__: timing.Noise(0.01, ()))
    assert ending.noise(desk, workload, None, limit_s, 1e9 * call_s) == (0.01 if measured else None)
    assert bool(told) != measured


def test_looks_are_told_of():
    assert ending.nothing_left([step(0)], (), 7) == "7 moves got a quick look: none looked faster"
    assert "the 1 that looked faster" in ending.nothing_left([step(0), step(1)], (), 7)
