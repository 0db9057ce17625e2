r"""A table of times by name in any spelling: columns parted by commas, semicolons, tabs, bars or blanks, or records of JSON.

Taken is only what cannot be misread: each time has a unit, in its head or behind its number, and where the table also has a
mean, total and calls must agree with it.

>>> timed = found("Kernel; Calls; Total Time (ms)\ngemm; 4; 8.0\n")
>>> [(row.name, row.count, row.total_ns) for row in timed.totals()] if timed else None
[('gemm', 4, 8000000.0)]
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from hotloop.profilers.source import delimiter_of
from hotloop.profilers.tables.csvtext import pointed
from hotloop.profilers.tables.totals import NS, Total, quantity
from hotloop.profiles.profile import UNTOLD

TEXT_BYTES: Final = 16 << 20
_ROWS_LOOKED_AT: Final = 400
_KERNEL: Final = ("kernel name", "kernelname", "kernel", "computing task", "gpu kernel")
_NAME: Final = (*_KERNEL, "name", "function", "function name", "operation", "task")
_DESCRIPTOR: Final = ".kd"
"""End of the symbol of a kernel's descriptor in AMD's code objects, by which tables of all activities name kernels."""
_COUNT: Final = ("calls", "counts", "call count", "num calls", "# of calls", "#calls", "count", "instances", "instance count", "launches",
                 "invocations", "num launches", "number of calls")  # fmt: skip
_TOTAL: Final = ("kernel time", "gpu time", "device time", "total device time", "total gpu time", "total kernel time",
                 "total time", "total duration", "totalduration", "total", "sum", "duration", "time")  # fmt: skip
"""Names of the column with the sum over all launches; the first one in a table is the kernel's own time and not the call's."""
_MEAN: Final = ("kavg", "average time", "average", "avg time", "avg", "mean time", "mean", "averageduration")
_LEAST, _MOST = ("min", "minimum", "kmin", "min time"), ("max", "maximum", "kmax", "max time")
_SHARE: Final = ("time", "time %", "percent", "pct", "percentage", "%")
_SECONDS: Final = "computing task"
"""VTune's head of kernels: its times are seconds and say so nowhere."""
_HEAD = re.compile(r"^(?P<name>[^(\[]*?)\s*(?:[(\[](?P<unit>[^)\]]*)[)\]])?$")
_JOINED = re.compile(
    r"^(?P<name>.*(?:time|duration|avg|average|min|max|total|sum))[ _]?(?P<unit>ns|us|ms|nsec|usec|msec|sec)$"
)
_RULE = re.compile(r"^[\s|│+:=─═┼╪╞╡├┤┌┐└┘╒╕╘╛╧╤┴┬-]+$")
_WIDE = re.compile(r"\s{2,}|\t")
_COPY = re.compile(
    r"\[CUDA mem|Mem(?:ory)?(?:cpy|set|Copy|Fill)|^clEnqueue(?:Read|Write|Copy|Fill)|^\w*(?:copyBuffer|fillBuffer)"
)
_SUMS: Final = frozenset({"total", "sum", "all", "overall"})
_NEAR: Final = 0.02
"""Relative difference that rounding leaves between a mean and its total over the calls."""


@dataclass(frozen=True, slots=True)
class _Column:
    name: str
    """Name in lower case, without the unit."""
    unit: str


@dataclass(frozen=True, slots=True)
class Timed:
    """A table with its heads."""

    columns: tuple[_Column, ...]
    rows: tuple[Sequence[str], ...]
    doubt: str = ""

    @property
    def tool(self) -> str:
        """The tool that only one has such columns of, else what the file is."""
        return "nsys" if self.index(("instances",)) is not None and self.index(("total time",)) is not None else "table"

    def index(self, names: Sequence[str], *, share: bool = False) -> int | None:
        """Return the first column of these names, in their order, that is a share or is none."""
        for name in names:
            for place, column in enumerate(self.columns):
                if column.name == name and share == (column.unit == "%"):
                    return place
        return None

    @property
    def of_kernels(self) -> bool:
        """Whether the rows are kernels by their head, not functions of the host."""
        return self.index(_KERNEL) is not None or self.index(("instances",)) is not None

    def totals(self) -> Iterator[Total]:
        """Yield the rows whose numbers agree with one another; launches that have a row each are added up."""
        single = self.index(_COUNT) is None and self.index(_MEAN) is None
        yield from _added(self._rows()) if single else self._rows()

    def _rows(self) -> Iterator[Total]:
        share = self.index(_SHARE, share=True)
        for row in self.rows:
            name = row[_place(self.index(_NAME))].strip().strip('"')
            total, mean = self._ns(row, _TOTAL), self._ns(row, _MEAN)
            count = self._count(row, total, mean)
            if not name or name.lower() in _SUMS or count is None or (total is None and mean is None):
                continue
            spent = total if total is not None else (mean or 0.0) * count
            if mean and abs(spent - mean * count) > _NEAR * spent:
                continue
            printed = quantity(row[share].replace("%", "")) if share is not None else None
            kernel = self.of_kernels or name.endswith(_DESCRIPTOR)
            domain = "copy" if _COPY.search(name) else "" if kernel else UNTOLD
            yield Total(
                name, count, spent, self._ns(row, _LEAST), self._ns(row, _MOST), domain, printed[0] if printed else None
            )

    def _ns(self, row: Sequence[str], names: Sequence[str]) -> float | None:
        place = self.index(names)
        measured = quantity(row[place].strip().strip('"')) if place is not None else None
        if place is None or measured is None:
            return None
        unit = self.columns[place].unit or ("s" if self.index((_SECONDS,)) is not None else "")
        return measured[0] if measured[1] else measured[0] * NS[unit] if unit in NS else None

    def _count(self, row: Sequence[str], total: float | None, mean: float | None) -> int | None:
        place = self.index(_COUNT)
        if place is None and mean is None:
            return 1  # a row is a launch
        if place is None:
            return round(total / mean) if total and mean else None
        counted = quantity(row[place].strip().strip('"'))
        return int(counted[0]) if counted and counted[0] >= 1 and not counted[1] else None


def found(text: str) -> Timed | None:
    """Return the first table of a text that has names, times with units, and calls; None without one."""
    timed = _any(text)
    return timed if timed is not None and any(True for _ in timed.totals()) else None


def _any(text: str) -> Timed | None:
    return _records(text) if text.lstrip()[:1] in {"[", "{"} else _lines(text)


def unread(text: str) -> str:
    """Return why a table of times cannot be read, with what to mend; empty for a text that has none."""
    timed = _any(text)
    if timed is None:
        return ""
    spent = timed.index(_TOTAL) if timed.index(_TOTAL) is not None else timed.index(_MEAN)
    column = timed.columns[_place(spent)]
    measured = any(
        unit for row in timed.rows if (parsed := quantity(row[_place(spent)].strip())) and (unit := parsed[1])
    )
    if column.unit not in NS and not measured:
        return f"it is a table of times whose column {column.name!r} names no unit: write it into the head, as '{column.name} (us)'"
    return "it is a table of times whose totals, calls and means do not agree, or are in the numbers of another language: mend or leave out a column"


def _added(launches: Iterator[Total]) -> Iterator[Total]:
    sums: dict[tuple[str, str], list[float]] = {}
    for launch in launches:
        sums.setdefault((launch.domain, launch.name), []).append(launch.total_ns)
    for (domain, name), times in sums.items():
        yield Total(name, len(times), sum(times), min(times), max(times), domain)


def _place(index: int | None) -> int:
    return 0 if index is None else index


def _column(head: str) -> _Column:
    plain = re.sub(r"\s+", " ", head.strip().strip('"').replace("_", " ").replace(".(", " (")).lower().rstrip(".:")
    match = _HEAD.match(plain)
    name, unit = (match["name"].strip(), (match["unit"] or "").strip()) if match else (plain, "")
    joined = _JOINED.match(name)
    if not unit and joined:
        name, unit = joined["name"].strip(), joined["unit"]
    if name.endswith("%"):
        name, unit = name.rstrip("% ") or "%", "%"
    return _Column(name, unit)


def _timed(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Timed | None:
    timed = Timed(tuple(map(_column, heads)), tuple(row for row in rows if len(row) == len(heads)))
    named = timed.index(_NAME) is not None
    counted = timed.index(_COUNT) is not None or timed.index(_MEAN) is not None or timed.index(_KERNEL) is not None
    spent = timed.index(_TOTAL) is not None or timed.index(_MEAN) is not None
    return timed if named and counted and spent and timed.rows else None


def _lines(text: str) -> Timed | None:
    rows = text.splitlines()
    for place, line in enumerate(rows[:_ROWS_LOOKED_AT]):
        if not re.search(r"time|duration|total|sum|avg", line, re.IGNORECASE):
            continue
        cut = _cutter(line)
        heads = cut(line)
        if len(heads) < 3 or _timed(heads, [heads]) is None:
            continue
        body = (row for row in rows[place + 1 :] if row.strip() and not _RULE.match(row))
        cells = [
            cells if len(cells) == len(heads) else _last_wide(row, len(heads)) for row in body if (cells := cut(row))
        ]
        return _timed(heads, [pointed([], row) for row in cells] if cut.mark == ";" else cells)
    return None


def _last_wide(row: str, count: int) -> list[str]:
    """Return the cells of a row by single blanks, the last with what is left: numbers stand close, names have blanks."""
    return row.split(None, count - 1)


class _Cutter:
    """Parts a row as the table's head is parted."""

    def __init__(self, mark: str) -> None:
        self.mark = mark

    def __call__(self, row: str) -> list[str]:
        if not self.mark:
            return _WIDE.split(row.strip())
        if self.mark in "|│":
            return [cell.strip().strip("`*") for cell in row.strip().strip(self.mark).split(self.mark)]
        try:
            return [
                cell.strip() for cell in next(csv.reader([row.strip()], delimiter=self.mark, skipinitialspace=True), [])
            ]
        except csv.Error:
            return []


def _cutter(head: str) -> _Cutter:
    mark = next((mark for mark in "│|" if head.count(mark) > 1), "")
    separator = delimiter_of(head)
    return _Cutter(mark or (separator if head.count(separator) > 1 else ""))


def _records(text: str) -> Timed | None:
    """Return records of JSON that have the same keys, a list at the top or the longest one within."""
    try:
        content: Any = json.loads(text)
    except (ValueError, RecursionError):
        return None
    lists = [content] if isinstance(content, list) else [v for v in content.values() if isinstance(v, list)]
    for rows in sorted(lists, key=len, reverse=True):
        records: list[Mapping[str, object]] = [row for row in rows if isinstance(row, dict)]
        heads = list(records[0]) if records else []
        cells = [[_cell(record.get(head, "")) for head in heads] for record in records if list(record) == heads]
        if heads and (timed := _timed(heads, cells)):
            return timed
    return None


def _cell(value: object) -> str:
    return repr(value) if isinstance(value, float) else str(value)
