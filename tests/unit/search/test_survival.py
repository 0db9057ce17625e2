from __future__ import annotations

import numpy as np

from hotloop.search.survival import Survival


def test_survival_learns_where_kernels_fail():
    line = np.linspace(0, 1, 11)[:, None]
    survival = Survival(line, np.array([3.0]))
    assert np.allclose(survival.chance(), 0.8)
    survival.learn(np.array([[0.0], [0.1], [0.2], [0.9], [1.0]]), [True, True, True, False, False])
    chance = survival.chance()
    assert chance[1] > 0.8
    assert chance[10] < 0.2
    assert ((chance > 0) & (chance < 1)).all()


def test_a_product_that_is_too_large_is_foreseen_where_nobody_tried():
    """Failures depend on the sum of two features; the third has no say, and the far corner has not been tried."""
    rng = np.random.default_rng(0)
    tried = rng.random((40, 3))
    tried = tried[tried[:, :2].max(1) < 0.85]
    survival = Survival(np.array([[1.0, 1.0, 0.5], [0.0, 0.0, 0.5]]), np.full(3, 3.0))
    survival.learn(tried, (tried[:, :2].sum(1) < 1.0).tolist())
    beyond, within = survival.chance()
    assert beyond < 0.15
    assert within > 0.9
