"""Who wants to be told what an execution does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from hotloop.emulate.arrays import Array
    from hotloop.emulate.cohort import Cohort
    from hotloop.emulate.instruction import Decoded
    from hotloop.emulate.sanitizer.access import Access


class Observer(Protocol):
    """Gets every access, with byte offsets [waves, lanes] and the lanes that take part."""

    def memory(self, c: Cohort, ins: Decoded, offsets: Array, lanes: Array, access: Access) -> None:
        """Take note of an access to device memory; offsets count from the arena's begin (`hotloop.emulate.memory.BASE`)."""

    def local(self, c: Cohort, ins: Decoded, offsets: Array, lanes: Array, access: Access) -> None:
        """Take note of an access to local memory; offsets count from the begin of the group's."""

    def went(self, waves: Array, instructions: int) -> None:
        """Take note that some waves, by their numbers, executed so many instructions together."""
