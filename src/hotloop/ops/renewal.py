"""Forgetting what was known and chosen, for arrays and tensors alike."""

from __future__ import annotations

from hotloop.dispatch import measured, remembered
from hotloop.ops import place, session


def refresh() -> None:
    """Read the store again at the next call, and free what is kept ready; after tuning in the same process."""
    session.refresh()
    place.forget()
    measured.forget()
    remembered.forget()
