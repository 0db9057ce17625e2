"""Choosing the loop where a kernel spends its time, from the code alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import NamedTuple

from hotloop.isa.blocks import Block, blocks
from hotloop.isa.instruction import FLOATING, Function, Instruction, InstructionKind, MemorySpace, Traits
from hotloop.isa.loops import loops
from hotloop.isa.tally import Tallied, tally
from hotloop.isa.trips import lanes_trips, most_trips, trip_count
from hotloop.targets.target import Target

TRIPS = 10
"""Assumed iterations per nesting level. Only the order of magnitude matters: inner loops win over their surroundings
unless these do far more work per iteration."""
OVER_MEMORY = 64
"""Assumed iterations of a GPU's loop that reads or writes memory and ends by a value that only the launch brings."""
_LANES = 32
"""Least number of lanes that write beside each other."""
_FUSED = frozenset({InstructionKind.FMA, InstructionKind.MATRIX})
_MATRIX_BITS = 64
"""Work of one multiply-add of a matrix instruction, that of a single-precision fused one."""
_MATRIX_LANES = 64


@dataclass(frozen=True, slots=True)
class HotLoop:
    """Instructions of the hot loop that belong to no inner loop, without padding."""

    instructions: tuple[Instruction, ...]
    depth: int
    """Nesting depth, 1 for an outermost loop; 0 when straight-line code does more work than any loop."""
    whole: bool = True
    """False when other code, in loops or outside, was left out."""
    addressed: bool = True
    """False when the addresses only count instructions, so that lines say better where it is."""
    counted: Tallied | None = field(default=None, compare=False, repr=False)
    """The instructions by what they do, where they were counted for the choice."""

    def tally(self) -> Tallied:
        """Return each kind of traits with the number of instructions that have it."""
        return tally(self.instructions) if self.counted is None else self.counted

    @property
    def place(self) -> str:
        """Where it is, for people."""
        if not self.instructions:
            return "no code"
        first, last = self.instructions[0], self.instructions[-1]
        straight = "no loop, whole function" if self.whole else "code outside the loops"
        name = f"loop of depth {self.depth}" if self.depth else straight
        if self.addressed or first.line is None:
            return f"{name} at {first.address:#x}..{last.address:#x}"
        return f"{name} at lines {first.line}..{last.line}"


def hot_loop(function: Function) -> HotLoop:
    """Return the loop with the most floating-point work, weighted by nesting; then most vector-memory traffic, then size.

    Work is counted in bits of operands per iteration, a fused operation double and a matrix instruction by its
    multiply-adds, so that the vector body wins over its scalar remainder wherever the compiler put them. Straight-line
    code wins where it does more work than any loop in its likely iterations, as when a loop was unrolled away.
    """
    graph = blocks(function) if _goes_back(function) else ()
    regions = loops(graph, retries=False)
    room = _local_bytes(function)
    outside = set(range(len(graph))).difference(*(loop.blocks for loop in regions)) if regions else ()
    straight = _region(_code(graph, outside) if regions else function.instructions, 0)
    bodies = [_region(_code(graph, loop.own), loop.depth, room) for loop in regions]
    often = {id(body): _likely(function, body) / body.most for body in bodies}
    best = max(bodies, key=lambda body: _rank(body, often[id(body)]), default=straight)
    inside = max(best.work, best.moved) * often.get(id(best), 1)
    unrolled = not (straight.work or best.work) and straight.size > best.size * _likely(function, best)
    chosen = straight if straight.work > inside or unrolled else best
    counted = tuple((traits, n) for traits, n in chosen.counts if traits.kind is not InstructionKind.NOP)
    return HotLoop(_unpadded(chosen), chosen.depth, not regions, function.addressed, counted)


def _goes_back(function: Function) -> bool:
    """Tell whether a branch leads back, without which there is no loop: most functions of a library have none."""
    return any(target is not None and target <= address for address, _, _, _, target, _ in function.instructions)


def _likely(function: Function, region: _Region) -> float:
    """Return the iterations that a loop is taken for: a constant of the code, else many where a GPU's loop goes over memory.

    Without it a reduction of one addition for each element loses to the lane exchanges that follow the loop, or to the tree of sums in
    local memory.
    """
    if not region.depth or not function.target:
        return TRIPS
    code = _unpadded(region)
    amd = Target.of(function.target).amd
    trips = trip_count(function, code) or lanes_trips(function, code) if amd else most_trips(code)
    return trips or (OVER_MEMORY if region.far and region.most >= TRIPS else min(TRIPS, region.most))


def _local_bytes(function: Function) -> int:
    """Return the local memory of a kernel, 0 where the code does not state all of it."""
    sizes = function.resources
    return 0 if sizes is None or sizes.dynamic_lds else sizes.lds_bytes or 0


def _passes(counts: Sequence[tuple[Traits, int]], room: int) -> int:
    """Return how often a loop can go over all of local memory: reads of one lane go on from iteration to iteration.

    A loop that adds up one value a wave reads all of a tile of 32 B in one iteration: it is no hot loop however much it adds. What
    lanes only write, they share: a group that clears a table is through it sooner still.
    """
    memory = [(traits, count) for traits, count in counts if traits.reads_memory or traits.writes_memory]
    local = sum(traits.memory_bits * count for traits, count in memory if traits.space is MemorySpace.LOCAL) // 8
    alone = all(traits.space is MemorySpace.LOCAL for traits, _ in memory)
    if not any(traits.reads_memory for traits, _ in memory):
        local *= _LANES
    return max(1, room // local) if room and local and alone else TRIPS


class _Region(NamedTuple):
    """Code that may be the hot loop, with what it does weighted by the assumed iterations; a tuple, as there is one for each loop."""

    code: tuple[Instruction, ...]
    counts: Tallied
    depth: int
    work: int
    """Bits of operands."""
    moved: int
    """Bits of vector memory traffic."""
    far: int
    """Number of them that go beyond local memory."""
    size: int
    """Instructions without padding, not weighted."""
    most: int = TRIPS
    """Iterations that the innermost level can have, where less than `TRIPS`."""


def _code(graph: Sequence[Block], members: Iterable[int]) -> tuple[Instruction, ...]:
    return tuple(chain.from_iterable(graph[index][0] for index in sorted(members)))


def _region(code: tuple[Instruction, ...], depth: int, room: int = 0) -> _Region:
    counts = tally(code)
    most = min(TRIPS, _passes(counts, room)) if depth else TRIPS
    weight = TRIPS ** max(depth - 1, 0) * most if depth else 1
    work = moved = far = padding = 0
    for traits, count in counts:  # one pass, as this is asked of every loop of long listings
        if traits.kind in FLOATING:
            work += work_bits(traits) * count
        elif traits.kind is InstructionKind.NOP:
            padding += count
        if traits.reads_memory or traits.writes_memory:
            moved += traits.bits * count
            far += traits.bits * count if traits.space is not MemorySpace.LOCAL else 0
    size = len(code) - padding
    return _Region(code, counts, depth, weight * work, weight * moved, far, size, most)


def _rank(region: _Region, often: float) -> tuple[float, float, float]:
    """Return what the loop with most work has most of; `often` is how much more often than assumed it is passed.

    Of loops that move as much in an iteration the first is taken: the second is what is left over by the first, for which compilers
    unroll it as far and need an instruction more. Where nothing is moved, only the size tells loops apart.
    """
    size = 1 if region.moved else region.size
    return region.work * often, region.moved * often, TRIPS**region.depth * size * often


def _unpadded(region: _Region) -> tuple[Instruction, ...]:
    if region.size == len(region.code):
        return region.code
    return tuple(i for i in region.code if i.traits.kind is not InstructionKind.NOP)


def work_bits(traits: Traits) -> int:
    """Return the operand bits of one lane that an instruction works on, weighted."""
    if traits.kind not in FLOATING:
        return 0
    if traits.macs:
        return traits.macs * _MATRIX_BITS // _MATRIX_LANES
    return traits.bits * (2 if traits.kind in _FUSED else 1)
