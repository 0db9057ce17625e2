"""Whether the file of an open store is still the one that its path names.

A system lets a file that is open be deleted or replaced: SQLite goes on in what nobody will ever read again, and says nothing.
"""

from __future__ import annotations

from pathlib import Path

from hotloop.errors import StoreError


class Presence:
    """Remembers which file a path names, from an open store's first moment on."""

    def __init__(self, path: Path | None) -> None:
        self._path = None if path is None else path.absolute()
        """None: a server or a database in memory, of which this cannot be asked."""
        self._file = self._named()

    def check(self) -> None:
        """Return if the path still names the same file. Raises StoreError."""
        if self._path is not None and self._named() != self._file:
            raise StoreError(
                f"the store {self._path} was moved, replaced or deleted while it was in use, and what is recorded now would be lost: "
                "put it back, and the same command goes on; without it the command begins anew."
            )

    def _named(self) -> tuple[int, int] | None:
        """Return what SQLite knows a file by, too: its device and number; None where there is no file."""
        if self._path is None:
            return None
        try:
            found = self._path.stat()
        except OSError:  # it is gone, or a folder on the way to it is, or may not be read any more
            return None
        return found.st_dev, found.st_ino
