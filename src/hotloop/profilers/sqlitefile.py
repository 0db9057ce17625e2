"""Opening an SQLite file that somebody else wrote, for reading only.

The file is opened immutable: no lock, journal or write-ahead log is touched. An authorizer refuses every statement that is
not a plain SELECT over tables, so triggers, attached files, extensions, pragmas and recursive queries of the file cannot
run; views are never used. A budget of virtual machine steps ends queries that a crafted file would make endless.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from hotloop.profilers.source import Head, look, named
from hotloop.profiles.failure import ProfileError

MAGIC: Final = b"SQLite format 3\x00"
_STEPS: Final = 1_000_000
_BUDGET: Final = 20_000
"""Callbacks of a million steps each: minutes of work, far beyond any honest profile of some gigabytes."""
_FUNCTIONS: Final = frozenset({"count", "sum", "min", "max", "total"})
_CELL_BYTES: Final = 1 << 24


def allowed(action: int, _first: str | None, second: str | None, _database: str | None, _origin: str | None) -> int:
    """Decide on one step of a statement that SQLite compiles: reading and a few aggregates, nothing else."""
    if action in (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ):
        return sqlite3.SQLITE_OK
    if action == sqlite3.SQLITE_FUNCTION and (second or "").lower() in _FUNCTIONS:
        return sqlite3.SQLITE_OK
    return sqlite3.SQLITE_DENY


@dataclass(frozen=True, slots=True)
class Database:
    """An opened file; `tables` are real tables, no views or virtual tables."""

    path: Path
    connection: sqlite3.Connection
    tables: tuple[str, ...]

    def columns(self, name: str) -> tuple[str, ...]:
        """Return a table's columns."""
        cursor = self.connection.execute(f"SELECT * FROM {quoted(name)} LIMIT 0")  # noqa: S608 - quoted, from the schema
        return tuple(column[0] for column in cursor.description)

    def rows(self, query: str) -> Iterator[tuple[object, ...]]:
        """Yield the rows of a SELECT."""
        yield from self.connection.execute(query)

    def select(self, table: str, wanted: tuple[str, ...], tail: str = "") -> Iterator[dict[str, object]]:
        """Yield rows with the wanted columns; one that this version's table lacks is None. Nothing where there is no such table."""
        if table not in self.tables:
            return
        have = self.columns(table)
        present = [column for column in wanted if column in have]
        listed = ", ".join(quoted(column) for column in present)
        for cells in self.rows(f"SELECT {listed} FROM {quoted(table)} {tail}") if present else ():  # noqa: S608 - quoted names
            yield {**dict.fromkeys(wanted), **dict(zip(present, cells, strict=True))}


@contextmanager
def database(path: Path) -> Iterator[Database]:
    """Open a database for reading. Raises ProfileError, also for what goes wrong inside the block."""
    look(path)
    try:
        with closing(_connected(path)) as connection:
            yield Database(path, connection, _tables(connection))
    except (sqlite3.Error, UnicodeDecodeError, OverflowError) as error:
        raise ProfileError(
            f"{named(path)} cannot be read as an SQLite database ({_line(error)}): it is damaged, or not a profiler's."
        ) from error


def holds(head: Head, table: re.Pattern[str]) -> bool:
    """Tell whether a file is a database with a table of such a name, wherever in the file its schema stands."""
    if not head.raw.startswith(MAGIC):
        return False
    try:
        with database(head.path) as opened:
            return any(map(table.fullmatch, opened.tables))
    except ProfileError:
        return table.search(head.raw.decode("latin-1")) is not None  # damaged: its reader says so


def quoted(name: str) -> str:
    """Return an identifier for SQL.

    >>> quoted("gpu-id"), quoted('a"b')
    ('"gpu-id"', '"a""b"')
    """
    return '"' + name.replace('"', '""') + '"'


def _connected(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True, isolation_level=None)
    connection.text_factory = _text
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _CELL_BYTES)
    connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    connection.setlimit(sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH, 1)
    for pragma in ("query_only=1", "trusted_schema=0", "temp_store=2", "cell_size_check=1", "mmap_size=0"):
        connection.execute(f"PRAGMA {pragma}")
    connection.set_authorizer(allowed)
    connection.set_progress_handler(_Budget(_BUDGET).spent, _STEPS)
    return connection


@dataclass(slots=True)
class _Budget:
    left: int

    def spent(self) -> bool:
        self.left -= 1
        return self.left < 0


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")


def _tables(connection: sqlite3.Connection) -> tuple[str, ...]:
    rows = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'")
    return tuple(str(n) for n, sql in rows if not str(sql).lstrip().upper().startswith("CREATE VIRTUAL"))


def _line(error: Exception) -> str:
    return str(error).partition("\n")[0] or type(error).__name__
