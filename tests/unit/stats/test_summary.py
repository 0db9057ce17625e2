import numpy as np
import pytest

from hotloop.stats.summary import bootstrap, summarize


def test_summary_of_known_series():
    found = summarize([4.0, 1.0, 3.0, 2.0, 5.0])
    assert (found.count, found.best, found.median, found.worst) == (5, 1.0, 3.0, 5.0)
    assert (found.quartile_low, found.quartile_high, found.mad) == (2.0, 4.0, 1.0)
    assert found.spread == pytest.approx(1.4826 / 3)


def test_spread_of_normal_noise_is_its_standard_deviation():
    values = np.random.default_rng(0).normal(10.0, 0.3, 20_000)
    assert summarize(values).spread == pytest.approx(0.03, rel=0.05)


def test_one_wild_sample_moves_nothing_but_the_worst():
    calm = [1.0, 1.01, 0.99, 1.02, 0.98, 1.0, 1.01]
    assert summarize([*calm, 50.0]).median == pytest.approx(summarize(calm).median, abs=0.02)


@pytest.mark.parametrize("ask", [summarize, bootstrap])
def test_empty_series_is_refused(ask):
    with pytest.raises(ValueError, match="at least one value"):
        ask([])


def test_bootstrap_is_repeatable_and_covers():
    rng = np.random.default_rng(1)
    hits = 0
    for _ in range(100):
        values = rng.lognormal(0.0, 0.5, 40)
        low, high = bootstrap(values, 0.95, resamples=300)
        assert (low, high) == bootstrap(values, 0.95, resamples=300)
        hits += low <= 1.0 <= high
    assert hits >= 88


def test_bootstrap_of_another_statistic():
    low, high = bootstrap([1.0] * 10, statistic=np.mean)
    assert (low, high) == (1.0, 1.0)
