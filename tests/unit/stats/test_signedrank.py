import itertools

import numpy as np
import pytest

from hotloop.stats import signedrank


@pytest.mark.parametrize("n", [1, 4, 7, 10])
@pytest.mark.parametrize("alpha", [0.1, 0.02, 0.002])
def test_critical_value_against_enumeration(n, alpha):
    sums = [sum(r for r, up in enumerate(signs, 1) if up) for signs in itertools.product((0, 1), repeat=n)]
    expected = max((w for w in range(n * (n + 1) // 2) if sum(s <= w for s in sums) / 2**n <= alpha / 2), default=-1)
    assert signedrank.critical(n, alpha) == expected


def test_normal_approximation_continues_the_exact_values():
    exact, approximate = signedrank.critical(100, 0.01), signedrank.critical(101, 0.01)
    step = signedrank.critical(100, 0.01) - signedrank.critical(99, 0.01)
    assert exact < approximate < exact + 2 * step


def test_interval_matches_scipy_inversion():
    wilcoxon = pytest.importorskip("scipy.stats").wilcoxon
    values = np.random.default_rng(3).normal(0.3, 1.0, 14)
    values = values[np.argsort(np.random.default_rng(4).random(14))]
    found = signedrank.interval(values, 0.05)
    assert found is not None
    stretch = signedrank.inflation(values)
    low = found.centre - (found.centre - found.low) / stretch
    assert wilcoxon(values - (low - 1e-9), method="exact").pvalue <= 0.05
    assert wilcoxon(values - (low + 1e-9), method="exact").pvalue > 0.05


def test_coverage_on_heavy_tails():
    rng = np.random.default_rng(5)
    misses = 0
    for _ in range(1500):
        found = signedrank.interval(rng.standard_t(1.5, 20), 0.05)
        misses += not found.low <= 0 <= found.high
    assert misses / 1500 < 0.065


def test_autocorrelation_widens_the_interval():
    rng = np.random.default_rng(6)

    def misses(stretched):
        count = 0
        for _ in range(400):
            noise = rng.normal(size=60)
            for i in range(1, 60):
                noise[i] += 0.6 * noise[i - 1]
            found = signedrank.interval(noise, 0.05)
            factor = 1.0 if stretched else signedrank.inflation(noise)
            low = found.centre - (found.centre - found.low) / factor
            high = found.centre + (found.high - found.centre) / factor
            count += not low <= 0 <= high
        return count / 400

    assert misses(stretched=False) > 0.2
    assert misses(stretched=True) < 0.1


def test_inflation_of_white_noise_and_constants():
    rng = np.random.default_rng(7)
    factors = [signedrank.inflation(rng.normal(size=40)) for _ in range(300)]
    assert np.mean(factors) < 1.08
    assert signedrank.inflation(np.ones(20)) == 1.0


def test_location_withstands_a_quarter_of_nonsense():
    values = np.r_[np.random.default_rng(8).normal(1.0, 0.01, 30), np.full(10, 1e9)]
    assert signedrank.interval(values, 0.05).centre == pytest.approx(1.0, abs=0.05)


def test_too_few_values_have_no_interval():
    assert signedrank.interval([1.0] * 9, 0.002) is None
    assert signedrank.interval([1.0] * 10, 0.002) is not None
    assert signedrank.interval([], 0.5) is None
