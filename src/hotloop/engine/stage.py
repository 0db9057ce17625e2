"""The stage that a worker is in (build, execute or time), recorded so that the parent can read it after the worker's death.

Building and running a candidate are one request, and the candidate may kill the process in either stage. The worker
therefore notes its stage in a memory-mapped file: one byte that the parent can read afterwards. Time limits are enforced by
the system's alarm signals, because a hanging compiler or kernel cannot be asked to stop.
"""

from __future__ import annotations

import mmap
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

NAME = "stage"
_LETTERS = {"build": b"b", "execute": b"e"}


class Stage:
    """The worker's side: it records what the worker is doing, and limits how long that may take."""

    def __init__(self, arena: Path) -> None:
        self._byte = _mapped(arena)

    @contextmanager
    def within(self, stage: str, limit_s: float) -> Iterator[None]:
        """Record the stage, and have SIGALRM kill this process if the block takes longer than `limit_s` seconds."""
        self._byte[:] = _LETTERS[stage]
        signal.setitimer(signal.ITIMER_REAL, limit_s)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            self._byte[:] = _LETTERS["execute"]


def _mapped(arena: Path) -> mmap.mmap:
    """Return the mapped byte; if the folder is gone, an unused byte, and the next request will report the missing folder."""
    try:
        (arena / NAME).write_bytes(_LETTERS["execute"])
        with (arena / NAME).open("r+b") as file:
            return mmap.mmap(file.fileno(), 1)
    except OSError:
        return mmap.mmap(-1, 1)


def left(arena: Path) -> str:
    """Return the stage in which a worker died; ``execute`` if nothing readable was recorded."""
    try:
        letter = (arena / NAME).read_bytes()
    except OSError:
        letter = b""
    return next((stage for stage, letters in _LETTERS.items() if letters == letter), "execute")
