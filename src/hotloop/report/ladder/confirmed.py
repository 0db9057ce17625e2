"""Predictions beside measurements, as sections of a page."""

from __future__ import annotations

from collections.abc import Iterator

from hotloop.report.ladder import cells, clocked
from hotloop.report.ladder.view import Confirmation, Outcome
from hotloop.report.section import Section


def sections(view: Confirmation) -> Iterator[Section]:
    """Return the parts of a page, the answer first."""
    held = sum(o.held for o in view.outcomes)
    made = view.forecast
    right = "as predicted" if view.winner == made.winner else f"predicted was {made.winner}"
    lines = (
        f"{held} of {len(view.outcomes)} predictions of {made.made} held; the fastest rung is {view.winner}, {right}",
        f"{made.problem} on {view.device}",
    )
    yield Section(f"predictions for {made.target} ({made.file})", lines)
    head = ("rung", "over", "predicted", "measured", "verdict", "", "why")
    yield Section("steps", (), head, tuple(map(_outcome, view.outcomes)))
    if view.times:
        yield clocked.score(view.times, view.outcomes)
        yield clocked.section(view.times)


def _outcome(outcome: Outcome) -> tuple[str, ...]:
    want = outcome.expected
    return (
        want.rung,
        want.over,
        f"{want.low:.2f} to {want.high:.2f}",
        cells.speedup(outcome.comparison),
        cells.verdict(outcome.comparison),
        "held" if outcome.held else "did not hold",
        outcome.reason,
    )
