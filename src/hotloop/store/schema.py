"""The tables. Rows are only ever appended; the one exception is the state and owner of a run.

JSON is kept as text: it must give back non-finite numbers and any bytes of a compiler's log, which JSON columns refuse.
A change here needs a revision in `migrations/versions`, and `HEAD` is its number.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
)

HEAD = "0003"
"""Schema version that this hotloop reads and writes; versions are numbers of four digits and sort as text."""
VERSION_TABLE = "hotloop_schema"

metadata = MetaData()
Number = BigInteger().with_variant(Integer, "sqlite")
"""Order of insertion; SQLite numbers rows by itself only when the column is an INTEGER."""

version = Table(
    VERSION_TABLE,
    metadata,
    Column("version_num", String(32), nullable=False),
    PrimaryKeyConstraint("version_num", name=f"{VERSION_TABLE}_pkc"),
)

runs = Table(
    "runs",
    metadata,
    Column("number", Number, primary_key=True),
    Column("id", String(36), nullable=False, unique=True),
    Column("kind", String(16), nullable=False),
    Column("title", Text, nullable=False),
    Column("request", Text, nullable=False),
    Column("fingerprint", String(64), nullable=False),
    Column("state", String(16), nullable=False),
    Column("started", String(32), nullable=False),
    Column("finished", String(32)),
    Column("conditions", Text, nullable=False),
    Column("hotloop", String(64), nullable=False),
    Column("host", Text, nullable=False),
    Column("boot", String(64), nullable=False),
    Column("pid", Integer, nullable=False),
    Column("process_start", String(32), nullable=False),
    Index("runs_by_request", "kind", "fingerprint"),
)

trials = Table(
    "trials",
    metadata,
    Column("number", Number, primary_key=True),
    Column("identity", String(64), nullable=False, unique=True),
    Column("family", Text, nullable=False),
    Column("problem", Text, nullable=False),
    Column("sizes", Text, nullable=False),
    Column("implementation", Text, nullable=False),
    Column("config", Text, nullable=False),
    Column("fingerprint", String(64), nullable=False),
    Column("device", Text, nullable=False),
    Column("device_fingerprint", String(64), nullable=False),
    Column("outcome_kind", String(32), nullable=False),
    Column("call_ns", Float),
    Column("outcome", Text, nullable=False),
    Column("purpose", String(32), nullable=False),
    Column("created", String(32), nullable=False),
    Column("run", String(36), ForeignKey("runs.id")),
    Index("trials_by_run", "run"),
    Index("trials_by_problem", "family", "problem"),
    Index("trials_by_implementation", "family", "implementation", "number"),
)

journal = Table(
    "journal",
    metadata,
    Column("run", String(36), ForeignKey("runs.id"), primary_key=True),
    Column("key", Text, primary_key=True),
    Column("position", Integer, nullable=False),
    Column("data", Text, nullable=False),
    Column("created", String(32), nullable=False),
)

winners = Table(
    "winners",
    metadata,
    Column("number", Number, primary_key=True),
    Column("identity", String(64), nullable=False, unique=True),
    Column("family", Text, nullable=False),
    Column("problem", Text, nullable=False),
    Column("sizes", Text, nullable=False),
    Column("device", Text, nullable=False),
    Column("device_fingerprint", String(64), nullable=False),
    Column("implementation", Text, nullable=False),
    Column("config", Text, nullable=False),
    Column("variant", String(64), nullable=False),
    Column("fingerprint", String(64), nullable=False),
    Column("call_ns", Float, nullable=False),
    Column("comparison", Text),
    Column("run", String(36), ForeignKey("runs.id")),
    Column("created", String(32), nullable=False),
    Column("hotloop", String(64), nullable=False),
    Index("winners_by_device", "family", "device", "problem"),
)

calibration = Table(
    "calibration",
    metadata,
    Column("number", Number, primary_key=True),
    Column("identity", String(64), nullable=False, unique=True),
    Column("technique", Text, nullable=False),
    Column("rule", Text, nullable=False),
    Column("target", Text, nullable=False),
    Column("predicted_low", Float, nullable=False),
    Column("predicted_high", Float, nullable=False),
    Column("measured", Float),
    Column("verdict", String(16), nullable=False),
    Column("run", String(36), ForeignKey("runs.id")),
    Column("created", String(32), nullable=False),
    Index("calibration_by_technique", "technique", "target"),
)
