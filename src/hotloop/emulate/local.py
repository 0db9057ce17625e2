"""Local memory of the work-groups of a batch, one behind the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hotloop.emulate import forms
from hotloop.emulate.memory import gather, scatter
from hotloop.emulate.sanitizer import alignment
from hotloop.emulate.sanitizer.findings import Trouble
from hotloop.emulate.sanitizer.rounding import COPIES, words_alike

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

    __slots__ = ("_collided", "_kept", "bytes", "hollow", "missing", "observer", "shadow", "size", "stride", "words")

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
        self._kept: list[tuple[Array, Array]] = []
        """Places of copies of one sum, in words, and which copy stays there."""

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

    def copies(self, c: Cohort, ins: Decoded, places: Array, values: list[Array], lanes: Array) -> bool:
        """Tell whether what some lanes store are copies of a sum that other waves have stored there, with other last bits.

        `places` [waves, lanes, parts] are counted in parts, which must be words. Compilers let each wave hold such a copy and store it:
        which one stays is open on a card; here it is the one whose bits are the smallest number, whatever the order of waves.
        """
        if places.shape[-1] != len(values):
            return False
        words = np.stack([np.broadcast_to(v, places.shape[:2]) for v in values], axis=-1)
        chosen, given = places[lanes], np.ascontiguousarray(words[lanes])
        held = self.words[chosen]
        if not words_alike(given, held):
            return False
        self._kept.append((chosen, np.minimum(held, given)))
        c.batch.findings.note(ins, COPIES)
        return True

    def collided(self, c: Cohort, ins: Decoded, offsets: Array, values: list[Array], size: int) -> None:
        """After a store, report waves whose value was lost because another one wrote the same place at once."""
        lost, self._collided = self._collided, None
        if lost is not None:
            self._overwritten(c, ins, offsets, values, size, lost.any(axis=-1))
        while self._kept:
            np.minimum.at(self.words, *self._kept.pop())

    def _overwritten(
        self, c: Cohort, ins: Decoded, offsets: Array, values: list[Array], size: int, lost: Array
    ) -> None:  # fmt: skip
        stored = np.ascontiguousarray(np.stack(values, axis=-1)).view(np.uint8)[..., :size]
        found = self.bytes[np.maximum(offsets, 0)[..., None] + np.arange(size)]
        differs = lost & (found != stored).any(axis=-1)
        if not differs.any():
            return
        if size % 4 == 0 and not (offsets[differs] % 4).any():
            places = offsets[..., None] // 4 + np.arange(size // 4)
            if self.copies(c, ins, places, values, np.broadcast_to(differs[..., None], places.shape)):
                return
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
