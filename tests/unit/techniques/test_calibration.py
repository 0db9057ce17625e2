"""Corrections learned from predicted and measured gains."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from hotloop.model.finding import Gain
from hotloop.techniques.calibration import SEARCH, Calibration, Record

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


def test_a_promise_is_never_narrower_than_the_mechanism_and_knows_that_moves_cost():
    promised = Calibration().promised("pad", "avx2", Gain(1.02, 1.1))
    assert promised.low < 0.6
    assert promised.high > 1.5
    wide = Gain(0.1, 90.0)
    assert Calibration().promised("pad", "avx2", wide) == Gain(0.1, pytest.approx(90.0))


def test_what_a_look_has_seen_ahead_is_promised_from_outcomes_that_were_ahead():
    gain = Gain(1.0, 1.1)
    mixed = Calibration(tuple(record(m, gain=gain) for m in (0.4, 0.5, 0.6, 0.9, 1.2, 1.4, 1.6, 2.0, 2.8, 3.5) * 50))
    plain, ahead = (mixed.promised("pad", "avx2", gain, ahead=seen) for seen in (None, 1.5))
    assert plain.low < 0.5
    assert ahead.low > 0.5  # one in ten of those below 1 is left
    assert ahead.high == pytest.approx(3.5)
    assert mixed.promised("pad", "avx2", gain, ahead=6.0).contains(6.5)  # what a look showed is not excluded


def test_what_a_search_measured_is_promised_more_closely():
    gain = Gain(1.0, 1.1)
    found = Calibration((record(0.1),) * 50).promised(SEARCH, "avx2", gain)
    assert found.low > 0.85
    assert found.high < 1.2


def test_a_techniques_own_records_decide_in_the_end():
    gain = Gain(2.0, 2.0)
    own = Calibration((record(1.9),) * 200).promised("pad", "avx2", gain)
    elsewhere = Calibration((record(1.9),) * 200).promised("pad", "sm_90", gain)
    assert own.low == pytest.approx(1.9)
    assert own.high == 2.0
    assert elsewhere.low <= own.low
    assert own.contains(1.95)


def test_promises_hold_on_runs_that_they_were_not_made_from():
    """Of the recorded runs: at least four of five moves of the menu, where the mechanisms alone held for one of four."""
    root = Path(__file__).parents[3]
    files = [
        *sorted(root.glob("results/cpu-*/optimize-1024*.json")),
        *sorted(root.glob("results/nvidia-*/loop*.json*")),
    ]
    assert len(files) == 5
    ran = subprocess.run(
        [sys.executable, root / "benchmarks" / "predictions.py", *files], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    held, total = map(int, re.search(r"held for (\d+) of (\d+)", ran.stdout).groups())
    assert total > 120
    assert held >= 0.8 * total
    tried, kept = map(int, re.search(r"of the (\d+) that would be tried, (\d+)", ran.stdout).groups())
    assert kept >= 0.4 * tried
    assert kept >= 40  # of 51: what is not tried is left to the search


def test_the_chance_of_a_move_follows_its_promise_and_its_techniques_records():
    small, large = Gain(0.98, 1.04), Gain(1.5, 3.0)
    plain = Calibration()
    assert (
        plain.chance("rasterize", "x86-64-avx2", small, 0.02)
        < 0.3
        < plain.chance("rasterize", "x86-64-avx2", large, 0.02)
    )
    failed = Calibration((record(0.9, "pad", "x86-64-avx2", large),) * 5)
    assert failed.chance("pad", "x86-64-avx2", large, 0.02) < 0.5 * plain.chance("pad", "x86-64-avx2", large, 0.02)


def test_a_chance_is_the_part_of_outcomes_beyond_the_margin():
    gain = Gain(1.0, 1.0)
    won = Calibration(tuple(record(m, "pad", "avx2", gain) for m in (1.1, 0.9) * 500))
    assert won.chance("pad", "avx2", gain, 0.02) == pytest.approx(0.5, abs=0.01)
    assert won.chance("pad", "avx2", gain, 0.2) < 0.01


def test_recorded_runs_of_gpus_say_less_about_a_cpu():
    larger = Gain(1.0, 1.01)  # larger tiles always paid on the GPU, and no CPU has tried them
    assert Calibration().chance("larger-tile", "sm_90", larger, 0.02) > Calibration().chance(
        "larger-tile", "x86-64", larger, 0.02
    )
