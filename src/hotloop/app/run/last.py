"""The last comparison of a run, of its winner with the baseline: the second one of the two, or in its place the only one that there was."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hotloop.app.run import timing
from hotloop.errors import SpentError
from hotloop.model.step import Decision

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hotloop.app.run.attempt import Attempts
    from hotloop.app.run.pace import Pace
    from hotloop.model.kernel import Variant
    from hotloop.model.step import Step
    from hotloop.model.verdict import Comparison

ONCE = "the winner was compared with the baseline once: the budget left no time for a second comparison"


def compared(
    attempts: Attempts, pace: Pace, baseline: Variant, winner: Variant, steps: Sequence[Step], noise: float | None
) -> tuple[Comparison | None, str]:
    """Return the comparison of the winner with the baseline that ends a run, and a remark on it, empty where it is a second one.

    Raises SpentError where there is no time for it, and the comparisons before do not serve instead.
    """
    instead = only(steps, noise)
    if instead is not None and pace.left_s < pace.duel_s:
        return instead, ONCE
    try:
        with pace.bounded("the last comparison", pace.ending_s):
            return attempts.against(baseline, winner, "overall", pace.last_s).comparison, ""
    except SpentError:
        if instead is None:
            raise
        return instead, ONCE


def only(steps: Sequence[Step], noise: float | None = None) -> Comparison | None:
    """Return the comparison of a winner that was compared with the baseline and is all that was compared; None in any other run.

    A candidate that is compared alone is called faster by chance as rarely as one that `hotloop compare` is asked about. Of many that
    are compared one may be, which only a second comparison shows. `noise`: what this machine tells apart, as far as that is known.
    """
    tried = [step for step in steps if step.comparison is not None]
    if len(tried) != 1 or tried[0].decision is not Decision.KEEP or tried[0].comparison is None:
        return None
    return timing.resolved(replace(tried[0].comparison, noise=noise), last=True)
