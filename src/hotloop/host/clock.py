"""The system clock behind the `Clock` port, so that tests own time."""

from __future__ import annotations

import os
import time
from datetime import UTC, datetime
from pathlib import Path

_STARTED = 21
"""Field of ``/proc/self/stat`` behind the command's name, which may hold blanks: proc(5), starttime is field 22."""


def began_s() -> float:
    """Return when this process began, on the clock of `SystemClock`; now, where the system does not tell.

    >>> began_s() <= SystemClock().monotonic_s()
    True
    """
    now_s = time.monotonic()
    try:
        fields = Path("/proc/self/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        started_s = int(fields[_STARTED - 2]) / os.sysconf("SC_CLK_TCK")
        return min(now_s, now_s - (time.clock_gettime(time.CLOCK_BOOTTIME) - started_s))
    except (OSError, ValueError, IndexError, AttributeError):
        return now_s


_command: list[float] = []
"""Start time of the command for which this process runs; empty where it runs for something else, or where the time was already read."""


def command() -> None:
    """Say that this process runs one command, whose time began with the process."""
    _command[:] = [began_s()]


def command_s() -> float | None:
    """Return when the command of this process began, once; None after that, and in processes that do other things, too."""
    return _command.pop() if _command else None


class SystemClock:
    """The clock of the operating system."""

    def monotonic_s(self) -> float:
        """Seconds on a clock that never goes back."""
        return time.monotonic()

    def computing_s(self) -> float:
        """Seconds that this process has computed, on all processors; others on the machine do not lengthen them."""
        return time.process_time()

    def utc(self) -> str:
        """Current UTC time, ISO 8601 with seconds."""
        return datetime.now(UTC).isoformat(timespec="seconds")
