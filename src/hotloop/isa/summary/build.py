"""A report about one function, before occupancy and findings are known."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from hotloop.isa.dialect import of_cpus
from hotloop.isa.hot import HotLoop
from hotloop.isa.instruction import Function, InstructionKind
from hotloop.isa.nvidia.unwritten import unwritten
from hotloop.isa.outside import outside
from hotloop.isa.sourcemap import source_lines
from hotloop.isa.summary import amd, counting, facts
from hotloop.isa.summary.model import Hiding, KernelReport, LoopReport, Room, Tempo, site
from hotloop.isa.summary.regions import Region, regions
from hotloop.isa.summary.timing import LoopTiming, Timing, Untimed
from hotloop.isa.timing.clock import Clock
from hotloop.isa.trips import trip_count
from hotloop.isa.x86.carried import chain_evidence
from hotloop.model.evidence import Evidence
from hotloop.targets.target import Target

_PTX_NOTE = "PTX is what ptxas was given: it merges accesses and reorders, so the cubin says more"


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Where a function comes from."""

    dialect: str
    origin: str
    compiler: str = ""
    notes: tuple[str, ...] = ()
    fragment: str = ""
    """Why the code is only a part of a function; empty where it is whole."""


def report(function: Function, source: Source, timing: Timing | None = None, listing: str = "") -> KernelReport:
    """Return what the code alone tells about a function.

    Args:
        function: as its dialect parsed it.
        source: where it comes from.
        timing: the analysis of its waits; None: chosen by its processor.
        listing: the text that it was read from, for its debug lines; empty: source lines are not asked for.
    """
    waits = timing_of(function, source.dialect) if timing is None else timing
    chosen = regions(function)
    loops = tuple(_loop(function, number, region, waits, listing) for number, region in enumerate(chosen))
    return KernelReport(
        kernel=function.name,
        target=function.target,
        dialect=source.dialect,
        origin=source.origin,
        compiler=source.compiler,
        instructions=len(function.instructions),
        code_bytes=function.code_bytes,
        resources=function.resources,
        why_no_resources="" if function.resources else _no_resources(source.dialect),
        room=Room(why_not="not asked for"),
        loops=loops,
        pressure=waits.pressure(None),
        hazards=waits.hazards,
        unwritten=() if source.fragment or source.dialect != "sass" else tuple(map(str, unwritten(function))),
        why_no_waits=waits.why_not or ("" if waits.hazards else source.fragment),
        evidence=_evidence(function, chosen[0].hot, loops[0], source),
        notes=(*source.notes, *_notes(source, loops, asked=bool(listing))),
        outside=outside(function),
    )


def _evidence(function: Function, hot: HotLoop, loop: LoopReport, source: Source) -> Evidence:
    found = facts.evidence(function, hot, loop, source.origin)
    return found.merged(chain_evidence(function, hot, source.origin)) if source.dialect == "x86" else found


def _notes(source: Source, loops: Sequence[LoopReport], *, asked: bool) -> Iterator[str]:
    if source.fragment:
        yield f"{source.fragment}: what is loaded before it, and used behind it, is not known"
    if source.dialect == "ptx":
        yield _PTX_NOTE
    if asked and not any(loop.sources for loop in loops):
        yield "the listing has no debug lines: compile with -gline-tables-only (nvcc: -lineinfo) to see source lines"


def timing_of(function: Function, dialect: str = "") -> Timing:
    """Return the analysis of waits for a function's processor, one that knows nothing where there is none."""
    if not function.instructions:
        return Untimed("the input holds no code")
    if dialect == "ptx":
        return Untimed("PTX is a virtual instruction set: waits are made by ptxas")
    if dialect in of_cpus():
        return Untimed("nothing here models how long instructions of a CPU wait for each other")
    target = Target.of(function.target)
    if target.amd:
        return amd.timing(function)
    if target.nvidia:
        return Untimed("the listing has no scheduling control: give the cubin, or list with nvdisasm -c -hex")
    return Untimed("the input does not name a GPU, so its waits are not known")


def _loop(function: Function, number: int, region: Region, timing: Timing, listing: str) -> LoopReport:
    code = region.hot.instructions
    unit, units = counting.unit(code)
    timed: LoopTiming = timing.loop(region)
    amd_code, local = Target.of(function.target).amd, counting.local_word(function.target)
    return LoopReport(
        number=number,
        place=region.hot.place,
        depth=region.hot.depth,
        instructions=len(code),
        trips=trip_count(function, region.hot.instructions) if amd_code and region.hot.depth else None,
        unit=unit,
        units=units,
        macs=sum(i.traits.macs for i in code),
        counts=counting.counts(code, units, local),
        widths=counting.widths(code, local),
        waits=timed.waits,
        hiding=timed.hiding if region.rank is not None else tuple(map(_once, timed.hiding)),
        why_no_hiding=timing.why_not,
        cycles=timed.cycles,
        tempo=_tempo(timed.clock),
        serial_loads=timed.serial,
        drains=timed.drains,
        load_cover=timed.cover,
        notes=timed.notes,
        pressure=timing.pressure(region) if code else (),
        sources=source_lines(listing, [i.line for i in code]) if listing else (),
        unknown=tuple(sorted({i.mnemonic for i in code if i.kind is InstructionKind.OTHER})),
    )


def _once(found: Hiding) -> Hiding:
    """Return a latency of straight-line code, which has no iterations."""
    return replace(found, words=found.words.replace(" per iteration", ""))


def _tempo(found: Clock | None) -> Tempo | None:
    if found is None:
        return None
    return Tempo(
        alone_cycles=found.alone_cycles,
        stall_cycles=found.stall_cycles,
        units=found.units,
        critical_cycles=found.critical.cycles,
        carried_cycles=found.critical.carried_cycles,
        critical=tuple(map(site, found.critical.links)),
        enough_waves=found.enough_waves,
    )


def _no_resources(dialect: str) -> str:
    reasons = {
        "amdgcn": "the listing has no .amdgpu_metadata (a disassembly, or cut out); give the code object or the compiler's text",
        "sass": "a SASS listing does not name registers and shared memory; give the cubin",
        "ptx": "PTX has virtual registers; give the cubin, or --target to compile it",
    }
    return reasons.get(dialect, "machine code of CPUs has no such metadata")
