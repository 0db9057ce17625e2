"""Forgetting what was known and chosen, for arrays and tensors alike."""

from __future__ import annotations

from hotloop.ops import session
from hotloop.ops.tensors import place


def refresh() -> None:
    """Read the store again at the next call, and free what is kept ready; after tuning in the same process."""
    session.refresh()
    place.forget()
