"""Checks of accesses to device memory: bounds and alignment of every lane."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hotloop.emulate.access import Access, Kind
from hotloop.emulate.errors import EmulateError
from hotloop.emulate.findings import Trouble
from hotloop.emulate.memory import BASE

if TYPE_CHECKING:
    from hotloop.emulate.arrays import Array
    from hotloop.emulate.cohort import Cohort
    from hotloop.emulate.instruction import Decoded
    from hotloop.emulate.memory import Memory
    from hotloop.emulate.shadow import GlobalShadow
    from hotloop.emulate.watching import Observer


class Traffic:
    """Device memory as waves see it."""

    __slots__ = ("memory", "observer", "shadow")

    def __init__(self, memory: Memory, observer: Observer | None, shadow: GlobalShadow | None) -> None:
        """Take the memory, who is told of accesses, and what watches for races."""
        self.memory = memory
        self.observer = observer
        self.shadow = shadow

    def checked(self, c: Cohort, ins: Decoded, offsets: Array, lanes: Array, access: Access) -> tuple[Array, Array]:
        """Return offsets that are safe, 0 where nothing may be accessed, with the lanes."""
        whole = bool(lanes.all())
        if not whole:
            if not lanes.any():
                return np.zeros_like(offsets), lanes
            # The smallest active offset stands in for inactive lanes while the range is looked at.
            offsets = np.where(lanes, offsets, offsets[lanes][0])
        low, high = int(offsets.min()), int(offsets.max()) + access.bytes
        place = self.memory.find(low, high)
        if place < 0:
            offsets = self._several(c, ins, offsets, lanes, access)
        if not whole:
            offsets = np.where(lanes, offsets, 0)
        if self.shadow is not None:
            self.shadow.touch(c, ins, offsets, lanes, access, place)
        if self.observer is not None:
            self.observer.memory(c, ins, offsets, lanes & (offsets != 0), access)
        return offsets, lanes

    def _several(self, c: Cohort, ins: Decoded, offsets: Array, lanes: Array, access: Access) -> Array:
        """Return offsets with those in no buffer as 0, which are reported."""
        held = self.memory.holds(offsets, access.bytes)
        bad = lanes & ~held
        if bad.any():
            self._refuse_apertures(ins, offsets[bad])
            wave, lane = (int(n[0]) for n in np.nonzero(bad))
            where = self.memory.named(int(offsets[wave, lane]) + BASE)
            verb = {Kind.READ: "reads", Kind.WRITE: "writes"}.get(access.kind, "changes")
            c.batch.findings.add(Trouble.BOUNDS, ins, c, wave, lane, f"{verb} {access.bytes} bytes at {where}")
        return np.where(held, offsets, 0)

    @staticmethod
    def _refuse_apertures(ins: Decoded, offsets: Array) -> None:
        upper = (offsets + BASE) >> 32
        if ((upper == 0x10000) | (upper == 0x20000)).any():
            raise EmulateError(
                f"{ins.where()} reaches local or private memory through a generic address, which is not modelled; "
                "hotloop emulate cannot execute this kernel."
            )
