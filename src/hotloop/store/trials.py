"""Trials as rows: raw samples inside the outcome's JSON, what queries need in columns of its own."""

from __future__ import annotations

import json
from typing import Any, cast

from sqlalchemy import Row, Table, select

from hotloop.model.codec import decode, encode
from hotloop.model.outcome import Measured, Outcome
from hotloop.model.space import Config
from hotloop.model.trial import Trial
from hotloop.store.database import Database, identity
from hotloop.store.failure import understood
from hotloop.store.records import Timing
from hotloop.store.schema import trials


class Trials:
    """All trials of the store."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, trial: Trial) -> None:
        """Append a trial; the very same trial a second time is ignored."""
        self._database.append(*self.row(trial))

    def row(self, trial: Trial) -> tuple[Table, dict[str, object]]:
        """Return a trial as a row of its table."""
        row = _row(trial)
        return trials, {**row, "identity": identity(row)}

    def find(self, run: str | None, family: str | None, problem: str | None, limit: int | None) -> tuple[Trial, ...]:
        """Return trials, oldest first; with a limit the newest that many."""
        wanted = {trials.c.run: run, trials.c.family: family, trials.c.problem: problem}
        query = select(trials).where(*(column == value for column, value in wanted.items() if value is not None))
        with self._database.read() as connection:
            rows = connection.execute(query.order_by(trials.c.number.desc()).limit(limit)).all()
        return tuple(self._trial(row) for row in reversed(rows))

    def timings(self, family: str, implementation: str, limit: int) -> tuple[Timing, ...]:
        """Return the newest trials of an implementation without their samples, oldest first."""
        columns = (
            trials.c.run,
            trials.c.problem,
            trials.c.sizes,
            trials.c.device,
            trials.c.config,
            trials.c.call_ns,
            trials.c.number,
        )
        query = select(*columns).where(trials.c.family == family, trials.c.implementation == implementation)
        with self._database.read() as connection:
            rows = connection.execute(query.order_by(trials.c.number.desc()).limit(limit)).all()
        return tuple(self._timing(row) for row in reversed(rows))

    def _timing(self, row: Row[Any]) -> Timing:
        with understood(row, trials, self._database.location):
            sizes, config = Config(json.loads(row.sizes)), Config(json.loads(row.config))
            return Timing(
                run=row.run or "",
                problem=row.problem,
                sizes=sizes,
                device=row.device,
                config=config,
                call_ns=row.call_ns,
            )

    def _trial(self, row: Row[Any]) -> Trial:
        with understood(row, trials, self._database.location):
            return _trial(row)


def _row(trial: Trial) -> dict[str, object]:
    outcome = trial.outcome
    timed = isinstance(outcome, Measured) and outcome.samples
    return {
        "family": trial.family,
        "problem": trial.problem,
        "sizes": json.dumps(dict(trial.sizes.items())),
        "implementation": trial.implementation,
        "config": json.dumps(dict(trial.config.items())),
        "fingerprint": trial.fingerprint,
        "device": trial.device,
        "device_fingerprint": trial.device_fingerprint,
        "outcome_kind": type(outcome).__name__,
        "call_ns": cast("Measured", outcome).call_ns if timed else None,
        "outcome": json.dumps(encode(outcome, Outcome)),
        "purpose": trial.purpose,
        "created": trial.created,
        "run": trial.run or None,
    }


def _trial(row: Row[Any]) -> Trial:
    return Trial(
        family=row.family,
        problem=row.problem,
        sizes=Config(json.loads(row.sizes)),
        implementation=row.implementation,
        config=Config(json.loads(row.config)),
        fingerprint=row.fingerprint,
        device=row.device,
        device_fingerprint=row.device_fingerprint,
        outcome=cast("Outcome", decode(json.loads(row.outcome), cast("type[Any]", Outcome))),
        created=row.created,
        run=row.run or "",
        purpose=row.purpose,
    )
