"""How much memory is left, and a limit that turns asking for more into an exception.

Linux hands out more memory than it has and later kills whoever uses it, without a word. A user who asks for a shape
that does not fit deserves a sentence instead.
"""

from __future__ import annotations

import gc
import resource
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_MEMINFO = Path("/proc/meminfo")
_STATM = Path("/proc/self/statm")
_GROUP = Path("/sys/fs/cgroup")
_ENOUGH_BYTES = 1 << 30
"""Address space in which a process with a runtime starts, with room: Intel's for CPUs does with 700 MB, not with 450."""

WIDEN = "ulimit -v unlimited"
"""What takes a limit on the address space away again, in the shell that set it."""


def available_bytes() -> int | None:
    """Return what can still be used before something is killed; None where the system does not tell."""
    limits = [value for value in (_system_bytes(), _group_bytes()) if value is not None]
    return min(limits, default=None)


def narrow() -> str:
    """Return a clause that tells of a limit on the address space in which runtimes do not start; empty without one."""
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    if limit == resource.RLIM_INFINITY or limit >= _ENOUGH_BYTES:
        return ""
    return (
        f" (the address space is limited to {limit >> 20} MiB by ulimit -v; runtimes need up to {_ENOUGH_BYTES >> 20})"
    )


@contextmanager
def limited() -> Iterator[None]:
    """Make allocations beyond what is available fail with MemoryError; without effect where that is not known."""
    available, used = available_bytes(), _used_bytes()
    if available is None or used is None:
        yield
        return
    before = resource.getrlimit(resource.RLIMIT_AS)
    wanted = used + available
    if before[0] == resource.RLIM_INFINITY or wanted < before[0]:
        resource.setrlimit(resource.RLIMIT_AS, (wanted, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


def _system_bytes() -> int | None:
    """Return ``MemAvailable`` of proc(5), which counts caches that can be dropped."""
    with suppress(OSError, ValueError):
        for row in _MEMINFO.read_text(encoding="utf-8").splitlines():
            if row.startswith("MemAvailable:"):
                return int(row.split()[1]) * 1024
    return None


def _group_bytes() -> int | None:
    """Return what the control group (version 2) of a container leaves; file pages that are not in use count as free."""
    with suppress(OSError, ValueError):
        limit, used = (
            int((_GROUP / "memory.max").read_text(encoding="utf-8")),
            int((_GROUP / "memory.current").read_text(encoding="utf-8")),
        )
        rows = (row.split() for row in (_GROUP / "memory.stat").read_text(encoding="utf-8").splitlines())
        idle = next((int(value) for name, value in rows if name == "inactive_file"), 0)
        return max(0, limit - used + idle)
    return None


@contextmanager
def settled() -> Iterator[None]:
    """Spare what lives now the garbage collector's visits, for a loop whose own objects hardly ever form cycles.

    In a search, whose candidates make and drop thousands of small objects, the collector visits all modules again and again. With
    it off altogether one search took 4.8 instead of 5.8 ms of CPU time for each configuration; later runs were too disturbed to tell.
    """
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


def _used_bytes() -> int | None:
    """Return the size of this process's address space, the first field of ``/proc/self/statm``."""
    with suppress(OSError, ValueError):
        return int(_STATM.read_text(encoding="utf-8").split()[0]) * resource.getpagesize()
    return None
