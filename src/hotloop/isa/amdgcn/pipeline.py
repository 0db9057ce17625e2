"""Software pipelining of a loop: how far each memory operation is issued before the wait that needs it.

The wait analysis says which wait completes which issue of an operation, also an earlier iteration's. The timeline of one wave
(`hotloop.isa.timing`) then goes through the loop in the order of its control flow, wherever the compiler put the blocks. It
knows no bank conflicts and no shared bandwidth: its figures place an operation, they do not predict run time. Code outside of
loops has a timeline too, passed once.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median_low

from hotloop.isa.amdgcn.costs import latency_cycles
from hotloop.isa.amdgcn.findings import Blocked, Wait, WaitReport
from hotloop.isa.amdgcn.slots import Group, blocked_in, group_of, of_code, slots
from hotloop.isa.amdgcn.waits import analyse
from hotloop.isa.blocks import blocks
from hotloop.isa.hot import hot_loop
from hotloop.isa.instruction import Function, Instruction, InstructionKind, MemorySpace
from hotloop.isa.loops import loops
from hotloop.isa.timing.hiding import Verdict, sentence, verdict
from hotloop.isa.timing.order import iteration, straight
from hotloop.isa.timing.timeline import ROUNDS, Timeline, walk
from hotloop.targets.target import Target
from hotloop.units import counted


@dataclass(frozen=True, slots=True)
class Distance:
    """One memory operation of a loop and the wait of the loop that needs it."""

    operation: Instruction
    group: Group
    wait: Instruction | None
    """None: no wait in the loop completes it."""
    iterations: int
    """Back edges between issue and wait."""
    instructions: int
    """Between issue and wait on the shortest path, as `matrices`."""
    matrices: int
    cycles: int
    """Cycles from the issue until the wait is reached, on the timeline, stalls for other groups included."""
    covered: float
    """Share of the operation's latency that passes before its wait is reached, 0 to 1."""


@dataclass(frozen=True, slots=True)
class Stage:
    """All operations of one group in a loop that a wait of the loop completes."""

    group: Group
    distances: tuple[Distance, ...]
    stall_cycles: int
    """Estimated cycles per iteration that the wave stands still at waits for this group."""
    loop_cycles: int
    """Cycles of an iteration of one wave alone, these stalls included."""
    matrix_word: str = "MFMA"
    """Name that the processor's documents give its matrix instructions."""

    @property
    def covered(self) -> float:
        """Mean share of the latency that passes before the waits are reached."""
        return fmean(d.covered for d in self.distances)

    @property
    def verdict(self) -> Verdict:
        """How well the group is hidden."""
        return verdict(self.covered, self.stall_cycles, self.loop_cycles)

    def __str__(self) -> str:
        """Say it in one sentence; distances are the median operation's."""
        count, instructions = len(self.distances), median_low(d.instructions for d in self.distances)
        matrices, cycles = (median_low(getattr(d, f) for d in self.distances) for f in ("matrices", "cycles"))
        far = counted(matrices, self.matrix_word) if matrices else counted(instructions, "instruction")
        return sentence(
            self.group.value if count > 1 else _singular(self.group),
            count,
            far,
            cycles,
            carried=median_low(d.iterations for d in self.distances) > 0,
            judged=self.verdict,
            stall_cycles=self.stall_cycles,
        )


@dataclass(frozen=True, slots=True)
class LoopPipeline:
    """The pipelining of one loop."""

    function: str
    place: str
    depth: int
    cycles: int
    """Estimated cycles of one iteration of one wave alone, stalls included."""
    matrices: int
    stages: tuple[Stage, ...]
    unwaited: tuple[Instruction, ...]
    """Loads that no wait of the loop completes."""
    timeline: Timeline
    """One wave alone, line by line in the order of control flow."""

    def stage(self, group: Group) -> Stage | None:
        """Return one group; None when the loop has none of it."""
        return next((stage for stage in self.stages if stage.group is group), None)

    def __str__(self) -> str:
        """Say it in words."""
        return "; ".join(map(str, self.stages)) or "no memory operation of the loop is waited for in the loop"


def pipelines(function: Function, *, every: bool = False, report: WaitReport | None = None) -> tuple[LoopPipeline, ...]:
    """Return the pipelining of the hot loop, or of `every` loop in the order of their headers; empty without a loop.

    Args:
        function: as the dialect parsed it.
        every: all loops, not the hot one alone.
        report: its waits, if they are at hand.

    Raises:
        UsageError: the processor is missing or not modelled.
    """
    graph = blocks(function)
    nested = loops(graph, retries=False)
    chosen = [(loop.depth, iteration(graph, loop)) for loop in nested]
    if not every:
        hot = hot_loop(function)
        own = {i.address for i in hot.instructions}
        chosen = [(depth, code) for depth, code in chosen if hot.depth and own <= {i.address for i in code}][:1]
    if not chosen:
        return ()
    report = report or analyse(function, graph)
    return tuple(_pipeline(function, depth, code, report) for depth, code in chosen)


def straight_line(function: Function, report: WaitReport | None = None) -> LoopPipeline | None:
    """Return the same for what control passes once, the code outside of all loops; None where there is none.

    Raises:
        UsageError: the processor is missing or not modelled.
    """
    graph = blocks(function)
    inside = frozenset[int]().union(*(loop.blocks for loop in loops(graph, retries=False)))
    code = straight(graph, inside)
    return _pipeline(function, 0, code, report or analyse(function, graph)) if code else None


def _singular(group: Group) -> str:
    return {Group.COPY: "copy to LDS", Group.ATOMIC: "atomic with result"}.get(group, group.value[:-1])


def _pipeline(function: Function, depth: int, code: Sequence[Instruction], report: WaitReport) -> LoopPipeline:
    own = frozenset(instruction.address for instruction in code)
    timeline = timeline_of(function, code, report, rounds=ROUNDS if depth else 1)
    nearest = _nearest(report, own)
    places = {instruction.address: place for place, instruction in enumerate(code)}
    members: dict[Group, list[Distance]] = defaultdict(list)
    unwaited = []
    for instruction in code:
        group = group_of(instruction)
        if group is None:
            continue
        if instruction.address not in nearest:
            unwaited.append(instruction)
            continue
        wait, blocked = nearest[instruction.address]
        members[group].append(_distance(instruction, group, wait, blocked, timeline, places))
    word = Target.of(function.target).words.matrix
    stages = tuple(
        Stage(g, tuple(members[g]), timeline.stalls.get(g, 0), timeline.cycles, word) for g in Group if g in members
    )
    lines = [i.line for i in code if i.line is not None]
    where = f", lines {min(lines)}..{max(lines)}" if lines else ""
    place = f"{f'loop of depth {depth}' if depth else 'code outside of loops'}{where}"
    matrices = sum(i.kind is InstructionKind.MATRIX for i in code)
    return LoopPipeline(function.name, place, depth, timeline.cycles, matrices, stages, tuple(unwaited), timeline)


def timeline_of(
    function: Function,
    code: Sequence[Instruction],
    report: WaitReport,
    *,
    rounds: int = ROUNDS,
    latencies: Mapping[Group, float] | None = None,
) -> Timeline:
    """Return what one wave alone does with code in the order of control flow; `latencies` in place of the nominal ones."""
    own = frozenset(instruction.address for instruction in code)
    wave = function.resources.wave_size if function.resources else None
    extra = Target.of(function.target).number("latency_matrix_extra") or 0
    made = slots(code, blocked_in(report, own), function.target, wave, latencies)
    return walk(made, rounds=rounds, extra_matrix_cycles=extra)


def _nearest(report: WaitReport, own: frozenset[int]) -> dict[int, tuple[Wait, Blocked]]:
    """Return the wait of the code that first completes each operation of the code."""
    nearest: dict[int, tuple[Wait, Blocked]] = {}
    for wait in report.waits:
        if wait.instruction.address not in own:
            continue
        for blocked in of_code(wait.blocks_on, own):
            assert blocked.operation is not None
            old = nearest.get(blocked.operation.address)
            if old is None or blocked.instructions < old[1].instructions:
                nearest[blocked.operation.address] = (wait, blocked)
    return nearest


def _distance(
    operation: Instruction,
    group: Group,
    wait: Wait,
    blocked: Blocked,
    timeline: Timeline,
    places: Mapping[int, int],
) -> Distance:
    latency = latency_cycles(operation.traits.space if group is not Group.COPY else MemorySpace.GLOBAL)
    at, needed = places[operation.address], places[wait.instruction.address]
    cycles = timeline.reached.get((at, needed), blocked.cycles)
    carried = blocked.instance + (at > needed)
    return Distance(operation, group, wait.instruction, carried, blocked.instructions, blocked.matrices, cycles,
                    min(1.0, cycles / latency))  # fmt: skip
