"""Distance between problems, for choosing among configurations that were measured on other shapes."""

from __future__ import annotations

from collections.abc import Mapping
from math import log

from hotloop.model.record import Record, Scalar

UNLIKE = 10.0
"""Distance that a difference in something other than a size adds, such as another type: more than any ratio of sizes."""


def distance(here: Record, there: Record, weights: Mapping[str, float] | None = None) -> float:
    """Return how unlike two sets of sizes are: 0 for equal ones, ln of the factor for each size, added up.

    Args:
        here: sizes of one problem.
        there: sizes of the other; a name that only one of them has counts as a difference.
        weights: what a difference of a name that is not a number adds; names not given add `UNLIKE`.

    >>> distance(Record(m=64, t="N"), Record(m=64, t="N")), distance(Record(t="N"), Record(t="T"))
    (0.0, 10.0)
    >>> distance(Record(t="N"), Record(t="T"), {"t": 0.5})
    0.5
    """
    total = 0.0
    for name in {**here, **there}:
        ours, theirs = here.get(name), there.get(name)
        if ours != theirs:
            total += _one(ours, theirs, (weights or {}).get(name, UNLIKE))
    return total


def _one(ours: Scalar | None, theirs: Scalar | None, otherwise: float) -> float:
    if isinstance(ours, int | float) and isinstance(theirs, int | float):
        return abs(log((1 + abs(float(ours))) / (1 + abs(float(theirs)))))
    return otherwise
