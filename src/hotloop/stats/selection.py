"""The best of a search is a lucky sample until it has been measured again, side by side, against the runner-up."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hotloop.ports import Round
from hotloop.stats.rounds import Clock, log_times
from hotloop.stats.signedrank import location
from hotloop.stats.summary import NORMAL_MAD, summarize


def finalists(
    times: Sequence[Sequence[float]], *, limit: int = 4, least: int = 2, margin: float = 0.02, sigmas: float = 2.0
) -> tuple[int, ...]:
    """Return the candidates that may be the best, as indices, best first: those to time again in one request.

    A candidate stays when its median, less the uncertainty of both, is within `margin` of the best one's.

    Args:
        times: samples of each candidate in ns per call, taken at different moments; an empty series is a failure.
        limit: most finalists.
        least: fewest, however clear the lead (the winner needs a runner-up to be compared with).
        margin: relative difference that counts as the same.
        sigmas: standard errors of each median to allow for.
    """
    measured = [index for index, samples in enumerate(times) if len(samples)]
    bounds = {index: _bounds(times[index], sigmas) for index in measured}
    order = sorted(measured, key=lambda index: bounds[index][1])
    if not order:
        return ()
    reach = bounds[order[0]][2] * (1 + margin)
    near = [index for rank, index in enumerate(order) if rank < least or bounds[index][0] <= reach]
    return tuple(near[:limit])


def standings(rounds: Sequence[Round], contenders: int, clock: Clock = "wall") -> tuple[int, ...]:
    """Return contenders from fastest to slowest by their times relative to the same round's average.

    A slow round is slow for all of them, so relative times compare what raw ones cannot.

    Raises:
        ValueError: there is no round, or a round lacks a contender or the clock.
    """
    if not rounds:
        raise ValueError("standings need at least one round")
    logs = np.array([log_times(rounds, index, clock) for index in range(contenders)])
    relative = logs - np.median(logs, axis=0)
    places = [location(row) for row in relative]
    return tuple(sorted(range(contenders), key=lambda index: places[index]))


def _bounds(samples: Sequence[float], sigmas: float) -> tuple[float, float, float]:
    summary = summarize(samples)
    error = sigmas * 1.2533 * NORMAL_MAD * summary.mad / summary.count**0.5  # standard error of a median: 1.2533 σ/√n
    return summary.median - error, summary.median, summary.median + error
