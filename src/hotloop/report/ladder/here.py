"""Ladders run on the device at hand, as sections of a page: the answer, verdicts, what each rung changes."""

from __future__ import annotations

from collections.abc import Iterator

from hotloop.report.ladder import cells
from hotloop.report.ladder.view import Climbed, ClimbView
from hotloop.report.section import Section
from hotloop.report.words import NONE
from hotloop.units import percent, rate


def sections(view: ClimbView) -> Iterator[Section]:
    """Return the parts of a page, the answer first."""
    best = view.best
    answer = f"{best.rung.name} is the last rung that paid" if best else "no rung could be timed"
    if best and view.total:
        answer += f": {cells.speedup(view.total)} over {view.rungs[0].rung.name}"
    noise = () if view.noise is None else (f"noise floor {percent(view.noise)}",)
    lines = (answer, *cells.second(view.second), f"{view.problem} on {view.device} ({view.runtime})", *noise)
    yield Section(cells.title(view.ladder), lines)
    head = ("rung", "time", "rate", "verdict", "speedup", "over", "")
    yield Section("rungs", (), head, tuple(map(_climb, view.rungs)))
    yield Section("changes", tuple(f"{rung.rung.name}: {rung.rung.change}" for rung in view.rungs))
    yield from cells.notes(view.ladder)


def _climb(rung: Climbed) -> tuple[str, ...]:
    return (
        rung.rung.name,
        cells.time(rung.call_ns),
        rate(rung.flops_per_s, "FLOP/s") if rung.flops_per_s is not None else NONE,
        cells.verdict(rung.comparison),
        cells.speedup(rung.comparison),
        rung.over or NONE,
        ("kept" if rung.kept else "left out") + (f": {rung.reason}" if rung.reason else ""),
    )
