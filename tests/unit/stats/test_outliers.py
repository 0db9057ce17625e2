import numpy as np

from hotloop.stats.outliers import agreeing


def test_order_is_kept_and_far_values_go():
    values = [0.01, -0.02, 2.0, 0.0, 0.015, -0.01, -1.5, 0.02, 0.005]
    assert agreeing(values).tolist() == [v for v in values if abs(v) < 1]


def test_normal_noise_loses_almost_nothing():
    rng = np.random.default_rng(0)
    lost = sum(60 - agreeing(rng.normal(size=60)).size for _ in range(200))
    assert lost / (60 * 200) < 0.004


def test_more_than_a_quarter_is_how_the_machine_is():
    values = [0.0, 0.01, -0.01, 0.005, -0.005, 3.0, 3.0]
    assert agreeing(values).tolist() == values


def test_empty_and_constant():
    assert agreeing([]).size == 0
    assert agreeing([1.0, 1.0]).tolist() == [1.0, 1.0]


def test_a_coarse_clock_does_not_condemn_the_rest():
    values = [0.0] * 9 + [0.1]
    assert agreeing(values).tolist() == values
