"""Runs under a load that drifts, on a simulated device and a clock of its own: each ends in time, and says what it left out."""

import dataclasses
import importlib.util
import sys
from math import inf
from pathlib import Path
from types import SimpleNamespace

import pytest

from hotloop.app.desk import Desk, MemoryJournal
from hotloop.app.run import ending
from hotloop.app.run import pace as paces
from hotloop.app.run.pace import LATE_S, Pace
from hotloop.engine.due import Due
from hotloop.errors import SpentError
from hotloop.host.clock import SystemClock
from hotloop.model.step import Decision

ROOT = Path(__file__).parents[4]


@pytest.fixture
def simulated(monkeypatch):
    monkeypatch.setattr(SystemClock, "monotonic_s", SystemClock.monotonic_s)  # which the simulation replaces
    monkeypatch.setattr(paces, "pressure", lambda: 1.0)
    monkeypatch.syspath_prepend(str(ROOT / "tests/fakes"))
    spec = importlib.util.spec_from_file_location("budgets", ROOT / "benchmarks/budgets.py")
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "budgets", module)
    spec.loader.exec_module(module)
    return module.ran


@pytest.mark.parametrize(
    ("seed", "said", "kept"),
    [
        (314, "ended in the middle of step 1", False),
        (312, "is dropped: the budget ended before", False),
        (201, "was compared with the baseline once: the budget left no time", True),
    ],
)
def test_a_run_that_other_processes_slow_down_ends_in_time(simulated, seed, said, kept):
    late_s, loop = simulated(seed, 20.0, 8.0)
    assert late_s <= LATE_S
    assert said in loop.result.stop_reason
    assert (loop.result.winner is not loop.result.steps[0]) is kept
    assert (loop.result.overall is not None) is kept


def test_a_budget_that_ends_before_the_baseline_says_what_would_do(simulated, monkeypatch):
    monkeypatch.setattr(paces, "LEAST_BASELINE_S", 1.0)
    late_s, loop = simulated(201, 4.0, 8.0)
    assert late_s <= LATE_S
    assert loop.result.winner is None
    assert (
        "ended before the baseline was verified and timed: 1 s had passed before it; give at least --budget"
        in loop.result.stop_reason
    )


def step(index, decision):
    from hotloop.model.outcome import CompileFailed
    from hotloop.model.space import Config
    from hotloop.model.step import Step

    return Step(
        index=index, technique="t", change="", why="", implementation="i", config=Config(), outcome=CompileFailed(""),
        decision=decision, reason="",
    )  # fmt: skip


def test_what_nobody_could_confirm_is_reverted_with_its_reason():
    result = SimpleNamespace(steps=[step(0, Decision.BASELINE), step(1, Decision.KEEP)], stop_reason="so far")
    ending.drop(result)
    assert [one.decision for one in result.steps] == [Decision.BASELINE, Decision.REVERT]
    assert result.steps[1].reason.startswith("the budget ended before it was verified on every case")
    assert result.stop_reason.startswith("so far; what was kept on the way is dropped")


def test_what_was_left_is_left_at_once_by_a_run_that_is_resumed():
    clock = SimpleNamespace(now_s=0.0, monotonic_s=lambda: clock.now_s, utc=lambda: "")
    journal, done = MemoryJournal(), []

    def at_it(desk, pace):
        with pace.bounded("step 1", 5.0):
            done.append(clock.now_s)
            clock.now_s = 7.0
            desk.due()

    for _ in range(2):
        clock.now_s = 0.0
        desk = Desk(engine=None, device=None, journal=journal, clock=clock, began_s=0.0)
        pace = Pace(desk, 100.0)
        with pytest.raises(SpentError):
            at_it(desk, pace)
        assert desk.spent_s == 7.0
    assert done == [0.0]


def test_a_wait_for_compilers_is_left_when_the_time_is_over():
    due = Due()
    assert due.left_s() is None
    assert due.within(3.0) == 3.0
    due.after(0.5)
    assert due.within(3.0) <= 0.5
    with pytest.raises(SpentError), due.waiting():
        raise TimeoutError
    due.after(-1.0)
    with pytest.raises(SpentError):
        due.left_s()


def test_a_winner_that_is_all_that_was_compared_needs_no_second_comparison_where_there_is_no_time():
    from hotloop.model.verdict import Comparison, Verdict

    won = Comparison(
        verdict=Verdict.FASTER, speedup=1.3, low=1.2, high=1.4, confidence=0.99, margin=0.02, log_ratios=(0.26,)
    )
    first, kept = step(0, Decision.BASELINE), dataclasses.replace(step(1, Decision.KEEP), comparison=won)
    refused, other = step(2, Decision.REFUSE), dataclasses.replace(step(2, Decision.REVERT), comparison=won)
    assert ending.only([first, kept, refused]) == won
    assert ending.only([first, kept, other]) is None  # one of two may win by chance
    assert ending.only([first, dataclasses.replace(kept, decision=Decision.REVERT)]) is None
    assert ending.only([first]) is None
    assert ending.only([first, kept], noise=0.25).verdict is Verdict.UNCLEAR


def test_within_a_limit_another_one_ends_sooner_and_no_later():
    clock = SimpleNamespace(now_s=0.0, monotonic_s=lambda: clock.now_s)
    asked = []
    engine = SimpleNamespace(leave_after=asked.append)
    desk = Desk(engine=engine, device=None, journal=MemoryJournal(), clock=clock)
    with desk.bounded(10.0):
        with desk.bounded(4.0):
            clock.now_s = 3.0
        with desk.bounded(40.0):
            clock.now_s = 9.0
        assert desk.until_s == 10.0
    assert asked == [10.0, 4.0, 7.0, 7.0, 1.0, inf]
