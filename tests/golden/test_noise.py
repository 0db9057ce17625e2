"""The paired comparison on noise that real machines made: raw samples in `noise/`, see `benchmarks/record_noise.py`."""

import json
from pathlib import Path

import numpy as np
import pytest
from noise import Recorded

from hotloop.model.verdict import Verdict
from hotloop.stats.paired import PairedTest
from hotloop.stats.rounds import log_time

FILES = sorted(Path(__file__).with_name("noise").glob("*.json"))
RUNS = 40
QUIET = ("quiet", "gpu")


def recorded(file):
    return Recorded(np.array(json.loads(file.read_text())["sample_ns"], np.float64))


def verdicts(file, ratio):
    noise, test, rng = recorded(file), PairedTest(), np.random.default_rng(3)
    found = []
    for _ in range(RUNS):
        table = noise.times(rng, test.looks[-1], ratio, alternate=True)
        ratios = [log_time(row[[0, 3]]) - log_time(row[[1, 2]]) for row in table]
        rounds, made = 0, None
        while made is None:
            rounds = test.next_look(rounds)
            made = test.decide(ratios[:rounds])
        found.append(made.verdict)
    return found


def test_recordings_say_under_which_conditions_they_were_made():
    assert len(FILES) >= 5
    for file in FILES:
        conditions = json.loads(file.read_text())["conditions"]
        assert conditions["timed"]
        assert conditions["processor"]
        assert {"cores", "threads", "load_before", "load_after", "note"} <= set(conditions)
        assert file.stat().st_size < 100_000
        assert recorded(file).samples.size >= 4 * 500
        assert (recorded(file).samples > 0).all()


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_equals_are_not_told_apart(file):
    found = verdicts(file, 1.0)
    assert found.count(Verdict.FASTER) + found.count(Verdict.SLOWER) <= 0.03 * RUNS


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
@pytest.mark.parametrize("ratio", [1.05, 0.95])
def test_five_per_cent_are_found_or_unclear_and_found_in_quiet(file, ratio):
    found = verdicts(file, ratio)
    right, wrong = (Verdict.SLOWER, Verdict.FASTER) if ratio > 1 else (Verdict.FASTER, Verdict.SLOWER)
    assert found.count(wrong) + found.count(Verdict.SAME) == 0
    assert found.count(right) >= (0.95 if file.stem.startswith(QUIET) else 0.5) * RUNS
