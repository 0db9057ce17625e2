"""What ``perf stat`` says in tables of its own: shares of a core's issue slots (``--topdown``), and sums over cores and intervals."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from statistics import fmean
from typing import Final

from hotloop.profiles.profile import Reading

SLOTS: Final = {
    "retiring": "topdown-retiring",
    "bad speculation": "topdown-bad-spec",
    "frontend bound": "topdown-fe-bound",
    "backend bound": "topdown-be-bound",
    "heavy operations": "topdown-heavy-ops",
    "light operations": "topdown-light-ops",
    "branch mispredict": "topdown-br-mispredict",
    "machine clears": "topdown-machine-clears",
    "fetch latency": "topdown-fetch-lat",
    "fetch bandwidth": "topdown-fetch-bw",
    "memory bound": "topdown-mem-bound",
    "core bound": "topdown-core-bound",
}
"""Heads of the table, in small letters, by perf's name of the event that counts them."""
_TMA = re.compile(r"%\s+tma_(\w+)")
"""Heads of perf 6 and later: ``%  tma_retiring %  tma_backend_bound``."""
_METRICS = re.compile(r"#\s+([0-9]+[.,][0-9]+)\s*%\s+tma_(\w+)")
"""The same among other events: ``TopdownL1  #  7.8 %  tma_bad_speculation``, further ones in rows of their own."""
_SHARE = re.compile(r"([0-9]+[.,][0-9]+)\s*%?(?=\s|$)")
_PLACE = re.compile(
    r"^\s*(?:(?P<time>[0-9]+[.,][0-9]{6,9})\s+)?(?:(?P<core>(?:CPU|S|N|D)[0-9][\w-]*)\s+(?:[0-9]+\s+)?)?"
)
UNIT: Final = "%"


def topdown(rows: Sequence[str]) -> Iterator[Reading]:
    """Yield the shares of issue slots, in per cent, as events ``topdown-*``; rows of cores and intervals are told by their place."""
    heads: list[str] = []
    for row in rows:
        for share, name in _METRICS.findall(row):
            if name.replace("_", " ").lower() in SLOTS:
                yield Reading(SLOTS[name.replace("_", " ").lower()], float(share.replace(",", ".")), UNIT)
        found = _heads(row)
        if found:
            heads = found
            continue
        place = _PLACE.match(row)
        shares = _SHARE.findall(row[place.end() if place else 0 :]) if heads else []
        if len(shares) == len(heads) > 0 and place is not None:
            where = " ".join(filter(None, (place["time"], place["core"])))
            for name, share in zip(heads, shares, strict=True):
                yield Reading(f"{name}@{where}" if where else name, float(share.replace(",", ".")), UNIT)


def slot(unit: str) -> str:
    """Return the event of a metric's unit in JSON, as ``%  tma_retiring``; empty for any other metric."""
    found = _TMA.match(unit.strip())
    return SLOTS.get(found[1].replace("_", " ").lower(), "") if found else ""


def _heads(row: str) -> list[str]:
    """Return the events of a table's head, empty for any other row."""
    newer = _TMA.findall(row) if not _METRICS.search(row) else []
    cells = newer or [cell for cell in re.split(r"\s{2,}", row.strip().lstrip("#").strip()) if cell]
    names = [SLOTS.get(cell.strip().lower().replace("_", " ")) for cell in cells if cell != "time"]
    known = [name for name in names if name is not None]
    return known if len(known) >= 4 and len(known) == len(names) else []


def totals(readings: Sequence[Reading]) -> Iterator[Reading]:
    """Yield what cores and intervals have together: sums of counts, means of shares."""
    bare = {reading.event for reading in readings if "@" not in reading.event}
    parts: dict[str, list[Reading]] = {}
    for reading in readings:
        name, mark, _ = reading.event.partition("@")
        if mark and name not in bare:
            parts.setdefault(name, []).append(reading)
    for name, listed in parts.items():
        values = [reading.value for reading in listed if reading.value is not None]
        if not values:
            yield Reading(name, None, listed[0].unit, reason=listed[0].reason)
            continue
        shares = [reading.running_share for reading in listed if reading.running_share is not None]
        value = fmean(values) if listed[0].unit == UNIT else sum(values)
        yield Reading(name, value, listed[0].unit, min(shares) if shares else None)
