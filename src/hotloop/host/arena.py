"""Arenas: temporary folders for the arrays and binaries that parent and worker share.

They live in shared memory where there is room, because arrays pass through them. A killed run cannot remove its arena;
the next run removes every arena whose owner is gone.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

from hotloop.errors import MachineError

PREFIX = "hotloop-arena-"
_SHARED_MEMORY = Path("/dev/shm")  # noqa: S108 - a memory file system, used when it has room
_ROOM_BYTES = 2 * 2**30
"""Shared memory is used only with this much free: inputs of several sets of 2048² matrices and their results."""


def create() -> Path:
    """Return a new empty arena, after removing arenas that dead processes left behind."""
    root = _root()
    _sweep(root)
    try:
        return Path(tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-", dir=root))
    except OSError as error:
        raise MachineError(
            f"cannot create a temporary folder in {root}: {error.strerror}; free space or set TMPDIR."
        ) from error


def remove(arena: Path) -> None:
    """Remove an arena and everything in it."""
    shutil.rmtree(arena, ignore_errors=True)


def free_bytes(arena: Path) -> int:
    """Return the free space on the arena's file system."""
    return shutil.disk_usage(arena).free


def _root() -> Path:
    temporary = Path(tempfile.gettempdir())
    if "TMPDIR" in os.environ or not os.access(_SHARED_MEMORY, os.W_OK):
        return temporary
    return _SHARED_MEMORY if shutil.disk_usage(_SHARED_MEMORY).free > _ROOM_BYTES else temporary


def _sweep(root: Path) -> None:
    for left in root.glob(f"{PREFIX}*-*"):
        owner = left.name.removeprefix(PREFIX).partition("-")[0]
        if owner.isdigit() and not Path(f"/proc/{owner}").exists() and Path("/proc/self").exists():
            remove(left)
