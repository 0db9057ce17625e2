"""Predicted times of a ladder's rungs as sections of a page, and how far measured ones agree."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from math import exp, log
from statistics import median

from hotloop.report.ladder.view import Clocked, Outcome
from hotloop.report.section import Section
from hotloop.report.words import NONE
from hotloop.units import duration


def section(times: Sequence[Clocked]) -> Section:
    """Return the table of predicted times."""
    chip = times[0].chip
    lines = (f"one call on {chip}, predicted, not measured: a few work-groups are executed on this machine's CPU",)
    head = ("rung", "time of a call", "interval", "bound", "over the rung before", "trust")
    return Section("predicted times", lines, head, tuple(_rows(times)))


def _rows(times: Sequence[Clocked]) -> Iterator[tuple[str, ...]]:
    before: float | None = None
    for time in times:
        if time.time_ns is None:
            yield time.rung, NONE, NONE, NONE, NONE, time.why_not
            continue
        gain = f"{before / time.time_ns:.2f}×" if before else NONE
        interval = f"{duration(time.low_ns)} to {duration(time.high_ns)}"
        trust = f"no: {'; '.join(time.doubts)}" if time.doubts else "yes"
        yield time.rung, duration(time.time_ns), interval, time.bound, gain, trust
        before = time.time_ns


def score(times: Sequence[Clocked], outcomes: Sequence[Outcome]) -> Section:
    """Return predicted beside measured times, and what the prediction was worth."""
    predicted = {time.rung: time for time in times if time.time_ns is not None}
    measured = _measured(outcomes)
    pairs = {name: (predicted[name].time_ns or 0.0, ns) for name, ns in measured.items() if name in predicted}
    rows = tuple(
        (name, duration(guess), duration(ns), f"{guess / ns:.2f}", _inside(predicted[name], ns))
        for name, (guess, ns) in pairs.items()
    )
    head = ("rung", "predicted", "measured", "predicted / measured", "measured is in the interval")
    return Section("predicted and measured times", (_words(pairs),), head, rows)


def _inside(clocked: Clocked, ns: float) -> str:
    return "yes" if clocked.low_ns <= ns <= clocked.high_ns else "no"


def _words(predictions: Mapping[str, tuple[float, float]]) -> str:
    if not predictions:
        return "nothing was both predicted and measured"
    factor = exp(median(abs(log(guess / ns)) for guess, ns in predictions.values()))
    pairs = list(combinations(predictions.values(), 2))
    right = sum((a[0] - b[0]) * (a[1] - b[1]) > 0 for a, b in pairs)
    order = f"; {right} of {len(pairs)} pairs of rungs in the right order" if pairs else ""
    return f"median factor {factor:.2f} between prediction and measurement{order}"


def _measured(outcomes: Sequence[Outcome]) -> dict[str, float]:
    """Return the measured time of each rung, from the first comparison that it took part in."""
    times_ns: dict[str, float] = {}
    for outcome in outcomes:
        if outcome.comparison is not None and outcome.comparison.times_ns is not None:
            over, rung = outcome.comparison.times_ns
            times_ns.setdefault(outcome.expected.over, over)
            times_ns.setdefault(outcome.expected.rung, rung)
    return times_ns
