"""Waits, hidden latencies and register pressure on AMD GPUs, in the form of the report."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import cached_property
from statistics import median_low

from hotloop.errors import UsageError
from hotloop.isa.amdgcn.facts import drains, load_cover
from hotloop.isa.amdgcn.findings import Blocked, Wait, WaitReport
from hotloop.isa.amdgcn.pipeline import LoopPipeline, Stage, pipelines, straight_line
from hotloop.isa.amdgcn.pressure import Peak
from hotloop.isa.amdgcn.pressure import pressure as peaks
from hotloop.isa.amdgcn.slots import Group, arrivals, group_of
from hotloop.isa.amdgcn.waits import analyse
from hotloop.isa.instruction import Function, Instruction
from hotloop.isa.missing import folded
from hotloop.isa.summary.model import Blocker, Fill, Hiding, Pressure, WaitPoint, site
from hotloop.isa.summary.regions import Region
from hotloop.isa.summary.timing import LoopTiming, Timing, Untimed
from hotloop.isa.timing.clock import clock

_LINES = 3
_ALONE_WITHIN = 8
"""A wait closer to the load that it alone blocks on, in instructions, leaves nothing to overlap with."""


def timing(function: Function) -> Timing:
    """Return the analysis of a function; one that knows nothing when its processor has no model."""
    try:
        return AmdTiming(function, analyse(function))
    except UsageError as error:
        return Untimed(str(error))


class AmdTiming:
    """The wait analysis of one function."""

    why_not = ""

    def __init__(self, function: Function, report: WaitReport) -> None:
        self._function, self._report = function, report

    @property
    def hazards(self) -> tuple[str, ...]:
        """Registers used before a sufficient wait."""
        rows = ((h.operation.address if h.operation else -1, h.consumer.address, str(h)) for h in self._report.hazards)
        return folded(list(rows))

    @cached_property
    def _pipelines(self) -> tuple[LoopPipeline, ...]:
        return pipelines(self._function, every=True, report=self._report)

    @cached_property
    def _straight(self) -> LoopPipeline | None:
        return straight_line(self._function, self._report)

    def loop(self, region: Region) -> LoopTiming:
        """Return waits and hidden latencies of a region."""
        own = {instruction.address for instruction in region.hot.instructions}
        waits = [wait for wait in self._report.waits if wait.instruction.address in own]
        pipeline = self._straight if region.rank is None else self._pipelines[region.rank]
        if pipeline is None:
            return LoopTiming(tuple(map(_point, waits)))
        made = arrivals([line.slot for line in pipeline.timeline.lines])
        return LoopTiming(
            waits=tuple(map(_point, waits)),
            hiding=tuple(map(_hiding, pipeline.stages)),
            cycles=pipeline.cycles,
            serial=_serial(waits, region.hot.instructions),
            drains=drains(self._report, own),
            cover=load_cover(pipeline),
            timeline=pipeline.timeline,
            clock=clock(pipeline.timeline, made, straight=not pipeline.depth),
            notes=tuple(f"doubtful: {doubt}" for doubt in self._report.doubts if doubt.consumer.address in own),
        )

    def pressure(self, region: Region | None) -> tuple[Pressure, ...]:
        """Return the peak of each register file."""
        return tuple(map(_peak, peaks(self._function, region.hot.instructions if region else None)))


def _point(wait: Wait) -> WaitPoint:
    return WaitPoint(site(wait.instruction), f"{wait.counter.value}({wait.count})", _blockers(wait.blocks_on))


def _blockers(blocked: Sequence[Blocked]) -> tuple[Blocker, ...]:
    groups: dict[str, list[Blocked]] = defaultdict(list)
    for entry in blocked:
        groups[entry.operation.mnemonic if entry.operation else "something of the caller"].append(entry)
    return tuple(_blocker(mnemonic, entries) for mnemonic, entries in groups.items())


def _blocker(mnemonic: str, entries: Sequence[Blocked]) -> Blocker:
    nearest = min(entries, key=lambda entry: entry.instructions)
    lines = sorted({e.operation.line for e in entries if e.operation and e.operation.line is not None})
    return Blocker(mnemonic, len(entries), tuple(lines[:_LINES]), nearest.instructions, nearest.matrices)


def _hiding(stage: Stage) -> Hiding:
    def middle(name: str) -> int:
        return int(median_low(getattr(distance, name) for distance in stage.distances))

    return Hiding(
        group=stage.group.value,
        operations=len(stage.distances),
        verdict=stage.verdict.value,
        covered=stage.covered,
        iterations=middle("iterations"),
        instructions=middle("instructions"),
        matrices=middle("matrices"),
        cycles=middle("cycles"),
        stall_cycles=stage.stall_cycles,
        words=str(stage),
    )


def _serial(waits: Sequence[Wait], code: Sequence[Instruction]) -> int:
    """Count global loads of this iteration that a wait blocks on alone, a few instructions after their issue and before another one's."""
    own = {instruction.address for instruction in code}
    issued = [instruction.address for instruction in code if group_of(instruction) is Group.GLOBAL]
    count = 0
    for wait in waits:
        fresh = [b for b in wait.blocks_on if b.operation and b.operation.address in own and not b.instance]
        loads = [b for b in fresh if b.operation and group_of(b.operation) is Group.GLOBAL]
        alone = len(loads) == 1 and loads[0].instructions < _ALONE_WITHIN
        begun = loads[0].operation.address if alone and loads[0].operation else 0
        count += alone and not any(begun < address < wait.instruction.address for address in issued)
    return count


def _peak(peak: Peak) -> Pressure:
    fills = tuple(Fill(source=g.source, count=g.count, registers=g.registers, lines=g.lines) for g in peak.groups)
    return Pressure(file=peak.file.value, live=peak.live, site=site(peak.at), fills=fills)
