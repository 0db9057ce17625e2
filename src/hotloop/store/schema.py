"""The tables. Rows are only ever appended; the one exception is the state and owner of a run.

JSON is kept as text: it must give back non-finite numbers and any bytes of a compiler's log, which JSON columns refuse.
A change here needs a revision in `migrations/versions`, and `HEAD` is its number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

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
    TypeDecorator,
)

if TYPE_CHECKING:
    from sqlalchemy import Dialect

HEAD = "0003"
"""Schema version that this hotloop reads and writes; versions are numbers of four digits and sort as text."""
VERSION_TABLE = "hotloop_schema"


def spelled(value: object) -> object:
    """Return a value that databases take: in the name of a file that is no UTF-8, the bytes that are none are spelled out."""
    return value.encode("utf-8", "backslashreplace").decode() if isinstance(value, str) else value


class Words(TypeDecorator[str]):
    """Text that may hold the name of a file which is no UTF-8."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> object:  # noqa: ARG002 - SQLAlchemy's signature
        """Return what is stored."""
        return spelled(value)


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
    Column("title", Words, nullable=False),
    Column("request", Words, nullable=False),
    Column("fingerprint", String(64), nullable=False),
    Column("state", String(16), nullable=False),
    Column("started", String(32), nullable=False),
    Column("finished", String(32)),
    Column("conditions", Words, nullable=False),
    Column("hotloop", String(64), nullable=False),
    Column("host", Words, nullable=False),
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
    Column("family", Words, nullable=False),
    Column("problem", Words, nullable=False),
    Column("sizes", Words, nullable=False),
    Column("implementation", Words, nullable=False),
    Column("config", Words, nullable=False),
    Column("fingerprint", String(64), nullable=False),
    Column("device", Words, nullable=False),
    Column("device_fingerprint", String(64), nullable=False),
    Column("outcome_kind", String(32), nullable=False),
    Column("call_ns", Float),
    Column("outcome", Words, nullable=False),
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
    Column("key", Words, primary_key=True),
    Column("position", Integer, nullable=False),
    Column("data", Words, nullable=False),
    Column("created", String(32), nullable=False),
)

winners = Table(
    "winners",
    metadata,
    Column("number", Number, primary_key=True),
    Column("identity", String(64), nullable=False, unique=True),
    Column("family", Words, nullable=False),
    Column("problem", Words, nullable=False),
    Column("sizes", Words, nullable=False),
    Column("device", Words, nullable=False),
    Column("device_fingerprint", String(64), nullable=False),
    Column("implementation", Words, nullable=False),
    Column("config", Words, nullable=False),
    Column("variant", String(64), nullable=False),
    Column("fingerprint", String(64), nullable=False),
    Column("call_ns", Float, nullable=False),
    Column("comparison", Words),
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
    Column("technique", Words, nullable=False),
    Column("rule", Words, nullable=False),
    Column("target", Words, nullable=False),
    Column("predicted_low", Float, nullable=False),
    Column("predicted_high", Float, nullable=False),
    Column("measured", Float),
    Column("verdict", String(16), nullable=False),
    Column("run", String(36), ForeignKey("runs.id")),
    Column("created", String(32), nullable=False),
    Index("calibration_by_technique", "technique", "target"),
)
