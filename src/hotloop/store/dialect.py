"""What differs between databases: pragmas, how a write transaction begins, and the lock that serialises decisions."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from sqlalchemy import Connection, Engine, Insert, PoolProxiedConnection, create_engine, event, func, select

from hotloop.store import schema
from hotloop.store.location import Location

WRITE = "hotloop_write"
"""Execution option of connections whose transactions will write."""
_LOCK_KEY = 0x686F746C6F6F70
"""Advisory lock on PostgreSQL; the letters of hotloop."""
_RETRY_S = 0.02
_ANSWER_S = 15


def connect(location: Location, *, read_only: bool, busy_timeout_s: float) -> Engine:
    """Return an engine for a prepared location; nothing is opened yet."""
    if location.url.get_backend_name() != "sqlite":
        return create_engine(location.url, pool_pre_ping=True, connect_args=_patience(location.url.get_driver_name()))
    engine = create_engine(location.url)
    event.listen(engine, "connect", partial(_pragmas, read_only=read_only, busy_timeout_s=busy_timeout_s))
    event.listen(engine, "begin", _begin)
    return engine


def _patience(driver: str) -> dict[str, int]:
    """Return the driver's own time limit for a server that does not answer, for example because it was stopped (SIGSTOP)."""
    names = {"psycopg": "connect_timeout", "psycopg2": "connect_timeout", "pg8000": "timeout"}
    return {names[driver]: _ANSWER_S} if driver in names else {}


def _pragmas(connection: sqlite3.Connection, _record: object, *, read_only: bool, busy_timeout_s: float) -> None:
    connection.isolation_level = None  # the driver must not begin transactions on its own; `_begin` does
    connection.execute(f"PRAGMA busy_timeout = {round(1000 * busy_timeout_s)}")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute(_SYNCHRONOUS[True])
    if read_only:
        connection.execute("PRAGMA query_only = ON")


def _begin(connection: Connection) -> None:
    """Take the write lock when the transaction begins: one that begins to write half-way fails at once if another process wrote first."""
    writes = connection.get_execution_options().get(WRITE, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


_SYNCHRONOUS = {True: "PRAGMA synchronous = FULL", False: "PRAGMA synchronous = NORMAL"}
"""FULL: a commit is on the disk when it returns. NORMAL, with write-ahead logging: it reaches the disk with the next FULL commit or checkpoint;
until then it survives the death of any process, but not a crash of the machine."""


def insert_directly(
    engine: Engine,
    raw: PoolProxiedConnection,
    rows: Sequence[tuple[Insert, Mapping[str, object]]],
    *,
    synchronous: bool = True,
) -> None:
    """Insert rows into SQLite in one transaction, past SQLAlchemy's execution: that would cost more than all the rest.

    Raises:
        sqlite3.Error, SQLAlchemyError: nothing was inserted.
    """
    driver: Any = raw.driver_connection
    if raw.info.get("synchronous") is not synchronous:
        driver.execute(_SYNCHRONOUS[synchronous])
        raw.info["synchronous"] = synchronous
    driver.execute("BEGIN IMMEDIATE")
    try:
        for insert, values in rows:
            text, names = _statement(engine, insert, tuple(sorted(values)))
            driver.execute(text, [schema.spelled(values[name]) for name in names])
        driver.execute("COMMIT")
    except BaseException:
        with suppress(sqlite3.Error):  # whatever failed may have ended the transaction
            driver.execute("ROLLBACK")
        raise


_STATEMENTS: dict[tuple[str, tuple[str, ...]], tuple[str, tuple[str, ...]]] = {}


def _statement(engine: Engine, insert: Insert, columns: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """Return an insertion as text with the names of its values in their order; one form for each table and its columns."""
    key = insert.table.name, columns
    if key not in _STATEMENTS:
        compiled = insert.compile(dialect=engine.dialect, column_keys=list(columns))
        _STATEMENTS[key] = str(compiled), tuple(compiled.positiontup or ())
    return _STATEMENTS[key]


def serialise(connection: Connection) -> None:
    """Let only one process past this point until its transaction ends; SQLite's write lock does so by itself."""
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_advisory_xact_lock(_LOCK_KEY)))


def enable_wal(engine: Engine, busy_timeout_s: float) -> None:
    """Switch a SQLite file to write-ahead logging, so that readers and the writer do not block each other.

    SQLite does not apply its busy timeout to this switch, hence the loop. A file system without shared memory keeps
    the rollback journal, which is as safe and only slower.
    """
    if engine.dialect.name != "sqlite":
        return
    deadline = time.monotonic() + busy_timeout_s
    raw = engine.raw_connection()
    try:
        driver: Any = raw.driver_connection
        while not _switched(driver, deadline):
            time.sleep(_RETRY_S)
    finally:
        raw.close()


def _switched(driver: sqlite3.Connection, deadline: float) -> bool:
    try:
        driver.execute("PRAGMA journal_mode = WAL").fetchone()
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
            raise
        return False
    return True
