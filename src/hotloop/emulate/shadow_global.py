"""Who wrote and read each element of device memory: conflicts between work-groups, and between waves of one.

What orders two accesses is told by `hotloop.emulate.causality`: barriers within a work-group, atomics between them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hotloop.emulate.arrays import Array, World
from hotloop.emulate.causality import Causality
from hotloop.emulate.sanitizer.access import Access, Kind
from hotloop.emulate.sanitizer.findings import Trouble
from hotloop.emulate.sanitizer.readers import Readers, Recent, clashing

if TYPE_CHECKING:
    from hotloop.emulate.cohort import Cohort
    from hotloop.emulate.instruction import Decoded
    from hotloop.emulate.memory import Buffer, Memory
    from hotloop.emulate.program import Program

_WORD = 4
_LOADED = Access(Kind.READ, _WORD)
COHERENT = frozenset({"sc1", "glc"})
"""Words of accesses that reach a cache which several compute units share: what atomic loads and stores compile to."""


class GlobalShadow:
    """Of all buffers, made for each when it is first touched."""

    __slots__ = (
        "_atomic", "_atomics", "_entries", "_epoch", "_known", "_memory", "_number", "_quiet", "_readers", "_recent", "_swaps", "_through",
        "_unmarked", "_wave", "_written", "causality", "fresh", "seen",
    )  # fmt: skip

    def __init__(
        self, memory: Memory, program: Program, fresh: frozenset[str], inputs: frozenset[str] = frozenset()
    ) -> None:
        """Take the memory, the program, and the names of buffers that hold nothing yet, and of which is kept what is read."""
        self._memory = memory
        self.fresh = fresh
        self.seen = {buffer.name: np.zeros(buffer.bytes, bool) for buffer in memory.buffers if buffer.name in inputs}
        """Bytes that were read, by the buffer's name."""
        self.causality = Causality(program)
        self._written: dict[int, Array] = {}
        self._readers: dict[int, Readers] = {}
        self._recent: dict[int, Recent] = {}
        self._known: list[Decoded | None] = [None]
        self._wave, self._epoch, self._number = (np.zeros(1024, np.int64) for _ in range(3))
        self._atomic, self._through, self._quiet = (np.zeros(1024, bool) for _ in range(3))
        self._entries = 1
        self._swaps = any("cmpswap" in item.name for item in program.code)
        """Compilers begin a loop around a compare-and-swap with a plain load, whose value it confirms."""
        marked = program.family.split or program.target.has("releases that write the second cache back")
        self._atomics = any(is_atomic(item, _LOADED) or "_atomic_" in item.name for item in program.code)
        self._unmarked = self._atomics and not marked
        """An atomic store is a plain one; what one lane stores may be a flag that others load atomically."""

    def begin(self, batch: World, first: int) -> None:
        """Take the next work-groups; `first` is the number of the first one in the launch."""
        self.causality.begin(batch, first)

    def writer(self, name: str, place: int) -> Decoded | None:
        """Return the instruction that wrote a byte of a buffer last."""
        for number, buffer in enumerate(self._memory.buffers):
            if buffer.name == name and number in self._written:
                return self._known[int(self._written[number][place // buffer.unit])]
        return None

    def written(self, name: str) -> Array:
        """Return of each byte of a buffer whether a wave wrote it."""
        number, buffer = next((n, buffer) for n, buffer in enumerate(self._memory.buffers) if buffer.name == name)
        places = self._written.get(number)
        if places is None:
            return np.zeros(buffer.bytes, bool)
        return np.repeat(places > 0, buffer.unit)[: buffer.bytes]

    @property
    def storing(self) -> frozenset[int]:
        """Addresses of the instructions that have stored anything to device memory."""
        return frozenset(one.address for one in self._known if one is not None)

    def writers(self, name: str) -> frozenset[int]:
        """Return the addresses of the instructions that a buffer's elements come from."""
        number = next(n for n, buffer in enumerate(self._memory.buffers) if buffer.name == name)
        places = self._written.get(number)
        known = (self._known[entry] for entry in np.unique(places).tolist()) if places is not None else ()
        return frozenset(one.address for one in known if one is not None)

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
                missing = _merged(missing, found)
        return missing if missing.any() else None

    def _buffer(
        self, c: Cohort, ins: Decoded, offsets: Array, lanes: Array, access: Access, number: int
    ) -> Array | None:
        buffer = self._memory.buffers[number]
        if access.kind is not Kind.WRITE and buffer.name in self.seen:
            for octet in range(access.bytes):
                self.seen[buffer.name][offsets[lanes] - buffer.offset + octet] = True
        if not buffer.writable or not lanes.any():
            return lanes if buffer.name in self.fresh and lanes.any() else None
        count = max(1, access.bytes // buffer.unit)
        first = (np.where(lanes, offsets, offsets[lanes][0]) - buffer.offset) // buffer.unit
        places = first[..., None] + np.arange(count)
        valid = np.broadcast_to(lanes[..., None], places.shape)
        atomic = is_atomic(ins, access)
        quiet = self._unmarked and access.kind is Kind.WRITE and not atomic and int(lanes.sum(axis=-1).max()) == 1
        if atomic or quiet:
            self.causality.meet(c, number, first, lanes, access.kind)
        written = self._written.get(number)
        missing = None
        if written is not None:
            self._after_write(c, ins, written[places], valid, access, buffer, atomic=atomic, quiet=quiet)
        if access.kind is not Kind.WRITE and buffer.name in self.fresh:
            missing = self._missing(written, places, lanes, access.bytes // _WORD if access.kind is Kind.READ else 1)
        if access.kind is Kind.READ:
            if not atomic:
                self._note_read(c, number, buffer, places, valid)
        else:
            if number in self._readers and not atomic:
                self._before_write(c, ins, number, places, valid, buffer)
            self._note_write(c, ins, number, buffer, places, lanes, atomic=atomic, quiet=quiet)
            if missing is not None and "_swap" not in ins.name:  # what an atomic makes of nothing is nothing
                self._written[number][places[missing]] = 0
        return missing

    def met(self, c: Cohort, ins: Decoded, offsets: Array, lanes: Array, access: Access) -> None:
        """An atomic load reads memory now, later than it was issued: what was published until now comes along."""
        if not is_atomic(ins, access) or not (active := lanes & (offsets != 0)).any():
            return
        where: Array = np.searchsorted(self._memory.starts, offsets, side="right") - 1
        for number in np.unique(where[active]).tolist():
            buffer, chosen = self._memory.buffers[number], active & (where == number)
            self.causality.meet(c, number, (offsets - buffer.offset) // buffer.unit, chosen, Kind.READ)

    @staticmethod
    def _missing(written: Array | None, places: Array, lanes: Array, words: int) -> Array | None:
        """Return the lanes, or of a wide read the words of lanes [waves, lanes, words], that nobody has written; None: none."""
        if written is None:
            return lanes
        never = written[places] == 0
        if words > 1 and not never.all(axis=-1)[lanes].all():
            never = lanes[..., None] & never.reshape(*lanes.shape, words, -1).any(axis=-1)
        else:
            never = lanes & never.any(axis=-1)
        return never if never.any() else None

    def _group(self, c: Cohort) -> Array:
        return (c.groups + self.causality.first)[:, None, None]

    def _wave_of(self, c: Cohort) -> Array:
        return (c.waves_at + self.causality.first * c.batch.waves_per_group)[:, None, None]

    # -- conflicts --------------------------------------------------------------------------------------------------

    def _after_write(
        self, c: Cohort, ins: Decoded, entries: Array, valid: Array, access: Access, buffer: Buffer, *, atomic: bool, quiet: bool
    ) -> None:  # fmt: skip
        if int(entries.max()) == 0:
            return
        wave = self._wave[entries]
        clash = valid & (entries > 0) & (wave != self._wave_of(c))
        if atomic or quiet or (access.kind is Kind.READ and self._swaps):
            clash &= ~self._atomic[entries]
        if atomic:
            clash &= ~self._quiet[entries]
        if not clash.any():
            return
        same_group = wave // c.batch.waves_per_group == self._group(c)
        clash &= ~self._ordered(c, entries, wave, same_group, clash)
        if clash.any():
            self._meets(c, ins, entries, clash, same_group, access, buffer)

    def _ordered(self, c: Cohort, entries: Array, wave: Array, same_group: Array, clash: Array) -> Array:
        """Tell which accesses come surely after the store that they meet."""
        now, number = c.batch.barriers[c.waves_at][:, None, None], self._number[entries]
        early = self._epoch[entries] < now
        ordered: Array = same_group & early & self.causality.behind_barrier(wave, now, number)
        if self.causality.any:
            groups = np.broadcast_to(self._group(c), clash.shape)
            ordered |= self.causality.told(groups, wave, number, self._through[entries], clash & ~same_group)
        return ordered

    def _meets(
        self, c: Cohort, ins: Decoded, entries: Array, clash: Array, same_group: Array, access: Access, buffer: Buffer
    ) -> None:
        w, lane, part = (int(n[0]) for n in np.nonzero(clash))
        known = self._known[int(entries[w, lane, part])]
        verb = {Kind.READ: "reads", Kind.WRITE: "writes"}.get(access.kind, "changes")
        who = "another wave of its work-group" if same_group[w, lane, part] else "another work-group"
        text = f"{verb} an element of {buffer.name} that {who} writes, {self._why(c, entries[w, lane, part], same_group[w, lane, part])}"
        if access.kind is Kind.WRITE:
            c.batch.traffic.suspicious(clash, text, known, within=same_group)
        elif access.kind is Kind.READ and same_group[w, lane, part] and known is not None and ins.index < known.index:
            # The pair of `_before_write`, met the other way round: the waves stand at different places of the same code.
            c.batch.findings.add(Trouble.GLOBAL_RACE, ins, c, w, lane, text, known, suspected=True)
        else:
            c.batch.findings.add(Trouble.GLOBAL_RACE, ins, c, w, lane, text, known)

    def _why(self, c: Cohort, entry: int, same_group: bool) -> str:  # noqa: FBT001 - a fact about the pair
        if same_group and self._epoch[entry] < c.batch.barriers[c.waves_at].max():
            return "with a barrier but no wait for the store before it"
        return "with nothing that orders them"

    def _before_write(self, c: Cohort, ins: Decoded, number: int, places: Array, valid: Array, buffer: Buffer) -> None:
        readers = self._readers[number].at(places)
        now = c.batch.barriers[c.waves_at][:, None, None]
        within, between = clashing(readers, self._wave_of(c), self._group(c), now, c.batch.waves_per_group)
        if (valid & within).any():  # harmless where the readers' copies are dropped, as Triton's replicated layouts do
            w, lane, _ = (int(n[0]) for n in np.nonzero(valid & within))
            text = f"writes an element of {buffer.name} that another wave of its work-group reads, with nothing that orders them"
            c.batch.findings.add(Trouble.GLOBAL_RACE, ins, c, w, lane, text, suspected=True)
        clash = valid & between
        if self.causality.any and clash.any():
            clash &= self._unheard(c, number, places) if number in self._recent else np.False_
        if clash.any():
            text = f"writes an element of {buffer.name} that another work-group reads, with nothing that orders them"
            c.batch.traffic.suspicious(clash, text, None)

    def _unheard(self, c: Cohort, number: int, places: Array) -> Array:
        """Tell which places other work-groups have read without the writer's being told of it by an atomic since."""
        mine = np.broadcast_to(self._group(c), places.shape)
        result = np.zeros(places.shape, bool)
        for reader, releases in zip(*self._recent[number].at(places), strict=True):
            where = np.nonzero((reader >= 0) & (reader != mine))
            result[where] |= ~self.causality.heard(mine[where], reader[where], releases[where])
        return result

    # -- notes ------------------------------------------------------------------------------------------------------

    def _note_read(self, c: Cohort, number: int, buffer: Buffer, places: Array, valid: Array) -> None:
        readers = self._readers.get(number)
        if readers is None:
            readers = self._readers[number] = Readers(-(-buffer.bytes // buffer.unit) + 4)
        now = c.batch.barriers[c.waves_at][:, None, None]
        readers.note(places, valid, self._wave_of(c), self._group(c), now, c.batch.waves_per_group)
        if self._atomics:
            if number not in self._recent:
                self._recent[number] = Recent(-(-buffer.bytes // buffer.unit) + 4)
            group = np.broadcast_to(self._group(c), places.shape)[valid]
            self._recent[number].note(places[valid], group, self.causality.releases(group))

    def _note_write(
        self, c: Cohort, ins: Decoded, number: int, buffer: Buffer, places: Array, lanes: Array, *, atomic: bool, quiet: bool
    ) -> None:  # fmt: skip
        written = self._written.get(number)
        if written is None:
            written = self._written[number] = np.zeros(-(-buffer.bytes // buffer.unit) + 4, np.int32)
        first = self._enter(c, ins, atomic=atomic, quiet=quiet)
        entries = np.broadcast_to((first + np.arange(c.waves))[:, None, None], places.shape)
        written[places[lanes]] = entries[lanes]
        if not atomic and c.waves > 1:
            lost = lanes[..., None] & (written[places] != entries)
            if lost.any():
                c.batch.traffic.doubtful(lost, buffer)

    def _enter(self, c: Cohort, ins: Decoded, *, atomic: bool, quiet: bool) -> int:
        first, last = self._entries, self._entries + c.waves
        while last > len(self._wave):
            for name in ("_wave", "_epoch", "_number", "_atomic", "_through", "_quiet"):
                old = getattr(self, name)
                setattr(self, name, np.concatenate((old, np.zeros_like(old))))
        self._wave[first:last] = self._wave_of(c)[:, 0, 0]
        self._epoch[first:last] = c.batch.barriers[c.waves_at]
        self._number[first:last] = self.causality.number(c)
        self._atomic[first:last], self._quiet[first:last] = atomic, quiet
        self._through[first:last] = "sc1" in ins.modifiers.flags
        self._known.extend([ins] * c.waves)
        self._entries = last
        return first

    def barrier(self, c: Cohort, barriers: Array) -> None:
        """Take note of a barrier."""
        self.causality.barrier(c, barriers)


def is_atomic(ins: Decoded, access: Access) -> bool:
    """Tell whether an access is one that others may make at the same time."""
    if access.kind is Kind.ATOMIC or COHERENT & ins.modifiers.flags:
        return True
    return "SCOPE" in ins.modifiers.text("scope")


def _merged(one: Array, two: Array) -> Array:
    """Return both; where one tells words apart and the other only lanes, a lane stands for all of its words."""
    if one.ndim != two.ndim:
        one, two = (item[..., None] if item.ndim < max(one.ndim, two.ndim) else item for item in (one, two))
    return one | two
