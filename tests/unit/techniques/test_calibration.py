"""Corrections learned from predicted and measured gains."""

from __future__ import annotations

import pytest

from hotloop.model.finding import Gain
from hotloop.techniques.calibration import Calibration, Record

EXPECTS_TWO = Gain(1.0, 4.0)


def record(measured: float, technique: str = "pad", target: str = "avx2", gain: Gain = EXPECTS_TWO) -> Record:
    return Record(technique, target, gain, measured)


def test_without_records_predictions_are_believed():
    assert Calibration().factor("pad", "avx2") == 1.0


def test_one_surprise_moves_the_factor_by_a_quarter_of_its_log():
    # expected 2, measured 1: surprise -ln 2, shrunk by 1 / (1 + 3)
    assert Calibration((record(1.0),)).factor("pad", "avx2") == pytest.approx(0.5**0.25)


def test_many_records_approach_the_geometric_mean_of_measured_over_expected():
    many = Calibration(tuple(record(m) for m in (1.0, 1.0) * 500))
    assert many.factor("pad", "avx2") == pytest.approx(0.5, rel=0.01)


def test_other_targets_count_a_quarter_and_other_techniques_not_at_all():
    elsewhere = Calibration((record(1.0, target="avx512"),))
    assert elsewhere.factor("pad", "avx2") == pytest.approx(0.5 ** (0.25 / 3.25))
    assert elsewhere.factor("pack", "avx2") == 1.0


def test_factors_are_bounded():
    wild = Calibration(tuple(record(m, gain=Gain(1.0, 1.0)) for m in (1e6,) * 50))
    assert wild.factor("pad", "avx2") == 4.0
    assert Calibration(tuple(record(1e-6) for _ in range(50))).factor("pad", "avx2") == 0.25


def test_expected_gain_is_corrected():
    learned = Calibration((record(1.0),))
    assert learned.expected("pad", "avx2", Gain(1.0, 4.0)) == pytest.approx(2 * 0.5**0.25)


def test_techniques_with_records_are_named_in_order():
    assert Calibration((record(2.0), record(5.0), record(0.9, "pack"))).techniques() == ("pack", "pad")
