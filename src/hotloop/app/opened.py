"""The store that a verb reads: apart from the session, which brings engines and devices that a question to the store does not need."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hotloop.host import settings

if TYPE_CHECKING:
    from hotloop.store import Store


def opened(store: str, *, read_only: bool = False) -> Store:
    """Open a store: a file or URL, or where it is empty the one that settings name. Raises StoreError."""
    from hotloop.store import Store

    return Store.open(store or settings.STORE.get() or None, read_only=read_only)
