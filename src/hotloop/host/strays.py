"""Processes that a worker left behind: they carry a mark in their environment, which every descendant inherits.

A compiler or a candidate may start processes, and those may leave the worker's process group (``setsid``), so that killing
the group does not reach them. Linux shows the environment that a process was started with, in ``/proc/PID/environ`` of
proc(5), also that of a process that was only forked. A process that clears its environment on purpose goes unseen.
"""

from __future__ import annotations

import os
import signal
import time
from contextlib import suppress
from pathlib import Path

MARK = "HOTLOOP_ARENA"
"""Variable in the environment of workers; its value is the run's arena, which no other run has."""
_PROC = Path("/proc")
_LOOKS, _PAUSE_S = 2, 0.003
"""Looks that must find nobody: one may have forked another meanwhile, and one that is just becoming another program
(execve) shows no environment for a moment."""
_GONE_S = 1.0
"""How long killed processes are waited for: the one that reaps them is init, or whoever stands in for it."""


def kill(*values: str) -> int:
    """Kill every process that carries one of these marks, until none is left, and return how many; without effect for no value.

    Those of other users cannot be asked and are left alone.
    """
    marks = frozenset(os.fsencode(f"{MARK}={value}") for value in values if value)
    if not marks or not _PROC.is_dir():
        return 0
    killed, clean = set[int](), 0
    until_s = time.monotonic() + _GONE_S
    while clean < _LOOKS and time.monotonic() < until_s:
        ended = [pid for pid in _pids() if _kill(pid, marks)]
        killed.update(ended)
        clean = 0 if ended else clean + 1
        time.sleep(_PAUSE_S)
    return len(killed)


def _pids() -> list[int]:
    own = os.getpid()
    return [int(path.name) for path in _PROC.iterdir() if path.name.isdigit() and int(path.name) != own]


def _kill(pid: int, marks: frozenset[bytes]) -> bool:
    """Kill a process if it carries one of the marks; False when it does not, or has ended."""
    handle = None
    with suppress(OSError):
        if hasattr(os, "pidfd_open"):
            handle = os.pidfd_open(pid)  # held while its environment is read: the number may not be given to another
    try:
        if marks.isdisjoint((_PROC / str(pid) / "environ").read_bytes().split(b"\0")):
            return False
        if handle is None:
            os.kill(pid, signal.SIGKILL)
        else:
            signal.pidfd_send_signal(handle, signal.SIGKILL)
    except OSError:
        return False
    finally:
        if handle is not None:
            os.close(handle)
    return True
