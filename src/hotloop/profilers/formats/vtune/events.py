"""VTune's counts of hardware events, as ``vtune -report hw-events -format csv`` writes them: sums of a whole process under perf's names.

A table has a row for each function with a column for each event, or a row for each event. Rows of callees are set to the right
below their caller's and counted there already.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from hotloop.profilers.formats.vtune import COUNTED
from hotloop.profilers.source import named
from hotloop.profilers.tables.csvtext import table
from hotloop.profiles.cell import real
from hotloop.profiles.failure import ProfileError
from hotloop.profiles.profile import Profile, Reading
from hotloop.units import percent

_NAMES: Final = {
    "CPU_CLK_UNHALTED.THREAD": "cycles",
    "CPU_CLK_UNHALTED.CORE": "cycles",
    "INST_RETIRED.ANY": "instructions",
    "BR_INST_RETIRED.ALL_BRANCHES": "branches",
    "BR_MISP_RETIRED.ALL_BRANCHES": "branch-misses",
    "LONGEST_LAT_CACHE.REFERENCE": "cache-references",
    "LONGEST_LAT_CACHE.MISS": "cache-misses",
}
"""Events under the names of perf's own, which count the same."""
_KIND: Final = "Hardware Event Type"
_SHARE_TOLD: Final = 0.1
"""Part of the clocks from which the function with most of them is named."""


def read(path: Path) -> Profile:
    """Return the sums of all events. Raises ProfileError."""
    with table(path) as opened:
        names = [column.strip() for column in opened.columns]
        rows = [dict(zip(names, row, strict=True)) for row in opened.rows]
        notes = list(opened.notes)
    events = [(name, match["event"]) for name in names if (match := COUNTED.fullmatch(name))]
    sums = _by_event(rows, events[0][0]) if _KIND in names and events else _by_function(rows, events)
    readings = tuple(Reading(_NAMES.get(event, event), value, "") for event, value in sums.items())
    if not readings:
        raise ProfileError(f"{named(path)} has the head of VTune's hardware events and no count.")
    notes += _hottest(rows, names[0], [name for name, event in events if _NAMES.get(event) == "cycles"])
    return Profile(tool="vtune", source=path.name, format="hardware events", readings=readings, notes=tuple(notes))


def _by_event(rows: Sequence[Mapping[str, str]], column: str) -> dict[str, float]:
    values = {row[_KIND].strip(): _count(row[column]) for row in rows}
    return {event: value for event, value in values.items() if value is not None}


def _by_function(rows: Sequence[Mapping[str, str]], events: Sequence[tuple[str, str]]) -> dict[str, float]:
    sums: dict[str, float] = {}
    for column, event in events:
        values = [value for row in _outermost(rows) if (value := _count(row[column])) is not None]
        if values:
            sums[event] = sum(values)
    return sums


def _outermost(rows: Sequence[Mapping[str, str]]) -> Iterator[Mapping[str, str]]:
    """Yield the rows that are not set to the right, whose counts hold those of the rows below them."""
    for row in rows:
        if not next(iter(row.values()), "").startswith(" "):
            yield row


def _count(cell: str) -> float | None:
    """Return a count without marks between thousands.

    >>> _count("2,632,500,000"), _count("7e3"), _count("")
    (2632500000.0, 7000.0, None)
    """
    return real(re.sub(r"(?<=\d),(?=\d{3})", "", cell.strip()))


def _hottest(rows: Sequence[Mapping[str, str]], function: str, clocks: Sequence[str]) -> Iterator[str]:
    """Yield which function has most of the clocks, where many are its own."""
    spent = {row[function].strip(): _count(row[clocks[0]]) or 0.0 for row in _outermost(rows)} if clocks else {}
    whole, first = sum(spent.values()), max(spent, key=lambda name: spent[name], default="")
    if whole and len(spent) > 1 and spent[first] >= _SHARE_TOLD * whole:
        yield f"{first} has {percent(spent[first] / whole)} of the clocks; the counts are those of the whole process"
