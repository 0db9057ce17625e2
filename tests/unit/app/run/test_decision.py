from dataclasses import replace

import pytest

from hotloop.app.run.attempt import Attempt
from hotloop.app.run.decision import decide, predictions
from hotloop.model.check import CaseResult, CheckReport
from hotloop.model.finding import Gain
from hotloop.model.outcome import Conditions, Crashed, Measured, Sample
from hotloop.model.space import Config
from hotloop.model.step import Decision, Step
from hotloop.model.verdict import Comparison, Verdict

MEASURED = Measured(samples=(Sample(wall_ns=100.0, calls=1),), conditions=Conditions("f"))


def comparison(verdict, reason=""):
    return Comparison(
        verdict=verdict, speedup=1.1, low=1.05, high=1.2, confidence=0.99, margin=0.02, log_ratios=(0.1,), reason=reason
    )


@pytest.mark.parametrize(
    ("verdict", "simpler", "decision", "words"),
    [
        (Verdict.FASTER, False, Decision.KEEP, "faster: 1.100× [1.050, 1.200]"),
        (Verdict.SAME, True, Decision.KEEP, "as fast and simpler"),
        (Verdict.SAME, False, Decision.REVERT, "no difference beyond 2%"),
        (Verdict.SLOWER, True, Decision.REVERT, "slower"),
        (Verdict.UNCLEAR, True, Decision.REVERT, "unclear"),
    ],
)
def test_only_what_is_faster_or_simpler_is_kept(verdict, simpler, decision, words):
    found = decide(Attempt(outcome=MEASURED, comparison=comparison(verdict)), simpler)
    assert found[0] is decision
    assert found[1].startswith(words)


def test_accuracy_that_was_given_up_is_told_with_the_gain():
    start, now = (
        CheckReport((CaseResult(problem="p", distribution="normal", seed=1, passed=True, worst_ratio=ratio),))
        for ratio in (0.003, 0.61)
    )
    attempt = Attempt(outcome=replace(MEASURED, check=now), comparison=comparison(Verdict.FASTER))
    assert decide(attempt, False, start)[1].endswith("less accurate: uses 61 % of the tolerance instead of 0.30 %")
    assert "accurate" not in decide(attempt, False, now)[1]


def test_why_it_is_unclear_is_told():
    attempt = Attempt(outcome=MEASURED, comparison=comparison(Verdict.UNCLEAR, "the machine is busy"))
    assert decide(attempt, simpler=False)[1] == "unclear: the machine is busy"


def test_what_was_never_compared_is_refused():
    decision, reason = decide(Attempt(outcome=Crashed("execute", 11)), simpler=True)
    assert decision is Decision.REFUSE
    assert reason == "crashed in execute (signal 11)"


def step(technique, predicted, compared):
    return Step(
        index=0,
        technique=technique,
        change="",
        why="",
        implementation="i",
        config=Config(),
        outcome=MEASURED,
        decision=Decision.KEEP,
        reason="",
        predicted=predicted,
        comparison=compared,
    )


def test_predictions_of_techniques_are_held_against_measurements():
    steps = [
        step("baseline", None, None),
        step("vectorize", Gain(1, 2), comparison(Verdict.FASTER)),
        step("unroll", Gain(1, 2), None),
        step("search", Gain(1, 2), comparison(Verdict.FASTER)),
    ]
    assert [(s.technique, measured) for s, measured in predictions(steps)] == [("vectorize", 1.1), ("unroll", None)]
