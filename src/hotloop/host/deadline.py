"""A limit on the wall time of code that runs in this very process: functions of a user's file, which may never return."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from ctypes import c_ulong, py_object, pythonapi
from signal import ITIMER_REAL, SIGALRM, getsignal, setitimer
from threading import get_ident
from types import FrameType
from typing import ParamSpec, TypeVar

_AGAIN_S = 0.5
"""How soon the alarm rings again: the first one may have been caught by a bare ``except`` of the code that is bounded."""
_AT_ONCE_S = 1e-3
"""Seconds after which an outer alarm rings that should have rung by now."""
_MAIN = threading.main_thread().ident
"""The one thread that hears alarms."""
P = ParamSpec("P")
R = TypeVar("R")


class OverdueError(BaseException):
    """The time is up. No Exception, so that ``except Exception`` in the code that is bounded does not catch it."""


class EndedError(BaseException):
    """The time of a whole run is up, whatever it is at: not for those who limit a part of it, and say that this part took too long."""


def heard_here() -> bool:
    """Tell whether this thread is the one that hears alarms."""
    return get_ident() == _MAIN


@contextmanager
def ending(limit_s: float) -> Iterator[None]:
    """Raise EndedError out of the block when it takes longer; once, so that what is closed on the way out is closed in peace.

    In the main thread only; limits inside the block that end sooner keep their own error.
    """
    if not heard_here():
        yield
        return
    with _alarmed(max(limit_s, _AT_ONCE_S), _end, 0.0):
        yield


@contextmanager
def within(limit_s: float) -> Iterator[None]:
    """Raise OverdueError out of the block when it takes longer than `limit_s` seconds of wall time.

    Python looks at alarms between two of its own instructions, so one call into C that never returns is not interrupted.
    Without effect where an alarm will ring sooner; in other threads than the main one, which alone hears alarms, it is raised when
    somebody calls `ring_elsewhere`.
    """
    if not heard_here():
        with _noted(limit_s):
            yield
        return
    with _alarmed(limit_s, _ring, _AGAIN_S):
        yield


@contextmanager
def _alarmed(limit_s: float, ring: Callable[[int, FrameType | None], None], repeat_s: float) -> Iterator[None]:
    outer_s, again_s = signal.getitimer(ITIMER_REAL)
    if 0 < outer_s <= limit_s:
        yield
        return
    began_s = time.monotonic()
    before = signal.signal(signal.SIGALRM, ring)
    try:
        setitimer(ITIMER_REAL, limit_s, repeat_s)
        yield
    except SystemError as broken:
        if (alarm := _rung(broken)) is None:
            raise
        raise alarm from None
    finally:
        try:
            setitimer(ITIMER_REAL, 0)
        finally:  # the alarm may ring just before it is switched off
            setitimer(ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
            if outer_s:
                setitimer(ITIMER_REAL, max(_AT_ONCE_S, outer_s + began_s - time.monotonic()), again_s)


def _rung(broken: SystemError) -> OverdueError | EndedError | None:
    """Return the alarm that rang in a function in C which answered nevertheless, so that Python takes its answer for broken; None: no alarm did.

    Ray's functions that wait are of this kind.
    """
    alarm = broken.__cause__
    return alarm if isinstance(alarm, OverdueError | EndedError) else None


_due_s: dict[int, float] = {}
"""Time at which the limit of each other thread inside `within` ends, by thread."""
_noting = threading.Lock()


@contextmanager
def _noted(limit_s: float) -> Iterator[None]:
    thread = get_ident()
    if thread in _due_s:  # what is around it rings for it
        yield
        return
    _due_s[thread] = time.monotonic() + limit_s
    try:
        yield
    finally:
        with _noting:  # an alarm that was raised by now arrives in this block
            del _due_s[thread]


def ring_elsewhere() -> None:
    """Raise OverdueError in the other threads whose time is up: called by whoever waits for them."""
    with _noting:
        now_s = time.monotonic()
        for thread in [thread for thread, due_s in _due_s.items() if due_s <= now_s]:
            pythonapi.PyThreadState_SetAsyncExc(c_ulong(thread), py_object(OverdueError))
            _due_s[thread] = now_s + _AGAIN_S


def ask(function: Callable[P, R], limit_s: float, /, *args: P.args, **kwargs: P.kwargs) -> R:
    """Return what a function answers, within a limit as of `within`, for very many short calls: it costs 2 instead of 13 µs.

    The handler stays in place, where there was none; one that somebody took away since then is missed before an alarm is set, which would end
    the process.
    """
    if not heard_here():
        with within(limit_s):
            return function(*args, **kwargs)
    if getsignal(SIGALRM) is not _ring:
        _listen()
        with within(limit_s):
            return function(*args, **kwargs)
    outer = setitimer(ITIMER_REAL, limit_s, _AGAIN_S)
    if outer[0]:
        setitimer(ITIMER_REAL, *outer)
        with within(limit_s):
            return function(*args, **kwargs)
    try:
        try:
            return function(*args, **kwargs)
        finally:
            setitimer(ITIMER_REAL, 0)
    except OverdueError:  # the alarm may ring just before it is switched off
        setitimer(ITIMER_REAL, 0)
        raise
    except SystemError as broken:
        if (alarm := _rung(broken)) is None:
            raise
        raise alarm from None


def _listen() -> None:
    """Put the handler in place for all later calls, where neither alarm nor handler belong to somebody else."""
    if not signal.getitimer(ITIMER_REAL)[0] and getsignal(SIGALRM) is signal.SIG_DFL:
        signal.signal(SIGALRM, _ring)


def _ring(_number: int, _frame: FrameType | None) -> None:
    raise OverdueError


def _end(_number: int, _frame: FrameType | None) -> None:
    raise EndedError
