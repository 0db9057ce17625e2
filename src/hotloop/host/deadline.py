"""A limit on the wall time of code that runs in this very process: functions of a user's file, which may never return."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_AGAIN_S = 0.5
"""How soon the alarm rings again: the first one may have been caught by a bare ``except`` of the code that is bounded."""
_AT_ONCE_S = 1e-3
"""For an outer alarm that should have rung by now."""


class OverdueError(BaseException):
    """The time is up. No Exception, so that ``except Exception`` in the code that is bounded does not catch it."""


@contextmanager
def within(limit_s: float) -> Iterator[None]:
    """Raise OverdueError out of the block when it takes longer than `limit_s` seconds of wall time.

    Python looks at alarms between two of its own instructions, so one call into C that never returns is not interrupted.
    Without effect in other threads than the main one, which alone hears alarms, and where an alarm will ring sooner.
    """
    outer_s, again_s = signal.getitimer(signal.ITIMER_REAL)
    if threading.current_thread() is not threading.main_thread() or 0 < outer_s <= limit_s:
        yield
        return
    began_s = time.monotonic()
    before = signal.signal(signal.SIGALRM, _ring)
    try:
        signal.setitimer(signal.ITIMER_REAL, limit_s, _AGAIN_S)
        yield
    finally:
        try:
            signal.setitimer(signal.ITIMER_REAL, 0)
        finally:  # the alarm may ring just before it is switched off
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
            if outer_s:
                signal.setitimer(signal.ITIMER_REAL, max(_AT_ONCE_S, outer_s + began_s - time.monotonic()), again_s)


def _ring(_number: int, _frame: FrameType | None) -> None:
    raise OverdueError
