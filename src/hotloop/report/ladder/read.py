"""Reading back what ``hotloop ladder --json`` printed of a ladder on an NVIDIA card."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import isfinite
from typing import Any

from hotloop.model.ladder import DOWN, SAME, UP, Bounds, Ladder, Missing, Reported, Rung
from hotloop.model.record import Record
from hotloop.model.verdict import Comparison, Verdict
from hotloop.report.ladder.cardview import CardRungView, CardView, Moved, PeerView, moved


def read(data: Mapping[str, Any]) -> CardView:
    """Return the view that the data were made of; what moved is worked out again from the facts.

    Raises:
        KeyError, TypeError, ValueError: these are no such data.
    """
    rungs = tuple(_rung(row) for row in data["rungs"])
    for row in rungs:
        _finite(row.call_ns, row.flops_per_s, row.bytes_per_s, *row.facts.values(), *row.errors)
    facts = {row.rung.name: row.facts for row in rungs}
    return CardView(
        ladder=_ladder(data["ladder"]),
        target=data["target"],
        rungs=tuple(replace(row, moved=_moved(row, facts)) for row in rungs),
        device=dict(data["device"]),
        peers=tuple(_peer(row) for row in data["peers"]),
        total=_comparison(data["total"]),
        top=data.get("top") or next((row["rung"] for row in data["peers"]), ""),
        no_counters=data["no_counters"],
    )


def _moved(row: CardRungView, facts: Mapping[str, Mapping[str, float]]) -> tuple[Moved, ...]:
    return moved(row.rung, row.facts, facts[row.over]) if row.over in facts else ()


def _ladder(data: Mapping[str, Any]) -> Ladder:
    return Ladder(
        name=data["name"],
        family=data["family"],
        title=data["title"],
        targets=tuple(data["targets"]),
        problem=Record(data["problem"]),
        ragged=tuple(Record(row) for row in data["ragged"]),
        rungs=tuple(_step(row) for row in data["rungs"]),
        missing=tuple(Missing(**row) for row in data["missing"]),
        notes=tuple(data["notes"]),
    )


def _step(data: Mapping[str, Any]) -> Rung:
    given = dict(data)
    return Rung(
        implementation=given.pop("kernel"),
        config=Record(given.pop("config")),
        problem=Record(given.pop("problem")),
        moves=tuple((fact, (DOWN, SAME, UP)[(DOWN, SAME, UP).index(way)]) for fact, way in given.pop("moves")),
        reported=tuple(Reported(**row) for row in given.pop("reported")),
        bounds=Bounds(**given.pop("bounds")),
        **given,
    )


def _rung(data: Mapping[str, Any]) -> CardRungView:
    given = {name: value for name, value in data.items() if name != "moved"}
    return CardRungView(
        rung=_step(given.pop("rung")),
        facts=dict(given.pop("facts")),
        violations=tuple(given.pop("violations")),
        errors=tuple(given.pop("errors")),
        comparison=_comparison(given.pop("comparison")),
        samples_ms=_samples(given.pop("samples_ms")),
        **given,
    )


def _peer(data: Mapping[str, Any]) -> PeerView:
    given = dict(data)
    return PeerView(
        comparison=_comparison(given.pop("comparison")), samples_ms=_samples(given.pop("samples_ms")), **given
    )


def _comparison(data: Mapping[str, Any] | None) -> Comparison | None:
    if data is None:
        return None
    _finite(*(data[name] for name in ("speedup", "low", "high", "confidence", "margin")), *data["log_ratios"])
    if None in (data["speedup"], data["low"], data["high"]):
        raise ValueError("a comparison lacks its numbers")
    return Comparison(**{**data, "verdict": Verdict(data["verdict"]), "log_ratios": tuple(data["log_ratios"])})


def _samples(data: Any) -> tuple[tuple[float, ...], tuple[float, ...]]:  # noqa: ANN401 - JSON is dynamically typed
    first, second = data
    _finite(*first, *second)
    return tuple(first), tuple(second)


def _finite(*values: object) -> None:
    """Raise ValueError for anything but finite numbers and None."""
    for value in values:
        if value is not None and not (isinstance(value, int | float) and isfinite(value)):
            raise ValueError(f"{value!r} is no number")
