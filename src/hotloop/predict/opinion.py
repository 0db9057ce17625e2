"""Whether predicted times of a space's configurations say anything about their order.

A model that does not see what decides a space, such as reuse in caches, predicts times that hardly differ, or doubts them. Its order is
then no better than any other, and can be worse: it must not come before a random one.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from hotloop.predict.sequence import Sequel

TRUSTED = 0.5
"""Least part of the predictions that must be trusted: of a kernel that the model does not see through nothing is believed."""


def silence(predictions: Sequence[Sequel]) -> str:
    """Return why the order of these times is no opinion about which is faster; empty: it is one.

    It is none where fewer than half are trusted, and where the longest predicted time over the shortest is within the interval of a
    single one (its highest over its lowest time, in the median).
    """
    if not predictions:
        return "nothing is predicted"
    trusted = sum(one.trusted for one in predictions)
    if trusted < TRUSTED * len(predictions):
        return f"{trusted} of {len(predictions)} predictions are to be trusted"
    times = [one.time_ns for one in predictions]
    spread, interval = max(times) / min(times), median(one.high_ns / one.low_ns for one in predictions)
    if spread <= interval:
        return f"the predicted times differ by a factor of {spread:.3g}, within the interval of a single one, {interval:.3g}"
    return ""
