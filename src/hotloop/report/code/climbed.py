"""An optimization by prediction, as terminal text and JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from hotloop.report import plain
from hotloop.report.code.predicted import MARK
from hotloop.report.code.ranked import told
from hotloop.report.section import Section
from hotloop.units import duration

if TYPE_CHECKING:
    from rich.console import Group

    from hotloop.predict.ranking import Climbed, Stride


def verdict(climbed: Climbed) -> str:
    """Return the one sentence."""
    best, start = climbed.best, climbed.start.prediction
    if best is None or best.prediction is None or start is None:
        return (
            f"{climbed.kernel} for {climbed.target}: the start does not compute what it shall: {climbed.start.why_not}"
        )
    ratio = start.time_ns / best.prediction.time_ns
    gained = (
        f"{ratio:.3g} times as fast as the start"
        if best is not climbed.start
        else "the start: nothing predicted faster was right"
    )
    trust = "" if best.prediction.trusted else "; do not trust it"
    return (
        f"{climbed.kernel} on {climbed.problem} for {best.prediction.chip} ({climbed.target}): {duration(best.prediction.time_ns)} a call, {gained}; "
        f"{MARK}; verified by execution on the CPU{trust}"
    )


def render(climbed: Climbed) -> Group:
    """Return the terminal form."""
    from rich.console import Group
    from rich.text import Text

    best = climbed.best
    parts: list[Any] = [Text(plain.line(verdict(climbed)), style="bold"), _table(climbed).grid()]
    if best is not None and best.prediction is not None:
        parts.append(Text(plain.line(f"configuration: {' '.join(f'{n}={v}' for n, v in dict(best.config).items())}")))
        parts += [Text(plain.line(f"do not trust: {doubt}"), style="yellow") for doubt in best.prediction.doubts]
    parts.append(Text(plain.line(f"{climbed.tried} configurations predicted; stopped: {climbed.stop_reason}")))
    return Group(*parts)


def _table(climbed: Climbed) -> Section:
    head = ("technique", "change", MARK, "speedup", "bound", "")
    return Section("", (), head, tuple(map(_row, climbed.strides)))


def _row(stride: Stride) -> tuple[str, ...]:
    prediction = stride.ranked.prediction
    time = duration(prediction.time_ns) if prediction else "–"
    mark = "kept: " if stride.kept else ""
    speedup = f"{stride.speedup:.2f}×" if stride.speedup is not None else "–"
    return (
        stride.technique,
        stride.change,
        time,
        speedup,
        prediction.bound if prediction else "–",
        f"{mark}{stride.reason}",
    )


def as_json(climbed: Climbed) -> dict[str, Any]:
    """Return what ``hotloop optimize --target --json`` prints."""
    best = climbed.best
    return {
        "mark": MARK, "kernel": climbed.kernel, "problem": climbed.problem, "target": climbed.target, "tried": climbed.tried,
        "stop_reason": climbed.stop_reason, "best": told(best) if best else None,
        "steps": [{"technique": s.technique, "change": s.change, "why": s.why, "rule": s.rule, "gain": asdict(s.gain) if s.gain else None,
                   "speedup": s.speedup, "kept": s.kept, "reason": s.reason, **told(s.ranked)} for s in climbed.strides],
    }  # fmt: skip
