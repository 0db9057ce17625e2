"""Software pipelining of a loop: how far each memory operation is issued before the wait that needs it.

The wait analysis says which wait completes which issue of an operation, also an earlier iteration's. A timeline of the loop
then adds costs (`costs`) and stalls until it repeats: at a wait time jumps to the moment when the data are there. It knows
one wave, no bank conflicts and no shared bandwidth: its figures place an operation, they do not predict run time.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from statistics import fmean, median_low

from hotloop.isa.amdgcn.costs import cost, latency_cycles
from hotloop.isa.amdgcn.findings import Blocked, Wait, WaitReport
from hotloop.isa.amdgcn.registers import access, lds_copy
from hotloop.isa.amdgcn.waits import analyse
from hotloop.isa.blocks import blocks
from hotloop.isa.hot import hot_loop
from hotloop.isa.instruction import Function, Instruction, InstructionKind, MemorySpace
from hotloop.isa.loops import loops
from hotloop.targets.target import Target

HIDDEN_SHARE = 0.5
"""From this share of the latency covered by the wave's own instructions on, an operation counts as hidden: a second wave on
the SIMD does as much again meanwhile, and kernels with room for one wave only are rare."""
EXPOSED_SHARE = 0.2
"""Below this share it counts as exposed: even four more waves in step, which wait at the same place, do not fill the rest."""
_ROUNDS = 6
"""Iterations of the timeline; the last one is read. Loads waited for three iterations later (three stages) have settled."""


class Verdict(StrEnum):
    """How well the latency of operations is covered."""

    EXPOSED = "exposed"
    PARTLY = "partly hidden"
    HIDDEN = "hidden"


class Group(StrEnum):
    """Operations that are looked at together."""

    GLOBAL = "global loads"
    COPY = "copies to LDS"
    LDS = "LDS reads"
    SCALAR = "scalar loads"
    SCRATCH = "scratch loads"
    ATOMIC = "atomics with result"


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
    """From the issue to reaching the wait, on the timeline, stalls for other groups included."""
    covered: float
    """Share of the operation's latency that passes before its wait is reached, 0 to 1."""

    @property
    def verdict(self) -> Verdict:
        """How well it is hidden."""
        return _verdict(self.covered)


@dataclass(frozen=True, slots=True)
class Stage:
    """All operations of one group in a loop that a wait of the loop completes."""

    group: Group
    distances: tuple[Distance, ...]
    stall_cycles: int
    """Estimated cycles per iteration that the wave stands still at waits for this group."""
    matrix_word: str = "MFMA"
    """What the processor calls its matrix instructions."""

    @property
    def covered(self) -> float:
        """Mean share of the latency that passes before the waits are reached."""
        return fmean(d.covered for d in self.distances)

    @property
    def verdict(self) -> Verdict:
        """How well the group is hidden."""
        return _verdict(self.covered)

    def __str__(self) -> str:
        """Say it in one sentence; distances are the median operation's."""
        count, instructions = len(self.distances), median_low(d.instructions for d in self.distances)
        matrices, cycles = (median_low(getattr(d, f) for d in self.distances) for f in ("matrices", "cycles"))
        what = f"{count} {self.group.value}" if count > 1 else f"1 {_singular(self.group)}"
        number, word = (matrices, self.matrix_word) if matrices else (instructions, "instruction")
        far = f"{number} {word}{'s' if number != 1 else ''}"
        carried = ", across the back edge," if median_low(d.iterations for d in self.distances) else ""
        verb, pronoun = ("are", "they are") if count > 1 else ("is", "it is")
        stall = f" ({self.stall_cycles} cycles of stall per iteration)" if self.stall_cycles else ""
        return f"{what} {verb} issued {far} (≈ {cycles} cycles){carried} before {pronoun} needed: {self.verdict.value}{stall}"


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

    def stage(self, group: Group) -> Stage | None:
        """Return one group; None when the loop has none of it."""
        return next((stage for stage in self.stages if stage.group is group), None)

    def __str__(self) -> str:
        """Say it in words."""
        return "; ".join(map(str, self.stages)) or "no memory operation of the loop is waited for in the loop"


def pipelines(function: Function, *, every: bool = False) -> tuple[LoopPipeline, ...]:
    """Return the pipelining of the hot loop, or of `every` loop; empty without a loop.

    Raises:
        UsageError: the processor is missing or not modelled.
    """
    graph = blocks(function)
    chosen: list[tuple[int, tuple[Instruction, ...]]]
    if every:
        chosen = [(lp.depth, tuple(i for b in sorted(lp.own) for i in graph[b].instructions)) for lp in loops(graph)]
    else:
        hot = hot_loop(function)
        chosen = [(hot.depth, hot.instructions)] if hot.depth else []
    report = analyse(function, graph) if chosen else None
    return tuple(_pipeline(function, depth, code, report) for depth, code in chosen) if report else ()


def group_of(instruction: Instruction) -> Group | None:
    """Return the group of an instruction whose data somebody waits for; None for all others."""
    if lds_copy(instruction.mnemonic, instruction.operands) and "store" not in instruction.mnemonic:
        return Group.COPY
    space = instruction.traits.space
    if space is None and not instruction.mnemonic.startswith("ds_"):
        return None
    if not access(instruction.mnemonic, instruction.operands).writes:
        return None
    if instruction.kind is InstructionKind.ATOMIC:
        return Group.ATOMIC
    spaces = {MemorySpace.LOCAL: Group.LDS, MemorySpace.CONSTANT: Group.SCALAR, MemorySpace.SCRATCH: Group.SCRATCH}
    return Group.LDS if space is None else spaces.get(space, Group.GLOBAL)


def _verdict(covered: float) -> Verdict:
    return Verdict.HIDDEN if covered >= HIDDEN_SHARE else Verdict.EXPOSED if covered < EXPOSED_SHARE else Verdict.PARTLY


def _singular(group: Group) -> str:
    return {Group.COPY: "copy to LDS", Group.ATOMIC: "atomic with result"}.get(group, group.value[:-1])


def _pipeline(function: Function, depth: int, code: Sequence[Instruction], report: WaitReport) -> LoopPipeline:
    own = {instruction.address for instruction in code}
    waits: dict[int, list[Blocked]] = defaultdict(list)
    for wait in report.waits:
        if wait.instruction.address in own:
            waits[wait.instruction.address].extend(_of_loop(wait, own))
    timeline = _Timeline(code, waits, function.target)
    timeline.run()
    nearest = _nearest(report, own)
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
        members[group].append(_distance(instruction, group, wait, blocked, timeline))
    word = Target.of(function.target).words.matrix
    stages = tuple(Stage(g, tuple(members[g]), timeline.stalls.get(g, 0), word) for g in Group if g in members)
    place = f"loop of depth {depth}, lines {code[0].line}..{code[-1].line}"
    matrices = sum(i.kind is InstructionKind.MATRIX for i in code)
    return LoopPipeline(function.name, place, depth, timeline.iteration_cycles, matrices, stages, tuple(unwaited))


def _of_loop(wait: Wait, own: set[int]) -> list[Blocked]:
    return [b for b in wait.blocks_on if b.operation is not None and b.operation.address in own]


def _nearest(report: WaitReport, own: set[int]) -> dict[int, tuple[Wait, Blocked]]:
    """Return the wait of the loop that first completes each operation of the loop."""
    found: dict[int, tuple[Wait, Blocked]] = {}
    for wait in report.waits:
        if wait.instruction.address not in own:
            continue
        for blocked in _of_loop(wait, own):
            assert blocked.operation is not None
            old = found.get(blocked.operation.address)
            if old is None or blocked.instructions < old[1].instructions:
                found[blocked.operation.address] = (wait, blocked)
    return found


def _distance(operation: Instruction, group: Group, wait: Wait, blocked: Blocked, timeline: _Timeline) -> Distance:
    latency = latency_cycles(operation.traits.space if group is not Group.COPY else MemorySpace.GLOBAL)
    cycles = timeline.reached.get((operation.address, wait.instruction.address), blocked.cycles)
    carried = blocked.instance + (operation.address > wait.instruction.address)
    return Distance(operation, group, wait.instruction, carried, blocked.instructions, blocked.matrices, cycles,
                    min(1.0, cycles / latency))  # fmt: skip


class _Timeline:
    """A loop executed by one wave, its blocks in address order, iteration after iteration."""

    def __init__(self, code: Sequence[Instruction], waits: dict[int, list[Blocked]], target: str) -> None:
        self.code, self.waits = code, waits
        self.costs = [cost(i, target) for i in code]
        self.groups = [group_of(i) for i in code]
        self.by_address = {i.address: g for i, g in zip(code, self.groups, strict=True)}
        self.issued: dict[int, list[tuple[int, int]]] = defaultdict(list)
        """Operation -> times of its issues, each with the stall that its group had had by then."""
        self.now = self.matrix_free = 0
        self.iteration_cycles = 0
        self.stalls: dict[Group, int] = {}
        self.stalled: dict[Group, int] = {}
        """Stall of each group since the start."""
        self.reached: dict[tuple[int, int], int] = {}
        """(operation, wait) -> cycles from the issue until the wait was reached. Stalls for the operation's own group are left
        out: the second of two exposed loads is not hidden by the wait for the first."""

    def run(self) -> None:
        """Go round until it has settled; the figures are the last round's."""
        for _ in range(_ROUNDS):
            begin, self.stalls = self.now, {}
            for at, instruction in enumerate(self.code):
                self._step(at, instruction)
            self.iteration_cycles = self.now - begin

    def _step(self, at: int, instruction: Instruction) -> None:
        if instruction.address in self.waits:
            self._wait(instruction)
        group = self.groups[at]
        if group is not None:
            self.issued[instruction.address].append((self.now, self.stalled.get(group, 0)))
        spent = self.costs[at]
        if spent.matrix_cycles:
            self.now = max(self.now, self.matrix_free)
            self.matrix_free = self.now + spent.matrix_cycles
        self.now += spent.issue_cycles

    def _wait(self, instruction: Instruction) -> None:
        ready, slowest = self.now, None
        for blocked in self.waits[instruction.address]:
            assert blocked.operation is not None
            address = blocked.operation.address
            group, times = self.by_address[address], self.issued[address]
            if group is None or len(times) <= blocked.instance:
                continue
            issued, before = times[-1 - blocked.instance]
            own_stall = self.stalled.get(group, 0) - before
            self.reached[address, instruction.address] = self.now - issued - own_stall
            space = MemorySpace.GLOBAL if group is Group.COPY else blocked.operation.traits.space
            if issued + latency_cycles(space) > ready:
                ready, slowest = issued + latency_cycles(space), group
        if slowest is not None:
            for table in (self.stalls, self.stalled):
                table[slowest] = table.get(slowest, 0) + ready - self.now
            self.now = ready
