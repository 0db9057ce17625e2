"""Waves that execute in lockstep, with everything that belongs to them; they split where their ways part."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from hotloop.emulate.state import Layout, Registers
from hotloop.isa.bitset import members

if TYPE_CHECKING:
    from collections.abc import Callable

    from hotloop.emulate.arrays import Array, World
    from hotloop.emulate.instruction import Decoded
    from hotloop.isa.amdgcn.counters import Stream

    Deliver = Callable[["Cohort", "Pending"], None]
    Fetch = Callable[["Cohort", Array, Array], list[Array]]


@dataclass(frozen=True, slots=True, eq=False)
class Effect:
    """What an operation's results are worth, for those who watch."""

    lanes: Array | None = None
    """Lanes that are written [waves, lanes]; None: all."""
    missing: Array | None = None
    """Lanes that read what nobody has written, or words of them [waves, lanes, words], of scalars with one lane; None: none."""
    bits: int = 0xFFFFFFFF
    """Bits of each register that are written."""
    places: tuple[Array, ...] = ()
    """Addresses in local memory that are read."""
    size: int = 0
    """Bytes at each place."""
    unset: Array | None = None
    """Bits of the result that nobody has defined [waves, lanes]; None: none."""

    def word(self, place: int) -> Effect:
        """Return what one of the registers is worth."""
        if self.missing is None or self.missing.ndim < 3:
            return self
        return replace(self, missing=self.missing[..., place])

    def select(self, waves: Array) -> Effect:
        """Return it for some of the waves."""
        if self is PLAIN:
            return self
        lanes, missing, unset = (None if a is None else a[waves] for a in (self.lanes, self.missing, self.unset))
        return replace(self, lanes=lanes, missing=missing, unset=unset, places=tuple(p[waves] for p in self.places))


PLAIN = Effect()


@dataclass(frozen=True, slots=True)
class Late:
    """A load that reads memory only when a wait covers it."""

    local: bool
    """Local memory, not device memory."""
    fetch: Fetch
    """Returns the words at offsets, in lanes."""
    size: int
    """Bytes of a lane."""


@dataclass(slots=True)
class Pending:
    """A memory operation that no wait has covered yet."""

    instruction: Decoded
    needs: tuple[tuple[Stream, int], ...]
    """The operation is done when each of these streams has finished this many operations."""
    mask: int
    """Bits of the registers that it will write."""
    deliver: Deliver | None
    """Writes what it brings; None: nothing."""
    arrays: tuple[Array, ...] = ()
    """What `deliver` uses; the first axis is waves."""
    effect: Effect = field(default_factory=lambda: PLAIN)
    late: Late | None = None
    """How it reads memory, which it has not done yet; None: `arrays` hold the values."""

    def reaches(self, low: int, high: int) -> bool:
        """Tell whether it may read memory between two offsets, and has not yet."""
        if self.late is None:
            return False
        offsets, lanes = self.arrays
        chosen = offsets[lanes]
        return bool(len(chosen)) and int(chosen.min()) < high and low < int(chosen.max()) + self.late.size

    def freeze(self, c: Cohort) -> None:
        """Read memory now: its own wave is going to overwrite it."""
        assert self.late is not None
        offsets, lanes = self.arrays
        self.arrays = (*self.late.fetch(c, offsets, lanes), lanes)
        self.late = None

    def select(self, waves: Array) -> Pending:
        """Return it for some of the waves."""
        return replace(self, arrays=tuple(a[waves] for a in self.arrays), effect=self.effect.select(waves))


@dataclass(slots=True)
class Streams:
    """How many operations of each kind were issued and are known to be done."""

    issued: dict[Stream, int] = field(default_factory=dict)
    done: dict[Stream, int] = field(default_factory=dict)

    def issue(self, stream: Stream) -> int:
        """Count one more and return its number, from 1."""
        number = self.issued.get(stream, 0) + 1
        self.issued[stream] = number
        return number

    def drained(self) -> bool:
        """Tell whether nothing is outstanding."""
        return all(self.done.get(stream, 0) >= number for stream, number in self.issued.items())

    def copy(self) -> Streams:
        """Return a copy."""
        return Streams(dict(self.issued), dict(self.done))


_CLEAN = np.zeros(1, np.uint32)
SCALAR_BASE = 1536
"""Registers from here on are scalar."""


class Cohort(Registers):
    """Waves in lockstep at one place of the program."""

    __slots__ = (
        "batch",
        "blocked",
        "groups",
        "instruction",
        "passed",
        "pc",
        "pending",
        "poison",
        "signal",
        "streams",
        "tired",
        "turns",
        "watch",
        "waves_at",
    )

    def __init__(
        self, batch: World, registers: Registers, waves: Array, pc: int, streams: Streams | None = None
    ) -> None:
        """Take some waves of a batch."""
        super().__init__(registers.layout, registers.v, registers.s, registers.scc)
        self.batch = batch
        self.waves_at = waves
        """Numbers of its waves in the batch."""
        self.groups: Array = batch.group_of[waves]
        """Numbers of their work-groups in the batch."""
        self.pc = pc
        self.pending: list[Pending] = []
        self.streams = streams or Streams()
        self.poison: dict[int, Array | None] = {}
        """Bits that hold nothing defined, by register; [waves, lanes] or [waves]; None: all bits of all."""
        self.watch = 0
        """Bits of the registers that are pending or hold poison."""
        self.blocked = False
        self.signal = False
        self.tired = False
        """It had its turn since the others had theirs."""
        self.turns = 0
        """Turns since then."""
        self.passed = 0
        """Instructions executed in this turn, which may be interrupted where others stand."""
        self.instruction: Decoded | None = None

    def rest(self) -> None:
        """Stop behind this instruction until the other waves have had a turn: they may have waited for what it wrote."""
        if not self.signal:
            self.tired = self.signal = True
            self.batch.cohorts.append(self)

    def part(self, chosen: Array) -> Cohort:
        """Return a copy of some of its waves, given by their places in it."""
        made = Cohort(self.batch, self.select(chosen), self.waves_at[chosen], self.pc, self.streams.copy())
        made.pending = [operation.select(chosen) for operation in self.pending]
        made.poison = {r: None if bits is None else bits[chosen] for r, bits in self.poison.items()}
        made.watch, made.blocked, made.signal = self.watch, self.blocked, self.signal
        return made

    def arrived(self, operation: Pending) -> None:
        """Take note that an operation has written its registers: they hold no poison in its lanes any more."""
        effect = operation.effect
        undefined = effect.missing is not None or effect.unset is not None
        if not self.poison and not undefined:
            return
        for place, register in enumerate(members(operation.mask)):
            if register in self.poison or undefined:
                self._arrived(register, effect.word(place))

    def _arrived(self, register: int, effect: Effect) -> None:
        if register >= SCALAR_BASE and effect.missing is not None:
            self.define(register, np.where(effect.missing[:, 0], np.uint32(0xFFFFFFFF), np.uint32(0)))
            return
        if register >= SCALAR_BASE or (effect.lanes is None and effect.missing is None and effect.unset is None):
            self.poison.pop(register, None)
            return
        written = np.uint32(effect.bits)
        new = np.uint32(0) if effect.missing is None else np.where(effect.missing, written, np.uint32(0))
        if effect.unset is not None:
            new = effect.unset
        old = self.undefined(register)
        lanes = np.True_ if effect.lanes is None else effect.lanes
        self.define(register, np.where(lanes, old & ~written | new, old))

    def undefined(self, register: int) -> Array:
        """Return the bits of a register that hold nothing defined."""
        bits = self.poison.get(register, _CLEAN)
        shape = (self.waves, self.layout.lanes) if register < SCALAR_BASE else (self.waves,)
        return np.broadcast_to(np.uint32(0xFFFFFFFF), shape) if bits is None else np.broadcast_to(bits, shape)

    def define(self, register: int, bits: Array) -> None:
        """Set the bits of a register that hold nothing defined."""
        if bits.any():
            self.poison[register] = bits
            self.watch |= 1 << register
        else:
            self.poison.pop(register, None)

    def meets(self, other: Cohort) -> bool:
        """Tell whether two cohorts may become one: nothing of either is outstanding."""
        return not self.pending and not other.pending and self.streams.drained() and other.streams.drained()

    def united(self, other: Cohort) -> Cohort:
        """Return one cohort of both."""
        streams = self.streams.copy()
        for stream, number in other.streams.issued.items():
            most = max(number, streams.issued.get(stream, 0))
            streams.issued[stream] = streams.done[stream] = most
        made = Cohort(self.batch, self.join(other), np.concatenate((self.waves_at, other.waves_at)), self.pc, streams)
        for register in self.poison.keys() | other.poison.keys():
            both = self.poison.get(register, _CLEAN) is None and other.poison.get(register, _CLEAN) is None
            made.poison[register] = (
                None if both else np.concatenate((self.undefined(register), other.undefined(register)))
            )
            made.watch |= 1 << register
        return made


def watched(cohort: Cohort) -> int:
    """Return the bits of registers that are pending or hold poison."""
    mask = 0
    for operation in cohort.pending:
        mask |= operation.mask
    for register in cohort.poison:
        mask |= 1 << register
    return mask


def rewatched(cohort: Cohort, arrived: int) -> int:
    """Return the same where only some registers, given as bits, may have changed since."""
    mask = cohort.watch & ~arrived
    for operation in cohort.pending:
        mask |= operation.mask
    for register in members(arrived):
        if register in cohort.poison:
            mask |= 1 << register
    return mask


__all__ = ["Cohort", "Layout", "Pending", "Streams", "rewatched", "watched"]
