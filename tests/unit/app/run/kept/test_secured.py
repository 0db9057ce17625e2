"""What was verified on every case soon after it was kept outlives a budget that ends before a later step is."""

from contextlib import contextmanager
from dataclasses import replace
from types import SimpleNamespace

import pytest

from hotloop.app.run import ending
from hotloop.app.run.kept.result import Result
from hotloop.app.run.kept.secured import Secured
from hotloop.app.run.optimize import Loop
from hotloop.app.run.plan import Plan
from hotloop.errors import SpentError
from hotloop.model.outcome import Conditions, Measured, Sample
from hotloop.model.space import Config
from hotloop.model.step import Decision, Step
from hotloop.model.verdict import Comparison, Verdict

TIMED = Measured(samples=(Sample(wall_ns=1.0, calls=1),), conditions=Conditions("f"))
FASTER = Comparison(verdict=Verdict.FASTER, speedup=2, low=2, high=2, confidence=0.99, margin=0.02, log_ratios=(0.7,))


def step(index):
    decision = Decision.KEEP if index else Decision.BASELINE
    return Step(
        index=index, technique="t", change="", why="", implementation="i", config=Config(), outcome=TIMED, decision=decision, reason="",
    )  # fmt: skip


@pytest.fixture
def loop(monkeypatch):
    @contextmanager
    def bounded(*_, **__):
        yield

    made = Loop(SimpleNamespace(tell=lambda _: None, spent_s=9.0), None, None, Plan(peers=False), ())
    made.result = Result(steps=[step(0), step(1), step(2)])
    made._attempts = SimpleNamespace(against=lambda *_: SimpleNamespace(comparison=FASTER))
    pace = {"last_s": 1.0, "left_s": 9.0, "ending_s": 9.0, "comparing_s": 1.0, "full_s": 2.0, "duel_s": 1.0}
    made._pace = SimpleNamespace(bounded=bounded, verified=lambda: None, **pace)
    monkeypatch.setattr(Loop, "_variant", lambda _, chosen: chosen)
    monkeypatch.setattr(Loop, "_noise", lambda *_: None)
    monkeypatch.setattr(ending, "simpler", lambda *_: False)
    monkeypatch.setattr("hotloop.app.run.optimize.second.objection", lambda *_, **__: "")
    monkeypatch.setattr("hotloop.app.run.optimize.hosted.tried", lambda *_: None)
    return made


def spent(_, chosen):
    if chosen.index == 2:
        raise SpentError("the budget ended")
    return ""


@pytest.mark.parametrize(("secured", "winner"), [({1}, 1), (set(), 0)])
def test_the_last_step_that_was_verified_in_time_stands(loop, monkeypatch, secured, winner):
    monkeypatch.setattr(Loop, "_wrong", spent)
    loop._secured.indices |= secured
    loop._confirm()
    assert loop.result.winner.index == winner
    assert loop.result.steps[2].decision is Decision.REVERT
    assert "the budget ended before it was verified" in loop.result.steps[2].reason


def test_a_kept_step_that_is_wrong_somewhere_falls_at_once(loop, monkeypatch):
    monkeypatch.setattr(Loop, "_wrong", lambda _, chosen: "n=3 is wrong" if chosen.index == 2 else "")
    assert not loop._secure()
    assert loop.result.steps[2].decision is Decision.REFUSE
    assert loop._secured.indices == set()
    assert loop._secure() is False  # the step that stands now is not the last one
    loop.result.steps.pop()
    assert loop._secure()
    assert loop._secured.indices == {1}


@pytest.mark.parametrize(
    ("left_s", "full_s", "before", "worth"),
    [
        (60.0, 4.0, False, True),
        (30.0, 4.0, False, False),
        (24.0, 1.0, False, False),
        (60.0, 4.0, True, False),
        (60.0, 2.0, True, True),
    ],
)
def test_a_kept_step_is_verified_at_once_where_that_costs_little_of_what_is_left(left_s, full_s, before, worth):
    secured = Secured({1} if before else set())
    assert secured.worth(SimpleNamespace(left_s=left_s, full_s=full_s, comparing_s=1.0)) is worth


@pytest.mark.parametrize(("low", "stands"), [(1.3, True), (1.1, False)])
def test_the_comparison_of_a_first_kept_step_stands_alone_where_it_is_far_ahead(low, stands):
    tried = replace(step(1), decision=Decision.REVERT, comparison=replace(FASTER, verdict=Verdict.SLOWER))
    kept = replace(step(2), comparison=replace(FASTER, low=low))
    assert (ending.clear([step(0), tried, kept]) is not None) is stands
    assert ending.only([step(0), tried, kept]) is None
    assert ending.clear([step(0), kept, kept]) is None


def test_steps_behind_the_secured_one_are_reverted_with_the_reason():
    result = Result(steps=[step(0), step(1), replace(step(2), decision=Decision.REFUSE), step(3)])
    assert Secured({1, 7}).back(result)
    decisions = [one.decision for one in result.steps]
    assert decisions == [Decision.BASELINE, Decision.KEEP, Decision.REFUSE, Decision.REVERT]
    assert not Secured().back(result)
