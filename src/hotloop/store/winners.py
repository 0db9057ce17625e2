"""Winners, and which of them is the best known for a problem on a device."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, Subquery, case, func, literal, select

from hotloop.model.codec import decode, encode
from hotloop.model.record import digest
from hotloop.model.space import Config
from hotloop.model.verdict import Comparison
from hotloop.store.database import Database, identity
from hotloop.store.failure import understood
from hotloop.store.records import Known, Winner
from hotloop.store.schema import winners


class Winners:
    """All confirmed winners of the store."""

    def __init__(self, database: Database, hotloop: str) -> None:
        self._database = database
        self._hotloop = hotloop

    def add(self, winner: Winner) -> None:
        """Append a confirmed winner; the same one of the same run a second time is ignored."""
        row = _row(replace(winner, hotloop=winner.hotloop or self._hotloop))
        created = winner.created or self._database.utc()
        self._database.append(winners, {**row, "identity": identity(row), "created": created})

    def known(
        self, family: str, device: str, problem: str | None = None, fingerprint: str | None = None
    ) -> tuple[Known, ...]:
        """Return the best-known winner of each problem of a family on a device, in the order of problem keys.

        `fingerprint` is the device's current one; without it the fingerprint of the device's newest winner counts as
        current. Winners of another fingerprint are used only where there is no current one, and are flagged stale.
        """
        query = _best(family, device, problem, fingerprint)
        with self._database.read() as connection:
            rows = connection.execute(query).all()
        return tuple(self._known(row) for row in rows)

    def pairs(self) -> tuple[tuple[str, str], ...]:
        """Return every (family, device key) that has winners, in that order."""
        query = select(winners.c.family, winners.c.device).distinct().order_by(winners.c.family, winners.c.device)
        with self._database.read() as connection:
            return tuple((row.family, row.device) for row in connection.execute(query))

    def _known(self, row: Row[Any]) -> Known:
        with understood(row, winners, self._database.location):
            return Known(_winner(row), bool(row.stale))


def _best(family: str, device: str, problem: str | None, fingerprint: str | None) -> Select[Any]:
    latest = _latest(family, device, problem)
    stale = case((latest.c.device_fingerprint == _current(device, fingerprint), 0), else_=1)
    judged = select(latest, stale.label("stale")).where(latest.c.age == 1).subquery()
    order = (judged.c.stale, judged.c.call_ns, judged.c.number.desc())
    rank = func.row_number().over(partition_by=judged.c.problem, order_by=order)
    ranked = select(judged, rank.label("rank")).subquery()
    return select(ranked).where(ranked.c.rank == 1).order_by(ranked.c.problem)


def _latest(family: str, device: str, problem: str | None) -> Subquery:
    """Number each variant's confirmations from the newest: a lucky old time does not outlive a newer one."""
    same = (winners.c.problem, winners.c.device_fingerprint, winners.c.variant)
    age = func.row_number().over(partition_by=same, order_by=winners.c.number.desc())
    query = select(winners, age.label("age")).where(winners.c.family == family, winners.c.device == device)
    return (query if problem is None else query.where(winners.c.problem == problem)).subquery()


def _current(device: str, fingerprint: str | None) -> ColumnElement[str]:
    if fingerprint is not None:
        return literal(fingerprint)
    newest = winners.alias()
    of_device = select(newest.c.device_fingerprint).where(newest.c.device == device)
    return of_device.order_by(newest.c.number.desc()).limit(1).scalar_subquery()


def _row(winner: Winner) -> dict[str, object]:
    comparison = winner.comparison
    return {
        "family": winner.family,
        "problem": winner.problem,
        "sizes": json.dumps(dict(winner.sizes)),
        "device": winner.device,
        "device_fingerprint": winner.device_fingerprint,
        "implementation": winner.implementation,
        "config": json.dumps(dict(winner.config)),
        "variant": digest([winner.implementation, winner.config.fingerprint]),
        "fingerprint": winner.fingerprint,
        "call_ns": winner.call_ns,
        "comparison": None if comparison is None else json.dumps(encode(comparison)),
        "run": winner.run or None,
        "hotloop": winner.hotloop,
    }


def _winner(row: Row[Any]) -> Winner:
    return Winner(
        family=row.family,
        problem=row.problem,
        sizes=Config(json.loads(row.sizes)),
        device=row.device,
        device_fingerprint=row.device_fingerprint,
        implementation=row.implementation,
        config=Config(json.loads(row.config)),
        call_ns=row.call_ns,
        comparison=None if row.comparison is None else decode(json.loads(row.comparison), Comparison),
        fingerprint=row.fingerprint,
        run=row.run or "",
        created=row.created,
        hotloop=row.hotloop,
    )
