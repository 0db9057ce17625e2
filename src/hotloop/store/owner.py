"""Identity of a process that outlives it, to tell a live run from one whose process is gone."""

from __future__ import annotations

import os
import platform
from dataclasses import dataclass
from pathlib import Path

_PROC = Path("/proc")
_DEAD = frozenset("ZX")
"""States of ``/proc/PID/stat``: a zombie has ended, only its parent has not asked yet."""


@dataclass(frozen=True, slots=True)
class Owner:
    """A process: its number alone is reused, with boot and start time it is unique on a host."""

    host: str
    boot: str
    """Identity of the host's boot; empty where the system has none."""
    pid: int
    start: str
    """Start time in clock ticks since boot; empty where the system does not tell."""

    @classmethod
    def current(cls) -> Owner:
        """Return the identity of this process."""
        pid = os.getpid()
        return cls(platform.node(), _boot(), pid, _start(pid) or "")

    def alive(self) -> bool | None:
        """Tell whether the process still runs; None when it belongs to another host and cannot be asked."""
        if self.host != platform.node():
            return None
        if self.boot != _boot():
            return False
        if not self.start:
            return _signalable(self.pid)
        return _start(self.pid) == self.start


def _boot() -> str:
    try:
        return (_PROC / "sys/kernel/random/boot_id").read_text(encoding="utf-8").strip()
    except OSError:
        return ""


def _start(pid: int) -> str | None:
    """Return field 22 of ``/proc/PID/stat``, proc(5); None when the process ended or there is no /proc."""
    try:
        text = (_PROC / str(pid) / "stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    fields = text.rpartition(")")[2].split()  # the command before it may itself contain blanks and brackets
    return None if fields[0] in _DEAD else fields[19]


def _signalable(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
