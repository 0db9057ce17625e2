"""What a run did, by key, so that a killed run continues where it was."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from sqlalchemy import Row, Table, bindparam, func, select

from hotloop.store.database import Database
from hotloop.store.failure import understood
from hotloop.store.owner import Owner
from hotloop.store.records import JournalEntry
from hotloop.store.schema import journal, runs

_COUNT = select(func.count()).where(journal.c.run == bindparam("of_run")).scalar_subquery()
_INSERT = journal.insert().values(position=_COUNT)


class Journals:
    """Entries of all runs."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def recall(self, run: str, key: str) -> str | None:
        """Return the JSON recorded under a key of a run, or None."""
        query = select(journal).where(journal.c.run == run, journal.c.key == key)
        with self._database.read() as connection:
            row = connection.execute(query).first()
        return None if row is None else self._entry(row).data

    def keys(self, run: str) -> set[str]:
        """Return the keys under which a run has recorded something."""
        with self._database.read() as connection:
            return set(connection.execute(select(journal.c.key).where(journal.c.run == run)).scalars())

    def record(
        self,
        run: str,
        entries: Mapping[str, str],
        also: tuple[Table, Mapping[str, object]] | None = None,
        *,
        late: bool = False,
    ) -> None:
        """Record JSON by key in one transaction, with a row of another table for the last one; later records of a key are ignored.

        `late`: see `Database.append`.
        """
        created = self._database.utc()
        rows = [{"run": run, "key": k, "data": v, "created": created, "of_run": run} for k, v in entries.items()]
        self._database.append(journal, rows[-1], _INSERT, also, late=late, before=rows[:-1])

    def entries(self, run: str, after: int = 0) -> tuple[JournalEntry, ...]:
        """Return the entries of a run in the order of their keys' first record, without the first `after` ones."""
        query = select(journal).where(journal.c.run == run, journal.c.position >= after)
        with self._database.read() as connection:
            rows = connection.execute(query.order_by(journal.c.position)).all()
        return tuple(self._entry(row) for row in rows)

    def lately(self, key: str, owner: Owner, since: str, runs_back: int) -> JournalEntry | None:
        """Return what the newest of the last runs on a host since its boot recorded under a key after a time; None where none did."""
        here = select(runs.c.id).where(runs.c.host == owner.host, runs.c.boot == owner.boot)
        latest = here.order_by(runs.c.number.desc()).limit(runs_back).subquery()
        query = select(journal).where(
            journal.c.run.in_(select(latest)), journal.c.key == key, journal.c.created >= since
        )
        with self._database.read() as connection:
            row = connection.execute(query.order_by(journal.c.created.desc()).limit(1)).first()
        return None if row is None else self._entry(row)

    def _entry(self, row: Row[Any]) -> JournalEntry:
        with understood(row, journal, self._database.location):
            json.loads(row.data)  # whoever asked will read it; only here it is known which store is damaged
            return JournalEntry(row.key, row.data, row.created)
