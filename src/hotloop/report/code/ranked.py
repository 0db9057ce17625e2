"""A space tuned by prediction, as terminal text and JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from hotloop.report import plain
from hotloop.report.code.predicted import MARK
from hotloop.report.section import Section
from hotloop.units import duration

if TYPE_CHECKING:
    from rich.console import Group

    from hotloop.predict.ranking import Ranked, Tuned

_SHOWN = 10


def verdict(tuned: Tuned) -> str:
    """Return the one sentence."""
    best, start = tuned.best, tuned.start.prediction
    if best is None or best.prediction is None or start is None:
        return f"{tuned.kernel} for {tuned.target}: none of the best predicted configurations computes what it shall"
    ratio = start.time_ns / best.prediction.time_ns
    return (
        f"{tuned.kernel} on {tuned.problem} for {best.prediction.chip} ({tuned.target}): {changes(best, tuned.start)} takes "
        f"{duration(best.prediction.time_ns)}, {ratio:.3g} times as fast as the start; {MARK}; verified by execution on the CPU"
    )


def changes(ranked: Ranked, start: Ranked) -> str:
    """Return in what a configuration differs from the start."""
    before = dict(start.config)
    moved = [f"{name}={value}" for name, value in dict(ranked.config).items() if before.get(name) != value]
    return " ".join(moved) or "the start"


def render(tuned: Tuned) -> Group:
    """Return the terminal form."""
    from rich.console import Group
    from rich.text import Text

    counts = f"{tuned.tried} configurations tried, {tuned.failed} of them not predicted (they do not compile, or cannot be executed)"
    doubt = (
        [Text(plain.line(f"no opinion about the order: {tuned.silence}; measure, in any order"))]
        if tuned.silence
        else []
    )
    return Group(Text(plain.line(verdict(tuned)), style="bold"), Text(counts), *doubt, _table(tuned).grid())


def _table(tuned: Tuned) -> Section:
    rows = []
    for row in tuned.ranked[:_SHOWN]:
        prediction = row.prediction
        assert prediction is not None
        state = {True: "verified", False: "wrong", None: ""}[row.verified]
        span = f"{duration(prediction.low_ns)} to {duration(prediction.high_ns)}"
        rows.append(
            (
                changes(row, tuned.start),
                duration(prediction.time_ns),
                span,
                prediction.bound,
                "" if prediction.trusted else "no",
                state,
            )
        )
    return Section("", (), ("configuration", MARK, "interval", "bound", "trusted", "executed"), tuple(rows))


def told(ranked: Ranked) -> dict[str, Any]:
    """Return one configuration as JSON."""
    prediction = ranked.prediction
    return {
        "config": dict(ranked.config),
        "prediction": {**asdict(prediction), "doubts": prediction.doubts, "trusted": prediction.trusted}
        if prediction
        else None,
        "verified": ranked.verified,
        "why_not": ranked.why_not,
    }


def as_json(tuned: Tuned) -> dict[str, Any]:
    """Return what ``hotloop tune --target --json`` prints."""
    best = tuned.best
    return {
        "mark": MARK, "kernel": tuned.kernel, "problem": tuned.problem, "target": tuned.target, "tried": tuned.tried,
        "failed": tuned.failed, "no_opinion": tuned.silence, "best": told(best) if best else None, "start": told(tuned.start), "ranked": [told(r) for r in tuned.ranked],
    }  # fmt: skip
