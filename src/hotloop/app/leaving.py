"""Ending what a run is doing when its budget is over, even while it starts, or computes in NumPy or in a user's function."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from math import ceil, inf
from typing import TYPE_CHECKING

from hotloop.errors import SpentError
from hotloop.host import deadline

if TYPE_CHECKING:
    from hotloop.ports import Clock

TRYING_S = 10.0
"""A budget below this is for trying a command: the start alone takes a second, so it may be exceeded. A larger budget is kept."""
LIKE_BASELINE = 3
"""A run needs at least this many times what its baseline took: for the baseline itself, for one comparison, and for verifying the winner and
comparing it at the end."""
_GRACE_S = 0.2
"""The engine is told to stop first; whatever still runs this much later is interrupted."""


@contextmanager
def left_anywhere(
    limit_s: float, why: str = "the budget ended in the middle of this; give more with --budget."
) -> Iterator[None]:
    """Raise SpentError within the block when the time is over, wherever its code is; a single call into C is not interrupted.

    It works in the main thread only.
    """
    if limit_s == inf:
        yield
        return
    try:
        with deadline.ending(limit_s + _GRACE_S):
            yield
    except deadline.EndedError:
        raise SpentError(why) from None


def starting(budget_s: float, began_s: float | None, clock: Clock) -> AbstractContextManager[None]:
    """Limit the time until a run's baseline is measured; `began_s` is when the command began, None where it is limited already.

    A budget for trying a command (below `TRYING_S`) limits nothing here, so that even such a run shows a baseline.
    """
    if began_s is None or budget_s < TRYING_S:
        return nullcontext()
    why = (
        f"the budget of {budget_s:g} s ended while the run was still starting, as on a busy machine or with a source that runs long; "
        f"give at least {budgeted((1 + LIKE_BASELINE) * budget_s)}."
    )
    return left_anywhere(max(0.0, began_s + budget_s - clock.monotonic_s()), why)


def budgeted(least_s: float) -> str:
    """Return an option that gives somewhat more than so many seconds.

    >>> budgeted(31.4), budgeted(236.0)
    ('--budget 40', '--budget 260')
    """
    return f"--budget {10 * ceil(1.1 * least_s / 10)}"
