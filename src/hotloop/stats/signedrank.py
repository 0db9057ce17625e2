"""Location of a symmetric heavy-tailed series: Hodges–Lehmann estimate with the interval of Wilcoxon's signed-rank test.

Sources: Hodges & Lehmann 1963 (median of the Walsh averages); Hollander & Wolfe, Nonparametric Statistical Methods,
section 3.3 (the interval is a pair of order statistics of the Walsh averages, with exact coverage for any symmetric
distribution). It keeps 95 % of the mean's efficiency on normal noise and withstands 29 % of arbitrarily wrong values.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_EXACT = 100  # beyond this many values the normal approximation of the rank sum is exact enough (and cheaper)
_STRONGEST = 0.8  # autocorrelation estimates from a few dozen values are not trusted beyond this


@dataclass(frozen=True, slots=True)
class Interval:
    """Estimate with its confidence limits, in the unit of the values."""

    low: float
    centre: float
    high: float


def interval(values: Sequence[float] | NDArray[np.float64], alpha: float) -> Interval | None:
    """Return estimate and two-sided interval with error probability `alpha`; None when so few values cannot give it.

    The estimate is the median of the means of all pairs. The interval is stretched for positive autocorrelation:
    neighbouring rounds that err together count as fewer independent ones, n·(1−ρ)/(1+ρ) for a first-order process.

    >>> interval([1.0, 2.0, 3.0], 0.01) is None
    True
    """
    data = np.asarray(values, dtype=np.float64)
    rank = critical(data.size, alpha)
    if rank < 0:
        return None
    first, second = _pairs(data.size)
    walsh = (data[first] + data[second]) / 2
    centre = float(np.median(walsh))
    edges = np.partition(walsh, (rank, walsh.size - 1 - rank))
    stretch = inflation(data)
    low = centre - stretch * (centre - float(edges[rank]))
    return Interval(low, centre, centre + stretch * (float(edges[walsh.size - 1 - rank]) - centre))


def inflation(values: NDArray[np.float64]) -> float:
    """Return the factor (≥ 1) by which autocorrelation widens an interval, from the lag-1 correlation of ranks.

    Correlations that white noise of this length shows too (below 1/√n) count as none.
    """
    n, ordered = values.size, np.sort(values)
    ranks = np.searchsorted(ordered, values, "left") + np.searchsorted(ordered, values, "right") - float(n)
    total = float(ranks @ ranks)  # ranks are centred, doubled, and equal for ties
    if total == 0:
        return 1.0
    rho = float(ranks[1:] @ ranks[:-1]) / total + 1 / n  # the estimate is biased low by about 1/n
    rho = min(rho, _STRONGEST) if rho > n**-0.5 else 0.0
    return float(((1 + rho) / (1 - rho)) ** 0.5)


@cache
def critical(n: int, alpha: float) -> int:
    """Return the zero-based order statistic of the Walsh averages that bounds the interval; −1 when there is none.

    It is the largest rank sum w with P(W⁺ ≤ w) ≤ alpha / 2 under the null hypothesis.
    """
    if n > _EXACT:
        spread = (n * (n + 1) * (2 * n + 1) / 24) ** 0.5
        return max(-1, int(n * (n + 1) / 4 + NormalDist().inv_cdf(alpha / 2) * spread - 0.5))
    ways = np.zeros(n * (n + 1) // 2 + 1)
    ways[0] = 1.0
    for rank in range(1, n + 1):
        shifted = ways[:-rank].copy()
        ways[rank:] += shifted
    return int(np.searchsorted(np.cumsum(ways) / 2.0**n, alpha / 2, side="right")) - 1


@cache
def _pairs(n: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    rows, columns = np.triu_indices(n)
    return rows, columns
