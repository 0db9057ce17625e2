"""Counts that ``perf stat`` prints: for people, with ``-x`` for programs, or with ``-j`` as JSON lines.

An event that the kernel multiplexed is extrapolated; `Reading.running_share` says how much of the time it was counted.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import dropwhile
from pathlib import Path
from typing import Final

from hotloop.model.evidence import Absent
from hotloop.profilers.formats.perf import COLUMNS, NAMED
from hotloop.profilers.formats.perf.runs import HEAD, of_longest, runs
from hotloop.profilers.formats.perf.slots import (
    FOUR,
    RUNNING,
    UNIT,
    core_kind,
    headed,
    of_kind,
    slot,
    topdown,
    totals,
    wholes,
)
from hotloop.profilers.source import lines, look, named
from hotloop.profiles.cell import real
from hotloop.profiles.failure import ProfileError
from hotloop.profiles.profile import Profile, Reading
from hotloop.profiles.ratios import RUNTIME

_EVENT: Final = r"[a-zA-Z][\w:./=@%,-]*"
_VALUE: Final = r"<not (?:counted|supported)>|[0-9]{1,3}(?: [0-9]{3})+(?=\s)|[0-9][0-9.,'\u2019\u00a0\u202f]*"
"""A count in any locale; pages that were copied have spaces where narrow ones were."""
_PLAIN = re.compile(
    rf"^\s*(?:(?P<time>[0-9]+[.,][0-9]{{6,9}})\s+)?(?:(?P<prefix>(?:CPU|S|N)[0-9][\w-]*)\s+(?:[0-9]+\s+)?)?(?P<value>{_VALUE})\s+"
    rf"(?:(?P<unit>msec|usec|ns|sec|Joules|MiB|KiB|GiB|Bytes|C|%|/sec)\s+)?(?P<event>{_EVENT})"
    r"(?P<rest>.*)$"
)
_SECONDS = re.compile(
    rf"^\s*(?P<value>{_VALUE})(?:\s+\+-\s+[0-9.,]+)?\s+(?P<event>seconds (?:time elapsed|user|sys))(?P<rest>.*)$"
)
_PRINTED = re.compile(r"\s*(?:[0-9]+[.,][0-9]{9}\s+)?[0-9][0-9.,]*(?: +|\s{2,})[a-zA-Z]")
"""A row for people: blanks part the count, whose groups of digits have commas, from the event and the time of ``-I``."""
_HEADED = re.compile(r"#\s+time\s+(?:\w+\s+){0,2}counts\s+unit\s+events")
_SPREAD = re.compile(r"\(\s*\+-\s*([0-9]+[.,]?[0-9]*)\s*%\s*\)")
_BEHIND = re.compile(r"\s*(?:[#(\[]|$)|\s{2,}[0-9]+[.,][0-9]+ *(?:%|insn per cycle|CPUs utilized|GHz|[KMG]?/sec)")
"""What stands behind an event: a remark with its mark, which copies of a page may lack, or how long it was counted."""
_GROUPED = re.compile(r"[0-9]{1,3}(?:[ ,.'\u2019\u00a0\u202f][0-9]{3})+")
_NUMBERED = re.compile(r"\s*[0-9]{1,4}\s(?=\s*(?:Performance counter stats for |$))")
_LINE_NUMBER = re.compile(r"^\s*[0-9]{1,4}(?:\s|$)")
_NAME = re.compile(_EVENT)
_MARKS: Final = (";", "\t", "|", ",", ":")
"""What may part the columns of ``--metric-only``, whose events have no colons."""
_COLUMN: Final = {"insn per cycle": "instructions-per-cycle"}
_REASONS: Final = {
    "<not counted>": "the event was never on a hardware counter during the run: count fewer events at once, or run longer",
    "<not supported>": "this processor or virtual machine does not have the event",
}


def read(path: Path) -> Profile:
    """Return one reading for each event. Raises ProfileError."""
    with lines(path) as text:
        rows = _unnumbered([line.rstrip("\r\n") for line in text])
    separator, told = _separator(rows), ""
    if any(COLUMNS.search(row) for row in rows):
        separator = _parting(rows)
    if separator and any(COLUMNS.search(row) for row in rows):
        readings, form = tuple(_from_columns(rows, separator)), "stat -x --metric-only (separated)"
    elif any(row.lstrip().startswith("{") for row in rows):
        (readings, told), form = of_longest(runs(rows, _from_json)), "stat -j (JSON lines)"
    elif separator and not any("seconds time elapsed" in row or _HEADED.match(row) or NAMED.match(row) for row in rows):
        fields = partial(_from_fields, separator=separator)
        (readings, told), form = of_longest(runs(rows, fields)), "stat -x (separated)"
    else:
        (readings, told), form = of_longest(runs(rows, _printed_counts)), "stat (text)"
    readings = (*readings, *totals(readings))
    readings = (*readings, *wholes(readings))
    if not readings:
        raise ProfileError(f"{named(path)} ({look(path).size_bytes} bytes) holds no event: perf stat counted nothing.")
    absent = tuple(Absent(r.event, r.reason) for r in readings if r.value is None)
    return Profile(
        tool="perf",
        source=path.name,
        format=form,
        readings=readings,
        absent=absent,
        notes=tuple(filter(None, (told, *_notes(rows, readings)))),
    )


def _unnumbered(rows: list[str]) -> list[str]:
    """Return the lines without the numbers that an article puts before them; a head of counts with one tells."""
    if not any(_NUMBERED.match(row) and HEAD.search(row) for row in rows):
        return rows
    return [_LINE_NUMBER.sub("", row) for row in rows]


def _notes(rows: list[str], readings: tuple[Reading, ...]) -> Iterator[str]:
    shared = [r.event for r in readings if r.running_share is not None and r.running_share < 1]
    if shared:
        yield f"{len(shared)} events shared hardware counters: their values are extrapolated"
    if any("@" in r.event for r in readings):
        yield "values are given for each core or interval, named after the '@'; sums over them stand under the bare name"
    if any("nmi_watchdog" in row for row in rows):
        yield "the NMI watchdog took a hardware counter"


def _printed_counts(rows: Sequence[str]) -> Iterator[Reading]:
    """Yield the counts of one run as people read them, and its table of shares; where there are none, those noted behind their events."""
    counted = tuple(_from_text(rows))
    yield from counted or _from_names(rows)
    every = {reading.event.partition(":")[0] for reading in counted if reading.value is not None}
    yield from (reading for reading in topdown(rows) if not (every.issuperset(FOUR) and reading.event in FOUR))


def _from_names(rows: Sequence[str]) -> Iterator[Reading]:
    for match in filter(None, map(NAMED.match, rows)):
        yield _reading(match["event"], None, match["value"], "", None, None, grouped=True)


def _from_text(rows: Sequence[str]) -> Iterator[Reading]:
    begun = next((place for place, row in enumerate(rows) if HEAD.search(row)), 0)
    for row in rows[begun:]:  # what stands before the head of the counts is the program's own output
        match = _SECONDS.match(row) or _PLAIN.match(row)
        if match is None or HEAD.search(row):
            continue
        parts = match.groupdict()
        rest = parts["rest"]
        if parts["event"].split()[0] != "seconds" and rest.strip() and not _BEHIND.match(rest):
            continue
        running, spread = RUNNING.search(_SPREAD.sub("", rest)), _SPREAD.search(rest)
        place = " ".join(filter(None, (parts.get("time"), parts.get("prefix")))) or None
        yield _reading(parts["event"], place, parts["value"], parts.get("unit") or "",
                       running[1] if running else None, spread[1] if spread else None, grouped=True)  # fmt: skip


def _separator(rows: list[str]) -> str:
    for row in rows:
        if row.strip() and not row.startswith("#"):
            if _PRINTED.match(row):
                return ""
            return next((s for s in (";", "\t", "|", ",") if row.count(s) >= 3), "")
    return ""


def _parting(rows: Sequence[str]) -> str:
    """Return what parts the rows below the head of ``--metric-only``: another sign than in the head in versions before 6.11."""
    below = dropwhile(lambda row: not COLUMNS.search(row), rows)
    row = next((row for row in below if row.strip() and not row.startswith("#") and not COLUMNS.search(row)), "")
    return next((mark for mark in _MARKS if row.count(mark) >= 3), "")


def _from_fields(rows: Sequence[str], separator: str) -> Iterator[Reading]:
    for row in rows:
        cells = [cell.strip() for cell in row.split(separator)]
        share = slot(cells[-1]) if cells[-1].startswith("%") and len(cells) > 1 else ""
        place = None if row.startswith("#") else _value_place(cells)
        after = [] if place is None else cells[place + 3 :]
        spread = after.pop(0).rstrip("%") if after and after[0].endswith("%") else None
        running = after[1] if len(after) > 1 else None
        if share and not row.startswith("#"):
            yield _reading(share, None, cells[-2], UNIT, running, None)
        if place is not None:
            value, unit, event = cells[place : place + 3]
            yield _reading(event, separator.join(cells[:place]) or None, value, unit, running, spread)


def _from_columns(rows: list[str], separator: str) -> Iterator[Reading]:
    """Yield what ``--metric-only`` prints with ``-x``: a head of the metrics' units, and a row of values for each interval."""
    heads: list[str] = []
    for row in rows:
        if COLUMNS.search(row):
            mark = max(_MARKS, key=row.count)
            heads = [cell.strip() for cell in row.rstrip("".join((*_MARKS, " "))).split(mark)]
            continue
        cells = [cell.strip() for cell in row.rstrip(f"{separator} ").split(separator)]
        if heads and 1 < len(cells) <= len(heads):  # a quotient that could not be made leaves its column empty
            values = dict(zip(heads, [*cells, *[""] * (len(heads) - len(cells))], strict=True))
            place = " ".join(filter(None, (values.get("time"), values.get("core")))) or None
            for head, value in values.items():
                event = headed(head) or _COLUMN.get(head, "")
                if event and value:
                    yield _reading(event, place, value, UNIT if headed(head) else "", None, None)


def _value_place(cells: list[str]) -> int | None:
    """Return where the count stands: before it may be an interval's time, a core and a number of cores."""
    for place in range(min(4, len(cells) - 2)):
        value, unit, event = cells[place : place + 3]
        if (
            (value in _REASONS or _number(value, grouped=False) is not None)
            and not any(c.isdigit() for c in unit)
            and _NAME.fullmatch(event)
        ):
            return place
    return None


def _from_json(rows: Sequence[str]) -> Iterator[Reading]:
    kind = ""
    for row in rows:
        try:
            item = json.loads(row.strip().rstrip(","))
        except (ValueError, RecursionError):
            continue
        if not isinstance(item, dict):
            continue
        prefix = item.get("cpu", item.get("core", item.get("interval")))
        share = slot(str(item.get("metric-unit", "")))
        kind = core_kind(str(item["metricgroup"])) if "metricgroup" in item else kind
        if share:
            value, running = str(item.get("metric-value", "")).strip(), _text(item.get("pcnt-running"))
            yield of_kind(_reading(share, _text(prefix), value, UNIT, running, None), kind)
        if "event" in item and "counter-value" in item:
            yield _reading(str(item["event"]), _text(prefix), str(item["counter-value"]).strip(),
                           str(item.get("unit", "")), _text(item.get("pcnt-running")), _text(item.get("variance")))  # fmt: skip
            if item["event"] == "cycles" and RUNTIME in item:
                yield _reading(RUNTIME, _text(prefix), str(item[RUNTIME]), "ns", None, None)


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def _reading(
    event: str,
    prefix: str | None,
    value: str,
    unit: str,
    running: str | None,
    spread: str | None,
    *,
    grouped: bool = False,
) -> Reading:
    count = grouped and not unit and not event.startswith("seconds")
    number = None if value in _REASONS else _number(value, grouped=count)
    return Reading(
        event=event if prefix is None else f"{event}@{prefix}",
        value=number,
        unit="s" if event.startswith("seconds") else unit,
        running_share=_share(running),
        spread_share=_share(spread),
        reason="" if number is not None else _REASONS.get(value, "the value is no number"),
    )


def _share(percent: str | None) -> float | None:
    value = None if percent is None else _number(percent, grouped=False)
    return None if value is None else min(1.0, value / 100)


def _number(text: str, *, grouped: bool) -> float | None:
    """Return a number printed in any locale; `grouped`: marks between groups of three digits are no decimal mark."""
    if grouped and _GROUPED.fullmatch(text):
        return real(re.sub(r"[^0-9]", "", text))
    whole, mark, decimals = text.rpartition("," if text.rfind(",") > text.rfind(".") else ".")
    digits = re.sub(r"[ ,.'\u2019\u00a0\u202f]", "", whole)
    return real(f"{digits}.{decimals}" if mark else text)
