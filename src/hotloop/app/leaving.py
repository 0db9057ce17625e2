"""Leaving what a run is at when its budget is over, wherever that is: in its start, in NumPy, in a user's function."""

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
"""A budget below this is for trying a command, and cannot be kept where the start alone takes a second; a larger one is."""
LIKE_BASELINE = 3
"""A run needs at least so many times what the baseline took: for that, for a comparison, and for the winner's verification and last comparison."""
_GRACE_S = 0.2
"""How much later than a request to the engine everything else is left: what an engine can leave by itself it shall."""


@contextmanager
def left_anywhere(
    limit_s: float, why: str = "the budget ended in the middle of this; give more with --budget."
) -> Iterator[None]:
    """Leave a block with SpentError after a time, whatever it is at, but for one call into C; in the main thread only."""
    if limit_s == inf:
        yield
        return
    try:
        with deadline.ending(limit_s + _GRACE_S):
            yield
    except deadline.EndedError:
        raise SpentError(why) from None


def starting(budget_s: float, began_s: float | None, clock: Clock) -> AbstractContextManager[None]:
    """Bound what comes before a run's baseline, from a reading of the clock at which the command began; None: it is bounded already.

    A budget for trying a command bounds nothing here: it shows a baseline.
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
