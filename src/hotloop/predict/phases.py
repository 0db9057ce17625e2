"""A wave's way from barrier to barrier: what it needs alone, and of each unit, in each part.

Waves of a group begin together and meet at barriers, so that all of them load and then all of them compute: within a group one part's units
stand idle in the other, and only other groups of the same compute unit can fill them. With few groups there the parts' times add up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, sqrt
from typing import TYPE_CHECKING

from hotloop.isa.amdgcn.costs import price
from hotloop.isa.amdgcn.pipeline import timeline_of
from hotloop.isa.amdgcn.slots import Group
from hotloop.isa.amdgcn.waits import analyse
from hotloop.isa.blocks import blocks
from hotloop.isa.instruction import Function, Instruction, InstructionKind, MemorySpace
from hotloop.isa.loops import loops
from hotloop.isa.timing.order import iteration, straight
from hotloop.isa.timing.price import Unit
from hotloop.isa.timing.timeline import ROUNDS
from hotloop.targets.span import Span

if TYPE_CHECKING:
    from hotloop.isa.amdgcn.findings import WaitReport
    from hotloop.predict.card import Card
    from hotloop.predict.sample import Sample

_SHARED = frozenset({Unit.LOCAL, Unit.MEMORY, Unit.SCALAR, Unit.CONSTANT, Unit.BRANCH})
"""Units that the SIMDs of a compute unit share: an uneven number of waves per SIMD does not matter to them."""


@dataclass(frozen=True, slots=True)
class Levels:
    """Latencies of loads by what the caches hold, in cycles."""

    global_cycles: float
    private_cycles: float
    scalar_cycles: float
    local_cycles: float
    store_cycles: float
    """Cycles until a store is acknowledged; the first-level caches write through."""

    def by_group(self) -> Mapping[Group, float]:
        """Return them by what a wave waits for."""
        return {
            Group.GLOBAL: self.global_cycles, Group.COPY: self.global_cycles, Group.ATOMIC: self.global_cycles,
            Group.SCRATCH: self.private_cycles, Group.SCALAR: self.scalar_cycles, Group.LDS: self.local_cycles,
            Group.STORE: self.store_cycles,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Phase:
    """What one wave does in a stretch of code between two barriers, over the whole launch."""

    alone: Span
    """Cycles that it takes alone, with the best and the worst latencies."""
    units: Mapping[Unit, float]
    """Cycles for which it takes each unit; what SIMDs share counted with their number."""
    meetings: float = 0.0
    """Barriers that end it, as often as it is passed; 0: it ends otherwise."""
    halts: float = 1.0
    """How often a wave stands still in it, over the whole launch: as many equally long halts as have the same sum and sum of squares."""


def phases(function: Function, sample: Sample, card: Card, best: Levels, worst: Levels) -> tuple[Phase, ...]:
    """Return the parts of a wave's way, in the order of the code; one where there is no barrier."""
    counts = sample.counts
    graph = blocks(function)
    report = analyse(function, graph)
    cycles = loops(graph)
    inside = frozenset[int]().union(*(loop.blocks for loop in cycles))
    regions = [(straight(graph, inside), 1), *((iteration(graph, loop), ROUNDS) for loop in cycles)]
    wave = function.resources.wave_size if function.resources else None
    made: list[Phase] = []
    for code, rounds in regions:
        if any(counts.get(instruction.address) for instruction in code):
            lows, highs = (_spent(function, code, report, rounds, counts, levels) for levels in (best, worst))
            taken = [_busy(i, counts.get(i.address, 0.0), sample, card, wave) for i in code]
            made += _cut(code, lows, highs, taken, [counts.get(i.address, 0.0) for i in code])
    return tuple(made)


def alone(parts: Sequence[Phase]) -> Span:
    """Return what one wave takes alone for all parts."""
    return Span(sum(part.alone.low for part in parts), sum(part.alone.high for part in parts))


def serial(parts: Sequence[Phase], group_waves: int, simds: int) -> Span:
    """Return the cycles of a group that has its compute unit for itself: its parts one after the other.

    In each part the waves' units work beside one another and beside the latencies of one wave, as far as in the whole launch: the
    root of the sum of squares.

    Args:
        parts: of one wave.
        group_waves: waves of the group.
        simds: that they are dealt to.
    """
    even, most = group_waves / simds, ceil(group_waves / simds)
    ends = []
    for end in ("low", "high"):
        total = 0.0
        for part in parts:
            busy = [cycles * (max(even, 1.0) if unit in _SHARED else most) for unit, cycles in part.units.items()]
            total += sqrt(getattr(part.alone, end) ** 2 + sum(cycles**2 for cycles in busy))
        ends.append(total)
    return Span(*ends)


def _spent(
    function: Function,
    code: Sequence[Instruction],
    report: WaitReport,
    rounds: int,
    counts: Mapping[int, float],
    levels: Levels,
) -> list[tuple[float, float]]:
    """Return by instruction the cycles of a wave alone, issue and stalls where the timeline has them, and those of one stall."""
    timeline = timeline_of(function, code, report, rounds=rounds, latencies=levels.by_group())
    ending = levels.store_cycles if _lingers(function, counts) else 0.0
    return [
        (
            counts.get(line.slot.instruction.address, 0.0)
            * (
                line.stall_cycles
                + line.slot.price.issue_cycles
                + ending * (line.slot.instruction.mnemonic == "s_endpgm")
            ),
            float(line.stall_cycles),
        )
        for line in timeline.lines
    ]


def _lingers(function: Function, counts: Mapping[int, float]) -> bool:
    """Tell whether waves keep their place until their last stores are acknowledged.

    A wave's end waits for all that it has in flight (AMD ISA references, S_ENDPGM: the hardware executes S_WAITCNT 0 first), unless it gives
    its registers back before.
    """
    executed = [instruction for instruction in function.instructions if counts.get(instruction.address)]
    return any(i.kind is InstructionKind.STORE and i.traits.space is MemorySpace.GLOBAL for i in executed) and not any(
        i.mnemonic == "s_sendmsg" and "DEALLOC_VGPRS" in i.operands for i in executed
    )


def _cut(
    code: Sequence[Instruction],
    lows: Sequence[tuple[float, float]],
    highs: Sequence[tuple[float, float]],
    busy: Sequence[tuple[Unit, float] | None],
    counts: Sequence[float],
) -> list[Phase]:
    made, begin = list[Phase](), 0
    for end, (instruction, count) in enumerate(zip(code, counts, strict=True), 1):
        barrier = instruction.kind is InstructionKind.BARRIER
        if barrier or end == len(code):
            part = slice(begin, end)
            made.append(_phase(lows[part], highs[part], busy[part], counts[part], count * barrier))
            begin = end
    return made


def _phase(
    lows: Sequence[tuple[float, float]],
    highs: Sequence[tuple[float, float]],
    busy: Sequence[tuple[Unit, float] | None],
    counts: Sequence[float],
    meetings: float,
) -> Phase:
    units: dict[Unit, float] = {}
    for taken in busy:
        if taken is not None:
            units[taken[0]] = units.get(taken[0], 0.0) + taken[1]
    halts = [(low + high) / 2 for (_, low), (_, high) in zip(lows, highs, strict=True)]
    total, squares = (sum(c * cycles**power for c, cycles in zip(counts, halts, strict=True)) for power in (1, 2))
    span = Span(sum(low for low, _ in lows), sum(high for high, _ in highs))
    return Phase(span, units, meetings, total**2 / squares if squares else 1.0)


def _busy(
    instruction: Instruction, count: float, sample: Sample, card: Card, wave: int | None
) -> tuple[Unit, float] | None:
    """Return the unit that an instruction takes and for how long: local memory with its conflicts."""
    cost = price(instruction, card.target.name, wave)
    if not count or cost.unit is None:
        return None
    if cost.unit is Unit.LOCAL and instruction.address in sample.conflict_cycles:
        return cost.unit, max(count, sample.conflict_cycles[instruction.address]) * card.simds
    return cost.unit, count * cost.busy_cycles
