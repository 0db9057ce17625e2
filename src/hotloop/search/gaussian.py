"""Gaussian-process regression in numpy: Matérn 5/2 kernel, one weight per feature group, fitted by marginal likelihood.

Formulas: Rasmussen and Williams, *Gaussian Processes for Machine Learning* (2006), algorithm 2.1 and equations 4.17
and 5.8-5.9. The signal variance is integrated out by its maximum. `Posterior` keeps the prediction for a fixed pool
of points up to date in O(observations × pool) per new observation.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hotloop.search.features import Features

    Vector = NDArray[np.float64]
    Matrix = NDArray[np.float64]
    Single = NDArray[np.float32]

Real = TypeVar("Real", np.float32, np.float64)

_JITTER = 1e-6
_ROUNDS = 14
"""Gradient steps of a fit; the prior makes the last digits of the weights irrelevant."""
_LOG_NOISE = -7.0
"""Noise variance expected beforehand, relative to the variance of the data: a scatter of 3 % of their spread."""
_NOISE_SPREAD = 1.5
_WEIGHT_SPREAD = 1.0
_TAIL = 2.0
"""Degrees of freedom of the belief in weights and noise: a few parameters matter, some not at all, and data that say so are followed far."""
_PRIOR_COUNT = 2.0
"""Number of observations that would weigh as much as the prior belief that the signal variance equals the variance of the data."""


@dataclass(frozen=True, slots=True)
class Weights:
    """Hyperparameters of the process."""

    log_groups: Vector
    """Log weight of each feature group's squared distance."""
    log_noise: float = _LOG_NOISE
    """Log noise variance relative to the signal variance."""


def matern(squared: NDArray[Real]) -> NDArray[Real]:
    """Return the Matérn 5/2 correlation at squared weighted distances."""
    scaled = np.sqrt(5.0 * np.maximum(squared, 0.0)).astype(squared.dtype, copy=False)
    return np.asarray((1.0 + scaled + scaled * scaled / 3.0) * np.exp(-scaled))


def _matern_and_slope(squared: Matrix) -> tuple[Matrix, Matrix]:
    """Return the correlation and its derivative by the squared distance."""
    scaled = np.sqrt(5.0 * squared)
    decay = np.exp(-scaled)
    return (1.0 + scaled + scaled * scaled / 3.0) * decay, -(5.0 / 6.0) * (1.0 + scaled) * decay


def squared_distance(left: NDArray[Real], right: NDArray[Real]) -> NDArray[Real]:
    """Return squared Euclidean distances between rows, shape (rows of one, rows of other)."""
    return np.asarray(
        np.maximum((left * left).sum(1)[:, None] + (right * right).sum(1)[None] - 2.0 * left @ right.T, 0.0)
    )


def squared_to(points: Single, norms: Single, point: Single) -> Single:
    """Return squared distances of many points to one, shape (points,), given the points' squared norms.

    The flag "invalid" is not looked at: OpenBLAS's AVX-512 product of a matrix of five columns and a vector raises it now and then for
    finite operands, whose product is right, by lanes that belong to no column. An operand that is not finite shows in the result.
    """
    with np.errstate(invalid="ignore"):
        return np.asarray(np.maximum(norms + point @ point - 2.0 * (points @ point), np.float32(0.0)))


def standardised(targets: Vector) -> tuple[Vector, float, float]:
    """Return targets with mean 0 and deviation 1, their mean and their deviation (1 when they are all equal)."""
    mean, deviation = float(targets.mean()), float(targets.std())
    deviation = deviation if deviation > 0 else 1.0
    return (targets - mean) / deviation, mean, deviation


def fit(features: Features, observed: Matrix, targets: Vector, noisier: Vector | None = None) -> Weights:
    """Return the weights of highest posterior density for standardised targets.

    Each target's noise variance is multiplied by its element of `noisier`, where that is given.

    Sign-based gradient descent (Rprop, Riedmiller and Braun 1993) on the negative log marginal likelihood plus
    Student's priors around the expected log weights; it starts from the prior each time, so the result is a function
    of the data alone.
    """
    factors = np.ones(len(targets)) if noisier is None else noisier
    layers = np.stack([_self_distance(observed[:, features.groups == g]) for g in range(len(features.log_weights))])
    centre = np.append(features.log_weights, _LOG_NOISE)
    spread = np.append(np.full(len(features.log_weights), _WEIGHT_SPREAD), _NOISE_SPREAD)
    here, step, last = centre.copy(), np.full(len(centre), 0.3), np.zeros(len(centre))
    best, best_loss = here, math.inf
    for _ in range(_ROUNDS):
        loss, gradient = _loss(layers, targets, here, factors)
        off = (here - centre) / spread
        loss += 0.5 * (_TAIL + 1.0) * float(np.log1p(off * off / _TAIL).sum())
        if loss < best_loss:
            best, best_loss = here, loss
        sign = np.sign(gradient + (_TAIL + 1.0) * off / (_TAIL + off * off) / spread)
        step = np.where(sign * last > 0, np.minimum(1.3 * step, 1.0), np.where(sign * last < 0, 0.5 * step, step))
        last = sign
        here = here - sign * step
        here[-1] = min(here[-1], 0.0)
    return Weights(best[:-1], float(best[-1]))


def _self_distance(points: Matrix) -> Matrix:
    return squared_distance(points, points)


def _loss(layers: NDArray[np.float64], targets: Vector, logs: Vector, noisier: Vector) -> tuple[float, Vector]:
    """Return the negative log marginal likelihood and its gradient by log weights and log noise."""
    weights, noise, count = np.exp(logs[:-1]), math.exp(logs[-1]), len(targets)
    correlation, slope = _matern_and_slope(np.tensordot(weights, layers, 1))
    noisy = correlation + np.diag(noise * noisier + _JITTER)
    inverse = np.linalg.inv(noisy)
    solved = inverse @ targets
    variance = float(targets @ solved + _PRIOR_COUNT) / (count + _PRIOR_COUNT)
    determinant = float(np.linalg.slogdet(noisy)[1])
    outer = 0.5 * (inverse - np.outer(solved, solved) / variance)
    by_weight = layers.reshape(len(layers), -1) @ (outer * slope).reshape(-1) * weights
    return 0.5 * determinant + 0.5 * (count + _PRIOR_COUNT) * math.log(variance), np.append(
        by_weight, float(outer.diagonal() @ noisier) * noise
    )


class Posterior:
    """Predictions for a pool of points given observations that arrive one by one."""

    def __init__(
        self, features: Features, weights: Weights, pool: Matrix, observed: Matrix, noisier: Vector | None = None
    ) -> None:
        self._scale = np.exp(0.5 * weights.log_groups)[features.groups]
        self._noise = math.exp(weights.log_noise) + _JITTER
        self._pool = (pool * self._scale).astype(np.float32)
        self._norms = (self._pool * self._pool).sum(1)
        self._points = observed * self._scale
        factors = np.ones(self.count) if noisier is None else noisier
        lower = np.linalg.cholesky(
            matern(squared_distance(self._points, self._points)) + np.diag(self._noise * factors)
        )
        self._root = np.linalg.inv(lower)
        cross = matern(squared_distance(self._points.astype(np.float32), self._pool))
        self._rows = (self._root.astype(np.float32) @ cross).astype(np.float32)
        self._variance = 1.0 - (self._rows * self._rows).sum(0)

    @property
    def count(self) -> int:
        """Number of observations."""
        return len(self._points)

    @property
    def variance(self) -> Single:
        """Of each pool point, relative to that before any observation."""
        return np.asarray(self._variance)

    def variance_with(self, points: Matrix) -> Single:
        """Return what `variance` would be after observations of these points, which what is observed there does not change."""
        scaled = points * self._scale
        projected = matern(squared_distance(scaled, self._points)) @ self._root.T
        left = matern(squared_distance(scaled, scaled)) - projected @ projected.T
        root = np.linalg.inv(np.linalg.cholesky(left + (self._noise + _JITTER) * np.eye(len(points))))
        cross = matern(squared_distance(scaled.astype(np.float32), self._pool))
        rows = root.astype(np.float32) @ (cross - projected.astype(np.float32) @ self._rows[: self.count])
        return np.asarray(self._variance - (rows * rows).sum(0))

    def observe(self, point: Vector, noisier: float = 1.0) -> None:
        """Add the features of one observation, shape (features,), whose noise variance is so many times the usual."""
        scaled = point * self._scale
        with_points = self._root @ matern(squared_distance(self._points, scaled[None]))[:, 0]
        pivot = math.sqrt(max(1.0 + self._noise * noisier - float(with_points @ with_points), _JITTER))
        single = scaled.astype(np.float32)
        with_pool = matern(squared_to(self._pool, self._norms, single))
        row = ((with_pool - with_points.astype(np.float32) @ self._rows[: self.count]) / pivot).astype(np.float32)
        self._append(row, np.append(-(with_points @ self._root) / pivot, 1.0 / pivot))
        self._points = np.vstack([self._points, scaled])
        self._variance -= row * row

    def predict(self, targets: Vector, expected: float = 1.0) -> tuple[Single, Single]:
        """Return mean and standard deviation for each pool point.

        Args:
            targets: of the observations, standardised, or what is left of such targets by another model.
            expected: variance of the targets that is believed in beforehand.
        """
        whitened = self._root @ targets
        variance = float(whitened @ whitened + _PRIOR_COUNT * expected) / (self.count + _PRIOR_COUNT)
        mean = whitened.astype(np.float32) @ self._rows[: self.count]
        return mean, np.sqrt(np.maximum(self._variance, _JITTER) * np.float32(variance))

    def _append(self, row: Single, root: Vector) -> None:
        if self.count == len(self._rows):
            spare = np.zeros((max(16, self.count // 4), self._rows.shape[1]), np.float32)
            self._rows = np.vstack([self._rows, spare])
        self._rows[self.count] = row
        grown = np.zeros((len(root), len(root)))
        grown[:-1, :-1] = self._root
        grown[-1] = root
        self._root = grown


def screen(features: Features, weights: Weights, observed: Matrix, targets: Vector, points: Matrix) -> Vector:
    """Return predicted means of many points at once, without deviations; for choosing a pool."""
    scale = np.exp(0.5 * weights.log_groups)[features.groups]
    scaled = observed * scale
    noisy = matern(squared_distance(scaled, scaled)) + (math.exp(weights.log_noise) + _JITTER) * np.eye(len(scaled))
    solved = np.linalg.solve(noisy, targets).astype(np.float32)
    cross = matern(squared_distance((points * scale).astype(np.float32), scaled.astype(np.float32)))
    return np.asarray(cross @ solved, np.float64)
