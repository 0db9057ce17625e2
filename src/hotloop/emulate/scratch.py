"""Private memory: words of each lane of each wave."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hotloop.emulate import forms
from hotloop.emulate.sanitizer.findings import Trouble

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hotloop.emulate.arrays import Array
    from hotloop.emulate.cohort import Cohort
    from hotloop.emulate.forms import Form
    from hotloop.emulate.instruction import Decoded
    from hotloop.emulate.sanitizer.access import Access


class Scratch:
    """The memory of all waves of a batch as octets [waves, lanes, bytes]."""

    __slots__ = ("_set", "hollow", "missing", "octets", "size")

    def __init__(self, waves: int, lanes: int, size: int) -> None:
        """Take bytes per lane."""
        self.size = size
        self.octets: NDArray[np.uint8] = np.zeros((waves, lanes, max(4, size) + 16), np.uint8)
        self._set: NDArray[np.bool_] = np.zeros(self.octets.size if size else 0, bool)
        """Bytes that were written."""
        self.hollow: dict[int, Array] = {}
        """Lanes of registers whose undefined content the next store keeps."""
        self.missing: Array | None = None
        """Words of the last load [waves, lanes, words] that nobody has written; None: none."""

    def check(self, c: Cohort, ins: Decoded, offsets: Array, access: Access, lanes: Array | None = None) -> Array:
        """Return which lanes, of all active or those given, access their memory; those beyond its end are reported."""
        active = c.exec if lanes is None else lanes
        inside = (offsets >= 0) & (offsets + access.bytes <= self.size)
        bad = active & ~inside
        if bad.any():
            wave, lane = (int(n[0]) for n in np.nonzero(bad))
            text = f"{access.kind.verb} {access.bytes} bytes at byte {int(offsets[wave, lane])} of private memory ({self.size} bytes)"
            c.batch.findings.add(Trouble.BOUNDS, ins, c, wave, lane, text)
        return active & inside

    def _flat(self, c: Cohort, offsets: Array, inside: Array) -> Array:
        lanes, depth = self.octets.shape[1:]
        base = (c.waves_at[:, None] * lanes + np.arange(lanes)) * depth
        return base + np.where(inside, offsets, 0)

    def load(self, c: Cohort, offsets: Array, shape: Form, inside: Array) -> list[Array]:
        """Return a lane's words, or one byte or half; 0 outside."""
        octets, flat = self.octets.reshape(-1), self._flat(c, offsets, inside)
        each = min(4, shape.bytes)
        never = np.stack([inside & ~self._written(flat + 4 * n, each) for n in range(shape.words)], axis=-1)
        self.missing = never if never.any() else None
        if shape.small:
            found = [forms.load(octets, flat, shape)]
        else:
            found = [
                forms.load(octets, flat + 4 * n, _HALVES[0])
                | forms.load(octets, flat + 4 * n + 2, _HALVES[0]) << np.uint32(16)
                for n in range(shape.words)
            ]
        return [np.where(inside, value, np.uint32(0)) for value in found]

    def _written(self, flat: Array, size: int) -> Array:
        if not self.size:
            return np.ones(flat.shape, bool)
        return np.logical_and.reduce([self._set[flat + n] for n in range(size)])

    def forget(self, c: Cohort, offsets: Array, inside: Array, registers: tuple[int, ...], size: int) -> None:
        """Take note that what was just stored from registers, `size` bytes of a lane, is as undefined as they are."""
        flat = self._flat(c, offsets, inside)
        for n, register in enumerate(registers):
            lanes = self.hollow.get(register)
            if lanes is not None and self.size:
                self._set[(flat[inside & lanes] + 4 * n)[:, None] + np.arange(min(4, size))] = False
        self.hollow.clear()

    def store(self, c: Cohort, offsets: Array, values: list[Array], inside: Array, shape: Form) -> None:
        """Write a lane's words, or one byte or half."""
        octets, flat = self.octets.reshape(-1), self._flat(c, offsets, inside)[inside]
        for n in range(shape.bytes if self.size else 0):
            self._set[flat + n] = True
        for n, value in enumerate(values):
            chosen = value[inside]
            if shape.small:
                forms.store(octets, flat, chosen, shape)
            else:
                forms.store(octets, flat + 4 * n, chosen, _WORD)


_HALVES = (forms.Form(2),)
_WORD = forms.Form(4)
