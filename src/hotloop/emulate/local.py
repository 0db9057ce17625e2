"""Local memory of the work-groups of a batch, one behind the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hotloop.emulate import forms
from hotloop.emulate.memory import gather, scatter
from hotloop.emulate.sanitizer import alignment
from hotloop.emulate.sanitizer.findings import Trouble

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from hotloop.emulate.arrays import Array
    from hotloop.emulate.cohort import Cohort
    from hotloop.emulate.forms import Form
    from hotloop.emulate.instruction import Decoded
    from hotloop.emulate.sanitizer.access import Access
    from hotloop.emulate.sanitizer.shadow_local import LocalShadow
    from hotloop.emulate.sanitizer.watching import Observer


_ADDRESSES = 0xFFFFFFFF
"""Addresses of local memory have 32 bits."""


class Local:
    """The memory, with bounds checked per group."""

    __slots__ = ("_collided", "bytes", "hollow", "missing", "observer", "shadow", "size", "stride", "words")

    def __init__(self, groups: int, size: int, observer: Observer | None, shadow: LocalShadow | None) -> None:
        """Make room for a number of groups with `size` bytes each."""
        self.size = size
        self.stride = -(-size // 16) * 16 + 16
        self.words: NDArray[np.uint32] = np.zeros(groups * self.stride // 4, np.uint32)
        self.bytes: NDArray[np.uint8] = self.words.view(np.uint8)
        self.observer = observer
        self.shadow = shadow
        self.missing: Array | None = None
        """Lanes of the last access that read what nobody has written; None: none."""
        self.hollow: dict[int, Array] = {}
        """Lanes of registers whose undefined content the next store keeps."""
        self._collided: Array | None = None

    def locate(
        self,
        c: Cohort,
        ins: Decoded,
        places: Array,
        lanes: Array,
        access: Access,
        values: list[Array] | None = None,
        stores: Callable[[Array], Array | None] | None = None,
    ) -> Array:
        """Return the place of each access in the memory of all groups; -1 where it is out of bounds or inactive.

        `stores` tells of an atomic's places which lanes change memory there, None: all may.
        """
        places = (
            places & _ADDRESSES
        )  # register plus offset wraps; compilers fold constants into the offset of a negative base
        inside = places + access.bytes <= self.size
        active = lanes & inside
        whole = bool(active.all())
        if not whole and (bad := lanes & ~inside).any():
            wave, lane = (int(n[0]) for n in np.nonzero(bad))
            text = f"{access.kind.verb} {access.bytes} bytes at byte {int(places[wave, lane])} of local memory ({self.size} bytes)"
            c.batch.findings.add(Trouble.BOUNDS, ins, c, wave, lane, text)
        if access.bytes > 1 and (whole or lanes.any()):
            alignment.local(c, ins, places, lanes, access)
        if self.observer is not None:
            self.observer.local(c, ins, places, active, access)
        offsets = places + (c.groups * self.stride)[:, None]
        if not whole:
            offsets = np.where(active, offsets, -1)
        if self.shadow is not None:
            self.missing = self.shadow.touch(c, ins, offsets, access, values, stores(offsets) if stores else None)
        return offsets

    def load(self, offsets: Array, count: int) -> list[Array]:
        """Return words at places; 0 where there is none."""
        missing = offsets < 0
        if not missing.any():
            return gather(self.words, offsets, count)
        found = gather(self.words, np.where(missing, 0, offsets), count)
        return [np.where(missing, np.uint32(0), value) for value in found]

    def fetch(self, offsets: Array, shape: Form) -> list[Array]:
        """Return what an instruction of a form loads; 0 where there is nothing."""
        if not shape.small:
            return self.load(offsets, shape.words)
        return [np.where(offsets < 0, np.uint32(0), forms.load(self.bytes, np.maximum(offsets, 0), shape))]

    def doubtful(self, lost: Array) -> None:
        """Keep in mind that several waves write a place by one instruction, until it is seen whether their values differ."""
        self._collided = lost

    def collided(self, c: Cohort, ins: Decoded, offsets: Array, values: list[Array], size: int) -> None:
        """After a store, report waves whose value was lost because another one wrote the same place at once."""
        lost, self._collided = self._collided, None
        if lost is None:
            return
        stored = np.ascontiguousarray(np.stack(values, axis=-1)).view(np.uint8)[..., :size]
        found = self.bytes[np.maximum(offsets, 0)[..., None] + np.arange(size)]
        differs = lost.any(axis=-1) & (found != stored).any(axis=-1)
        if differs.any():
            wave, lane = (int(n[0]) for n in np.nonzero(differs))
            text = "two waves write one place of local memory at once, with different values"
            c.batch.findings.add(Trouble.LOCAL_RACE, ins, c, wave, lane, text, ins)

    def forget(self, offsets: Array, registers: tuple[int, ...], size: int) -> None:
        """Take note that what was just stored from registers is as undefined as they are."""
        for n, register in enumerate(registers):
            lanes = self.hollow.get(register)
            if lanes is not None and self.shadow is not None:
                self.shadow.forget(np.where(lanes & (offsets >= 0), offsets + 4 * n, -1), min(size, 4))

    def store(self, offsets: Array, values: list[Array]) -> None:
        """Write words to places."""
        scatter(self.words, offsets, values)
