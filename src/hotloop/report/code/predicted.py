"""Predicted times as terminal text and JSON; everything says that it is predicted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from hotloop.predict.sequence import Sequel
from hotloop.report import plain
from hotloop.report.section import Section
from hotloop.units import duration, percent, size

if TYPE_CHECKING:
    from rich.console import Group

    from hotloop.predict.answer import Prediction

_TERMS = 6
MARK = "predicted, not measured"


def verdict(prediction: Sequel) -> str:
    """Return the one sentence."""
    span = f"{duration(prediction.low_ns)} to {duration(prediction.high_ns)}"
    trust = "" if prediction.trusted else "; do not trust it"
    return f"{prediction.label} on {prediction.chip} ({prediction.target}): {duration(prediction.time_ns)} a call ({span}), {MARK}; {prediction.bound} bounds{trust}"


def render(answers: Sequence[Sequel]) -> Group:
    """Return the terminal form."""
    from rich.console import Group
    from rich.text import Text

    parts: list[Any] = []
    for answer in answers:
        parts.append(Text(plain.line(verdict(answer)), style="bold"))
        parts += [Text(plain.line(f"do not trust: {doubt}"), style="yellow") for doubt in answer.doubts]
        parts += [Text(plain.line(f"remark: {remark}")) for remark in answer.remarks]
        for launch in answer.launches:
            parts.append(Text(plain.line(_about(launch))))
            parts.append(_terms(launch).grid())
    return Group(*parts)


def _about(launch: Prediction) -> str:
    return (
        f"{launch.kernel}: {launch.groups} work-groups, {launch.waves_per_simd} waves per SIMD; first-level cache hits "
        f"{percent(launch.l1_hit)}, second-level {percent(launch.l2_hit)}; {size(int(launch.moved_bytes))} of device memory; "
        f"launch {duration(launch.launch_ns)}"
    )


def _terms(launch: Prediction) -> Section:
    rows = tuple((term.name, duration(term.ns)) for term in launch.terms[:_TERMS] if term.ns)
    return Section("", (), ("what takes time", "if it were alone"), rows)


def as_json(answers: Sequence[Sequel]) -> dict[str, Any]:
    """Return what ``hotloop predict --json`` prints."""
    told = ({"doubts": a.doubts, "remarks": a.remarks, "trusted": a.trusted} for a in answers)
    return {"mark": MARK, "predictions": [{**asdict(a), **more} for a, more in zip(answers, told, strict=True)]}
