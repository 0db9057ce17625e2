"""Who wrote and read each element of device memory: conflicts between work-groups, and between waves of one.

Between work-groups nothing orders plain accesses but atomic operations on a common place; between waves of one a barrier
does. Whether a store was waited for before the barrier is not looked at: on gfx9, and in CU mode, it need not be.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hotloop.emulate.access import Access, Kind
from hotloop.emulate.arrays import Array
from hotloop.emulate.findings import Trouble

if TYPE_CHECKING:
    from hotloop.emulate.cohort import Cohort
    from hotloop.emulate.instruction import Decoded
    from hotloop.emulate.memory import Buffer, Memory

_MANY = 0xFFFF
_COHERENT = frozenset({"sc1", "glc"})
"""Words of accesses that reach a cache which several compute units share: what atomic loads and stores compile to."""


class GlobalShadow:
    """Of all buffers, made for each when it is first touched."""

    __slots__ = (
        "_atomic",
        "_buffers",
        "_entries",
        "_epoch",
        "_known",
        "_memory",
        "_read",
        "_seen",
        "_stamps",
        "_wave",
        "_written",
        "first_group",
        "fresh",
    )

    def __init__(self, memory: Memory, fresh: frozenset[str]) -> None:
        """Take the memory and the names of buffers that hold nothing yet."""
        self._memory = memory
        self.fresh = fresh
        self._written: dict[int, Array] = {}
        self._read: dict[int, Array] = {}
        self._known: list[Decoded | None] = [None]
        self._wave = np.zeros(1024, np.int64)
        self._epoch = np.zeros(1024, np.int64)
        self._atomic = np.zeros(1024, bool)
        self._entries = 1
        self._stamps: dict[int, set[int]] = {}
        self._seen: dict[int, set[int]] = {}
        self._buffers: dict[int, Buffer] = dict(enumerate(memory.buffers))
        self.first_group = 0
        """Number of the batch's first work-group in the launch."""

    def touch(self, c: Cohort, ins: Decoded, offsets: Array, lanes: Array, access: Access, place: int) -> Array | None:
        """Check an access and remember it; return where a read finds what was never written, or None."""
        if place >= 0:
            return self._buffer(c, ins, offsets, lanes, access, place)
        active = lanes & (offsets != 0)
        where: Array = np.searchsorted(self._memory.starts, offsets, side="right") - 1
        missing = np.zeros(offsets.shape, bool)
        for one in np.unique(where[active]).tolist():
            found = self._buffer(c, ins, offsets, active & (where == one), access, one)
            if found is not None:
                missing |= found
        return missing if missing.any() else None

    def _buffer(
        self, c: Cohort, ins: Decoded, offsets: Array, lanes: Array, access: Access, number: int
    ) -> Array | None:
        buffer = self._buffers[number]
        if not buffer.writable or not lanes.any():
            return None
        count = max(1, access.bytes // buffer.granule)
        first = (np.where(lanes, offsets, offsets[lanes][0]) - buffer.offset) // buffer.granule
        places = first[..., None] + np.arange(count)
        valid = np.broadcast_to(lanes[..., None], places.shape)
        atomic = (
            access.kind is Kind.ATOMIC
            or bool(_COHERENT & ins.modifiers.flags)
            or "SCOPE" in ins.modifiers.text("scope")
        )
        if atomic:
            self._synchronise(c, number, places, lanes)
        written = self._written.get(number)
        missing = None
        if written is not None:
            self._after_write(c, ins, written[places], valid, access, buffer, atomic=atomic)
        if access.kind is Kind.READ:
            if buffer.name in self.fresh:
                missing = self._missing(written, places, lanes)
            self._note_read(c, number, buffer, places, valid)
        else:
            if number in self._read and not atomic:
                self._before_write(c, ins, self._read[number][places], valid, buffer)
            self._note_write(c, ins, number, buffer, places, lanes, atomic=atomic)
        return missing

    @staticmethod
    def _missing(written: Array | None, places: Array, lanes: Array) -> Array | None:
        if written is None:
            return lanes
        never = lanes & (written[places] == 0).any(axis=-1)
        return never if never.any() else None

    def _group(self, c: Cohort) -> Array:
        return (c.groups + self.first_group)[:, None, None]

    def _wave_of(self, c: Cohort) -> Array:
        return (c.waves_at + self.first_group * c.batch.waves_per_group)[:, None, None]

    # -- conflicts --------------------------------------------------------------------------------------------------

    def _after_write(
        self, c: Cohort, ins: Decoded, entries: Array, valid: Array, access: Access, buffer: Buffer, *, atomic: bool
    ) -> None:
        if int(entries.max()) == 0:
            return
        wave, epoch = self._wave[entries], self._epoch[entries]
        each = c.batch.waves_per_group
        other = valid & (entries > 0) & (wave != self._wave_of(c))
        same_group = wave // each == self._group(c)
        now = c.batch.barriers[c.waves_at][:, None, None]
        clash = other & ~same_group | (epoch >= now)
        if atomic:
            clash &= ~self._atomic[entries]
        if not clash.any():
            return
        clash &= ~self._ordered(c, wave // each, clash)
        if clash.any():
            w, lane, part = (int(n[0]) for n in np.nonzero(clash))
            known = self._known[int(entries[w, lane, part])]
            verb = {Kind.READ: "reads", Kind.WRITE: "writes"}.get(access.kind, "changes")
            who = "another wave of its work-group" if same_group[w, lane, part] else "another work-group"
            text = f"{verb} an element of {buffer.name} that {who} writes, with nothing that orders them"
            if access.kind is Kind.WRITE:
                c.batch.traffic.suspicious(clash, text, known)
                return
            c.batch.findings.add(Trouble.GLOBAL_RACE, ins, c, w, lane, text, known)

    def _before_write(self, c: Cohort, ins: Decoded, readers: Array, valid: Array, buffer: Buffer) -> None:
        clash = valid & (readers != 0) & (readers != self._group(c) % (_MANY - 1) + 1)
        if not clash.any() or self._seen:
            return
        w, lane, _ = (int(n[0]) for n in np.nonzero(clash))
        text = f"writes an element of {buffer.name} that another work-group reads, with nothing that orders them"
        c.batch.findings.add(Trouble.GLOBAL_RACE, ins, c, w, lane, text, None)

    # -- notes ------------------------------------------------------------------------------------------------------

    def _note_read(self, c: Cohort, number: int, buffer: Buffer, places: Array, valid: Array) -> None:
        readers = self._read.get(number)
        if readers is None:
            readers = self._read[number] = np.zeros(-(-buffer.bytes // buffer.granule) + 4, np.uint16)
        mine = (self._group(c) % (_MANY - 1) + 1).astype(np.uint16)
        old = readers[places]
        alone = (old == 0) | (old == mine)
        if alone.all() and valid.all():
            readers[places] = mine
            lost = readers[places] != mine  # several work-groups of the batch at once
            if lost.any():
                readers[places[lost]] = _MANY
            return
        new = np.where(alone, mine, np.uint16(_MANY))
        readers[places[valid]] = new[valid]
        lost = valid & (readers[places] != new)
        readers[places[lost]] = _MANY

    def _note_write(
        self, c: Cohort, ins: Decoded, number: int, buffer: Buffer, places: Array, lanes: Array, *, atomic: bool
    ) -> None:
        written = self._written.get(number)
        if written is None:
            written = self._written[number] = np.zeros(-(-buffer.bytes // buffer.granule) + 4, np.int32)
        first = self._enter(c, ins, atomic=atomic)
        entries = np.broadcast_to((first + np.arange(c.waves))[:, None, None], places.shape)
        written[places[lanes]] = entries[lanes]
        if not atomic and c.waves > 1:
            lost = lanes[..., None] & (written[places] != entries)
            if lost.any():
                c.batch.traffic.doubtful(lost, buffer)

    def _enter(self, c: Cohort, ins: Decoded, *, atomic: bool) -> int:
        first, last = self._entries, self._entries + c.waves
        while last > len(self._wave):
            self._wave = np.concatenate((self._wave, np.zeros_like(self._wave)))
            self._epoch = np.concatenate((self._epoch, np.zeros_like(self._epoch)))
            self._atomic = np.concatenate((self._atomic, np.zeros_like(self._atomic)))
        self._wave[first:last] = self._wave_of(c)[:, 0, 0]
        self._epoch[first:last] = c.batch.barriers[c.waves_at]
        self._atomic[first:last] = atomic
        self._known.extend([ins] * c.waves)
        self._entries = last
        return first

    # -- order by atomics -------------------------------------------------------------------------------------------

    def _synchronise(self, c: Cohort, number: int, places: Array, lanes: Array) -> None:
        """Remember which work-groups have met at an atomic place before: what they did until then is ordered."""
        groups = np.broadcast_to(self._group(c), places.shape)[lanes][:, 0]
        pairs = np.unique(np.stack((places[lanes][:, 0], groups), axis=1), axis=0)
        if len(pairs) > _MOST_PAIRS:
            return
        for place, group in pairs.tolist():
            stamp = self._stamps.setdefault(number << 40 | place, set())
            self._seen.setdefault(group, set()).update(stamp)
            stamp.add(group)
            stamp.update(self._seen[group])

    def _ordered(self, c: Cohort, writers: Array, clash: Array) -> Array:
        result = np.zeros(clash.shape, bool)
        if self._seen:
            groups = np.broadcast_to(self._group(c), clash.shape)
            for place in zip(*np.nonzero(clash), strict=True):
                result[place] = int(writers[place]) in self._seen.get(int(groups[place]), ())
        return result

    def barrier(self, c: Cohort, barriers: Array) -> None:
        """Take note of a barrier: nothing to do, accesses carry the number of barriers before them."""


_MOST_PAIRS = 4096
"""Atomic places of one instruction above which they are counters of many, not a way to wait for each other."""
