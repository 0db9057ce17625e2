"""Runs, trials, journal and winners."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Create the first tables."""
    _runs()
    _trials()
    _journal()
    _winners()


def _runs() -> None:
    op.create_table(
        "runs",
        sa.Column("number", NUMBER, primary_key=True),
        sa.Column("id", sa.String(36), nullable=False, unique=True),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("request", sa.Text(), nullable=False),
        sa.Column("fingerprint", sa.String(64), nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("started", sa.String(32), nullable=False),
        sa.Column("finished", sa.String(32)),
        sa.Column("conditions", sa.Text(), nullable=False),
        sa.Column("hotloop", sa.String(64), nullable=False),
        sa.Column("host", sa.Text(), nullable=False),
        sa.Column("boot", sa.String(64), nullable=False),
        sa.Column("pid", sa.Integer(), nullable=False),
        sa.Column("process_start", sa.String(32), nullable=False),
    )
    op.create_index("runs_by_request", "runs", ["kind", "fingerprint"])


def _trials() -> None:
    op.create_table(
        "trials",
        sa.Column("number", NUMBER, primary_key=True),
        sa.Column("identity", sa.String(64), nullable=False, unique=True),
        sa.Column("family", sa.Text(), nullable=False),
        sa.Column("problem", sa.Text(), nullable=False),
        sa.Column("sizes", sa.Text(), nullable=False),
        sa.Column("implementation", sa.Text(), nullable=False),
        sa.Column("config", sa.Text(), nullable=False),
        sa.Column("fingerprint", sa.String(64), nullable=False),
        sa.Column("device", sa.Text(), nullable=False),
        sa.Column("device_fingerprint", sa.String(64), nullable=False),
        sa.Column("outcome_kind", sa.String(32), nullable=False),
        sa.Column("call_ns", sa.Float()),
        sa.Column("outcome", sa.Text(), nullable=False),
        sa.Column("purpose", sa.String(32), nullable=False),
        sa.Column("created", sa.String(32), nullable=False),
        sa.Column("run", sa.String(36), sa.ForeignKey("runs.id")),
    )
    op.create_index("trials_by_run", "trials", ["run"])
    op.create_index("trials_by_problem", "trials", ["family", "problem"])


def _journal() -> None:
    op.create_table(
        "journal",
        sa.Column("run", sa.String(36), sa.ForeignKey("runs.id"), primary_key=True),
        sa.Column("key", sa.Text(), primary_key=True),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("data", sa.Text(), nullable=False),
        sa.Column("created", sa.String(32), nullable=False),
    )


def _winners() -> None:
    op.create_table(
        "winners",
        sa.Column("number", NUMBER, primary_key=True),
        sa.Column("identity", sa.String(64), nullable=False, unique=True),
        sa.Column("family", sa.Text(), nullable=False),
        sa.Column("problem", sa.Text(), nullable=False),
        sa.Column("sizes", sa.Text(), nullable=False),
        sa.Column("device", sa.Text(), nullable=False),
        sa.Column("device_fingerprint", sa.String(64), nullable=False),
        sa.Column("implementation", sa.Text(), nullable=False),
        sa.Column("config", sa.Text(), nullable=False),
        sa.Column("variant", sa.String(64), nullable=False),
        sa.Column("fingerprint", sa.String(64), nullable=False),
        sa.Column("call_ns", sa.Float(), nullable=False),
        sa.Column("comparison", sa.Text()),
        sa.Column("run", sa.String(36), sa.ForeignKey("runs.id")),
        sa.Column("created", sa.String(32), nullable=False),
        sa.Column("hotloop", sa.String(64), nullable=False),
    )
    op.create_index("winners_by_device", "winners", ["family", "device", "problem"])
