"""The rungs of a ladder, predicted on the problem that the ladder states."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from hotloop.app.emulate import rung as rungs
from hotloop.app.events import Listener, Silent, Stage
from hotloop.app.ladder import data as ladder_data
from hotloop.app.predict.answer import of_task
from hotloop.app.predict.quiet import Quiet
from hotloop.errors import HotloopError
from hotloop.predict.card import Card, card
from hotloop.report.ladder.view import Clocked

if TYPE_CHECKING:
    from hotloop.model.kernel import Inputs
    from hotloop.model.ladder import Ladder, Rung
    from hotloop.model.record import Scalar
    from hotloop.report.ladder.view import Confirmation


def clocked(
    family: str,
    target: str,
    names: Sequence[str] = (),
    listener: Listener | None = None,
    sizes: Mapping[str, Scalar] | None = None,
) -> tuple[Clocked, ...]:
    """Predict rungs for the chip that a target is taken to be; one without a prediction says why.

    Args:
        family: of the ladder.
        target: an AMD GPU.
        names: rungs, with those below them; empty: all.
        listener: is told which rung is being predicted.
        sizes: of the problem, where they are not the ladder's own.

    Raises:
        UsageError: no such ladder or rung, or no chip is known for the target.
    """
    ladder, device = ladder_data.ladder_for(ladder_data.family_of(family), target), card(target)
    drawn: dict[str, Inputs] = {}
    times = []
    for rung in ladder.chosen(names, target):
        (listener or Silent()).notify(Stage(f"predicting {rung.name} for {device.name}"))
        times.append(_clocked(ladder, rung, device, drawn, sizes or {}))
    return tuple(times)


def confirmed(view: Confirmation, family: str, listener: Listener | None = None) -> Confirmation:
    """Return measured steps with the predicted times of their rungs, on the problem that was measured."""
    forecast = view.forecast
    names = dict.fromkeys(name for step in forecast.steps for name in (step.over, step.rung))
    times = clocked(family, forecast.target, tuple(names), listener, forecast.problem)
    return replace(view, times=tuple(time for time in times if time.rung in names))


def _clocked(
    ladder: Ladder, rung: Rung, device: Card, drawn: dict[str, Inputs], sizes: Mapping[str, Scalar]
) -> Clocked:
    try:
        own = {**ladder.varied(rung), **sizes, **rung.problem}
        kernel, pose = rungs.of(ladder.family, rung.name, device.target.name, own, whole=True)
        key = kernel.problem.key
        if key not in drawn:
            drawn.clear()  # one problem's arrays at a time: some are gigabytes
            drawn[key] = kernel.inputs(kernel.problem, Quiet(1))
        made = of_task(pose(kernel.problem, drawn[key], 0), device)
    except (HotloopError, MemoryError) as reason:
        return Clocked(rung=rung.name, chip=device.name, time_ns=None, why_not=str(reason) or "not enough memory here")
    return Clocked(
        rung=rung.name, chip=device.name, time_ns=made.time_ns, low_ns=made.low_ns, high_ns=made.high_ns, bound=made.bound,
        doubts=made.doubts,
    )  # fmt: skip
