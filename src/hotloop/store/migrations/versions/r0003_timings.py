"""The newest trials of an implementation without reading all of its family."""

from __future__ import annotations

from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the index that searches use when they look at earlier ones."""
    op.create_index("trials_by_implementation", "trials", ["family", "implementation", "number"])
