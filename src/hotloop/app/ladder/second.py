"""A ladder's whole gain once more on another device of a cluster: rungs stand on one another, so they are climbed on one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hotloop.app.events import Stage
from hotloop.app.run import checking, timing
from hotloop.app.run.devices import lanes, spread
from hotloop.errors import LostError, MovedError
from hotloop.model.check import CheckReport
from hotloop.model.outcome import describe
from hotloop.report.ladder.view import Second

if TYPE_CHECKING:
    from hotloop.app.desk import Desk
    from hotloop.app.run.inputs.workload import Workload
    from hotloop.model.program import Program
    from hotloop.model.subject import Subject
    from hotloop.stats.paired import PairedTest


def second(
    made: Desk, workload: Workload, contenders: Sequence[tuple[Subject, Program]], test: PairedTest
) -> Second | None:
    """Verify first and last rung on a second device and compare them there; None where there is no other device."""
    if len(at := spread.desks(made)) < 2:
        return None
    there, place = at[1], lanes.place(at[1].engine)
    made.tell(Stage(f"comparing the last rung with the first one on {place}, too"))
    try:
        for subject, _ in contenders:
            answer = checking.check(there, workload, subject).answer
            if not isinstance(answer, CheckReport):
                return Second(place, None, describe(answer))
        (_, first), (_, last) = contenders
        duel = timing.duel(there, workload, first, last, test)
    except (LostError, MovedError) as lost:
        return Second(place, None, str(lost))
    if not isinstance(duel, timing.Duel):
        return Second(place, None, describe(duel))
    return Second(place, duel.comparison, duel.comparison.reason)
