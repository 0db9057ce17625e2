"""Checks of accesses to device memory: bounds and alignment of every lane."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from hotloop.emulate.errors import EmulateError
from hotloop.emulate.memory import BASE, gather
from hotloop.emulate.sanitizer import alignment
from hotloop.emulate.sanitizer.access import Access, Kind
from hotloop.emulate.sanitizer.findings import Trouble
from hotloop.emulate.sanitizer.rounding import COPIES, Copies, between_groups, copies, numbers
from hotloop.emulate.units.values import ABSENT_APERTURE, HOST_APERTURE, PRIVATE_APERTURE, SHARED_APERTURE

if TYPE_CHECKING:
    from hotloop.emulate.arrays import Array
    from hotloop.emulate.cohort import Cohort
    from hotloop.emulate.instruction import Decoded
    from hotloop.emulate.memory import Buffer, Memory
    from hotloop.emulate.sanitizer.watching import Observer
    from hotloop.emulate.shadow_global import GlobalShadow


def _bytes(ins: Decoded) -> int:
    """Return the bytes that a store of one word or less writes."""
    if any(part in ins.name for part in ("byte", "b8")):
        return 1
    return 2 if any(part in ins.name for part in ("short", "b16")) else 4


def _size(ins: Decoded, values: list[Array]) -> int:
    """Return the bytes that a store writes."""
    return _bytes(ins) if len(values) == 1 else 4 * len(values)


def _shifted(ins: Decoded, values: list[Array]) -> Array:
    """Return the words [waves, lanes, words] that a store writes."""
    return np.stack(values, axis=-1) >> np.uint32(16 if "d16_hi" in ins.name else 0)


def _given(ins: Decoded, values: list[Array], size: int, kind: Any) -> Array:  # noqa: ANN401 - any type of floats
    """Return the numbers [waves, lanes, elements] that a store of so many bytes writes."""
    return numbers(_shifted(ins, values), size, kind)


@dataclass(frozen=True, slots=True)
class _Suspect:
    """Lanes whose store meets another wave's, and what will be said if the values differ."""

    clash: Array
    between: Array
    """Those that meet another work-group's."""
    text: str
    other: Decoded | None


class Traffic:
    """Device memory as waves see it."""

    __slots__ = ("_keep", "_lost", "_suspect", "memory", "missing", "observer", "shadow", "words")

    def __init__(self, memory: Memory, observer: Observer | None, shadow: GlobalShadow | None) -> None:
        """Take the memory, who is told of accesses, and what watches for races."""
        self.memory = memory
        self.observer = observer
        self.shadow = shadow
        self.missing: Array | None = None
        """Lanes of the last access that read what nobody has written; None: none."""
        self.words: Array | None = None
        """The same; where only some words of a wide read are such, which ones [waves, lanes, words]."""
        self._lost: tuple[Array, str] | None = None
        self._suspect: _Suspect | None = None
        self._keep: Copies | None = None
        """Copies of sums that were just stored; None: none."""

    def checked(self, c: Cohort, ins: Decoded, offsets: Array, lanes: Array, access: Access) -> tuple[Array, Array]:
        """Return offsets that are safe, 0 where nothing may be accessed, with the lanes."""
        whole = bool(lanes.all())
        if not whole:
            if not lanes.any():
                self.missing = self.words = None
                return np.zeros_like(offsets), lanes
            # The smallest active offset stands in for inactive lanes while the range is looked at.
            offsets = np.where(lanes, offsets, offsets[lanes][0])
        low, high = int(offsets.min()), int(offsets.max()) + access.bytes
        place = self.memory.find(low, high)
        if place < 0:
            offsets = self._several(c, ins, offsets, lanes, access)
        if not whole:
            offsets = np.where(lanes, offsets, 0)
        if access.bytes > 1 and place >= 0 and lanes.shape[1] > 1:
            alignment.device(c, ins, offsets, lanes, access, self.memory.buffers[place])
        if self.shadow is not None:
            words = self.words = self.shadow.touch(c, ins, offsets, lanes, access, place)
            self.missing = words.any(axis=-1) if words is not None and words.ndim > lanes.ndim else words
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

    def doubtful(self, lost: Array, buffer: Buffer) -> None:
        """Keep in mind that several waves write one element by one instruction, until it is seen whether values differ."""
        self._lost = lost.any(axis=-1), buffer.name

    def suspicious(self, clash: Array, text: str, other: Decoded | None, within: Array | None = None) -> None:
        """Keep in mind that a store meets another wave's, until it is seen whether the values differ; `within` their work-group."""
        others = clash if within is None else clash & ~within
        self._suspect = _Suspect(clash.any(axis=-1), others.any(axis=-1), text, other)

    def confirm(self, c: Cohort, ins: Decoded, offsets: Array, values: list[Array]) -> None:
        """Before a store, report what was suspected if it changes what another wave has written."""
        suspect, self._suspect = self._suspect, None
        if suspect is not None:
            differs = self._differs(ins, offsets, values, suspect.clash)
            self._judge(c, ins, offsets, values, (differs, suspect.between), (suspect.text, suspect.other))

    def collided(self, c: Cohort, ins: Decoded, offsets: Array, values: list[Array]) -> None:
        """After a store, report waves whose value was lost because another one wrote the same element at once."""
        found, self._lost = self._lost, None
        if found is not None:
            text = f"two waves write one element of {found[1]} at once, with different values"
            differs = self._differs(ins, offsets, values, found[0])
            if differs.any():
                self._judge(
                    c, ins, offsets, values, (differs, between_groups(c.groups, offsets, found[0])), (text, ins)
                )
        keep, self._keep = self._keep, None
        if keep is not None:
            keep.settle(self.memory.bytes)

    def _judge(
        self, c: Cohort, ins: Decoded, offsets: Array, values: list[Array], lanes: tuple[Array, Array], said: tuple[str, Decoded | None]
    ) -> None:  # fmt: skip
        """Report stores that differ from what another wave stores; of copies of one sum take note, and let always the same one stay."""
        differs, between = lanes
        size = _size(ins, values)
        buffer = self._floats(offsets, differs & ~between, size)
        if buffer is not None:
            copy = Copies.of(self.memory.bytes, offsets, _given(ins, values, size, buffer.floats), differs & ~between)
            differs = differs & ~copy.lanes
            if copy.lanes.any():
                self._keep = copy
                c.batch.findings.note(ins, COPIES)
        if differs.any():
            wave, lane = (int(n[0]) for n in np.nonzero(differs))
            c.batch.findings.add(Trouble.GLOBAL_RACE, ins, c, wave, lane, *said)

    def copied(self, c: Cohort, ins: Decoded, offsets: Array, chosen: Array, values: list[Array]) -> bool:
        """Tell whether lanes of a wave store copies of one sum to one place, which differ in their last bits only."""
        size = _size(ins, values)
        buffer = self._floats(offsets, chosen, size)
        if buffer is None:
            return False
        own = offsets * c.waves + np.arange(c.waves)[:, None]
        if not copies(own[chosen], _given(ins, values, size, buffer.floats)[chosen]):
            return False
        c.batch.findings.note(ins, COPIES)
        return True

    def _floats(self, offsets: Array, chosen: Array, size: int) -> Buffer | None:
        """Return the buffer of floats that all chosen places lie in; None: there is none, or `size` bytes are no whole floats of it."""
        if not chosen.any():
            return None
        place = self.memory.find(int(offsets[chosen].min()), int(offsets[chosen].max()) + 1)
        buffer = self.memory.buffers[place] if place >= 0 else None
        if buffer is None or buffer.floats is None or size % buffer.floats.itemsize:
            return None
        return buffer

    def _differs(self, ins: Decoded, offsets: Array, values: list[Array], lanes: Array) -> Array:
        """Tell which of some lanes store something else than what stands there."""
        held = np.stack(gather(self.memory.words, np.where(lanes, offsets, 0), len(values)), axis=-1)
        mask = np.uint32(0xFFFFFFFF)
        if len(values) == 1:
            mask = np.uint32({1: 0xFF, 2: 0xFFFF}.get(_bytes(ins), 0xFFFFFFFF))
        return np.asarray(lanes & (((held ^ _shifted(ins, values)) & mask) != 0).any(axis=-1))

    @staticmethod
    def _refuse_apertures(ins: Decoded, offsets: Array) -> None:
        upper = (offsets + BASE) >> 32
        if ((upper == SHARED_APERTURE) | (upper == PRIVATE_APERTURE)).any():
            raise EmulateError(
                f"{ins.where()} reaches local or private memory through a generic address, which is not modelled; "
                "hotloop emulate cannot execute this kernel."
            )
        if (upper == ABSENT_APERTURE).any():
            raise EmulateError(f"{ins.where()} goes through a pointer argument that was not given; give all arguments.")
        if (upper == HOST_APERTURE).any():
            raise EmulateError(
                f"{ins.where()} calls the host, as printf and assert do, which is not modelled; compile the kernel without that call."
            )
