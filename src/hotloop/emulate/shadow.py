"""Who wrote and read each place of memory; not filled yet: races are not looked for."""

from __future__ import annotations

from hotloop.emulate.arrays import World


class LocalShadow:
    """Of the work-groups of a batch."""

    def __init__(self, *sizes: int, small: bool) -> None:
        """Take sizes."""

    def touch(self, *what: World) -> None:
        """Take note of an access."""

    def barrier(self, *what: World) -> None:
        """Take note of a barrier."""


class GlobalShadow:
    """Of device memory."""

    def __init__(self, *what: World) -> None:
        """Take the memory."""

    def touch(self, *what: World) -> None:
        """Take note of an access."""

    def barrier(self, *what: World) -> None:
        """Take note of a barrier."""
