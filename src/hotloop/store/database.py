"""An open database: read and write transactions with every failure explained."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from threading import Lock

from sqlalchemy import Connection, Engine, Insert, PoolProxiedConnection, Table
from sqlalchemy.exc import IntegrityError

from hotloop.errors import StoreError
from hotloop.ports import Clock
from hotloop.store import dialect, migrate, server
from hotloop.store.failure import explained
from hotloop.store.location import Location
from hotloop.store.presence import Presence
from hotloop.store.schema import HEAD

_LATE_S = 5.0
"""Longest time for which the disk may lack a row that is allowed to be late, while others follow it. To wait for the disk takes
0.15 to 0.25 ms of CPU time, see docs/decisions/store.md."""


class Database:
    """A connection pool on a database whose schema is current."""

    def __init__(self, engine: Engine, location: Location, clock: Clock, *, read_only: bool) -> None:
        self._engine = engine
        self._writer = engine.execution_options(**{dialect.WRITE: True})
        self.location = location
        self._clock = clock
        self._read_only = read_only
        self._direct: PoolProxiedConnection | None = None
        """Connection of its own for insertions past SQLAlchemy: to fetch one from the pool costs as much as a row."""
        self._met = False
        """Whether a server has answered before: then it is waited for while it restarts."""
        self._inserting = Lock()
        """Transactions of two threads on one connection would be one."""
        self._synchronised_s = -_LATE_S
        """When the disk was last waited for."""
        self._presence: Presence | None = None
        """Of the file, once it is there."""

    @classmethod
    def open(cls, given: str | Path | None, *, read_only: bool, busy_timeout_s: float, clock: Clock) -> Database:
        """Open a store, creating or upgrading it unless it is opened to read only.

        Raises:
            StoreError: it cannot be opened, see `hotloop.store.failure` and `hotloop.store.migrate`.
            MissingExtraError: the database's driver is not installed.
        """
        location = Location.resolve(given)
        prepared = location.prepare(read_only=read_only)
        with explained(location):
            engine = dialect.connect(prepared, read_only=read_only, busy_timeout_s=busy_timeout_s)
        database = cls(engine, location, clock, read_only=read_only)
        try:
            database._bring_up(busy_timeout_s)
            database._presence = Presence(location.path)
            database._met = True
        except BaseException:
            database.close()
            raise
        return database

    def _bring_up(self, busy_timeout_s: float) -> None:
        with self.read() as connection:
            migrate.check(standing := migrate.standing(connection), str(self.location), read_only=self._read_only)
        if self._read_only:
            return
        with explained(self.location):
            dialect.enable_wal(self._engine, busy_timeout_s)
        if standing.version == HEAD:
            return
        with self.exclusive(long=True) as connection:  # another process may have been first: look again under the lock
            migrate.check(standing := migrate.standing(connection), str(self.location), read_only=False)
            migrate.bring_up(connection, standing)

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Yield a connection with one consistent view."""
        with explained(self.location):
            opened = self._connected(self._engine)  # whose patience is longer than that with an answer
            with self._answering(), opened as connection:
                yield connection

    @contextmanager
    def write(self, *, long: bool = False) -> Iterator[Connection]:
        """Yield a connection whose changes are on the disk when the block ends, or not at all; a `long` block has no limit."""
        self._recordable()
        with explained(self.location):
            opened = self._connected(self._writer)
            with nullcontext() if long else self._answering(), opened as connection, connection.begin():
                yield connection

    def _recordable(self) -> None:
        """Return if what is recorded will be kept. Raises StoreError."""
        if self._read_only:
            raise StoreError(f"the store {self.location} was opened read-only: open it for writing to record.")
        if self._presence is not None:
            self._presence.check()

    def _connected(self, engine: Engine) -> Connection:
        """Return a new connection; a server that was met before and restarts is waited for."""
        return engine.connect() if self._local else server.patiently(engine.connect, met=self._met)

    def _answering(self) -> AbstractContextManager[None]:
        return nullcontext() if self._local else server.answering()

    @property
    def _local(self) -> bool:
        return self._engine.dialect.name == "sqlite"

    @contextmanager
    def exclusive(self, *, long: bool = False) -> Iterator[Connection]:
        """Yield a connection as `write` does, with no other process inside such a block."""
        with self.write(long=long) as connection:
            dialect.serialise(connection)
            yield connection

    def append(
        self,
        table: Table,
        values: Mapping[str, object],
        insert: Insert | None = None,
        also: tuple[Table, Mapping[str, object]] | None = None,
        *,
        late: bool = False,
        before: Sequence[Mapping[str, object]] = (),
    ) -> bool:
        """Insert a row; return False when a row with its key is there already and nothing was done.

        `insert` is the statement when it is more than the plain values; `also` is a row of another table that is inserted
        in the same transaction, unless that table has it; so are rows of the same table `before` it. What may be `late` survives
        this process at once, and a power failure with the next row that is not late, or with the first one after 5 s.
        """
        rows = [(table.insert() if insert is None else insert, row) for row in (*before, values)]
        rows += [] if also is None else [(also[0].insert(), also[1])]
        try:
            self._insert(rows, late=late)
        except StoreError as error:
            if not isinstance(error.__cause__, IntegrityError | sqlite3.IntegrityError):
                raise
            if before:  # one of them is there: each by itself
                for row in before:
                    self.append(table, row, insert, late=late)
                return self.append(table, values, insert, also, late=late)
            if self._holds(table, values):
                return False
            if also is not None and self._holds(*also):
                return self.append(table, values, insert, late=late)
            raise
        return True

    def _insert(self, rows: Sequence[tuple[Insert, Mapping[str, object]]], *, late: bool) -> None:
        self._recordable()
        if not self._local:
            with explained(self.location):
                server.patiently(lambda: self._insert_remotely(rows), met=self._met)
            return
        with explained(self.location), self._inserting:
            if self._direct is None:
                self._direct = self._engine.raw_connection()
            now_s = self._clock.monotonic_s()
            synchronous = not late or now_s - self._synchronised_s >= _LATE_S
            dialect.insert_directly(self._engine, self._direct, rows, synchronous=synchronous)
            self._synchronised_s = now_s if synchronous else self._synchronised_s

    def _insert_remotely(self, rows: Sequence[tuple[Insert, Mapping[str, object]]]) -> None:
        """Insert rows together; a row whose insertion was carried out and not told is found by who inserts it again."""
        with self._writer.connect() as connection, connection.begin():  # who asks again is patient already
            for insert, values in rows:
                connection.execute(insert, values)

    def _holds(self, table: Table, values: Mapping[str, object]) -> bool:
        keys = [table.c.identity] if "identity" in table.c else list(table.primary_key)
        with self.read() as connection:
            return (
                connection.execute(table.select().where(*(key == values[key.name] for key in keys))).first() is not None
            )

    def utc(self) -> str:
        """Return the time that rows are stamped with."""
        return self._clock.utc()

    def close(self) -> None:
        """Close all connections. Safe to call twice."""
        if self._direct is not None:
            self._direct.close()
            self._direct = None
        self._engine.dispose()


def identity(values: Mapping[str, object]) -> str:
    """Return the hash of a row's content, under which the same row is kept once."""
    return hashlib.sha256(_SORTED.encode(dict(values)).encode()).hexdigest()


_SORTED = json.JSONEncoder(sort_keys=True)
