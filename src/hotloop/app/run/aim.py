"""What decides between contenders: a time by the clock that is right for them, or what else the run is about."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median
from typing import TYPE_CHECKING

from hotloop.model.energy import Objective
from hotloop.model.language import language
from hotloop.model.outcome import Measured, Outcome
from hotloop.stats.rounds import Clock, Quantity, amount

if TYPE_CHECKING:
    from hotloop.app.desk import Desk
    from hotloop.model.program import Program

_PER_WINDOW = 3
"""Rounds of samples for which one round of windows of energy stands."""


def clock_of(desk: Desk, programs: Sequence[Program]) -> Clock:
    """Return which clock decides: device time on GPUs, wall time on CPUs and wherever a contender has no other."""
    languages = {program.language for program in programs}
    same = len(languages) == 1 or all(language(name).events for name in languages)
    return "device" if desk.device.kind == "gpu" and same and "blas" not in languages else "wall"


def quantity_of(desk: Desk, programs: Sequence[Program]) -> Quantity:
    """Return what decides: the run's objective, a time by the clock that is right for the contenders."""
    if desk.objective is Objective.TIME:
        return clock_of(desk, programs)
    return "energy" if desk.objective is Objective.ENERGY else "edp"


def cost(desk: Desk, outcome: Outcome) -> float | None:
    """Return what one call takes of the run's objective, in ns, J or J·s; None where that was not measured."""
    if not isinstance(outcome, Measured):
        return None
    if desk.objective is Objective.TIME:
        return outcome.call_ns
    quantity: Quantity = "energy" if desk.objective is Objective.ENERGY else "edp"
    known = [amount(sample, quantity) for sample in outcome.samples if sample.energy_j is not None]
    return median(known) if known else None


def metered_rounds(rounds: int) -> int:
    """Return how many rounds of windows of energy stand for rounds of samples: a window is many times as long.

    >>> metered_rounds(9), metered_rounds(1)
    (3, 1)
    """
    return max(1, rounds // _PER_WINDOW)
