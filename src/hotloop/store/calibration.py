"""The record of predicted against measured gains, from which predictions are corrected."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Row, select

from hotloop.model.finding import Gain
from hotloop.store.database import Database, identity
from hotloop.store.failure import understood
from hotloop.store.records import Calibration
from hotloop.store.schema import calibration


class Calibrations:
    """All predictions with their outcome."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, row: Calibration) -> None:
        """Append a prediction with its outcome; the same one of the same run a second time is ignored."""
        values: dict[str, object] = {
            "technique": row.technique,
            "rule": row.rule,
            "target": row.target,
            "predicted_low": row.predicted.low,
            "predicted_high": row.predicted.high,
            "measured": row.measured,
            "verdict": row.verdict,
            "run": row.run or None,
        }
        created = row.created or self._database.utc()
        self._database.append(calibration, {**values, "identity": identity(values), "created": created})

    def find(self, technique: str | None, rule: str | None, target: str | None) -> tuple[Calibration, ...]:
        """Return the rows that match, oldest first."""
        wanted = {calibration.c.technique: technique, calibration.c.rule: rule, calibration.c.target: target}
        query = select(calibration).where(*(column == value for column, value in wanted.items() if value is not None))
        with self._database.read() as connection:
            rows = connection.execute(query.order_by(calibration.c.number)).all()
        return tuple(self._calibration(row) for row in rows)

    def _calibration(self, row: Row[Any]) -> Calibration:
        with understood(row, calibration, self._database.location):
            return Calibration(
                technique=row.technique,
                rule=row.rule,
                target=row.target,
                predicted=Gain(row.predicted_low, row.predicted_high),
                measured=row.measured,
                verdict=row.verdict,
                run=row.run or "",
                created=row.created,
            )
