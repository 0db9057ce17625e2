"""One wave alone on its way through code: when each instruction issues, and what it waits for before.

The order is that of the control flow (`order`). A loop goes round until it has settled, and the last round is read; straight-line
code is passed once. The wave waits at three places: where a wait needs data of an earlier operation, where an operand is not
yet computed, and where the matrix unit is still busy. Other waves, bank conflicts and shared bandwidth are not seen: those
are `clock`'s.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from hotloop.isa.instruction import Instruction, InstructionKind
from hotloop.isa.timing.price import Price, Unit

ROUNDS = 6
"""Iterations of a loop; the last one is read. Loads waited for three iterations later (three stages) have settled."""


Register = int | str
"""A register as its dialect counts or names it."""


@dataclass(frozen=True, slots=True)
class Need:
    """An operation whose data a wait is for."""

    operation: int
    """Position of the operation in the code."""
    back: int
    """0: its latest issue before the wait; 1: the one before, a stage back."""


@dataclass(frozen=True, slots=True)
class Slot:
    """One instruction and what is known of it."""

    instruction: Instruction
    price: Price
    reads: tuple[Register, ...] = ()
    writes: tuple[Register, ...] = ()
    """Registers whose values are there after the price's latency; those of loads are waited for and left out."""
    needs: tuple[Need, ...] = ()
    """Operations that it waits for."""
    group: str = ""
    """Name under which waits for this operation are counted; empty: nothing waits for it."""
    joins: bool = False
    """True for a wait until the matrix unit has ended what runs beside the wave."""


@dataclass(frozen=True, slots=True)
class Line:
    """One instruction of the round that is read."""

    slot: Slot
    at_cycle: int
    """Cycle of its issue, counted from the beginning of the round."""
    stall_cycles: int
    """Cycles that the wave stood still before it."""
    cause: int | None
    """Position of the instruction that it stood still for; None: no stall."""


@dataclass(frozen=True, slots=True)
class Timeline:
    """What one wave alone does."""

    lines: tuple[Line, ...]
    cycles: int
    """Cycles of one iteration, or of the whole straight-line code."""
    stalls: dict[str, int]
    """Cycles of a round that waits for each group take."""
    reached: dict[tuple[int, int], int]
    """(operation, wait) -> cycles from the issue until the wait was reached. Stalls for the operation's own group are left out:
    the second of two exposed loads is not hidden by the wait for the first."""


@dataclass(slots=True)
class _Wave:
    now: int = 0
    matrix_free: int = 0
    matrix_last: int | None = None
    issued: dict[int, list[tuple[int, int]]] = field(default_factory=dict)
    """Position -> times of its issues, each with the stall that its group had had by then."""
    ready: dict[Register, tuple[int, int]] = field(default_factory=dict)
    """Register -> (when its value is there, position of the instruction that computes it)."""
    stalls: dict[str, int] = field(default_factory=dict)
    stalled: dict[str, int] = field(default_factory=dict)
    reached: dict[tuple[int, int], int] = field(default_factory=dict)


def walk(slots: Sequence[Slot], *, rounds: int = ROUNDS, extra_matrix_cycles: int = 0) -> Timeline:
    """Run one wave through code `rounds` times and read the last round.

    Args:
        slots: in the order of control flow.
        rounds: 1 for straight-line code.
        extra_matrix_cycles: that other instructions wait after the matrix unit has ended, until they may read its result.
    """
    wave = _Wave()
    lines: list[Line] = []
    begin = 0
    for _ in range(rounds):
        begin, wave.stalls, lines = wave.now, {}, []
        for at, slot in enumerate(slots):
            lines.append(_step(wave, slots, at, slot, begin, extra_matrix_cycles))
    return Timeline(tuple(lines), wave.now - begin, wave.stalls, wave.reached)


def _step(wave: _Wave, slots: Sequence[Slot], at: int, slot: Slot, begin: int, extra: int) -> Line:
    arrived = wave.now
    cause = _wait(wave, slots, at, slot)
    cause = _operands(wave, slots, slot, cause, extra)
    busy = slot.joins or (slot.price.unit is Unit.MATRIX and not slot.price.beside)
    if busy and wave.matrix_free > wave.now:
        wave.now, cause = wave.matrix_free, wave.matrix_last
    issued = wave.now
    _book(wave, at, slot)
    wave.now += slot.price.issue_cycles
    return Line(slot, issued - begin, issued - arrived, cause if issued > arrived else None)


def _book(wave: _Wave, at: int, slot: Slot) -> None:
    """Note what the instruction starts: an operation in flight, results to come, a busy matrix unit."""
    if slot.group:
        wave.issued.setdefault(at, []).append((wave.now, wave.stalled.get(slot.group, 0)))
    ready = wave.now + slot.price.latency_cycles
    for register in slot.writes:
        wave.ready[register] = ready, at
    if slot.price.unit is Unit.MATRIX:
        wave.matrix_free = max(wave.now, wave.matrix_free) + round(slot.price.busy_cycles)
        wave.matrix_last = at


def _wait(wave: _Wave, slots: Sequence[Slot], at: int, slot: Slot) -> int | None:
    ready, slowest = wave.now, None
    for need in slot.needs:
        times, group = wave.issued.get(need.operation, []), slots[need.operation].group
        if len(times) <= need.back:
            continue
        issued, before = times[-1 - need.back]
        wave.reached[need.operation, at] = wave.now - issued - (wave.stalled.get(group, 0) - before)
        arrives = issued + slots[need.operation].price.latency_cycles
        if arrives > ready:
            ready, slowest = arrives, need.operation
    if slowest is not None:
        for table in (wave.stalls, wave.stalled):
            table[slots[slowest].group] = table.get(slots[slowest].group, 0) + ready - wave.now
        wave.now = ready
    return slowest


def _operands(wave: _Wave, slots: Sequence[Slot], slot: Slot, cause: int | None, extra: int) -> int | None:
    """Wait for operands that are still computed; a matrix instruction passes its sums on to the next one at once."""
    matrix = slot.instruction.kind is InstructionKind.MATRIX
    for register in slot.reads:
        if register not in wave.ready:
            continue
        ready, by = wave.ready[register]
        if not matrix and slots[by].price.unit is Unit.MATRIX:
            ready += extra
        if ready > wave.now:
            wave.now, cause = ready, by
    return cause
