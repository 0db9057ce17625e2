"""Times beside a ratio: of the rounds that gave it, or said to be others."""

from __future__ import annotations

import dataclasses

import pytest

from hotloop.model.energy import Objective
from hotloop.report import words
from hotloop.report.view.build import build
from hotloop.report.view.page import Ratio


def test_times_that_are_not_of_the_ratio_s_rounds_are_said_to_be_others(record):
    head = build(record).headline
    assert head.speedup is not None
    same = dataclasses.replace(head, baseline_ns=head.speedup.value * 1e6, winner_ns=1e6)
    assert "median" not in words.headline(same)
    other = dataclasses.replace(head, baseline_ns=1.3 * head.speedup.value * 1e6, winner_ns=1e6)
    assert words.headline(other).endswith("each the median of rounds of its own.")


def test_accuracy_that_the_winner_gave_up_stands_in_the_headline(record):
    from hotloop.model.check import CaseResult, CheckReport

    def checked(step, ratio):
        case = CaseResult(problem="p", distribution="normal", seed=1, passed=True, worst_ratio=ratio)
        return dataclasses.replace(step, outcome=dataclasses.replace(step.outcome, check=CheckReport((case,))))

    def headline(ratio):
        steps = [
            checked(s, 0.004 if s.index == 0 else ratio) if s.index in (0, record.winner) else s for s in record.steps
        ]
        return words.headline(build(dataclasses.replace(record, steps=tuple(steps))).headline)

    assert headline(0.6).endswith(". Less accurate: uses 60 % of the tolerance instead of 0.40 %.")
    assert "accurate" not in headline(0.01)


@pytest.mark.parametrize(
    ("ratio", "said"), [(0.8, "1.25× (1.18–1.33) more energy: "), (1.25, "1.25× (1.18–1.33) less energy: ")]
)
def test_a_winner_that_takes_more_energy_than_the_baseline_is_told_as_such(record, ratio, said):
    """0.80 times as much energy would be less."""
    ends = (0.75, 0.85) if ratio < 1 else (1 / 0.85, 1 / 0.75)
    head = dataclasses.replace(build(record).headline, objective=Objective.ENERGY, speedup=Ratio(ratio, *ends))
    assert words.headline(head).startswith(said)


def test_predictions_that_hold_on_average_are_called_neither_hopeful_nor_cautious(record):
    scores = build(record).calibration
    assert words.calibration(dataclasses.replace(scores, bias=1.002)).endswith(
        "they were neither too hopeful nor too cautious on average."
    )
    assert words.calibration(dataclasses.replace(scores, bias=0.5)).endswith(
        "they were too hopeful by 2.00× on average."
    )
