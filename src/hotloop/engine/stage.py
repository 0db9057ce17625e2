"""What a worker is at and for how long it may be, in a way that outlives it.

Building and running a candidate are one request, and the candidate may end the process in either. The worker therefore
notes its stage in a file that it maps: a byte in memory that the parent can read afterwards. Its limits are the system's
alarms, because nothing in a hanging compiler or kernel can be asked to stop.
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
    """The worker's side."""

    def __init__(self, arena: Path) -> None:
        self._byte = _mapped(arena)

    @contextmanager
    def within(self, stage: str, limit_s: float) -> Iterator[None]:
        """Note the stage, and let the system kill this process by SIGALRM when the block takes longer than `limit_s`."""
        self._byte[:] = _LETTERS[stage]
        signal.setitimer(signal.ITIMER_REAL, limit_s)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            self._byte[:] = _LETTERS["execute"]


def _mapped(arena: Path) -> mmap.mmap:
    """Return the byte; where the folder is gone already, one that nobody reads: whoever asks for work will notice."""
    try:
        (arena / NAME).write_bytes(_LETTERS["execute"])
        with (arena / NAME).open("r+b") as file:
            return mmap.mmap(file.fileno(), 1)
    except OSError:
        return mmap.mmap(-1, 1)


def left(arena: Path) -> str:
    """Return the stage in which a dead worker was; ``execute`` when it left nothing that can be read."""
    try:
        letter = (arena / NAME).read_bytes()
    except OSError:
        letter = b""
    return next((stage for stage, known in _LETTERS.items() if known == letter), "execute")
