"""Processor time of this process's threads, one by one, and the time for which they waited for a processor. Linux only.

The processor time of any thread of one's own is a clock (clock_getcpuclockid(3)); its number follows from the thread's. That
a thread was ready and had no processor, because others had it, stands in ``/proc/self/task/TID/schedstat`` (proc(5)).
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_TASKS = Path("/proc/self/task")
_PER_THREAD = 0b110
"""CPUCLOCK_PERTHREAD_MASK | CPUCLOCK_SCHED, linux/posix-timers.h."""


BRISK_S = 0.0005
"""Interval in s at which Python's threads take turns where some wait for devices and others compute: with the usual 5 ms, thirty waits
of a thread beside two that compute a fifth of the time took 270 to 300 ms instead of 55 to 170. With 0.1 ms two GPUs did no better."""


@contextmanager
def brisk() -> Iterator[None]:
    """Let a thread whose answer has come go on soon, whatever other threads compute.

    >>> with brisk():
    ...     sys.getswitchinterval() <= BRISK_S
    True
    """
    usual_s = sys.getswitchinterval()
    sys.setswitchinterval(min(usual_s, BRISK_S))
    try:
        yield
    finally:
        sys.setswitchinterval(usual_s)


def ran_ns() -> dict[int, int]:
    """Return the processor time of each thread by its number; empty where the system does not tell."""
    if sys.platform != "linux":
        return {}
    spent_ns: dict[int, int] = {}
    for task in _TASKS.iterdir():
        with suppress(OSError):  # it has ended meanwhile
            spent_ns[int(task.name)] = time.clock_gettime_ns(~int(task.name) << 3 | _PER_THREAD)
    return spent_ns


def busiest_ns(before: dict[int, int], after: dict[int, int]) -> int | None:
    """Return for how long the thread ran that ran longest between two answers of `ran_ns`; None without an answer.

    >>> busiest_ns({1: 10, 2: 10}, {1: 15, 2: 90, 3: 4})
    80
    """
    return max((spent - before.get(thread, 0) for thread, spent in after.items()), default=None)


def waited_ns() -> tuple[int, int] | None:
    """Return how long this process's threads ran and how long they waited, together; None where the system does not tell."""
    ran = waited = 0
    try:
        for task in _TASKS.iterdir():
            with suppress(FileNotFoundError, ProcessLookupError):
                fields = (task / "schedstat").read_text(encoding="utf-8").split()
                ran, waited = ran + int(fields[0]), waited + int(fields[1])
    except (OSError, ValueError, IndexError):
        return None
    return (ran, waited) if ran else None


class Waiting:
    """Measures from now on for how long this process's threads waited."""

    def __init__(self) -> None:
        self._before = waited_ns()

    @property
    def share(self) -> float | None:
        """Time waited over time run; None where the system does not tell."""
        after = waited_ns()
        if self._before is None or after is None or after[0] <= self._before[0]:
            return None
        return max(0, after[1] - self._before[1]) / (after[0] - self._before[0])
