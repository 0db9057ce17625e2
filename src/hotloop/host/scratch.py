"""Temporary folders that do not stay for ever when the process that made them is killed.

A killed process cannot remove its folder; the next process that makes one removes all that nobody owns any more. An owner holds a lock on
its folder, which the system releases when it dies. Folders of workers need none of this: they lie in the arena (`hotloop.host.arena`).
"""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

PREFIX = "hotloop-tmp-"
_UNLOCKED_PREFIX = "hotloop-unlocked-"
_NEW_S = 60.0
"""A folder is locked right after it was made: one that is older and has no lock has no owner."""


@contextmanager
def folder() -> Iterator[str]:
    """Give a new folder, which is removed at the end of the block, or by a later process where this one is killed in between."""
    _sweep(tempfile.gettempdir())
    name = tempfile.mkdtemp(prefix=PREFIX)
    lock = _locked(name)
    try:
        if lock is None:  # a file system without locks: under another name nobody takes it for a dead one's
            name = os.fspath(Path(name).rename(name.replace(PREFIX, _UNLOCKED_PREFIX)))
        yield name
    finally:
        shutil.rmtree(name, ignore_errors=True)
        if lock is not None:
            os.close(lock)


@cache
def _sweep(root: str) -> None:
    """Remove the folders of dead processes, once in the life of a process."""
    for left in Path(root).glob(f"{PREFIX}*"):
        with suppress(OSError):
            if abs(time.time() - left.stat().st_mtime) > _NEW_S and (lock := _locked(left)) is not None:
                shutil.rmtree(left, ignore_errors=True)
                os.close(lock)


def _locked(path: str | Path) -> int | None:
    """Return a descriptor that holds the lock on a folder; None where another process has it, or it cannot be had."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        return None
    return descriptor
