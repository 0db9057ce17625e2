"""Bank models from the data file."""

from __future__ import annotations

from functools import cache
from typing import Any

from hotloop.errors import UsageError
from hotloop.targets import data
from hotloop.targets.bankmodel import BankModel, parse_lanes
from hotloop.targets.target import Target


@cache
def _accesses() -> tuple[dict[str, Any], ...]:
    return data.groups("banks", "access")


def model(target: str, op: str, bits: int, wave: int | None = None) -> BankModel:
    """Return how a target serves an access of `bits` per lane.

    Raises:
        UnknownNameError: the target.
        UsageError: the target has no such access, or nothing is known about its banks.
    """
    described = Target.named(target)
    sizes = described.wave_sizes
    lanes = sizes[0] if wave is None else wave
    if lanes not in sizes:
        raise UsageError(
            f"{described.name} has waves of {' or '.join(map(str, sizes))} lanes, not of {lanes}; change --wave."
        )
    for entry in _accesses():
        if described.name in entry["targets"] and op in entry["ops"] and bits in entry["bits"]:
            return _model(described.name, op, bits, lanes, entry)
    raise UsageError(
        f"nothing is known about {op} of {bits} bits on {described.name}; known: {_known(described.name)}."
    )


def _model(target: str, op: str, bits: int, lanes: int, entry: dict[str, Any]) -> BankModel:
    if "phases" in entry:
        phases = tuple(parse_lanes(text) for text in entry["phases"])
    else:
        together = min(entry["together"], lanes)
        phases = tuple(tuple(range(first, first + together)) for first in range(0, lanes, together))
    return BankModel(
        target=target,
        op=op,
        width_bytes=bits // 8,
        banks=entry["banks"],
        phases=phases,
        status=entry["status"],
        source=entry["source"],
    )


def _known(target: str) -> str:
    rows = [f"{op} {bits}" for e in _accesses() if target in e["targets"] for op in e["ops"] for bits in e["bits"]]
    return ", ".join(rows) or "no access of this target"
