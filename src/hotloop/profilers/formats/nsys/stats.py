"""Summaries that ``nsys stats`` prints or writes: tables under a ruler, or CSV, one behind another."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Final

from hotloop.profilers.formats.nsys import HEADER
from hotloop.profilers.source import delimiter_of, lines
from hotloop.profilers.tables.totals import Total, profile, quantity, time_ns
from hotloop.profiles.profile import Profile

_TITLE = re.compile(r"^\s*(?:\*\*\s*)?(?P<title>[A-Z][\w /.-]*?(?:Summary|Statistics)[^:]*?):?\s*$")
_RULER = re.compile(r"^\s*-{3,}(?:\s+-{2,})+\s*$")
_REMARK = re.compile(r"\s{2,}#.*$")
"""Remark that a person wrote behind a row."""
_MOST_LOST: Final = 16
"""Blanks before a row's first number at most."""
_UNIT = re.compile(r"\((\w+)\)")
_COUNTS: Final = ("instances", "num calls", "calls", "count", "operations")
_SHARES: Final = ("time", "time(%)")
"""Head of the shares; until 2021 without a blank."""
_NAMES: Final = ("name", "operation", "range")
_COMMA: Final = re.compile(r"\d+,\d+%?")
_APART: Final = re.compile(r"(?<=\d)[ '\u2019\u00a0\u202f](?=\d{3}(?!\d))")
"""Characters that separate thousands in some languages."""


def read(path: Path) -> Profile:
    """Return kernels, calls and copies of all summaries of a file. Raises ProfileError."""
    with lines(path) as text:
        runs = list(_runs(_totals(text)))
    longest = max(runs, key=_kernels_ns, default=[])
    told = (f"{len(runs)} runs in one text: the one whose kernels took longest",) if len(runs) > 1 else ()
    return profile("nsys", "stats", path, longest, told)


def _kernels_ns(run: Sequence[Total]) -> float:
    return sum(row.total_ns for row in run if not row.domain)


def _runs(rows: Iterable[tuple[int, tuple[str, ...], Total]]) -> Iterator[list[Total]]:
    """Yield the rows of each run: where a table of the same columns has the same name again, another run begins."""
    seen: dict[tuple[tuple[str, ...], str, str], int] = {}
    run: list[Total] = []
    for number, heads, row in rows:
        key = heads, row.domain, row.name
        if seen.get(key, number) != number:
            yield run
            seen, run = {}, []
        seen[key] = number
        run.append(row)
    if run:
        yield run


def _totals(text: Iterator[str]) -> Iterator[tuple[int, tuple[str, ...], Total]]:
    """Yield the rows, each with the number of its table and its columns."""
    number, heads = 0, list[str]()
    title, spans, separated, mark = "", list[tuple[int, int]](), False, ","
    for line in text:
        titled = _TITLE.match(line)
        if HEADER.match(line):
            number += 1
            mark = delimiter_of(line)
            separated = '"' in line or line.count(mark) > 2
            heads, spans = _cells(line, mark) if separated else [line], []
        elif titled:
            title, heads, spans = titled["title"], [], []
        elif heads and _RULER.match(line):
            spans = [match.span() for match in re.finditer("-+", line.rstrip())]
            heads = _sliced(heads[0], spans)
        elif heads and line.strip():
            if not spans and len(heads) == 1:
                heads = re.split(r"\s{2,}", heads[0].strip())  # no ruler: columns were cut out by hand
            cells = (
                _sliced(line, spans)
                if spans
                else _cells(line, mark)
                if separated
                else line.strip().split(None, len(heads) - 1)
            )
            row = _row(heads, cells, title)
            if row is not None:
                yield number, tuple(heads), row


def _cells(line: str, mark: str) -> list[str]:
    return [cell.strip() for cell in next(csv.reader([line.strip()], delimiter=mark), [])]


def _sliced(line: str, spans: list[tuple[int, int]]) -> list[str]:
    """Return the cells under a ruler: the name begins where its dashes do, before it heads stand by dashes and numbers by blanks."""
    body, start = line.rstrip("\r\n"), spans[-1][0]
    numbers = body[:start].split()
    if len(numbers) != len(spans) - 1:
        body = _aligned(body, spans)
        edges = [0, *(end for _, end in spans[:-1])]
        numbers = [body[a:b].strip() for a, b in pairwise(edges)]
    return [*numbers, _REMARK.sub("", body[start:]).strip()]


def _aligned(body: str, spans: list[tuple[int, int]]) -> str:
    """Return a row whose first blanks were lost, as where somebody set a page to the left, with as many as put it under its ruler."""
    gaps = [(end, begin) for (_, end), (begin, _) in pairwise(spans)]
    moved = (" " * lost + body for lost in range(_MOST_LOST))
    return next((row for row in moved if all(row[a:b].isspace() for a, b in gaps)), body)


def _row(heads: list[str], cells: list[str], title: str) -> Total | None:
    if len(cells) != len(heads):
        return None
    keys = [head.partition(" (")[0].lower() for head in heads]
    commas = any(key in _SHARES and _COMMA.fullmatch(cell) for key, cell in zip(keys, cells, strict=True))
    plain = {
        key: (cell if key in _NAMES else _pointed(cell, commas=commas), _UNIT.search(head))
        for key, head, cell in zip(keys, heads, cells, strict=True)
    }
    count_head = next((name for name in _COUNTS if name in plain), "")
    name = next((plain[key][0] for key in _NAMES if key in plain), "")
    count = quantity(plain[count_head][0]) if count_head else None
    total = _time(plain, "total time")
    if not name or count is None or not count[0] or total is None:
        return None
    ranges = "range" in plain or "style" in plain
    domain = "" if count_head == "instances" and not ranges else title or count_head
    share = next((quantity(plain[head][0]) for head in _SHARES if head in plain), None)
    return Total(name, int(count[0]), total, _time(plain, "min", "minimum"), _time(plain, "max", "maximum"), domain,
                 share[0] if share else None)  # fmt: skip


def _pointed(cell: str, *, commas: bool) -> str:
    """Return a number as it is without a language. A share has one decimal always, so its mark tells what a point in the row means.

    >>> _pointed("18.102,5", commas=True), _pointed("2.176", commas=True), _pointed("6\u2019816.0", commas=False)
    ('18102.5', '2176', '6816.0')
    """
    joined = _APART.sub("", cell)
    return joined.replace(".", "").replace(",", ".") if commas else joined


def _time(plain: dict[str, tuple[str, re.Match[str] | None]], *names: str) -> float | None:
    """Return a time in ns; reports before 2021 name no unit in the heads of extremes, which is ns."""
    for name in names:
        if name in plain:
            cell, unit = plain[name]
            return time_ns(cell, unit[1] if unit else "ns")
    return None
