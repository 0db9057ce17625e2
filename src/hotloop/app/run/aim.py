"""The quantity by which contenders are compared: device time, wall time, or the energy objective of the run."""

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
"""Number of timing rounds that one round of energy windows replaces."""


def clock_of(desk: Desk, programs: Sequence[Program]) -> Clock:
    """Return the clock by which contenders are compared: device time on GPUs if all have it, otherwise wall time."""
    languages = {program.language for program in programs}
    same = len(languages) == 1 or all(language(name).events for name in languages)
    return "device" if desk.device.kind == "gpu" and same and "blas" not in languages else "wall"


def quantity_of(desk: Desk, programs: Sequence[Program]) -> Quantity:
    """Return the quantity that decides: energy or energy-delay product, or time by the clock of `clock_of`."""
    if desk.objective is Objective.TIME:
        return clock_of(desk, programs)
    return "energy" if desk.objective is Objective.ENERGY else "edp"


def cost(desk: Desk, outcome: Outcome) -> float | None:
    """Return the cost of one call in the unit of the run's objective: ns, J or J·s; None if it was not measured."""
    if not isinstance(outcome, Measured):
        return None
    if desk.objective is Objective.TIME:
        return outcome.call_ns
    quantity: Quantity = "energy" if desk.objective is Objective.ENERGY else "edp"
    amounts = [amount(sample, quantity) for sample in outcome.samples if sample.energy_j is not None]
    return median(amounts) if amounts else None


def metered_rounds(rounds: int) -> int:
    """Return how many rounds of energy windows replace the given timing rounds; a window takes many times as long.

    >>> metered_rounds(9), metered_rounds(1)
    (3, 1)
    """
    return max(1, rounds // _PER_WINDOW)
