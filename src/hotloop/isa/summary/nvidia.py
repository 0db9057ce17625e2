"""Waits and hidden latencies on NVIDIA GPUs, in the form of the report.

One warp alone goes round the loop: an instruction takes the stall count that the compiler put into it, a wait for a
scoreboard takes until the data are there (nominal latencies of `hotloop.isa.nvidia.prices`). Warp-group matrix
instructions run beside it at the dense peak (H100 whitepaper: 2048 half-precision multiply-adds per cycle and SM) until
``WARPGROUP.DEPBAR``. Copies through the tensor memory accelerator (``UTMALDG``) are waited for through an mbarrier whose
phase is decided at run time: their distance is not known.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from statistics import fmean, median_low

from hotloop.isa.instruction import Instruction, InstructionKind
from hotloop.isa.missing import folded
from hotloop.isa.nvidia.control import BARRIERS
from hotloop.isa.nvidia.groups import GroupWait, group_waits
from hotloop.isa.nvidia.prices import GLOBAL_CYCLES, L1_CYCLES, SHARED_CYCLES, price
from hotloop.isa.nvidia.registers import effects
from hotloop.isa.nvidia.scheduled import Scheduled
from hotloop.isa.nvidia.scoreboards import Scoreboards
from hotloop.isa.summary import live
from hotloop.isa.summary.counting import matrix_word
from hotloop.isa.summary.model import Blocker, Hiding, Pressure, WaitPoint, site
from hotloop.isa.summary.regions import Region
from hotloop.isa.summary.timing import LoopTiming
from hotloop.isa.timing.clock import clock
from hotloop.isa.timing.hiding import sentence, verdict
from hotloop.isa.timing.timeline import ROUNDS, Need, Slot, Timeline, walk
from hotloop.units import counted

K = InstructionKind
GLOBAL, COPY, SHARED, CONSTANT, SCRATCH = (
    "global loads", "copies to shared memory", "shared memory reads", "constant loads", "scratch loads",
)  # fmt: skip
_GROUPS = {"LDG": GLOBAL, "LD": GLOBAL, "LDS": SHARED, "LDSM": SHARED, "LDC": CONSTANT, "ULDC": CONSTANT, "LDCU": CONSTANT,
           "LDL": SCRATCH, "LDGDEPBAR": COPY}  # fmt: skip
_LATENCY_CYCLES = {
    GLOBAL: GLOBAL_CYCLES, COPY: GLOBAL_CYCLES, SHARED: SHARED_CYCLES, CONSTANT: L1_CYCLES, SCRATCH: L1_CYCLES,
}  # fmt: skip
_LINES = 3
_ALONE_WITHIN = 8


@dataclass(slots=True)
class _Need:
    """An operation of the loop and the place in the loop that needs it."""

    operation: int
    """Position of the operation in the loop."""
    wait: int
    iterations: int
    """Iterations between the operation and its wait."""


class NvidiaTiming:
    """The scoreboards of one function."""

    why_not = ""

    def __init__(self, scheduled: Scheduled) -> None:
        self._scheduled = scheduled
        self._boards = Scoreboards(scheduled)
        self._index = {i.address: n for n, i in enumerate(scheduled.function.instructions)}

    @property
    def hazards(self) -> tuple[str, ...]:
        """Registers used before their scoreboard is waited for."""
        rows = [(hazard.producer.address, hazard.consumer.address, str(hazard)) for hazard in self._boards.hazards]
        return folded(rows)

    @cached_property
    def _waits(self) -> dict[int, list[tuple[int, tuple[int, ...]]]]:
        """(scoreboard, producers) by waiting instruction."""
        waits: dict[int, list[tuple[int, tuple[int, ...]]]] = defaultdict(list)
        for wait in self._boards.waits:
            if wait.producers:
                waits[wait.index].append((wait.barrier, wait.producers))
        return waits

    def loop(self, region: Region) -> LoopTiming:
        """Return waits and hidden latencies of a region."""
        indices = [self._index[i.address] for i in region.hot.instructions]
        code = region.hot.instructions
        points = tuple(self._points(indices, code))
        straight = region.rank is None
        needs = [n for n in (*self._needs(indices), *self._copies(code)) if not straight or not n.iterations]
        slots = self._slots(indices, code, needs)
        timeline = walk(slots, rounds=1 if straight else ROUNDS)
        nearest = _nearest(needs, len(code))
        hiding = tuple(_hiding(group, rows, code, timeline) for group, rows in _grouped(nearest, code))
        return LoopTiming(
            points,
            hiding,
            timeline.cycles,
            timeline=timeline,
            clock=clock(timeline, [tuple(effects(i).writes) for i in code], straight=straight),
            serial=_serial(nearest, code),
            cover=_cover(nearest, code),
            notes=tuple(_notes(code)),
        )

    def pressure(self, region: Region | None) -> tuple[Pressure, ...]:
        """Return the peak of vector and uniform registers."""
        within = None if region is None else {self._index[i.address] for i in region.hot.instructions}
        return live.peaks(self._scheduled.function.instructions, self._scheduled.successors, within)

    def _points(self, indices: Sequence[int], code: Sequence[Instruction]) -> Iterable[WaitPoint]:
        place, matrices = {index: position for position, index in enumerate(indices)}, _matrices(code)
        for position, index in enumerate(indices):
            for barrier, producers in self._waits.get(index, ()):
                near = [(p, place[p]) for p in producers if p in place]
                blockers = _blockers([at for _, at in near], position, code, matrices)
                if blockers:
                    yield WaitPoint(site(code[position]), _board(barrier), blockers)

    def _needs(self, indices: Sequence[int]) -> Iterable[_Need]:
        place = {index: position for position, index in enumerate(indices)}
        code = self._scheduled.function.instructions
        for position, index in enumerate(indices):
            for _, producers in self._waits.get(index, ()):
                for producer in producers:
                    if producer in place and _root(code[producer]) in _GROUPS and _root(code[producer]) != "LDGDEPBAR":
                        yield _Need(place[producer], position, int(place[producer] >= position))

    @cached_property
    def _groups(self) -> tuple[GroupWait, ...]:
        return tuple(wait for wait in group_waits(self._scheduled.function) if wait.commit.mnemonic == "LDGDEPBAR")

    def _copies(self, code: Sequence[Instruction]) -> Iterable[_Need]:
        """Yield the groups of asynchronous copies that a wait of the loop is for."""
        place = {i.address: position for position, i in enumerate(code)}
        for wait in self._groups:
            if wait.wait.address in place and wait.commit.address in place:
                yield _Need(place[wait.commit.address], place[wait.wait.address], wait.iterations)

    def _slots(self, indices: Sequence[int], code: Sequence[Instruction], needs: Iterable[_Need]) -> tuple[Slot, ...]:
        by_wait: dict[int, list[Need]] = defaultdict(list)
        for need in needs:
            back = need.iterations if need.operation < need.wait else need.iterations - 1
            by_wait[need.wait].append(Need(need.operation, back))
        controls = self._scheduled.controls
        target = self._scheduled.function.target
        return tuple(
            _slot(i, target, controls[index].stall_cycles, tuple(by_wait.get(position, ())))
            for position, (index, i) in enumerate(zip(indices, code, strict=True))
        )


def _slot(instruction: Instruction, target: str, stall_cycles: int, needs: tuple[Need, ...]) -> Slot:
    """Return an instruction for the timeline; registers are left to stall counts and scoreboards, which the compiler set."""
    group = _GROUPS.get(_root(instruction), "")
    priced = price(instruction, target, stall_cycles)
    if group:
        priced = replace(priced, latency_cycles=_LATENCY_CYCLES[group])
    joins = instruction.mnemonic.startswith("WARPGROUP.DEPBAR")
    return Slot(instruction, priced, tuple(effects(instruction).reads), (), needs, group, joins)


def _notes(code: Sequence[Instruction]) -> Iterable[str]:
    """Say what the model does not see."""
    if any(i.mnemonic.startswith("UTC") and i.kind is K.MATRIX for i in code):
        yield "tensor-memory matrix instructions run beside the warps for a time that the listing does not tell: covers are lower bounds"
    bulk = sum(_root(i) in ("UTMALDG", "UBLKCP") for i in code)
    if bulk:
        yield f"{bulk} bulk copies are waited for through an mbarrier: how many are in flight is decided at run time"


def _nearest(needs: Iterable[_Need], length: int) -> list[_Need]:
    """Return the first wait after each operation."""
    best: dict[int, _Need] = {}
    for need in needs:
        old = best.get(need.operation)
        if old is None or _far(need, length) < _far(old, length):
            best[need.operation] = need
    return list(best.values())


def _far(need: _Need, length: int) -> int:
    """Return the instructions from issue to wait; 1: the wait stands right behind."""
    return need.wait - need.operation + length * need.iterations


def _grouped(needs: Iterable[_Need], code: Sequence[Instruction]) -> list[tuple[str, list[_Need]]]:
    groups: dict[str, list[_Need]] = defaultdict(list)
    for need in needs:
        groups[_GROUPS[_root(code[need.operation])]].append(need)
    return [(group, groups[group]) for group in _LATENCY_CYCLES if group in groups]


def _hiding(group: str, needs: Sequence[_Need], code: Sequence[Instruction], timeline: Timeline) -> Hiding:
    cycles = [timeline.reached.get((n.operation, n.wait), 0) for n in needs]
    covered = fmean(min(1.0, c / _LATENCY_CYCLES[group]) for c in cycles)
    instructions, at = median_low(_far(n, len(code)) for n in needs), _matrices(code)
    matrices = median_low(_between(n, at) for n in needs)
    count = sum(_root(i) == "LDGSTS" for i in code) if group == COPY else len(needs)
    iterations, stall = median_low(n.iterations for n in needs), timeline.stalls.get(group, 0)
    judged = verdict(covered, stall, timeline.cycles)
    word = next((matrix_word(i.mnemonic) for i in code if i.kind is K.MATRIX), "")
    far = f"{matrices} {word}" if matrices else counted(instructions, "instruction")
    name = group if count != 1 else group.removesuffix("s")
    middle = median_low(cycles)
    return Hiding(
        group=group,
        operations=count,
        verdict=judged.value,
        covered=covered,
        iterations=iterations,
        instructions=instructions,
        matrices=matrices,
        cycles=middle,
        stall_cycles=stall,
        words=sentence(name, count, far, middle, carried=iterations > 0, judged=judged, stall_cycles=stall),
    )


def _matrices(code: Sequence[Instruction]) -> list[int]:
    """Return where the matrix instructions stand, in order."""
    return [position for position, i in enumerate(code) if i.kind is K.MATRIX]


def _between(need: _Need, matrices: Sequence[int]) -> int:
    """Return the matrix instructions from an operation to its wait; by look-up, as a loop may have thousands of either."""
    return bisect_left(matrices, need.wait) - bisect_left(matrices, need.operation) + len(matrices) * need.iterations


def _cover(needs: Iterable[_Need], code: Sequence[Instruction]) -> float | None:
    """Return the least share of the loop's matrix instructions between a global load or copy and its wait."""
    every = _matrices(code)
    ahead = [_between(need, every) for need in needs if _GROUPS[_root(code[need.operation])] in (GLOBAL, COPY)]
    return min(1.0, min(ahead) / len(every)) if ahead and every else None


def _serial(needs: Iterable[_Need], code: Sequence[Instruction]) -> int:
    """Count global loads that are waited for within a few instructions, each at a place of its own and before another one is issued."""
    loads = [position for position, i in enumerate(code) if _GROUPS.get(_root(i)) == GLOBAL]
    close = [n for n in needs if n.operation in loads and _far(n, len(code)) < _ALONE_WITHIN]
    alone = [n for n in close if not _overlapped(n, loads, len(code))]
    return sum(count == 1 for count in Counter(n.wait for n in alone).values())


def _overlapped(need: _Need, loads: Sequence[int], length: int) -> bool:
    """Tell whether another load is under way before this one is waited for; also one of the next iteration."""
    wait = need.wait + length * need.iterations
    return any(need.operation < at < wait for load in loads for at in (load, load + length))


def _blockers(
    positions: Sequence[int], wait: int, code: Sequence[Instruction], matrices: Sequence[int]
) -> tuple[Blocker, ...]:
    groups: dict[str, list[int]] = defaultdict(list)
    for position in positions:
        groups[code[position].mnemonic].append(position)
    return tuple(_blocker(mnemonic, members, wait, code, matrices) for mnemonic, members in groups.items())


def _blocker(
    mnemonic: str, members: Sequence[int], wait: int, code: Sequence[Instruction], matrices: Sequence[int]
) -> Blocker:
    needs = [_Need(at, wait, int(at >= wait)) for at in members]
    nearest = min(needs, key=lambda need: _far(need, len(code)))
    lines = sorted({line for at in members if (line := code[at].line) is not None})
    return Blocker(mnemonic, len(members), tuple(lines[:_LINES]), _far(nearest, len(code)), _between(nearest, matrices))


def _board(barrier: int) -> str:
    return f"SB{barrier}" if 0 <= barrier < BARRIERS else "warp group"


def _root(instruction: Instruction) -> str:
    return instruction.mnemonic.partition(".")[0]
