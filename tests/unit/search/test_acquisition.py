from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np
import pytest

from hotloop.search.acquisition import Survival, compressed, log_expected_improvement, normal_cdf


def test_improvement_matches_sampling():
    draws = np.random.default_rng(0).normal(1.0, 0.5, 400_000)
    expected = np.maximum(0.8 - draws, 0).mean()
    found = log_expected_improvement(0.8, np.array([1.0]), np.array([0.5]))
    assert math.exp(found[0]) == pytest.approx(expected, rel=0.01)


def test_improvement_is_accurate_and_ordered_far_into_the_tail():
    normal = NormalDist()
    for ahead in (-2.9, -3.1, -4.0):
        exact = normal.pdf(ahead) + ahead * normal.cdf(ahead)
        found = log_expected_improvement(ahead, np.zeros(1), np.ones(1))[0]
        assert found == pytest.approx(math.log(exact), abs=0.05)
    far = log_expected_improvement(0.0, np.linspace(0, 60, 400), np.full(400, 0.5))
    assert np.isfinite(far).all()
    assert (np.diff(far) < 0).all()


def test_normal_cdf():
    x = np.linspace(-5, 5, 41)
    assert np.allclose(normal_cdf(x), [NormalDist().cdf(v) for v in x], atol=2e-7)


def test_compression_keeps_order_and_squeezes_only_the_slow_half():
    times = np.log(np.array([1.0, 1.1, 1.5, 1.9, 8.0, 64.0]))
    squeezed = compressed(times)
    assert (np.diff(squeezed) > 0).all()
    assert np.allclose(squeezed[:4], times[:4])
    assert squeezed[-1] < 0.5 * times[-1]


def test_survival_learns_where_kernels_fail():
    line = np.linspace(0, 1, 11)[:, None]
    survival = Survival(line, np.array([3.0]))
    assert np.allclose(survival.chance(), 0.8)
    for x in (0.0, 0.1, 0.2):
        survival.vote(np.array([x]), works=True)
    for x in (0.9, 1.0):
        survival.vote(np.array([x]), works=False)
    chance = survival.chance()
    assert chance[1] > 0.9
    assert chance[10] < 0.2
    assert ((chance > 0) & (chance < 1)).all()
