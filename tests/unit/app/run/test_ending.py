"""How a run's end speaks of what was and was not done."""

from contextlib import nullcontext
from dataclasses import replace
from types import SimpleNamespace

import pytest

from hotloop.app.run import ending, timing
from hotloop.app.run.attempt import Attempt
from hotloop.app.run.kept.result import Result
from hotloop.app.run.optimize import Loop
from hotloop.app.run.plan import Plan
from hotloop.model.check import CheckReport
from hotloop.model.energy import Objective
from hotloop.model.evidence import Evidence
from hotloop.model.outcome import (
    Conditions,
    LaunchFailed,
    Measured,
    NotApplicable,
    Sample,
    TimedOut,
    WrongResult,
    describe,
)
from hotloop.model.space import Config
from hotloop.model.step import Decision, Step
from hotloop.model.verdict import Comparison, Verdict


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
    desk = SimpleNamespace(tell=told.append, remember=lambda _key, _kind, make: make())
    workload = SimpleNamespace(program=lambda _: None, subject=lambda _: SimpleNamespace(key=str))
    monkeypatch.setattr(timing, "noise", lambda *_, **__: timing.Noise(0.01, ()))
    assert ending.noise(desk, workload, None, limit_s, 1e9 * call_s) == (0.01 if measured else None)
    assert (len(told) == 1) is measured  # else why there is none, too


@pytest.mark.parametrize(
    ("first", "asked"),
    [(LaunchFailed("out of resources"), 2), (WrongResult(CheckReport(())), 1), (TimedOut("time", 9.0), 2)],
)
def test_a_last_comparison_that_fails_without_a_word_on_the_winner_is_made_once_more(first, asked):
    """A rewrite of 29 times was dropped as it "could not be timed there", and nobody was told what had happened."""
    told = Comparison(
        verdict=Verdict.FASTER, speedup=29.0, low=28.0, high=30.0, confidence=0.99, margin=0.02, log_ratios=()
    )
    keys = []

    def against(_baseline, _winner, key, _limit_s):
        keys.append(key)
        done = len(keys) > 1
        return SimpleNamespace(outcome=None if done else first, comparison=told if done else None)

    pace = SimpleNamespace(left_s=50.0, duel_s=1.0, last_s=50.0, ending_s=50.0, bounded=lambda *_: nullcontext())
    found, why = ending.last(SimpleNamespace(against=against), pace, None, None, (), None)
    assert len(set(keys)) == asked
    assert (found, why) == ((told, "") if asked > 1 else (None, describe(first)))
    assert describe(first) in ending.unconfirmed(None, describe(first))


def test_looks_are_told_of():
    assert ending.nothing_left([step(0)], (), 7) == "7 moves got a quick look: none looked faster"
    assert "the 1 that looked faster" in ending.nothing_left([step(0), step(1)], (), 7)


@pytest.mark.parametrize(
    ("objective", "said"), [(Objective.TIME, "makes it faster"), (Objective.ENERGY, "takes less energy")]
)
def test_what_was_tried_in_vain_is_told_in_the_words_of_the_objective(objective, said):
    met = Comparison(
        verdict=Verdict.SLOWER,
        speedup=0.5,
        low=0.4,
        high=0.6,
        confidence=0.99,
        margin=0.02,
        log_ratios=(-0.7,),
        objective=objective,
    )
    tried = replace(step(1), technique="pad", comparison=met)
    assert ending.nothing_left([step(0), tried], ()) == f"no technique that was tried {said} any more"


def test_who_stands_when_the_winner_is_dropped_is_verified_on_every_case_as_well(monkeypatch):
    """The final comparison drops the last step; the one kept before it fails a case that the check of candidates leaves out."""
    measured = Measured(samples=(Sample(wall_ns=1.0, calls=1),), conditions=Conditions("f"))
    decisions = (Decision.BASELINE, Decision.KEEP, Decision.KEEP)
    steps = [replace(step(index), outcome=measured, decision=decided) for index, decided in enumerate(decisions)]
    desk = SimpleNamespace(tell=lambda _: None, spent_s=0.0)
    loop = Loop(desk, None, None, Plan(peers=False), (), result=Result(steps=steps))
    compared = {
        index: Comparison(verdict=verdict, speedup=2, low=2, high=2, confidence=0.99, margin=0.02, log_ratios=(0.7,))
        for index, verdict in enumerate((Verdict.SAME, Verdict.FASTER, Verdict.SAME))
    }
    against = lambda _, variant, *__: SimpleNamespace(comparison=compared[variant.index])  # noqa: E731
    loop._attempts, loop._pace = (
        SimpleNamespace(against=against),
        SimpleNamespace(last_s=1.0, left_s=1.0, ending_s=1.0, bounded=lambda *_, **__: nullcontext()),
    )
    monkeypatch.setattr(Loop, "_variant", lambda _, chosen: chosen)
    monkeypatch.setattr(Loop, "_noise", lambda *_: None)
    monkeypatch.setattr(Loop, "_wrong", lambda _, chosen: "n=3 is wrong" if chosen.index == 1 else "")
    monkeypatch.setattr(ending, "simpler", lambda *_: False)
    monkeypatch.setattr("hotloop.app.run.optimize.second.objection", lambda *_, **__: "")
    monkeypatch.setattr("hotloop.app.run.optimize.hosted.tried", lambda *_: None)
    loop._confirm()
    assert loop.result.winner.index == 0
    assert [one.decision for one in loop.result.steps] == [Decision.BASELINE, Decision.REFUSE, Decision.REVERT]
    assert "n=3 is wrong" in loop.result.steps[1].reason


def test_the_roof_that_a_dropped_step_reached_is_not_the_baselines(monkeypatch):
    """Seen: 80 % of the roof, the step at 100 % dropped, and yet 'it runs at 100% of its roof as it is'."""
    baseline = replace(step(0), evidence=SimpleNamespace(get={"roof.fraction": 0.8}.get))
    kept = replace(step(1), decision=Decision.KEEP, evidence=SimpleNamespace(get={"roof.fraction": 1.0}.get))
    desk = SimpleNamespace(tell=lambda _: None, spent_s=0.0)
    result = Result(steps=[baseline, kept], stop_reason="the roofline is reached: 100%")
    loop = Loop(desk, None, None, Plan(peers=False), (), result=result)
    loop._evidence, loop._pace = (
        kept.evidence,
        SimpleNamespace(last_s=1.0, left_s=1.0, ending_s=1.0, bounded=lambda *_, **__: nullcontext()),
    )
    loop._attempts = SimpleNamespace(against=lambda *_: Attempt(outcome=NotApplicable("")))
    monkeypatch.setattr(Loop, "_variant", lambda *_: "a variant")
    monkeypatch.setattr(ending, "simpler", lambda *_: False)
    monkeypatch.setattr(Result, "sound", lambda *_: baseline)
    assert loop._against_baseline("a variant") == "a variant"
    assert ending.content(baseline, loop._fraction()) == ""
    assert result.stop_reason.startswith("with what was kept on the way, the roofline is reached")
