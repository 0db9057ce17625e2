"""A listing line by line: unit, time, stalls with what they are for, live registers, and the source beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hotloop.isa.amdgcn.pressure import live_vectors
from hotloop.isa.blocks import blocks
from hotloop.isa.hot import HotLoop
from hotloop.isa.instruction import Function
from hotloop.isa.loops import loops
from hotloop.isa.sourcemap import places
from hotloop.isa.summary import live
from hotloop.isa.summary.model import Site, site
from hotloop.isa.summary.regions import Region, regions
from hotloop.isa.summary.timing import Timing
from hotloop.isa.timing.order import straight
from hotloop.isa.timing.timeline import Timeline
from hotloop.targets.target import Target


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnotatedLine:
    """One instruction in the order of control flow."""

    site: Site
    text: str
    unit: str
    """Unit that executes it; empty: the sequencer."""
    busy_cycles: float
    """Cycles for which its unit is busy with it."""
    at_cycle: int
    """Cycle of its issue by one wave alone, counted from the beginning of the iteration."""
    stall_cycles: int
    """Cycles that the wave stood still before it."""
    waits_for: Site | None
    """Instruction whose result it waited for; None: it did not wait."""
    live: int | None
    """Vector registers live there; None: not known."""
    source: str
    """``file:line``; empty: no debug lines."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnotatedRegion:
    """One loop, or the code outside of loops."""

    number: int
    """0: the hot one, as in the report."""
    place: str
    depth: int
    cycles: int
    lines: tuple[AnnotatedLine, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Annotated:
    """One kernel's listing with costs and waits beside its lines."""

    kernel: str
    target: str
    regions: tuple[AnnotatedRegion, ...]
    """The hot one first."""
    why_not: str = ""
    """Why there is no timing; empty when there is."""


def annotated(function: Function, timing: Timing, listing: str = "") -> Annotated:
    """Return a kernel line by line; `listing` is the text that it was read from, for debug lines."""
    counts = _live(function)
    sources = places(listing, [i.line for i in function.instructions]) if listing else {}
    chosen = regions(function)
    if all(region.hot.depth for region in chosen):
        chosen = (*chosen, *_outside(function))
    annotations = tuple(_region(number, region, timing, counts, sources) for number, region in enumerate(chosen))
    return Annotated(
        kernel=function.name,
        target=function.target,
        regions=tuple(region for region in annotations if region is not None),
        why_not=timing.why_not,
    )


def _outside(function: Function) -> tuple[Region, ...]:
    """Return what control passes once around the loops."""
    graph = blocks(function)
    code = straight(graph, frozenset[int]().union(*(loop.blocks for loop in loops(graph, retries=False))))
    hot = HotLoop(code, 0, whole=False, addressed=function.addressed)
    return (Region(hot, None),) if code else ()


def _region(
    number: int, region: Region, timing: Timing, counts: Mapping[int, int], sources: Mapping[int, str]
) -> AnnotatedRegion | None:
    timeline = timing.loop(region).timeline
    if timeline is None:
        return None
    return AnnotatedRegion(
        number=number,
        place=region.hot.place,
        depth=region.hot.depth,
        cycles=timeline.cycles,
        lines=tuple(_lines(timeline, counts, sources)),
    )


def _lines(timeline: Timeline, counts: Mapping[int, int], sources: Mapping[int, str]) -> Sequence[AnnotatedLine]:
    made = []
    for line in timeline.lines:
        instruction, price = line.slot.instruction, line.slot.price
        cause = None if line.cause is None else timeline.lines[line.cause].slot.instruction
        made.append(
            AnnotatedLine(
                site=site(instruction),
                text=f"{instruction.mnemonic} {instruction.operands}".rstrip(),
                unit=price.unit.value if price.unit else "",
                busy_cycles=price.busy_cycles,
                at_cycle=line.at_cycle,
                stall_cycles=line.stall_cycles,
                waits_for=site(cause) if cause is not None else None,
                live=counts.get(instruction.address),
                source=sources.get(instruction.line or 0, ""),
            )
        )
    return made


def _live(function: Function) -> Mapping[int, int]:
    target = Target.of(function.target)
    if target.amd:
        return live_vectors(function)
    return live.vectors(function) if target.nvidia else {}
