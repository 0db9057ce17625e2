"""What ``perf stat`` says in tables of its own: shares of a core's issue slots (``--topdown``), and sums over cores and intervals."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
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
FOUR: Final = tuple(SLOTS.values())[:4]
"""The kinds that are the whole together; where all are counted, shares that stand beside them say the same, and less of it."""
_ZEN: Final = {
    "smt contention": "topdown-smt",
    "retiring fastpath": "topdown-light-ops",
    "retiring microcode": "topdown-heavy-ops",
    "bad speculation mispredicts": "topdown-br-mispredict",
    "bad speculation pipeline restarts": "topdown-machine-clears",
    "frontend bound latency": "topdown-fetch-lat",
    "frontend bound bandwidth": "topdown-fetch-bw",
    "backend bound memory": "topdown-mem-bound",
    "backend bound cpu": "topdown-core-bound",
}
"""Names of the same quantities in the metric groups PipelineL1 and PipelineL2 of AMD's Zen 4 and later (``tools/perf/pmu-
events/arch/x86/amdzen4``)."""
_PARTS: Final = {
    "topdown-retiring": ("topdown-light-ops", "topdown-heavy-ops"),
    "topdown-bad-spec": ("topdown-br-mispredict", "topdown-machine-clears"),
    "topdown-fe-bound": ("topdown-fetch-lat", "topdown-fetch-bw"),
    "topdown-be-bound": ("topdown-mem-bound", "topdown-core-bound"),
}
"""The two kinds of slots that a kind consists of: the second level is printed without the first."""
_TMA = re.compile(r"%\s+tma_(\w+)")
"""Heads of perf 6 and later: ``%  tma_retiring %  tma_backend_bound``."""
METRICS: Final = re.compile(
    r"(?:#|\b(?:Topdown|Pipeline)L\d)\s+([0-9]+[.,][0-9]+|-?nan)\s*%\s+(?:tma_(\w+)|((?:retiring|bad_speculation|frontend_bound|backend_bound|smt_contention)\w*))(?=\s|$)"
)
"""The same among other events: ``TopdownL1  #  7.8 %  tma_bad_speculation``, further ones in rows of their own; AMD's have no ``tma_``."""
_WORDS = re.compile(
    r"^\s*(?:(?P<share>[0-9]+[.,]?[0-9]*) ?%\s+(?P<name>(?:tma_)?[a-z]+(?:[ _-][a-z]+)?)|(?P<before>(?:tma_)?[a-z]+(?:[ _-][a-z]+)?):?\s+(?P<behind>[0-9]+[.,]?[0-9]*) ?%)\s*(?:$|[^\w\s%])",
    re.IGNORECASE,
)
"""A share of the first level in a row of its own, as notes have it: ``45.2 %  backend bound``, ``backend bound: 45.2%  <- most``."""
GROUP: Final = re.compile(r"\b(?:Topdown|Pipeline)L\d\b(?: \((cpu_\w+)\))?")
"""The metric group that the following shares are of; on hybrid processors each kind of cores has its own."""
_SLOT_COUNT = re.compile(r"\btopdown-[\w-]+/?(?::\w+)?\s+#")
"""A row of a kind of slots: ``267,075,091,601  topdown-retiring  #  73.8% retiring``."""
_UNIT = re.compile(r"%\s+(?:tma_)?(\w+)")
_SHARE = re.compile(r"([0-9]+[.,][0-9]+)\s*%?(?=\s|$)")
_PLACE = re.compile(
    r"^\s*(?:(?P<time>[0-9]+[.,][0-9]{6,9})\s+)?(?:(?P<core>(?:CPU|S|N|D)[0-9][\w-]*)\s+(?:[0-9]+\s+)?)?"
)
UNIT: Final = "%"
RUNNING: Final = re.compile(r"[(\[]\s*([0-9]+[.,]?[0-9]*)\s*%\s*[)\]]\s*$")
"""Behind a row, the per cent of the time for which its event had a counter: ``(20.13%)``."""
_NO_SLOTS: Final = (
    "perf counted no issue slots to divide by: the processor or the virtual machine does not have the event"
)
_TWO_KINDS: Final = "the page has shares of two kinds of cores and does not say which: give it as perf printed it"
_FEWEST_WORDED: Final = 3
"""Kinds of slots that make a list of shares in words; one alone may be a sentence."""


def topdown(rows: Sequence[str]) -> Iterator[Reading]:
    """Yield the shares of issue slots, in per cent, as events ``topdown-*``; rows of cores and intervals are told by their place."""
    heads: list[str] = []
    worded = [reading for row in rows if (reading := _worded(row)) is not None]
    if len({reading.event for reading in worded}) >= _FEWEST_WORDED:
        yield from {reading.event: reading for reading in reversed(worded)}.values()  # of several runs the first speaks
    yield from _told_once(tuple(_grouped(rows)))
    for row in rows:
        head = _heads(row)
        if head:
            heads = head
            continue
        place = _PLACE.match(row)
        shares = _SHARE.findall(row[place.end() if place else 0 :]) if heads else []
        if len(shares) == len(heads) > 0 and place is not None:
            where = " ".join(filter(None, (place["time"], place["core"])))
            for name, share in zip(heads, shares, strict=True):
                yield Reading(f"{name}@{where}" if where else name, float(share.replace(",", ".")), UNIT)


def _grouped(rows: Sequence[str]) -> Iterator[Reading]:
    kind = ""
    for row in rows:
        kind = core_kind(row) if GROUP.search(row) else kind
        yield from (of_kind(reading, kind) for reading in _metrics(row))


def _told_once(readings: Sequence[Reading]) -> Iterator[Reading]:
    """Yield shares, without values where one run has a kind of slots twice: they are of two kinds of cores that nothing names."""
    times = Counter(reading.event for reading in readings)
    twice = any(times[event] > 1 for event in SLOTS.values())
    yield from (replace(reading, value=None, reason=_TWO_KINDS) if twice else reading for reading in readings)


def core_kind(text: str) -> str:
    """Return the kind of cores that a metric group is of, as ``cpu_core``; empty where the processor has one kind."""
    group = GROUP.search(text)
    return (group[1] or "") if group else ""


def of_kind(reading: Reading, kind: str) -> Reading:
    """Return a reading as one of a kind of cores, named as perf names their events."""
    name, mark, where = reading.event.partition("@")
    return replace(reading, event=f"{kind}/{name}/{mark}{where}") if kind else reading


def _worded(row: str) -> Reading | None:
    match = _WORDS.match(row)
    words = re.sub("[_-]", " ", (match["name"] or match["before"]).lower().removeprefix("tma_")) if match else ""
    if match is None or words not in SLOTS:
        return None
    return Reading(SLOTS[words], float((match["share"] or match["behind"]).replace(",", ".")), UNIT)


def _metrics(row: str) -> Iterator[Reading]:
    """Yield the shares that stand behind an event, with the interval's time where the row has one.

    Behind a count of slots stands the same once more: the count is read, and shares of some kinds beside counts of others would be
    of no whole.
    """
    if _SLOT_COUNT.search(row):
        return
    place = _PLACE.match(row)
    where = place["time"] if place else None
    running = RUNNING.search(row)
    counted = min(1.0, float(running[1].replace(",", ".")) / 100) if running else None
    for share, name, zen in METRICS.findall(row):
        event = _named(name or zen)
        if event:
            value = None if "nan" in share else float(share.replace(",", "."))
            named, reason = f"{event}@{where}" if where else event, _NO_SLOTS if value is None else ""
            yield Reading(named, value, UNIT, counted, reason=reason)


def _named(name: str) -> str:
    """Return the event of a metric's name; empty for any other metric."""
    words = name.replace("_", " ").lower()
    return SLOTS.get(words, _ZEN.get(words, ""))


def slot(unit: str) -> str:
    """Return the event of a metric's unit in JSON, as ``%  tma_retiring``; empty for any other metric."""
    unit_match = _UNIT.fullmatch(unit.strip())
    return _named(unit_match[1]) if unit_match else ""


def headed(head: str) -> str:
    """Return the event of a column's head with ``-x``, as ``%  tma_retiring`` or ``bad speculation``; empty for any other."""
    return slot(head) or SLOTS.get(head.strip().lower(), "")


def wholes(readings: Sequence[Reading]) -> Iterator[Reading]:
    """Yield the kinds of slots of which only the two parts were printed."""
    by_event = {reading.event: reading for reading in readings if reading.value is not None}
    for pattern in dict.fromkeys(
        re.sub(r"[^/@]*topdown-[\w-]+", "{}", event, count=1) for event in by_event if "topdown-" in event
    ):
        for whole, parts in _PARTS.items():
            names = [pattern.format(part) for part in parts]
            if pattern.format(whole) not in by_event and all(
                name in by_event and by_event[name].unit == UNIT for name in names
            ):
                shares = [by_event[name].running_share for name in names]
                counted = min((share for share in shares if share is not None), default=None)
                yield Reading(pattern.format(whole), sum(by_event[name].value or 0.0 for name in names), UNIT, counted)


def _heads(row: str) -> list[str]:
    """Return the events of a table's head, empty for any other row."""
    newer = _TMA.findall(row) if not METRICS.search(row) else []
    cells = newer or [cell for cell in re.split(r"\s{2,}", row.strip().lstrip("#").strip()) if cell]
    names = [SLOTS.get(cell.strip().lower().replace("_", " ")) for cell in cells if cell != "time"]
    present = [name for name in names if name is not None]
    return present if len(present) >= 4 and len(present) == len(names) else []


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
