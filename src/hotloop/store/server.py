"""Patience with a database server: it may be stopped, restarted or far away while a run goes on.

A statement that gets no answer is given up after a while: a server that was stopped still holds its connections open. A server
that restarts is waited for, by whoever has met it before.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from sqlalchemy.exc import DBAPIError

from hotloop.errors import HotloopError
from hotloop.host import deadline

ANSWER_S = 15.0
"""Time in s within which a server must answer; otherwise it counts as stopped."""
AWAY_S = 20.0
"""Seconds for which a database server that answered before is waited for."""
_AGAIN_S = 0.25
_AWAY = (
    "connection refused",
    "starting up",
    "shutting down",
    "not yet accepting connections",
    "in recovery mode",
    "server closed the connection",
    "terminating connection",
    "connection is lost",
    "the connection is closed",
    "consuming input failed",
    "connection reset",
    "too many clients already",
    "too many connections for",
    "remaining connection slots are reserved",
)
"""Messages of PostgreSQL and its client about a server that is being restarted, recovers from a crash or has no connection left (libpq 12 to
17, psycopg 3)."""
_PASSING = frozenset({"40001", "40P01", "53300", "55P03"})
"""PostgreSQL, appendix A: serialization_failure, deadlock_detected, too_many_connections, lock_not_available: others are in the way, and
what was asked for was not done."""
T = TypeVar("T")


class SilentServerError(Exception):
    """A server that is reachable did not answer in time."""

    def __init__(self) -> None:
        super().__init__(f"no answer within {ANSWER_S:g} s")


@contextmanager
def answering() -> Iterator[None]:
    """Raise SilentServerError out of a block that waits for a server too long; in the main thread only, which hears alarms."""
    until_s = time.monotonic() + ANSWER_S
    try:
        with deadline.within(ANSWER_S):
            yield
    except deadline.OverdueError:
        raise SilentServerError from None
    except Exception as error:  # a client that was interrupted may complain of that instead
        if time.monotonic() < until_s or isinstance(error, HotloopError | SilentServerError):
            raise
        raise SilentServerError from error


def patiently(ask: Callable[[], T], *, met: bool) -> T:
    """Return what `ask` returns, asked again while a server that was met before is away.

    `ask` must be idempotent: where the server's answer was lost, it is carried out a second time.
    """
    until_s = time.monotonic() + AWAY_S
    while True:
        try:
            with answering():
                return ask()
        except DBAPIError as error:
            if not met or not away(error) or time.monotonic() > until_s:
                raise
        time.sleep(_AGAIN_S)


def away(error: DBAPIError) -> bool:
    """Tell whether an error says that the server is not there at the moment, or not for us.

    >>> from sqlalchemy.exc import OperationalError
    >>> away(OperationalError("", {}, Exception("connection to server at x failed: Connection refused")))
    True
    >>> away(OperationalError("", {}, Exception("password authentication failed")))
    False
    """
    text = str(error.orig).casefold()
    passing = getattr(error.orig, "sqlstate", None) in _PASSING
    return error.connection_invalidated or passing or any(symptom in text for symptom in _AWAY)
