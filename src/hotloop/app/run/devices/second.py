"""Confirmation of the winner on a second device of the same class: it must be faster on both, not on one card only."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hotloop.app.events import Notice, Stage
from hotloop.app.run.devices import lanes
from hotloop.app.run.devices.queue import begin
from hotloop.app.run.ending import confirmed
from hotloop.errors import LostError
from hotloop.model.outcome import describe

if TYPE_CHECKING:
    from hotloop.app.desk import Desk
    from hotloop.app.run.attempt import Attempt, Attempts
    from hotloop.model.kernel import Variant


def objection(
    desk: Desk, attempts: Attempts, baseline: Variant, winner: Variant, limit_s: float, *, plainer: bool
) -> str:
    """Verify a winner on a second device and compare it there with the baseline, all of it on that device.

    Returns the reason why it is not confirmed; empty if it is, or if there is no second device.
    """
    if len(devices := lanes.lanes(desk.engine)) < 2:
        if lanes.began_with(desk) > 1:
            desk.tell(Notice("the winner could not be confirmed on a second device: only one is left"))
        return ""
    where = lanes.place(devices[1])
    desk.tell(Stage(f"comparing the winner with the baseline on {where}, too"))
    there = lanes.at(attempts, devices[1])
    begin(there, (winner,))
    try:
        attempt = attempts.against(baseline, winner, "second device", limit_s, there=there)
    except LostError:
        return objection(desk, attempts, baseline, winner, limit_s, plainer=plainer)
    return "" if confirmed(attempt.comparison, plainer=plainer) else _reason(attempt, where)


def _reason(attempt: Attempt, where: str) -> str:
    text = f"a second device, {where}, does not confirm it"
    compared = attempt.comparison
    if compared is None:
        return f"{text}: {describe(attempt.outcome)}"
    interval = f"{compared.word} {compared.speedup:.3f}× [{compared.low:.3f}, {compared.high:.3f}]"
    return f"{text}: {interval}" + (f", {compared.reason}" if compared.reason else "")
