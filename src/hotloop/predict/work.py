"""From a listing and a sample of its execution to what one wave does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from hotloop.isa.amdgcn.costs import price
from hotloop.isa.instruction import Function, InstructionKind, MemorySpace
from hotloop.isa.timing.price import Unit
from hotloop.predict.card import Card
from hotloop.predict.contents import deciding
from hotloop.predict.model import Work
from hotloop.predict.phases import Levels, alone, phases, serial
from hotloop.predict.private import Private
from hotloop.predict.reuse import Flow, Residency
from hotloop.predict.sample import ALIKE, Sample
from hotloop.targets.span import Span

_FEW_PAGES = 64
"""Number of pages, for all groups that run at a time, up to which accesses do not count as scattered."""
_DENSE = 0.25
"""Least fraction of a page that these work-groups touch together if their accesses are not scattered."""


def levels(moved: Flow, kept: Private, card: Card, *, best: bool) -> Levels:
    """Return the mean latency of a load with the hit rates of a launch."""

    def end(span: Span | None) -> float:
        return (span.low if best else span.high) if span else 0.0

    def mean(l1: float, l2: float, mall: float) -> float:
        beyond = mall * end(card.latency_mall) + (1 - mall) * end(card.latency_memory)
        return l1 * end(card.latency_l1) + (1 - l1) * (l2 * end(card.latency_l2) + (1 - l2) * beyond)

    queue = max(0.0, moved.load_lines - 1)  # the last of a load's lines is looked up so many cycles after the first one
    return Levels(
        queue + mean(moved.load_hit, moved.l2_hit, moved.mall_hit if card.mall_bytes else 0.0),
        mean(kept.l1_hit, kept.l2_hit, kept.mall_hit if card.mall_bytes else 0.0),
        end(card.target.span("latency_scalar_hit")),
        end(card.target.span("latency_local_first")),
        end(card.latency_l2),
    )


def work(
    function: Function,
    sample: Sample,
    moved: Flow,
    kept: Private,
    card: Card,
    place: Residency,
    waves_per_simd: int,
    unseen: Sequence[str] = (),
) -> Work:
    """Return what one wave of a launch does.

    Args:
        function: the kernel.
        sample: counts of its instructions.
        moved: what the launch moves.
        kept: what of private memory the caches keep.
        card: the machine.
        place: grid and residency.
        waves_per_simd: that fit.
        unseen: names of arrays that the sample found zeros in because nobody looked at their contents.
    """
    counts = sample.counts
    wave = function.resources.wave_size if function.resources else None
    best, worst = (levels(moved, kept, card, best=flag) for flag in (True, False))
    width = card.fact("instruction_bytes_mean")
    parts = phases(function, sample, card, best, worst)
    return Work(
        kernel=function.name,
        units=_units(function, sample, moved, card, counts, wave),
        alone=alone(parts),
        longest=sample.longest,
        serial=serial(parts, sample.group_waves, card.unit_simds),
        parts=parts,
        instructions=sum(counts.values()),
        executed_bytes=sum(counts.values()) * width,
        code_bytes=int(len(counts) * width),
        group_waves=sample.group_waves,
        place=place,
        waves_per_simd=waves_per_simd,
        remarks=sample.remarks,
        doubts=(*_doubts(function, sample, counts), *_drawn(function, counts, unseen), *_scattered(moved, card)),
    )


def _units(
    function: Function, sample: Sample, moved: Flow, card: Card, counts: Mapping[int, float], wave: int | None
) -> dict[Unit, float]:
    """Return the cycles of each unit: local memory with its conflicts, vector memory by the lines that it looks up."""
    unit_cycles: dict[Unit, float] = {}
    for instruction in function.instructions:
        count = counts.get(instruction.address, 0.0)
        if not count:
            continue
        cost = price(instruction, function.target, wave)
        if cost.unit is None:
            continue
        busy = count * cost.busy_cycles
        if cost.unit is Unit.LOCAL and instruction.address in sample.conflict_cycles:
            busy = max(count, sample.conflict_cycles[instruction.address]) * card.simds
        if cost.unit is Unit.MEMORY and instruction.traits.space is not MemorySpace.SCRATCH:
            continue
        unit_cycles[cost.unit] = unit_cycles.get(cost.unit, 0.0) + busy
    accesses = float((~sample.accesses.atomic & ~sample.accesses.scalar).sum()) / sample.group_waves
    lookups = max(
        moved.wave_lines,
        accesses * card.fact("cycles_address"),
        moved.wave_bytes / card.fact("l1_bytes_per_cycle"),
        moved.wave_filled_bytes / card.fact("fill_bytes_per_cycle"),
    )
    unit_cycles[Unit.MEMORY] = unit_cycles.get(Unit.MEMORY, 0.0) + lookups * card.simds
    return {unit: cycles for unit, cycles in unit_cycles.items() if cycles}


def _doubts(function: Function, sample: Sample, counts: Mapping[int, float]) -> Iterator[str]:
    if not sample.regular:
        yield "accesses do not move evenly from group to group: reuse between groups is a guess"
    if sample.outside:
        yield f"out of bounds ({sample.outside}), which is not counted: sizes of arrays and the launch do not fit each other"
    if sample.spread > ALIKE:
        yield "work-groups do different amounts of work"
    atomics = sum(counts.get(i.address, 0.0) for i in function.instructions if i.kind is InstructionKind.ATOMIC)
    if atomics:
        yield "atomics: what waves do to each other is not modelled"


def _drawn(function: Function, counts: Mapping[int, float], unseen: Sequence[str]) -> Iterator[str]:
    """Doubt what depends on contents of memory: those of a prediction are drawn, or not even that."""
    branch = deciding(function, counts, unseen=bool(unseen))
    if branch is None:
        return
    where = f"line {branch.line} of the listing" if branch.line else f"at {branch.address:#x}"
    zeros = f"; {', '.join(unseen)} {'are' if len(unseen) > 1 else 'is'} taken as zeros, being too large to look at"
    yield f"what memory holds decides where the code goes ({where}): other contents take another time{zeros if unseen else ''}"


def _scattered(moved: Flow, card: Card) -> Iterator[str]:
    """Doubt what goes beyond every cache in small pieces of many pages: address translation is not modelled."""
    beyond = moved.footprint_bytes > max(card.mall_bytes, card.l2_bytes * card.dies)
    if beyond and moved.pages > _FEW_PAGES and moved.density < _DENSE:
        yield "accesses scatter over many pages and the data fit into no cache: address translation and channels are not modelled"
