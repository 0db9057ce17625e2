"""The timing of a region in a report: what bounds it, the units it takes, the critical path."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from hotloop.isa.summary.model import LoopReport, Site, Tempo
from hotloop.report.section import Section
from hotloop.units import percent

_LINKS = 6
"""Stretches of the critical path that are shown."""


def sections(loop: LoopReport) -> tuple[Section, ...]:
    """Return what the timing model says of a region; empty where it says nothing."""
    tempo = loop.tempo
    if tempo is None or not tempo.units:
        return ()
    rows = tuple(
        (unit.unit.value, f"{unit.cycles:g}", str(unit.instructions), percent(_share(unit.cycles, tempo)))
        for unit in tempo.units
    )
    per = "iteration" if loop.depth else "passage"
    head = ("unit", f"cycles per wave and {per}", "instructions", "taken")
    return (Section("timing", tuple(_lines(tempo, per))), Section("", (), head, rows))


def _share(cycles: float, tempo: Tempo) -> float:
    """Return the share of the bound's time that a unit is taken; of one wave's time where the occupancy is not known."""
    whole = tempo.bound.cycles if tempo.bound else tempo.alone_cycles
    return cycles / whole if whole else 0.0


def _lines(tempo: Tempo, per: str) -> Iterator[str]:
    alone = f"one wave alone takes {tempo.alone_cycles} cycles, {tempo.stall_cycles} of them standing still"
    if tempo.bound is None:
        yield alone
    else:
        waves = f"{tempo.bound.waves} wave{'s' if tempo.bound.waves != 1 else ''} on a SIMD"
        yield f"at least {tempo.bound.cycles:.4g} cycles per wave and {per} with {waves}: {tempo.bound.by} bounds; {alone}"
    if tempo.enough_waves is not None:
        yield f"{tempo.units[0].unit.value} is the busiest unit; it bounds from {tempo.enough_waves} waves on, latency below"
    carried = f", {tempo.carried_cycles} of them carried into the next iteration" if tempo.carried_cycles else ""
    yield f"critical path: {tempo.critical_cycles} cycles{carried}: {_path(tempo.critical)}"


def _path(links: tuple[Site, ...]) -> str:
    """Write a chain with runs of one mnemonic joined, from its end where it is long."""
    runs = [(name, len(list(sites))) for name, sites in groupby(links, key=lambda link: link.mnemonic)]
    shown = [name if count == 1 else f"{count} × {name}" for name, count in runs[-_LINKS:]]
    return " → ".join((["..."] if len(runs) > _LINKS else []) + shown)
