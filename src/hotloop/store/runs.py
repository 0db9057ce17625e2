"""Runs: who works on which request, and which unfinished one a new process may take over."""

from __future__ import annotations

import json
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, select

from hotloop.errors import StoreError, UnknownNameError, UsageError
from hotloop.model.record import digest
from hotloop.store.database import Database
from hotloop.store.failure import understood
from hotloop.store.owner import Owner
from hotloop.store.records import RunInfo, RunKind, RunState
from hotloop.store.schema import runs

_SHORT = 8
"""Digits of a run's identity that people see."""


@dataclass(frozen=True, slots=True)
class NewRun:
    """What a caller says about a run."""

    kind: RunKind
    request: str
    """JSON."""
    title: str
    conditions: str = "{}"
    """JSON."""

    @property
    def fingerprint(self) -> str:
        """Hash of the request's content; ValueError when it is not JSON."""
        return digest(json.loads(self.request))


class Runs:
    """All runs of the store."""

    def __init__(self, database: Database, hotloop: str) -> None:
        self._database = database
        self._hotloop = hotloop

    def begin(self, new: NewRun) -> RunInfo:
        """Start a run in this process."""
        with self._database.write() as connection:
            return self._insert(connection, new)

    def resume_or_begin(self, new: NewRun) -> tuple[RunInfo, bool]:
        """Return the newest unfinished run of the request, taken over by this process, or a new one; and which it is.

        Raises:
            StoreError: a live process works on the request.
        """
        with self._database.exclusive() as connection:
            unfinished = self._unfinished(connection, new)
            for run in unfinished:
                _refuse_live(run)
            mine = next((run for run in unfinished if run.state is RunState.INTERRUPTED), None)
            if mine is None:
                return self._insert(connection, new), False
            return self._take_over(connection, mine), True

    def finish(self, run: str, state: RunState) -> None:
        """Close a run of this process; a run that is closed already keeps its state."""
        change = runs.update().where(runs.c.id == run, runs.c.state == RunState.RUNNING.value)
        with self._database.write() as connection:
            connection.execute(change.values(state=state.value, finished=self._database.utc()))

    def recent(self, kind: RunKind | None, limit: int) -> tuple[RunInfo, ...]:
        """Return runs, newest first."""
        query = select(runs).order_by(runs.c.number.desc()).limit(limit)
        with self._database.read() as connection:
            rows = connection.execute(query if kind is None else query.where(runs.c.kind == kind.value)).all()
        return tuple(self._info(row) for row in rows)

    def one(self, prefix: str) -> RunInfo:
        """Return the run whose identity begins with a prefix.

        Raises:
            UnknownNameError: none does.
            UsageError: several do.
        """
        query = select(runs).where(runs.c.id.startswith(prefix.lower(), autoescape=True))
        with self._database.read() as connection:
            rows = connection.execute(query.order_by(runs.c.number.desc()).limit(_SHORT)).all()
        if not rows:
            raise UnknownNameError("run", prefix, tuple(run.id[:_SHORT] for run in self.recent(None, _SHORT)))
        if len(rows) > 1:
            raise UsageError(
                f"several runs begin with {prefix!r}: {', '.join(row.id for row in rows)}; give more digits."
            )
        return self._info(rows[0])

    def _insert(self, connection: Connection, new: NewRun) -> RunInfo:
        run = RunInfo(
            id=str(uuid.uuid4()),
            kind=new.kind,
            title=new.title.encode(errors="replace").decode(),  # a title may carry bytes of a file name
            request=new.request,
            fingerprint=new.fingerprint,
            state=RunState.RUNNING,
            started=self._database.utc(),
            finished=None,
            conditions=new.conditions,
            hotloop=self._hotloop,
            owner=Owner.current(),
        )
        connection.execute(runs.insert().values(**_row(run)))
        return run

    def _unfinished(self, connection: Connection, new: NewRun) -> Sequence[RunInfo]:
        query = select(runs).where(
            runs.c.kind == new.kind.value,
            runs.c.fingerprint == new.fingerprint,
            runs.c.state.in_([RunState.RUNNING.value, RunState.INTERRUPTED.value]),
        )
        return [self._info(row) for row in connection.execute(query.order_by(runs.c.number.desc()))]

    def _take_over(self, connection: Connection, run: RunInfo) -> RunInfo:
        change = {"state": RunState.RUNNING.value, "finished": None, **_owner_columns(Owner.current())}
        connection.execute(runs.update().where(runs.c.id == run.id).values(**change))
        return self._info(connection.execute(select(runs).where(runs.c.id == run.id)).one())

    def _info(self, row: Row[Any]) -> RunInfo:
        with understood(row, runs, self._database.location):
            return _info(row)


def _refuse_live(run: RunInfo) -> None:
    """Raise when the run's process lives; one on another host cannot be asked and does not hinder a new run here."""
    if run.state is RunState.RUNNING and run.owner.alive():
        raise StoreError(
            f"process {run.owner.pid} is already working on this {run.kind} request "
            f"(run {run.id[:_SHORT]}, since {run.started}): wait for it, or stop it first."
        )


def _owner_columns(owner: Owner) -> dict[str, object]:
    return {"host": owner.host, "boot": owner.boot, "pid": owner.pid, "process_start": owner.start}


def _row(run: RunInfo) -> dict[str, object]:
    return {
        "id": run.id,
        "kind": run.kind.value,
        "title": run.title,
        "request": run.request,
        "fingerprint": run.fingerprint,
        "state": run.state.value,
        "started": run.started,
        "finished": run.finished,
        "conditions": run.conditions,
        "hotloop": run.hotloop,
        **_owner_columns(run.owner),
    }


def _info(row: Row[Any]) -> RunInfo:
    owner = Owner(row.host, row.boot, row.pid, row.process_start)
    abandoned = row.state == RunState.RUNNING and owner.alive() is False
    return RunInfo(
        id=row.id,
        kind=RunKind(row.kind),
        title=row.title,
        request=row.request,
        fingerprint=row.fingerprint,
        state=RunState.INTERRUPTED if abandoned else RunState(row.state),
        started=row.started,
        finished=row.finished,
        conditions=row.conditions,
        hotloop=row.hotloop,
        owner=owner,
    )
