"""The one place where errors of SQLite, SQLAlchemy and servers become one sentence for people."""

from __future__ import annotations

import errno
import os
import re
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Row, Table
from sqlalchemy.exc import DBAPIError, NoSuchModuleError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from hotloop.errors import MissingExtraError, StoreError, first_line
from hotloop.registry import extra_of
from hotloop.store.location import HINT, Location
from hotloop.store.server import SilentServerError

_FULL_BYTES = 64 * 1024
"""Free bytes below which a failed write means a full disk, whatever SQLite calls it."""

_FILES = 3
"""Files that SQLite opens for a store: the database, its log and the log's index."""

_REFUSED = frozenset({"42501", "25006"})
"""PostgreSQL, appendix A: insufficient_privilege, read_only_sql_transaction."""
_DISK_FULL = "53100"
"""PostgreSQL, appendix A."""
_NOT_LET_IN = (
    "password authentication failed",
    "no pg_hba.conf entry",
    "is not permitted to log in",
    "no password supplied",
)
"""Messages of a PostgreSQL server about a user whom it does not know or does not let in; a client that fails to connect is told no code."""
_UNDECODED = re.compile(r"Could not decode to UTF-8 column '(\w+)'")
_REASON = 160
"""Characters of a reason that a sentence quotes; damaged JSON may be long."""

_SENTENCES = {
    sqlite3.SQLITE_NOTADB: f"the store {{where}} is not a hotloop store or is corrupt; it was left as it is: move it away, or {HINT}.",
    sqlite3.SQLITE_CORRUPT: (
        "the store {where} is corrupt and was left as it is: save what can be saved with "
        f"'sqlite3 FILE .recover', move it away, or {HINT}."
    ),
    sqlite3.SQLITE_BUSY: f"the store {{where}} was locked by another process for too long: wait until that ends, or {HINT}.",
    sqlite3.SQLITE_READONLY: f"the store {{where}} is read-only: allow writing to the file and its folder, or {HINT}.",
    sqlite3.SQLITE_FULL: f"the disk that holds the store {{where}} is full and the last record was not kept: free space, or {HINT}.",
    sqlite3.SQLITE_CANTOPEN: f"the store {{where}} cannot be opened: check that its folder exists and may be written, or {HINT}.",
    sqlite3.SQLITE_IOERR: f"the store {{where}} cannot be read or written, the system reports an I/O error: check the disk, or {HINT}.",
}


@contextmanager
def explained(location: Location) -> Iterator[None]:
    """Turn whatever the database layer raises inside the block into a StoreError.

    Raises:
        StoreError: with one sentence: what, where, what to do.
        MissingExtraError: the database's driver is not installed.
    """
    try:
        yield
    except UnicodeDecodeError as error:  # SQLite's own messages quote damaged text as it stands in the file
        raise StoreError(_SENTENCES[sqlite3.SQLITE_CORRUPT].format(where=location)) from error
    except SilentServerError as error:
        raise StoreError(
            f"the server of the store {location} is reachable but gives {error}: it may be stopped or overloaded; "
            f"start it again and run the same command, or {HINT}."
        ) from error
    except (SQLAlchemyError, sqlite3.Error) as error:
        raise StoreError(sentence(error, location)) from error
    except ModuleNotFoundError as error:
        driver = (error.name or "").partition(".")[0]
        if not (extra := extra_of(driver)):
            raise StoreError(
                f"the store {location} is in a database that hotloop was never tried with (it would need the Python package {driver}): "
                "name a file of SQLite or a server of PostgreSQL with --store."
            ) from error
        raise MissingExtraError(f"the store {location}", extra) from error


@contextmanager
def understood(row: Row[Any], table: Table, location: Location) -> Iterator[None]:
    """Check a row's types, of the columns that were asked for, and turn what making a noun of it raises inside the block into a StoreError.

    SQLite keeps any type in any column, and a file can be damaged or written by whoever: nothing in it is taken for granted.

    Raises:
        StoreError: with one sentence: which row, where, why.
    """
    try:
        columns = table.c
        for name, value in zip(
            row._fields, row, strict=True
        ):  # once a row: asking a row for its fields makes them anew each time
            if (column := columns.get(name)) is None:
                continue
            if not isinstance(value, column.type.python_type) and not (value is None and column.nullable):
                raise TypeError(f"{column.name} is {type(value).__name__}")
        yield
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
        reason = first_line(error)[:_REASON]
        number = f" {row.number}" if "number" in table.c else ""
        raise StoreError(
            f"{table.name.removesuffix('s')}{number} of the store {location} cannot be understood ({reason}): "
            f"it was written by another hotloop, or the file is damaged; {HINT}."
        ) from error


def sentence(error: Exception, location: Location) -> str:
    """Return what is wrong with the store, where, and what to do."""
    cause = error.orig if isinstance(error, DBAPIError) and error.orig is not None else error
    code = getattr(cause, "sqlite_errorcode", None)
    if isinstance(code, int):
        return _sqlite(code, cause, location)
    if undecoded := _UNDECODED.search(str(cause)):  # Python's own message quotes the whole text, which may be long
        column = undecoded[1]
        return (
            f"the store {location} is damaged: {column} holds bytes that are no text; it was left as it is: save what can be "
            f"saved with 'sqlite3 FILE .recover', move it away, or {HINT}."
        )
    if isinstance(error, NoSuchModuleError):
        return (
            f"the store {location} names a database that is not supported: use sqlite:// or postgresql://, or {HINT}."
        )
    if isinstance(error, PoolTimeout):
        return f"the store {location} has too many connections open: {HINT}."
    if getattr(cause, "sqlstate", None) in _REFUSED:
        return f"the store {location} does not let this user do that ({first_line(cause)}): ask for the right to, or {HINT}."
    if getattr(cause, "sqlstate", None) == _DISK_FULL:
        return f"the disk of the server of the store {location} is full ({first_line(cause)}): free space there and run the same command, or {HINT}."
    if any(words in str(cause) for words in _NOT_LET_IN):
        return f"the store {location} does not let this user in ({first_line(cause)}): correct the user or the password in its URL, or {HINT}."
    return f"the store {location} does not answer as expected ({first_line(cause)}): check the server, or {HINT}."


def _sqlite(code: int, cause: BaseException, location: Location) -> str:
    primary = code & 0xFF  # extended result codes keep the primary one in the low byte
    if primary == sqlite3.SQLITE_IOERR and _disk_full(location.path):
        primary = sqlite3.SQLITE_FULL
    if primary == sqlite3.SQLITE_CANTOPEN and _handles_used_up():
        return f"the store {location} cannot be opened: no further file can be opened; allow more (ulimit -n), or close other programs."
    sentence = _SENTENCES.get(primary)
    if sentence is not None:
        return sentence.format(where=location)
    return f"the store {location} refused the operation ({first_line(cause)}): {HINT}."


def _handles_used_up() -> bool:
    """Tell whether this process cannot open as many further files as SQLite needs."""
    opened = list[int]()
    try:
        opened += (os.open(os.devnull, os.O_RDONLY) for _ in range(_FILES))
    except OSError as error:
        return error.errno in (errno.EMFILE, errno.ENFILE)
    finally:
        for handle in opened:
            os.close(handle)
    return False


def _disk_full(path: Path | None) -> bool:
    try:
        return path is not None and shutil.disk_usage(path.parent).free < _FULL_BYTES
    except OSError:
        return False
