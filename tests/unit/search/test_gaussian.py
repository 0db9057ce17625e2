from __future__ import annotations

import warnings

import numpy as np
import pytest

from hotloop.model.space import Parameter, Space
from hotloop.search import gaussian
from hotloop.search.features import Features
from hotloop.search.gaussian import Posterior, Weights, fit, matern, screen, squared_distance, standardised
from hotloop.search.grid import Grid

FEATURES = Features(Grid(Space(tuple(Parameter(n, (1, 2, 4, 8, 16, 32)) for n in "abc"))))
RNG = np.random.default_rng(3)
ROWS = RNG.integers(6, size=(60, 3), dtype=np.int32)
POINTS = FEATURES.of(ROWS)
NOISIER = np.geomspace(1.0, 500.0, 60)
TARGETS = standardised(np.sin(3 * POINTS[:, 0]) + POINTS[:, 1] ** 2)[0]  # the third parameter does not matter


def test_gradient_is_the_derivative_of_the_loss():
    layers = np.stack([squared_distance(p, p) for p in (POINTS[:30, i : i + 1] for i in range(3))])
    logs = np.array([0.3, 1.0, -0.5, -3.0])
    _, gradient = gaussian._loss(layers, TARGETS[:30], logs, NOISIER[:30])

    def loss(i: int, shift: float) -> float:
        return gaussian._loss(layers, TARGETS[:30], logs + shift * np.eye(4)[i], NOISIER[:30])[0]

    numeric = [(loss(i, 1e-5) - loss(i, -1e-5)) / 2e-5 for i in range(4)]
    assert gradient == pytest.approx(numeric, rel=2e-3, abs=1e-4)


def test_fit_finds_which_parameters_matter():
    weights = fit(FEATURES, POINTS, TARGETS)
    assert weights.log_groups[2] < min(weights.log_groups[:2]) - 1
    assert weights.log_noise < gaussian._LOG_NOISE


@pytest.mark.parametrize("noisier", [np.ones(60), NOISIER])
def test_posterior_grown_point_by_point_equals_the_textbook_formula(noisier):
    weights = Weights(FEATURES.log_weights, -5.0)
    pool = FEATURES.of(RNG.integers(6, size=(40, 3), dtype=np.int32))
    grown = Posterior(FEATURES, weights, pool, POINTS[:5], noisier[:5])
    for point, factor in zip(POINTS[5:], noisier[5:], strict=True):
        grown.observe(point, factor)
    mean, deviation = grown.predict(TARGETS)
    scale = np.exp(0.5 * FEATURES.log_weights)[FEATURES.groups]
    noisy = matern(squared_distance(POINTS * scale, POINTS * scale)) + np.diag(
        (np.exp(-5.0) + gaussian._JITTER) * noisier
    )
    cross = matern(squared_distance(pool * scale, POINTS * scale))
    signal = (TARGETS @ np.linalg.solve(noisy, TARGETS) + 2) / 62
    expected = signal * (1 - np.einsum("ij,ji->i", cross, np.linalg.solve(noisy, cross.T)))
    assert np.allclose(mean, cross @ np.linalg.solve(noisy, TARGETS), atol=2e-3)
    assert np.allclose(deviation**2, expected, atol=2e-3)
    if np.ptp(noisier) == 0:
        assert np.allclose(screen(FEATURES, weights, POINTS, TARGETS, pool), mean, atol=2e-3)


def test_a_fit_looks_less_at_results_that_are_doubted():
    scattered = TARGETS + np.where(
        TARGETS > 0, np.resize([2.0, -1.0, 0.5], 60), 0.0
    )  # slow ones, by nothing that features tell
    believed = fit(FEATURES, POINTS, standardised(scattered)[0])
    doubted = fit(FEATURES, POINTS, standardised(scattered)[0], np.where(TARGETS > 0, 1000.0, 1.0))
    assert doubted.log_noise < believed.log_noise - 1.0


def test_equal_targets_stay_finite():
    values, mean, deviation = standardised(np.full(4, 2.5))
    assert (values.tolist(), mean, deviation) == ([0.0] * 4, 2.5, 1.0)
    weights = fit(FEATURES, POINTS[:4], values)
    assert np.isfinite(weights.log_groups).all()


@pytest.mark.parametrize("count", [1, 9])
def test_what_is_out_shrinks_the_variance_as_if_it_were_observed(count):
    weights = Weights(FEATURES.log_weights, -5.0)
    pool = FEATURES.of(RNG.integers(6, size=(40, 3), dtype=np.int32))
    grown, kept = (Posterior(FEATURES, weights, pool, POINTS[:5]) for _ in range(2))
    for posterior in (grown, kept):
        for point in POINTS[5:8]:
            posterior.observe(point)
    for point in pool[:count]:
        grown.observe(point)
    before = kept.variance.copy()
    assert np.allclose(kept.variance_with(pool[:count]), grown.variance, atol=1e-4)
    assert np.array_equal(kept.variance, before)
    assert grown.variance[0] < 0.1 * before[0] + 0.1


def test_one_that_is_out_twice_is_no_obstacle():
    pool = FEATURES.of(RNG.integers(6, size=(40, 3), dtype=np.int32))
    posterior = Posterior(FEATURES, Weights(FEATURES.log_weights, -30.0), pool, POINTS[:5])
    assert np.isfinite(posterior.variance_with(np.vstack([pool[:3], pool[:3], POINTS[:5]]))).all()


@pytest.fixture
def flag_raised():
    """Let every product of a matrix and a vector raise the processor's flag "invalid", as a BLAS may whose unused lanes hold anything."""

    class Flagging(np.ndarray):
        def __matmul__(self, other):
            np.sqrt(np.float32(-1.0))  # what numpy would say after the product
            return np.asarray(self) @ np.asarray(other)

    return lambda points: points.view(Flagging)


def test_a_flag_of_the_blas_without_a_cause_is_no_warning(flag_raised):
    points = FEATURES.of(ROWS).astype(np.float32)
    norms, one = (points * points).sum(1), points[3]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = gaussian.squared_to(flag_raised(points), norms, one)
    assert found == pytest.approx(((points - one) ** 2).sum(1), abs=1e-5)
    assert abs(found[3]) < 1e-6  # rounding, which differs between processors


def test_an_operand_that_is_not_finite_shows_in_the_distances():
    points = FEATURES.of(ROWS).astype(np.float32)
    points[2] = np.nan
    found = gaussian.squared_to(points, (points * points).sum(1), points[0])
    assert np.isnan(found[2])
    assert np.isfinite(np.delete(found, 2)).all()
