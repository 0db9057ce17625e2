import time
from math import exp, log

import numpy as np
import pytest
from noise import BUSY, CROWDED, QUIET, Noise

from hotloop.model.verdict import Verdict
from hotloop.stats.paired import LOOKS, PATIENT, PairedTest, noise_floor
from hotloop.stats.rounds import log_time

RUNS = 100


def series(noise, ratio, rng, alternate=False):
    return [
        log_time(row[[0, 3]]) - log_time(row[[1, 2]]) for row in noise.times(rng, LOOKS[-1], ratio, alternate=alternate)
    ]


def verdicts(noise, ratio, alternate=False):
    test, rng = PairedTest(), np.random.default_rng(11)
    counts = dict.fromkeys(Verdict, 0)
    for _ in range(RUNS):
        ratios, rounds, found = series(noise, ratio, rng, alternate), 0, None
        while found is None:
            rounds = test.next_look(rounds)
            found = test.decide(ratios[:rounds])
        counts[found.verdict] += 1
    return counts


@pytest.mark.parametrize("noise", [QUIET, BUSY, CROWDED], ids=["quiet", "busy", "crowded"])
@pytest.mark.parametrize("alternate", [False, True], ids=["ABBA", "alternating"])
def test_the_same_variant_is_neither_faster_nor_slower(noise, alternate):
    found = verdicts(noise, 1.0, alternate)
    assert found[Verdict.FASTER] + found[Verdict.SLOWER] <= 0.01 * RUNS


@pytest.mark.parametrize("jitter", [0.01, 0.015, 0.02])
def test_five_per_cent_slower_is_found_in_quiet(jitter):
    found = verdicts(Noise(jitter=jitter, drift=0.02), 1.05)
    assert found[Verdict.SLOWER] >= 0.98 * RUNS
    assert found[Verdict.SAME] == 0


@pytest.mark.parametrize("noise", [BUSY, CROWDED], ids=["busy", "crowded"])
@pytest.mark.parametrize("ratio", [1.05, 1 / 1.05])
def test_five_per_cent_under_load_is_found_or_unclear_never_the_same_or_the_opposite(noise, ratio):
    found = verdicts(noise, ratio)
    right, wrong = (Verdict.SLOWER, Verdict.FASTER) if ratio > 1 else (Verdict.FASTER, Verdict.SLOWER)
    assert found[Verdict.SAME] == found[wrong] == 0
    assert found[right] + found[Verdict.UNCLEAR] == RUNS


def test_quiet_equality_is_called_the_same():
    assert verdicts(QUIET, 1.0)[Verdict.SAME] >= 0.98 * RUNS


def test_differences_within_the_margin_are_not_claimed():
    found = verdicts(QUIET, 1.01)
    assert found[Verdict.FASTER] == found[Verdict.SLOWER] == 0


def test_drifting_contenders_are_not_told_apart():
    """Autocorrelated log ratios with no difference on average: the interval has to widen."""
    rng, test, wrong = np.random.default_rng(12), PairedTest(looks=(60,)), 0
    for _ in range(RUNS):
        noise = rng.normal(0, 0.04, 60)
        for i in range(1, 60):
            noise[i] += 0.6 * noise[i - 1]
        wrong += test.decide(noise).verdict in {Verdict.FASTER, Verdict.SLOWER}
    assert wrong <= 0.02 * RUNS


def test_speedup_and_interval_are_of_the_right_sign_and_size():
    ratios = [log(1.5) + e for e in np.random.default_rng(0).normal(0, 0.01, 10)]
    found = PairedTest().decide(ratios, noise=0.01)
    assert found.verdict is Verdict.FASTER
    assert found.low < 1.5 < found.high
    assert found.speedup == pytest.approx(1.5, rel=0.02)
    assert (found.rounds, found.noise, found.confidence, found.margin, found.reason) == (10, 0.01, 0.99, 0.02, "")


def test_only_planned_looks_decide():
    test = PairedTest()
    clear = [0.5] * 80
    assert test.decide(clear[:9]) is None
    assert test.decide(clear[:10]).verdict is Verdict.FASTER
    assert test.decide(clear[:11]) is None
    assert test.decide(clear).verdict is Verdict.FASTER
    assert test.decide([]) is None


def test_unclear_says_where_the_interval_lies():
    rng = np.random.default_rng(1)
    found = PairedTest().decide(rng.normal(0.02, 0.1, 60))
    assert found.verdict is Verdict.UNCLEAR
    assert found.reason.startswith("after 60 rounds the speedup lies in")
    assert "across" in found.reason
    assert "1.02" in found.reason


def test_a_single_short_look_always_answers():
    """Leaving out disturbed rounds must not leave the last look without an interval."""
    test = PairedTest(confidence=0.95, looks=(6,))
    assert test.decide([0.0, 0.001, -0.001, 0.002, -0.002, 5.0]).verdict is Verdict.UNCLEAR


@pytest.mark.parametrize(
    "options",
    [
        {"margin": 0.0},
        {"confidence": 1.0},
        {"looks": ()},
        {"looks": (10, 10)},
        {"looks": (0, 10)},
        {"looks": (4,)},
    ],
)
def test_senseless_tests_are_refused(options):
    with pytest.raises(ValueError, match=r"margin|looks|rounds"):
        PairedTest(**options)


@pytest.mark.parametrize(
    ("least", "brief", "verdict"),
    [(5.2, True, Verdict.FASTER), (1 / 5.2, True, Verdict.SLOWER), (4.8, True, None), (5.2, False, None)],
)
def test_three_rounds_of_seconds_decide_what_each_of_them_shows_fivefold(least, brief, verdict):
    test = PairedTest(brief=brief)
    assert [test.next_look(rounds) for rounds in (0, 3, 5)] == ([3, 5, 10] if brief else [5, 5, 10])
    found = test.decide([log(least), 1.2 * log(least), 1.5 * log(least)])
    assert (found and found.verdict) is verdict
    assert found is None or min(abs(log(found.low)), abs(log(found.high))) == pytest.approx(log(5.2))


def test_noise_floor_counts_bias_and_width():
    rng = np.random.default_rng(2)
    quiet = noise_floor(rng.normal(0, 0.01, 40))
    biased = noise_floor(rng.normal(0.03, 0.01, 40))
    assert 0 < quiet < 0.015
    assert exp(0.03) - 1 < biased < 0.05
    assert noise_floor([0.0] * 3) is None


def test_a_look_is_cheap():
    test, ratios = PairedTest(), list(np.random.default_rng(3).normal(0, 0.1, 60))
    test.decide(ratios)
    start = time.process_time()
    for _ in range(50):
        test.decide(ratios)
    assert (time.process_time() - start) / 50 < 0.005


def test_more_rounds_tell_what_bursts_hide_and_permit_no_more_errors():
    ratios = list(np.random.default_rng(11).normal(0.13, 0.33, 140))
    usual, patient = PairedTest(), PairedTest(looks=PATIENT)
    assert usual.decide(ratios[:60]).verdict is Verdict.UNCLEAR
    assert patient.decide(ratios[:60]) is None
    assert patient.decide(ratios).verdict is Verdict.FASTER
    assert patient.alpha * len(PATIENT) == pytest.approx(usual.alpha * len(usual.looks))
    assert patient.decide([0.2 + 0.001 * number for number in range(16)]).verdict is Verdict.FASTER
