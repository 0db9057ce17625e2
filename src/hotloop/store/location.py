"""Where a store is: a file, a database URL, or the platform's data folder; checked before SQLite touches anything."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from hotloop.errors import NoStoreError, StoreError

HINT = "choose another store with --store"
_SECRET = frozenset({"password", "sslpassword"})
"""Parameters of a PostgreSQL URL that nobody else shall read (libpq, section 32.1.2)."""


@dataclass(frozen=True, slots=True)
class Location:
    """A resolved place of a store: a file or a server."""

    url: URL
    path: Path | None
    """The SQLite file; None for a server or a database in memory."""

    def __str__(self) -> str:
        query = {name: "***" if name in _SECRET else value for name, value in self.url.query.items()}
        return str(self.path) if self.path else self.url.set(query=query).render_as_string(hide_password=True)

    @classmethod
    def resolve(cls, given: str | Path | None) -> Location:
        """Return the place that a user named; None is the platform's data folder.

        Raises:
            StoreError: a URL that cannot be parsed.
        """
        if isinstance(given, str) and "://" in given:
            return cls._from_url(given)
        try:
            return cls._from_path(Path(given).expanduser() if given else _default())
        except RuntimeError as error:  # of pathlib: a name after ~ that no user of this machine has
            raise StoreError(f"the store {given} lies in the home folder of an unknown user: {HINT}.") from error

    @classmethod
    def _from_path(cls, path: Path) -> Location:
        return cls(URL.create("sqlite", database=str(path)), path)

    @classmethod
    def _from_url(cls, text: str) -> Location:
        try:
            url = make_url(text)
        except (ArgumentError, ValueError) as error:
            raise StoreError(
                f"the store's URL cannot be read: write it as dialect://user@host/database; {HINT}."
            ) from error
        if url.drivername == "postgresql":
            url = url.set(drivername="postgresql+psycopg")
        database = url.database or ""
        is_file = url.get_backend_name() == "sqlite" and database not in ("", ":memory:") and "uri" not in url.query
        return cls(url, Path(database) if is_file else None)

    def prepare(self, *, read_only: bool) -> Location:
        """Check the file and its folder, create the folder for a new store, and return the place to connect to.

        Raises:
            StoreError: a directory, a missing file to read, no permission, a read-only or full file system.
        """
        if self.path is None:
            return self
        try:
            _check_kind(self.path)
            return self._readable(self.path) if read_only else self._writable(self.path)
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise StoreError(f"the store {self.path} cannot be reached: {reason}; {HINT}.") from error

    def _writable(self, path: Path) -> Location:
        _make(path.parent)
        if path.exists() and not _allowed(path, os.W_OK):
            raise StoreError(f"the store {path} is read-only: allow writing to the file, or {HINT}.")
        if not _allowed(path.parent, os.W_OK | os.X_OK):
            raise StoreError(
                f"the store {path} lies in a read-only folder, where SQLite cannot keep its journal: "
                f"allow writing to {path.parent}, or {HINT}."
            )
        return self

    def _readable(self, path: Path) -> Location:
        if not path.exists():
            raise NoStoreError(f"there is no store at {path} to read: run something that records first, or {HINT}.")
        if not _allowed(path, os.R_OK):
            raise StoreError(f"no permission to read the store {path}: allow reading the file, or {HINT}.")
        query = {"mode": "ro", "uri": "true"}
        log = Path(f"{path}-wal")
        if not _allowed(path.parent, os.W_OK) and not (log.exists() and log.stat().st_size):
            query["immutable"] = "1"  # SQLite cannot make its shared-memory file there, and no writer can be at work
        return Location(URL.create("sqlite", database=f"file:{quote(str(path.absolute()))}", query=query), path)


def _default() -> Path:
    from platformdirs import user_data_path

    return user_data_path("hotloop", appauthor=False) / "store.sqlite"


def _make(folder: Path) -> None:
    if folder.exists() and not folder.is_dir():
        raise StoreError(f"the store's folder {folder} is a file: {HINT}.")
    folder.mkdir(parents=True, exist_ok=True)


def _check_kind(path: Path) -> None:
    if path.is_dir():
        raise StoreError(f"the store {path} is a directory: name a file in it, such as {path / 'store.sqlite'}.")
    if path.exists() and not path.is_file():
        raise StoreError(f"the store {path} is not a regular file: {HINT}.")


def _allowed(path: Path, mode: int) -> bool:
    """Ask without opening: closing a second descriptor of an open SQLite file would drop the process's locks on it."""
    return os.access(path, mode, effective_ids=os.access in os.supports_effective_ids)
