"""What a run did, by key, so that a killed run continues where it was."""

from __future__ import annotations

from sqlalchemy import bindparam, func, select

from hotloop.store.database import Database
from hotloop.store.records import JournalEntry
from hotloop.store.schema import journal

_COUNT = select(func.count()).where(journal.c.run == bindparam("of_run")).scalar_subquery()
_INSERT = journal.insert().values(position=_COUNT)


class Journals:
    """Entries of all runs."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def recall(self, run: str, key: str) -> str | None:
        """Return the JSON recorded under a key of a run, or None."""
        query = select(journal.c.data).where(journal.c.run == run, journal.c.key == key)
        with self._database.read() as connection:
            return connection.scalar(query)

    def record(self, run: str, key: str, data: str) -> None:
        """Record JSON under a key, once; later records of the key are ignored."""
        row = {"run": run, "key": key, "data": data, "created": self._database.utc(), "of_run": run}
        self._database.append(journal, row, _INSERT)

    def entries(self, run: str) -> tuple[JournalEntry, ...]:
        """Return the entries of a run in the order of their keys' first record."""
        query = select(journal.c.key, journal.c.data, journal.c.created).where(journal.c.run == run)
        with self._database.read() as connection:
            rows = connection.execute(query.order_by(journal.c.position)).all()
        return tuple(JournalEntry(row.key, row.data, row.created) for row in rows)
