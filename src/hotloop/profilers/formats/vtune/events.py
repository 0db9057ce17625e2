"""VTune's counts of hardware events, as ``vtune -report hw-events -format csv`` writes them: sums of a whole process under perf's names.

A table has a row for each function with a column for each event, or a row for each event. Rows that are set to the right are counted in the
row above them already: callers below a function, or callees with all that they took (``Total``). What callees took themselves (``Self``) is not.
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
_STACK: Final = "Function Stack"
"""First column of a tree from callers to callees."""
_UNITS: Final = {"": 1.0, "K": 1e3, "M": 1e6, "G": 1e9}
_SHARE_TOLD: Final = 0.1
"""Part of the clocks from which the function with most of them is named."""


def read(path: Path) -> Profile:
    """Return the sums of all events. Raises ProfileError."""
    with table(path) as opened:
        names = [column.strip() for column in opened.columns]
        rows = [dict(zip(names, row, strict=True)) for row in opened.rows]
        notes = list(opened.notes)
    columns = [Column(name, match) for name in names if (match := COUNTED.fullmatch(name))]
    sums = _by_event(rows, columns[0]) if _KIND in names and columns else _by_function(rows, columns)
    readings = tuple(Reading(_NAMES.get(event, event), value, "") for event, value in sums.items())
    if not readings:
        raise ProfileError(f"{named(path)} has the head of VTune's hardware events and no count.")
    clocks = [column for column in columns if _NAMES.get(column.event) == "cycles"]
    notes += _hottest(rows, names[0], clocks) if not any(column.total for column in columns) else ()
    return Profile(tool="vtune", source=path.name, format="hardware events", readings=readings, notes=tuple(notes))


class Column:
    """A column of counts."""

    def __init__(self, name: str, match: re.Match[str]) -> None:
        self.name, self.event = name, match["event"] or ""
        self.total = match["kind"] == "Total"
        self._unit = _UNITS[match["unit"] or ""]

    def count(self, row: Mapping[str, str]) -> float | None:
        """Return the count of a row; None where the cell is empty."""
        value = _count(row[self.name])
        return None if value is None else value * self._unit


def _by_event(rows: Sequence[Mapping[str, str]], column: Column) -> dict[str, float]:
    sums: dict[str, float] = {}
    for row in rows:
        if (value := column.count(row)) is not None:
            event = row[_KIND].strip()
            sums[event] = sums.get(event, 0.0) + value
    return sums


def _by_function(rows: Sequence[Mapping[str, str]], columns: Sequence[Column]) -> dict[str, float]:
    sums: dict[str, float] = {}
    for column in sorted(
        columns, key=lambda one: one.total
    ):  # where an event has both, the totals of callees and all count
        whole = rows if rows and _STACK in rows[0] and not column.total else _outermost(rows)
        values = [value for row in whole if (value := column.count(row)) is not None]
        if values:
            sums[column.event] = sum(values)
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


def _hottest(rows: Sequence[Mapping[str, str]], function: str, clocks: Sequence[Column]) -> Iterator[str]:
    """Yield which function has most of the clocks, where many are its own."""
    spent = {row[function].strip(): clocks[0].count(row) or 0.0 for row in _outermost(rows)} if clocks else {}
    whole, first = sum(spent.values()), max(spent, key=lambda name: spent[name], default="")
    if whole and len(spent) > 1 and spent[first] >= _SHARE_TOLD * whole:
        yield f"{first} has {percent(spent[first] / whole)} of the clocks; the counts are those of the whole process"
