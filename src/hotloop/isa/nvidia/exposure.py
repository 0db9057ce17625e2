"""How much of an operation's latency the code of one warp covers before it waits: exposed, partly covered or hidden.

The distance from issue to wait is the shortest path in the loop, over the back edge where the operation was issued in
an earlier iteration, in cycles by the compiler's stall counts. Every instruction takes at least one cycle; waits on the way
take their time too, so the figure is a lower bound. Other warps hide latency as well: exposed here is what a single warp would
wait for. Groups of asynchronous copies and of ``HGMMA`` are left to `groups`. Nominal latencies are facts of
`hotloop.targets`.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from hotloop.isa.blocks import blocks
from hotloop.isa.instruction import Instruction, InstructionKind, MemorySpace
from hotloop.isa.loops import loops
from hotloop.isa.nvidia.prices import nominal
from hotloop.isa.nvidia.scheduled import Scheduled
from hotloop.isa.nvidia.scoreboards import GROUPS, Scoreboards, Wait

GLOBAL_CYCLES, L2_CYCLES, SHARED_CYCLES, L1_CYCLES, OTHER_CYCLES = map(
    nominal, ("memory", "l2", "shared", "l1", "other")
)
_EXPOSED = 0.25
"""Below this covered part the wait is called exposed."""
_SPACES = {
    MemorySpace.GLOBAL: GLOBAL_CYCLES,
    MemorySpace.LOCAL: SHARED_CYCLES,
    MemorySpace.SCRATCH: L1_CYCLES,
    MemorySpace.CONSTANT: L1_CYCLES,
}


class Cover(StrEnum):
    """How well a latency is covered."""

    EXPOSED = "exposed"
    PARTLY = "partly"
    HIDDEN = "hidden"


@dataclass(frozen=True, slots=True)
class Exposure:
    """One operation of a loop and the wait for its result."""

    header: int
    """Address of the loop's first instruction."""
    producer: Instruction
    wait: Instruction
    barrier: int
    iterations: int
    """1 when the path runs over the back edge; 0 in the same iteration."""
    instructions: int
    """Instructions between them."""
    matrix_instructions: int
    covered_cycles: int
    """From issue to wait by stall counts."""
    latency_cycles: int
    """Nominal."""

    @property
    def cover(self) -> Cover:
        """The verdict for one warp."""
        if self.covered_cycles >= self.latency_cycles:
            return Cover.HIDDEN
        return Cover.EXPOSED if self.covered_cycles < _EXPOSED * self.latency_cycles else Cover.PARTLY

    @property
    def exposed_cycles(self) -> int:
        """What a single warp would wait, nominally."""
        return max(0, self.latency_cycles - self.covered_cycles)


def exposures(scheduled: Scheduled) -> tuple[Exposure, ...]:
    """Return the waits for results within loops, by loop header, then by wait and producer.

    A producer and its wait belong to the innermost loop that holds both.
    """
    function = scheduled.function
    graph = blocks(function)
    places = {instruction.address: place for place, instruction in enumerate(function.instructions)}
    waits = Scoreboards(scheduled).waits
    found: list[Exposure] = []
    taken: set[tuple[int, int]] = set()
    for loop in sorted(loops(graph), key=lambda loop: len(loop.blocks)):
        body = {places[i.address] for block in loop.blocks for i in graph[block].instructions}
        header = places[graph[loop.header].instructions[0].address]
        for exposure, pair in _inside(scheduled, waits, body, header):
            if pair not in taken:
                taken.add(pair)
                found.append(exposure)
    return tuple(sorted(found, key=lambda e: (e.header, e.wait.address, e.producer.address)))


def latency_cycles(instruction: Instruction) -> int:
    """Return the nominal latency of an operation of variable latency."""
    traits = instruction.traits
    if traits.kind is InstructionKind.ATOMIC and traits.space is MemorySpace.GLOBAL:
        return L2_CYCLES
    return OTHER_CYCLES if traits.space is None else _SPACES[traits.space]


def _inside(
    scheduled: Scheduled, waits: tuple[Wait, ...], body: set[int], header: int
) -> Iterator[tuple[Exposure, tuple[int, int]]]:
    code = scheduled.function.instructions
    paths: dict[int, dict[int, _Path]] = {}
    for wait in waits:
        for producer in wait.producers if wait.index in body else ():
            if producer not in body or wait.barrier == GROUPS or code[producer].mnemonic == "LDGDEPBAR":
                continue
            if producer not in paths:
                paths[producer] = _paths(scheduled, body, header, producer)
            path = paths[producer].get(wait.index)
            if path is None:
                continue
            exposure = Exposure(
                code[header].address,
                code[producer],
                code[wait.index],
                wait.barrier,
                path.rounds,
                path.instructions,
                path.matrix,
                path.cycles,
                latency_cycles(code[producer]),
            )
            yield exposure, (producer, wait.index)


@dataclass(frozen=True, slots=True, order=True)
class _Path:
    cycles: int
    instructions: int
    matrix: int
    rounds: int


def _paths(scheduled: Scheduled, body: set[int], header: int, start: int) -> dict[int, _Path]:
    """Return the quickest way from an instruction to every other one of the loop, itself included (E. W. Dijkstra, 1959)."""
    code, controls = scheduled.function.instructions, scheduled.controls
    best: dict[int, _Path] = {}
    queue: list[tuple[_Path, int]] = []

    def leave(place: int, path: _Path, matrix: int) -> None:
        for following in scheduled.successors[place]:
            if following not in best:
                cycles = path.cycles + max(1, controls[place].stall_cycles)
                rounds = path.rounds + (following == header)
                step = _Path(cycles, path.instructions + 1, path.matrix + matrix, rounds)
                heapq.heappush(queue, (step, following))

    leave(start, _Path(0, -1, 0, 0), 0)
    while queue:
        path, place = heapq.heappop(queue)
        if place not in best and place in body:
            best[place] = path
            leave(place, path, int(code[place].kind is InstructionKind.MATRIX))
    return best
