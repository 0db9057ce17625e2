"""Arenas: temporary folders for the arrays and binaries that parent and worker share.

They live in shared memory where there is room, because arrays pass through them. A killed run cannot remove its arena;
the next run removes every arena whose owner is gone, and ends what its worker had started. An owner holds a lock on a file in its arena, which the system
releases when it dies: process ids say less, for they are reused, and containers that share the folder have their own.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
import time
from pathlib import Path
from typing import Self

from hotloop.errors import MachineError
from hotloop.host import strays

PREFIX = "hotloop-work-"
_LOCK = "owner.lock"
_NEW_PREFIX = "hotloop-new-"
_NEW_S = 60.0
"""Making an arena takes far less: an older one without its final name belongs to a process that was killed meanwhile."""
_EMPTYING_S = 10.0
"""Longest wait for a removal to end: twenty arenas removed in mid run at a load average of 20 were gone sooner. Only a request that missed a file waits."""
_LOOK_S = 0.01
_SHARED_MEMORY = Path("/dev/shm")  # noqa: S108 - a memory file system, used when it has room
_ROOM_BYTES = 2 * 2**30
"""Shared memory is used only with this much free: inputs of several sets of 2048² matrices and their results."""


class Arena:
    """A folder of this process's own, until it is removed or the process ends."""

    def __init__(self, path: Path, lock: int) -> None:
        self.path = path
        self._lock: int | None = lock

    @classmethod
    def create(cls) -> Self:
        """Return a new empty arena, after removing arenas that dead processes left behind.

        Raises:
            MachineError: there is no room for it, or no permission.
        """
        root = _root()
        _sweep(root)
        try:
            made = Path(tempfile.mkdtemp(prefix=_NEW_PREFIX, dir=root))
            lock = os.open(made / _LOCK, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
            fcntl.flock(lock, fcntl.LOCK_EX)
            # Renamed only when locked: a folder of the final name without a locked file is always a dead one's.
            path = made.rename(root / f"{PREFIX}{made.name.removeprefix(_NEW_PREFIX)}")
        except OSError as error:
            raise MachineError(
                f"cannot create a temporary folder in {root}: {error.strerror}; free space or set TMPDIR."
            ) from error
        return cls(path, lock)

    def keep(self, *, missing: bool = False) -> None:
        """Raise MachineError if somebody removed it, as cleaners of temporary folders do: that is no failure of a candidate.

        Args:
            missing: a file in it was not found, so that it may be being emptied at this moment: wait for the end of that.
        """
        ends_s = time.monotonic() + (_EMPTYING_S if missing else 0.0)
        while (self.path / _LOCK).exists():
            if time.monotonic() >= ends_s:
                return
            time.sleep(_LOOK_S)
        raise MachineError(
            f"the temporary folder {self.path} was removed while it was in use: "
            "run the same command again, it goes on where it stopped."
        )

    def environment(self) -> dict[str, str]:
        """Return the variables of processes that work in it: the mark by which they are found, and where they put files.

        Temporary files go with the arena, whatever happens to whoever made them, except where nothing may be executed:
        compilers load libraries from there.
        """
        marked = {strays.MARK: str(self.path)}
        plain = os.statvfs(self.path).f_flag & getattr(os, "ST_NOEXEC", 0)
        return marked if plain else {**marked, "TMPDIR": str(self.path)}

    @property
    def free_bytes(self) -> int:
        """Free space on the arena's file system."""
        return shutil.disk_usage(self.path).free

    def remove(self) -> None:
        """Remove the arena and everything in it. Safe to call twice."""
        shutil.rmtree(self.path, ignore_errors=True)
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


def _root() -> Path:
    temporary = Path(tempfile.gettempdir())
    if "TMPDIR" in os.environ or not os.access(_SHARED_MEMORY, os.W_OK):
        return temporary
    return _SHARED_MEMORY if shutil.disk_usage(_SHARED_MEMORY).free > _ROOM_BYTES else temporary


def _sweep(root: Path) -> None:
    for left in (*root.glob(f"{PREFIX}*"), *filter(_old, root.glob(f"{_NEW_PREFIX}*"))):
        if not _owned(left):
            strays.kill(str(left))
            shutil.rmtree(left, ignore_errors=True)


def _old(unfinished: Path) -> bool:
    try:
        return abs(time.time() - unfinished.stat().st_mtime) > _NEW_S  # clocks are set back, too
    except OSError:
        return False


def _owned(arena: Path) -> bool:
    """Tell whether a live process holds an arena, or whether that cannot be asked: it is another user's."""
    try:
        lock = os.open(arena / _LOCK, os.O_RDWR | os.O_CLOEXEC)
    except FileNotFoundError:
        return False
    except OSError:
        return True
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return True
    else:
        return False
    finally:
        os.close(lock)
