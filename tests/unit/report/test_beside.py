"""Times beside a ratio: of the rounds that gave it, or said to be others."""

from __future__ import annotations

import dataclasses

from hotloop.report import words
from hotloop.report.view.build import build


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
