"""Robust summaries of samples: what a few disturbed measurements cannot move."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

NORMAL_MAD = 1.4826
"""Standard deviation of a normal distribution over its median absolute deviation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """Order statistics of one series; unit and meaning are those of the values."""

    count: int
    best: float
    """Smallest value."""
    quartile_low: float
    median: float
    quartile_high: float
    worst: float
    """Largest value."""
    mad: float
    """Median absolute deviation from the median, not scaled."""

    @property
    def spread(self) -> float:
        """Robust relative standard deviation: 1.4826 × MAD / median; 0 when the median is 0."""
        return NORMAL_MAD * self.mad / self.median if self.median else 0.0


def summarize(values: Sequence[float]) -> Summary:
    """Return the order statistics of a series.

    Raises:
        ValueError: the series is empty.

    >>> summarize([3.0, 1.0, 2.0, 100.0, 2.0]).median
    2.0
    """
    data = _series(values)
    low, middle, high = np.quantile(data, (0.25, 0.5, 0.75))
    return Summary(
        count=data.size,
        best=float(data.min()),
        quartile_low=float(low),
        median=float(middle),
        quartile_high=float(high),
        worst=float(data.max()),
        mad=float(np.median(np.abs(data - middle))),
    )


def bootstrap(
    values: Sequence[float],
    confidence: float = 0.95,
    *,
    statistic: Callable[..., NDArray[np.float64]] = np.median,
    resamples: int = 1000,
    seed: int = 0,
) -> tuple[float, float]:
    """Return the percentile bootstrap interval of a statistic; the same seed gives the same interval.

    Args:
        values: independent observations; for correlated ones use `hotloop.stats.signedrank.interval`.
        confidence: coverage, 0..1.
        statistic: NumPy reduction that takes ``axis``.
        resamples: how many resamples are drawn.
        seed: of the generator.

    Raises:
        ValueError: the series is empty.
    """
    data = _series(values)
    draws = np.random.default_rng(seed).integers(0, data.size, (resamples, data.size))
    resampled = statistic(data[draws], axis=1)
    low, high = np.quantile(resampled, (0.5 - confidence / 2, 0.5 + confidence / 2))
    return float(low), float(high)


def _series(values: Sequence[float]) -> NDArray[np.float64]:
    data = np.asarray(values, dtype=np.float64)
    if data.size == 0:
        raise ValueError("a summary needs at least one value")
    return data
