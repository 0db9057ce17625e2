"""Who wrote and read each place of local memory, and whether the barriers and waits between them suffice.

A write is visible to another wave when its wave knew it done (a wait covered it) before a barrier that both have passed. A
read protects its place from other waves' writes until it is done before such a barrier.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hotloop.emulate.arrays import Array
from hotloop.emulate.sanitizer.access import Access, Kind
from hotloop.emulate.sanitizer.findings import Trouble
from hotloop.emulate.sanitizer.flags import Flags
from hotloop.emulate.sanitizer.lockfree import READS, before_swaps, swaps
from hotloop.emulate.sanitizer.tried import Tried
from hotloop.isa.amdgcn.counters import Stream

if TYPE_CHECKING:
    from hotloop.emulate.cohort import Cohort, Pending
    from hotloop.emulate.instruction import Decoded

_KINDS = (Stream.LDS, Stream.VECTOR, Stream.FLAT_LDS, Stream.ASYNC)
"""Streams in which writes of local memory finish: the unit's own, copies from device memory, generic addresses on gfx9, copies on gfx1250."""
_COPIES = np.array([False, True, False, True])
"""Of these, copies, which a wave must wait for before it meets its own."""


def _kind(ins: Decoded, *, copies: bool = False) -> int:
    if copies:
        return 3 if any(issue.stream is Stream.ASYNC for issue in ins.issues) else 1
    return 2 if any(issue.stream is Stream.FLAT_LDS for issue in ins.issues) else 0


def _flag(access: Access, lanes: Array) -> bool:
    """Tell whether an access may be one to a flag: an atomic, or a store by single lanes."""
    return access.kind is Kind.ATOMIC or (access.kind is Kind.WRITE and int(lanes.any(-1).sum(-1).max()) == 1)


@dataclass(slots=True)
class _Passing:
    """Waves that pass one barrier, cohort by cohort."""

    barrier: int
    """Its number; 0: waves passed different ones."""
    live: int
    """Waves of the batch that had not ended; a wave that ends in between makes a new beginning."""
    count: int
    """Number of the next write when the first wave passed."""
    waves: int = 0
    """Waves that have passed with nothing outstanding."""


class LocalShadow:
    """Of the work-groups of a batch; places are counted in granules."""

    __slots__ = (
        "_atomic",
        "_born",
        "_count",
        "_flags",
        "_hollow",
        "_kind",
        "_known",
        "_lockfree",
        "_number",
        "_passed",
        "_passing",
        "_phased",
        "_read",
        "_readings",
        "_safe",
        "_shift",
        "_slots",
        "_tried",
        "_waves",
        "_written",
        "granule",
    )

    def __init__(self, groups: int, stride: int, waves_per_group: int, *, small: bool, phased: bool = False) -> None:
        """Take the bytes of each group's memory; `small`: it is accessed in bytes or halves.

        `phased`: each step writes all that it reads, so what an earlier step left is never read beside it.
        """
        self.granule, self._shift = (1, 0) if small else (4, 2)
        places = groups * stride // self.granule
        self._slots = waves_per_group
        self._waves = groups * waves_per_group
        self._written = np.zeros(places, np.int64)
        """Number of the write * waves + wave, 0: never written."""
        self._hollow: Array | None = None
        """Places that hold what was undefined when it was written; None: none ever."""
        self._read = np.zeros((waves_per_group, places), np.int32)
        """Barriers passed plus one when each wave of the group read the place last; 0: never."""
        self._passed = np.zeros((len(_KINDS), self._waves, 64), np.int64)
        """Operations known to be done by a wave when it passed its n-th barrier."""
        self._number = np.zeros(1024, np.int64)
        self._kind = np.zeros(1024, np.int8)
        self._phased = phased
        self._born = np.zeros(1024, np.int32)
        """Barriers that the writer's waves had passed."""
        self._count = 1
        self._safe = 0
        """Writes below this number are visible to all waves."""
        self._passing: _Passing | None = None
        self._known: list[Decoded | None] = [None]
        self._atomic = np.zeros(1024, bool)
        self._lockfree: frozenset[int] | None = None
        """Loads that are taken for atomic ones beside a compare-and-swap; None: not looked for yet."""
        self._flags: Flags | None = None
        """None: nothing is accessed yet."""
        self._tried: Tried | None = None
        """None: no atomic has left memory as it was yet."""
        self._readings: Array | None = None
        """Number * kinds + kind of each wave's last read of a place, as `_read`; None: the program waits for no flags."""

    def touch(
        self, c: Cohort, ins: Decoded, offsets: Array, access: Access, values: list[Array] | None, stores: Array | None = None
    ) -> Array | None:  # fmt: skip
        """Check an access and remember it; return the lanes that read what nobody has written, or None.

        `stores`: the lanes whose atomic changes memory, the others only look; None: all.
        """
        places = self._places(offsets, access.bytes)
        lanes = places >= 0
        whole = bool(lanes.all())
        if not whole and not lanes.any():
            return None
        safe = places if whole else np.where(lanes, places, places[lanes][0])
        now = c.batch.barriers[c.waves_at][:, None, None]
        held = self._written[safe]
        flags, missing = self._listen(c), None
        polling = flags.waits(ins, safe, lanes)
        if polling:
            flags.places[places[lanes]] = True
        if flags.polls and access.kind is Kind.ATOMIC:
            flags.hear(c, held // self._waves, held % self._waves, lanes)
        if access.kind is Kind.READ or access.kind is Kind.ATOMIC:
            missing = self._undefined(held, safe, lanes)
        self._after_write(c, ins, held, lanes, now, access, values, safe)
        if self._phased and access.kind is Kind.READ and not polling:
            self._mixed(c, ins, held // self._waves, safe, lanes & (held > 0))
        if access.kind is Kind.READ:
            if not polling:
                self._note_read(c, ins, safe, lanes, now, whole=whole)
            return missing
        if stores is not None:
            self._look(c, safe, lanes & ~stores[..., None], now)
            lanes = lanes & stores[..., None]
        elif self._tried is not None and access.kind is not Kind.ATOMIC and not self._gives_back(c, access, lanes):
            differs = self._differs(c, safe, values, access) if values is not None else lanes
            self._tried.stored(c, ins, (safe, lanes & differs, now))
        if lanes.any():
            self._before_write(c, ins, safe, lanes, now)
            self._write(c, ins, safe, lanes, access)
        return missing

    def _look(self, c: Cohort, safe: Array, lanes: Array, now: Array) -> None:
        """Take note of atomics that stored nothing."""
        if lanes.any():
            self._tried = self._tried or Tried(self._slots, len(self._written))
            self._tried.note(c.waves_at, safe, lanes, now)

    def _gives_back(self, c: Cohort, access: Access, lanes: Array) -> bool:
        """Tell whether a store may give back a lock that others tried to take."""
        return bool(self._listen(c).polls) and _flag(access, lanes)

    def _listen(self, c: Cohort) -> Flags:
        if self._flags is None:
            self._flags = Flags(c.batch.program.code, len(_KINDS), self._waves, self._slots, len(self._written))
            self._readings = np.zeros(self._read.shape, np.int64) if self._flags.polls else None
        return self._flags

    def met(self, c: Cohort, ins: Decoded, offsets: Array, size: int) -> None:
        """Take note of what waves hear when a load that waits for a flag reads memory, which may be later than it was issued."""
        flags = self._flags
        if flags is None or not flags.known(ins):
            return
        places = self._places(offsets, size)
        if flags.waits(ins, places, places >= 0):
            held = self._written[np.maximum(places, 0)]
            flags.hear(c, held // self._waves, held % self._waves, places >= 0)

    def _undefined(self, held: Array, safe: Array, lanes: Array) -> Array | None:
        if self._hollow is None and held.all():
            return None
        bad = held == 0 if self._hollow is None else (held == 0) | self._hollow[safe]
        return (lanes & bad).any(axis=-1) if bad.any() else None

    def _places(self, offsets: Array, size: int) -> Array:
        count = max(1, -(-size // self.granule))
        first = offsets >> self._shift
        if int(offsets.min(initial=0)) < 0:
            first = np.where(offsets >= 0, first, -count)
        return first[..., None] + np.arange(count) if count > 1 else first[..., None]

    def _note_read(self, c: Cohort, ins: Decoded, safe: Array, lanes: Array, now: Array, *, whole: bool) -> None:
        slots = c.waves_at % self._slots
        if self._readings is not None:
            kind = _kind(ins)
            wave = np.nonzero(lanes)[0]
            self._readings[slots[wave], safe[lanes]] = (c.streams.issued.get(_KINDS[kind], 0) + 1) * len(_KINDS) + kind
        if whole:
            self._read[slots[:, None, None], safe] = now + 1
            return
        wave = np.nonzero(lanes)[0]  # a lane that is off must not read what stands in for its place
        self._read[slots[wave], safe[lanes]] = now[wave, 0, 0] + 1

    # -- against earlier writes -------------------------------------------------------------------------------------

    def _after_write(
        self, c: Cohort, ins: Decoded, held: Array, lanes: Array, now: Array, access: Access, values: list[Array] | None, safe: Array
    ) -> None:  # fmt: skip
        """Report writes by other waves that this access may meet before they are done, and own copies not waited for."""
        if int(held.max()) < self._safe * self._waves:
            return
        number, wave = held // self._waves, held % self._waves
        mine = wave == c.waves_at[:, None, None]
        kind = self._kind[number]
        seen, flags = self._passed[kind, wave, np.minimum(now, self._passed.shape[2] - 1)], self._listen(c)
        if flags.polls:
            seen = np.maximum(seen, flags.of(kind, wave, c.waves_at[:, None, None]))
        done = np.array([c.streams.done.get(stream, 0) for stream in _KINDS])[kind]
        hidden = (
            lanes
            & (held > 0)
            & np.where(mine, _COPIES[kind] & (self._number[number] > done), self._number[number] > seen)
        )
        if not hidden.any():
            return
        if access.kind is Kind.WRITE and values is not None:
            hidden &= self._differs(c, safe, values, access)
            if self.granule == 4 and hidden.any() and all(self._known[n] is ins for n in set(number[hidden].tolist())):
                hidden &= not c.batch.local.copies(c, ins, safe, values, hidden)
        if access.kind is Kind.ATOMIC:
            hidden &= ~self._atomic[number]
        if flags.waits(ins, safe, lanes):
            hidden &= ~flags.told(number)
        if flags.polls and _flag(access, lanes):
            hidden &= ~((flags.places[safe] | self._atomic[number]) & flags.told(number))
        if access.kind is Kind.READ and ins.index in self._lock_free(c):
            hidden &= ~np.array([swaps(known) for known in self._known])[number]
        if hidden.any():
            self._report(c, ins, hidden, number, mine, access)

    def _lock_free(self, c: Cohort) -> frozenset[int]:
        if self._lockfree is None:
            self._lockfree = before_swaps(c.batch.program.code)
        return self._lockfree

    def _differs(self, c: Cohort, safe: Array, values: list[Array], access: Access) -> Array:
        """Tell where a write changes what stands there: the same value from two waves is no race."""
        words = np.stack([np.broadcast_to(v, safe.shape[:2]) for v in values], axis=-1)
        held, given = c.batch.local.words, words
        if self.granule != 4:
            held, given = c.batch.local.bytes, np.ascontiguousarray(words).view(np.uint8)[..., : access.bytes]
        return np.asarray(held[safe] != given)

    def _report(self, c: Cohort, ins: Decoded, bad: Array, number: Array, mine: Array, access: Access) -> None:
        wave, lane, part = (int(n[0]) for n in np.nonzero(bad))
        other = self._known[int(number[wave, lane, part])]
        verb = {Kind.READ: "reads", Kind.WRITE: "writes"}.get(access.kind, "changes")
        if mine[wave, lane, part]:
            text = f"{verb} local memory before a wait covers the wave's own copy into it"
            c.batch.findings.add(Trouble.WAIT, ins, c, wave, lane, text, other)
            return
        text = f"{verb} local memory that another wave writes, with no wait and barrier in between"
        c.batch.findings.add(Trouble.LOCAL_RACE, ins, c, wave, lane, text, other)

    def _mixed(self, c: Cohort, ins: Decoded, number: Array, safe: Array, known: Array) -> None:
        """Report a read that meets, beside what was written for it, what an earlier step has written and read already."""
        born = np.where(known, self._born[number], -1)
        if not known.any() or int(born.max()) == int(born[known].min()) or bool((self._atomic[number] & known).any()):
            return
        newest = np.full(len(c.batch.live), -1)
        np.maximum.at(newest, c.groups, born.reshape(len(born), -1).max(axis=1))
        latest = newest[c.groups][:, None, None]
        read = self._read[:, safe].max(axis=0)
        stale = known & (born < latest) & (read > 0) & (read <= latest)
        if not stale.any():
            return
        wave, lane, part = (int(n[0]) for n in np.nonzero(stale))
        text = "reads local memory that an earlier step has written and read already, beside what was written since: a store is missing"
        c.batch.findings.add(Trouble.STALE, ins, c, wave, lane, text, self._known[int(number[wave, lane, part])])

    # -- against earlier reads --------------------------------------------------------------------------------------

    def _before_write(self, c: Cohort, ins: Decoded, safe: Array, lanes: Array, now: Array) -> None:
        """Report reads by other waves that may come after this write."""
        read = self._read[:, safe]
        if int(read.max()) <= int(now.min()):
            return
        clash = (read > now) & lanes
        own = np.arange(self._slots)[:, None] == (c.waves_at % self._slots)
        clash &= ~own[:, :, None, None]
        if self._readings is not None:
            clash &= ~self._told_done(c, self._readings[:, safe])
        if not clash.any():
            return
        reader = self._reader(c, ins)
        if swaps(ins) and reader is not None and reader.index in self._lock_free(c):
            return
        _, wave, lane, _ = (int(n[0]) for n in np.nonzero(clash))
        text = "writes local memory that another wave reads, with no barrier in between"
        c.batch.findings.add(Trouble.LOCAL_RACE, ins, c, wave, lane, text, reader)

    def _told_done(self, c: Cohort, reading: Array) -> Array:
        """Tell of which reads [slots, waves, lanes, parts] a wave has heard by flags that they are done."""
        slots = np.arange(self._slots)[:, None, None, None]
        heard = self._listen(c).of(reading % len(_KINDS), slots, c.waves_at[None, :, None, None])
        return np.asarray(heard >= reading // len(_KINDS))

    def _reader(self, c: Cohort, ins: Decoded) -> Decoded | None:
        """Return the nearest read of local memory before the write in the program, or behind it in a loop."""
        code = c.batch.program.code
        for index in [*range(ins.index, -1, -1), *range(len(code) - 1, ins.index, -1)]:
            if code[index].name.startswith(READS):
                found: Decoded = code[index]
                return found
        return None

    def _write(self, c: Cohort, ins: Decoded, safe: Array, lanes: Array, access: Access) -> None:
        kind = _kind(ins, copies=access.kind is Kind.COPY)
        number = self._enter(ins, kind, c.streams.issued.get(_KINDS[kind], 0) + 1, atomic=access.kind is Kind.ATOMIC)
        self._born[number] = int(c.batch.barriers[c.waves_at].max())
        flags = self._listen(c)
        if flags.polls and _flag(access, lanes):
            done = np.array([c.streams.done.get(stream, 0) for stream in _KINDS])
            flags.say(c, number, done, safe, lanes, atomic=access.kind is Kind.ATOMIC)
            if c.batch.late and flags.places[safe[lanes]].any():
                c.rest()
        if self._hollow is not None:
            self._hollow[safe[lanes]] = False
        packed = np.broadcast_to(number * self._waves + c.waves_at[:, None, None], safe.shape)
        if lanes.all():
            self._written[safe] = packed
        else:
            self._written[safe[lanes]] = packed[lanes]
        if access.kind is Kind.WRITE and c.waves > 1 and len(np.unique(c.groups)) < c.waves:
            lost = lanes & (self._written[safe] != packed)
            if lost.any() and self._others(safe, packed, lost):
                c.batch.local.doubtful(lost)

    def _others(self, safe: Array, packed: Array, lost: Array) -> bool:
        """Tell whether any of the lost writes was overwritten by another wave, not by a lane of its own."""
        return bool(((self._written[safe] % self._waves != packed % self._waves) & lost).any())

    def _enter(self, ins: Decoded, kind: int, number: int, *, atomic: bool) -> int:
        entry = self._count
        self._count += 1
        if entry >= len(self._number):
            self._number = np.concatenate((self._number, np.zeros_like(self._number)))
            self._kind = np.concatenate((self._kind, np.zeros_like(self._kind)))
            self._atomic = np.concatenate((self._atomic, np.zeros_like(self._atomic)))
            self._born = np.concatenate((self._born, np.zeros_like(self._born)))
        self._number[entry], self._kind[entry], self._atomic[entry] = number, kind, atomic
        self._known.append(ins)
        return entry

    def forget(self, offsets: Array, size: int) -> None:
        """Take note that what was just stored at places is undefined; who stored it stays known."""
        if self._hollow is None:
            self._hollow = np.zeros(self._written.shape, bool)
        places = self._places(offsets, size)
        self._hollow[places[places >= 0]] = True

    # -- barriers ---------------------------------------------------------------------------------------------------

    def barrier(self, c: Cohort, barriers: Array) -> None:
        """Take note of what waves knew to be done when they passed a barrier."""
        epoch = barriers[c.waves_at]
        while int(epoch.max()) >= self._passed.shape[2]:
            self._passed = np.concatenate((self._passed, np.zeros_like(self._passed)), axis=2)
        for kind, stream in enumerate(_KINDS):
            self._passed[kind, c.waves_at, epoch] = c.streams.done.get(stream, 0)
        drained = all(c.streams.done.get(s, 0) >= c.streams.issued.get(s, 0) for s in _KINDS)
        self._settle(epoch, int(c.batch.live.sum()), drained=drained)
        for operation in c.pending:
            self._keep(c, operation, epoch)

    def _settle(self, epoch: Array, live: int, *, drained: bool) -> None:
        """When all waves have passed a barrier with nothing outstanding, what was written before the first of them did is visible to all."""
        barrier = int(epoch.min()) if epoch.min() == epoch.max() else 0
        passing = self._passing
        if passing is None or (passing.barrier, passing.live) != (barrier, live):
            passing = self._passing = _Passing(barrier, live, self._count)
        passing.waves += len(epoch) if drained and barrier else 0
        if passing.waves == live:
            self._safe = passing.count

    def _keep(self, c: Cohort, operation: Pending, epoch: Array) -> None:
        """A read that is not done when its wave passes a barrier goes on protecting its place."""
        for offsets in operation.effect.places:
            places = self._places(offsets, operation.effect.size)
            wave, lane, part = np.nonzero(places >= 0)
            self._read[c.waves_at[wave] % self._slots, places[wave, lane, part]] = epoch[wave] + 1
