"""The record of predicted against measured gains."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the calibration table."""
    op.create_table(
        "calibration",
        sa.Column("number", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), primary_key=True),
        sa.Column("identity", sa.String(64), nullable=False, unique=True),
        sa.Column("technique", sa.Text(), nullable=False),
        sa.Column("rule", sa.Text(), nullable=False),
        sa.Column("target", sa.Text(), nullable=False),
        sa.Column("predicted_low", sa.Float(), nullable=False),
        sa.Column("predicted_high", sa.Float(), nullable=False),
        sa.Column("measured", sa.Float()),
        sa.Column("verdict", sa.String(16), nullable=False),
        sa.Column("run", sa.String(36), sa.ForeignKey("runs.id")),
        sa.Column("created", sa.String(32), nullable=False),
    )
    op.create_index("calibration_by_technique", "calibration", ["technique", "target"])
