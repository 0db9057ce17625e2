"""Committed predictions about a ladder, checked on a card."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import log
from pathlib import Path
from typing import TYPE_CHECKING

from hotloop.app import session
from hotloop.app.events import Listener
from hotloop.app.ladder import data as ladder_data
from hotloop.app.ladder.contest import Contest, Met
from hotloop.app.session import Options
from hotloop.errors import NoDeviceError, UsageError
from hotloop.model.ladder import Expectation, Forecast, Ladder
from hotloop.model.record import Record
from hotloop.model.verdict import Verdict
from hotloop.report.ladder.view import Confirmation, Outcome
from hotloop.stats.paired import PairedTest
from hotloop.targets.target import Target

if TYPE_CHECKING:
    from hotloop.app.desk import Desk

Compared = Mapping[tuple[str, str], Met]
"""Comparisons by rung and the rung that it is compared with."""
_DRIVER = Path("/dev/kfd")
"""The device file of AMD's compute driver."""


def confirm(family: str, target: str, options: Options, listener: Listener, *, margin: float = 0.02) -> Confirmation:
    """Measure what is predicted for a target.

    Raises:
        UsageError: there is no prediction for the target.
        MachineError: this machine has no such card, or cannot run kernels on it.
    """
    ladder = ladder_data.ladder_for(family, target)
    forecast = ladder_data.forecast(family, target)
    if forecast is None:
        raise UsageError(
            f"nothing is predicted for {family} on {target}; compile it: hotloop ladder {family} --target {target}."
        )
    if not _DRIVER.exists():
        raise NoDeviceError(
            f"predictions for {target} need that GPU, and this machine has no AMD GPU ({_DRIVER} is missing); "
            f"run this on one, or compile here with: hotloop ladder {family} --target {target}."
        )
    with session.desk(replace(options, language=ladder.language), listener) as made:
        if Target.of(made.device.target).name != target:
            word = "OpenCL device" if ladder.language == "opencl" else "GPU"
            raise NoDeviceError(f"the {word} here is {made.device.name} ({made.device.target}), not {target}.")
        return judge(forecast, made.device.name, compared(made, ladder, forecast, PairedTest(margin=margin)))


def compared(desk: Desk, ladder: Ladder, forecast: Forecast, test: PairedTest) -> Compared:
    """Return the comparison of every predicted step, by its two rungs."""
    measured: dict[tuple[str, str], Met] = {}
    for number, part in enumerate(groups(ladder, forecast)):
        contest = Contest(desk, ladder, part, f"problem{number}-")
        measured |= {(step.rung, step.over): contest.compare(step, test) for step in part.steps}
    return measured


def judge(forecast: Forecast, device: str, compared: Compared) -> Confirmation:
    """Return which predictions held: the measured interval meets the predicted one.

    The winner is the rung that ends highest when every step's measured speedup is multiplied along the way.
    """
    outcomes = tuple(_outcome(step, compared[step.rung, step.over]) for step in forecast.steps)
    return Confirmation(forecast, device, outcomes, winner(outcomes))


def _outcome(step: Expectation, met: Met) -> Outcome:
    comparison = met.comparison
    if comparison is None:
        return Outcome(step, None, held=False, reason=met.why_not)
    if step.low <= comparison.low and comparison.high <= step.high:
        return Outcome(step, comparison, held=True, reason="the measured interval lies in the predicted one")
    if comparison.high < step.low or comparison.low > step.high:
        side = "above" if comparison.low > step.high else "below"
        reason = f"measured {comparison.low:.2f} to {comparison.high:.2f}, {side} the predicted interval"
        return Outcome(step, comparison, held=False, reason=reason)
    if comparison.verdict is Verdict.UNCLEAR:
        return Outcome(step, comparison, held=False, reason=f"unclear: {comparison.reason}")
    return Outcome(step, comparison, held=True, reason="the measured interval meets the predicted one")


def winner(outcomes: Sequence[Outcome]) -> str:
    """Return the fastest rung by the measured steps; empty when nothing was measured."""
    heights: dict[str, float] = {}
    for outcome in outcomes:
        step, comparison = outcome.expected, outcome.comparison
        if comparison is not None:
            below = heights.setdefault(step.over, 0.0)
            heights[step.rung] = below + log(comparison.speedup)
    return max(heights, key=lambda name: heights[name], default="")


def groups(ladder: Ladder, forecast: Forecast) -> tuple[Forecast, ...]:
    """Return a forecast in parts that each solve one problem, so that their rungs can share inputs."""
    parts: dict[Record, list[Expectation]] = {}
    for step in forecast.steps:
        parts.setdefault(ladder.rung(step.rung).problem, []).append(step)
    return tuple(
        replace(forecast, problem=Record({**forecast.problem, **own}), steps=tuple(steps))
        for own, steps in parts.items()
    )
