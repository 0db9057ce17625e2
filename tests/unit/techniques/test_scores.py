"""Predictions against measurements."""

from __future__ import annotations

import pytest

from hotloop.model.finding import Gain
from hotloop.store import Calibration
from hotloop.techniques.scores import scores


def row(
    technique: str, measured: float | None, rule: str = "r", verdict: str = "FASTER", target: str = "avx2"
) -> Calibration:
    return Calibration(
        technique=technique, rule=rule, target=target, predicted=Gain(1.0, 4.0), measured=measured, verdict=verdict
    )


def test_scores_group_by_rule_technique_and_target():
    rows = [
        row("pad", 2.0),
        row("pad", 8.0),
        row("pad", None, verdict="REFUSED"),
        row("pad", 1.0, target="gfx942", verdict="SAME"),
    ]
    here, there = scores(rows)
    assert (here.technique, here.rule, here.target, here.steps, here.timed, here.hits, here.kept) == (
        "pad",
        "r",
        "avx2",
        3,
        2,
        1,
        2,
    )
    assert here.measured == pytest.approx(4.0)
    assert (here.predicted.low, here.predicted.high) == pytest.approx((1.0, 4.0))
    assert there.target == "gfx942"
    assert there.factor < 1 < here.factor


def test_what_was_never_timed_has_no_measurement():
    (only,) = scores([row("pad", None, verdict="REFUSED")])
    assert (only.measured, only.timed, only.hits, only.factor) == (None, 0, 0, 1.0)
    assert scores([]) == ()
