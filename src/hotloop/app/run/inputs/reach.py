"""Whether a much longer problem is worth its reference: how its time grows is measured on the way there.

That work grows with the square of a size is the cautious guess; where it is too long by that, problems in between tell.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import log

from hotloop.model.problem import Problem
from hotloop.verify.sizes import LONG_S, growth

_STEP = 4
"""Each problem in between is so many times as long as the one before: multiples and powers of two stay such."""
_LEAST_S = 1e-3
"""Times in s shorter than this are mostly the cost of the call, and do not show how work grows with size."""


@dataclass(slots=True)
class Reach:
    """What was found out of reach, so that nothing longer is asked for."""

    _beyond: list[Problem] = field(default_factory=list)

    def reaches(self, asked: Problem, longer: Problem, timed: Callable[[Problem], float | None]) -> bool:
        """Do what the function of that name does, at once where a problem was out of reach that is nowhere longer."""
        if any(growth(longer, one) == 1 for one in self._beyond):
            return False
        if not (reached := reaches(asked, longer, timed)):
            self._beyond.append(longer)
        return reached


def reaches(asked: Problem, longer: Problem, timed: Callable[[Problem], float | None]) -> bool:
    """Tell whether the reference of a problem that differs in one size takes `LONG_S` at most, by those in between.

    Args:
        asked: where to begin.
        longer: the problem in question.
        timed: returns what inputs and reference of a problem take in s; None where it has none.

    >>> from hotloop.model.record import Record
    >>> small, large = Problem("sum", Record(n=1000)), Problem("sum", Record(n=65537))
    >>> [reaches(small, large, lambda p: 1e-5 * p.n ** power) for power in (1.0, 2.0)]
    [True, False]
    """
    name = next((name for name in asked.sizes if growth(asked, longer.replace(**{name: asked.sizes[name]})) == 1), "")
    target, at = longer.sizes.get(name), asked.sizes.get(name)
    if not isinstance(target, int) or not isinstance(at, int) or not 0 < at < target:
        return False
    before_s = timed(longer.replace(**{name: at}))
    if before_s is None:
        return False
    expected_s = before_s * (target / at) ** 2
    while _STEP * at < target:
        at *= _STEP
        now_s = timed(longer.replace(**{name: at}))
        if now_s is None or (expected_s := _expected_s(before_s, now_s, target / at)) > LONG_S:
            return False
        before_s = now_s
    return expected_s <= LONG_S


def _expected_s(before_s: float, now_s: float, ratio: float) -> float:
    """Return the time of a problem that is `ratio` times as long, by the last step's growth; no less than in proportion."""
    power = log(max(now_s, _LEAST_S) / max(before_s, _LEAST_S)) / log(_STEP)
    return float(now_s * ratio ** max(1.0, power))
