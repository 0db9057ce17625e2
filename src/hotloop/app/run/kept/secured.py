"""Which kept steps have been verified on every case so far, so that a later step that cannot be confirmed in time takes none of them with it.

A winner counts only after the verification that `optimize` otherwise leaves for the end of a run. Where a budget ends in the middle of that,
everything would be lost. So what is kept is verified soon, and the end goes back to the last step that was.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from hotloop.model.step import Decision

if TYPE_CHECKING:
    from hotloop.app.run.kept.result import Result
    from hotloop.app.run.pace import Pace
    from hotloop.model.step import Step

FIRST_SHARE, SHARE = 0.08, 0.04
"""Largest part of what is left of a budget that may go into verifying the first kept step before the end, and a further one: what takes longer is
left for the end, which has its time reserved."""
LEAST_LEFT_S = 25.0
"""Time that must be left for it: simulated runs of 20 s lost 6 % of their gain by it, runs of 60 s none of their winners any more."""
_LATE = "the budget ended before it was verified on every case, so the step before it that was stands"


@dataclass(slots=True)
class Secured:
    """The kept steps that passed the full verification, by their numbers."""

    indices: set[int] = field(default_factory=set)

    def worth(self, pace: Pace) -> bool:
        """Tell whether the step that was just kept should be verified now: where that takes little of what is left."""
        share = SHARE if self.indices else FIRST_SHARE
        room_s = pace.left_s - pace.full_s - pace.comparing_s
        return pace.left_s >= LEAST_LEFT_S and room_s > 0 and pace.full_s <= share * pace.left_s

    def standing(self, result: Result) -> Step | None:
        """Return the winner if it passed already, None otherwise: the end need not ask again."""
        winner = result.winner
        return winner if winner is not None and winner.index in self.indices else None

    def back(self, result: Result) -> bool:
        """Revert the kept steps behind the last one that is secured; tell whether there is one to go back to."""
        kept = [step for step in result.steps if step.decision is Decision.KEEP]
        last = max((step.index for step in kept if step.index in self.indices), default=None)
        if last is None:
            return False
        for step in kept:
            if step.index > last:
                result.steps[step.index] = replace(step, decision=Decision.REVERT, reason=_LATE)
        return True
