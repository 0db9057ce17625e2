"""Append-only trials, journals and best-known configurations in a SQL database.

Importing this package is cheap: SQLAlchemy is loaded when a store is opened, Alembic when an old schema is upgraded.
"""

from __future__ import annotations

from hotloop.store.facade import Store
from hotloop.store.handle import RunHandle
from hotloop.store.records import Calibration, JournalEntry, Known, RunInfo, RunKind, RunState, Timing, Winner

__all__ = [
    "Calibration",
    "JournalEntry",
    "Known",
    "RunHandle",
    "RunInfo",
    "RunKind",
    "RunState",
    "Store",
    "Timing",
    "Winner",
]
