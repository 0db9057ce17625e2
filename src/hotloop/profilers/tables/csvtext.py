"""Tables in CSV as profilers write them, read row by row; columns are found by name.

Known irregularities: a header in quotes or not, blank lines, no line end at the end, the header repeated where files
were put together, an empty cell too many at the end of rows, a last row that was cut off with the file.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from hotloop.profilers.source import delimiter_of, lines, named
from hotloop.profiles.failure import ProfileError

if TYPE_CHECKING:
    from _csv import Reader

COLUMNS_MAX = 100_000
_COMMAS = re.compile(r"[0-9],[0-9]")
_DECIMAL = re.compile(r"(-?[0-9]{1,3}(?:\.?[0-9]{3})*|-?[0-9]+),([0-9]+(?:[eE][+-]?[0-9]+)?)")
_THOUSANDS = re.compile(r"-?[0-9]{1,3}(?:\.[0-9]{3}){2,}")
_EITHER = re.compile(r"-?[1-9][0-9]{0,2}\.[0-9]{3}")
_CUT = re.compile(r"\[?(?:\.{1,6}|\u2026)\]?")
"""Marks that people write in place of rows that they left out."""
UNCLEAR = "numbers like 1.234 in a table of semicolons, with thousands or decimals, were left out: save the table with commas between cells"
"""Why a number is not read: nobody can tell whether its point marks thousands or decimals."""


@dataclass(slots=True)
class Table:
    """A table that is being read; `notes` grow while rows are taken."""

    path: Path
    columns: tuple[str, ...]
    rows: Iterator[list[str]] = field(default_factory=lambda: iter(()))
    """Complete rows, each with as many cells as there are columns."""
    notes: list[str] = field(default_factory=list)

    def index(self, name: str) -> int | None:
        """Return the first column of a name, spelled in any case and with dashes or underscores; None: no such column."""
        wanted = normal(name)
        return next((i for i, column in enumerate(self.columns) if normal(column) == wanted), None)


def normal(column: str) -> str:
    """Return a column's name without case, quotes, and the difference of dash, blank and underscore.

    >>> normal('"gpu-id"'), normal("Wave_Size")
    ('gpu_id', 'wave_size')
    """
    return column.strip().strip('"').lower().replace("-", "_").replace(" ", "_")


@contextmanager
def table(path: Path) -> Iterator[Table]:
    """Open a CSV file whose first row that is not blank holds the column names.

    Raises:
        ProfileError: not readable, no header, a cell beyond csv's limit of 128 kB, or a row that does not fit the header.
    """
    with lines(path) as text:
        first = next((line for line in text if line.strip()), "")
        delimiter = delimiter_of(first)
        reader = csv.reader(chain((first,), text), delimiter=delimiter)
        try:
            header = next((row for row in reader if any(cell.strip() for cell in row)), None)
        except csv.Error as error:
            raise _broken(path, reader.line_num, str(error)) from error
        if header is None:
            raise ProfileError(f"{named(path)} has no header row: it is no table of a profiler.")
        if len(header) > COLUMNS_MAX:
            raise ProfileError(f"{named(path)} has {len(header)} columns: no profiler writes so many.")
        opened = Table(path, tuple(cell.strip() for cell in header))
        rows = _rows(opened, reader)
        opened.rows = (pointed(opened.notes, row) for row in rows) if delimiter == ";" else rows
        yield opened


def _rows(opened: Table, reader: Reader) -> Iterator[list[str]]:
    width = len(opened.columns)
    short: tuple[int, int] | None = None
    try:
        for row in reader:
            if not row or (len(row) == 1 and not row[0].strip()):
                continue
            if len(row) == 1 < width and _CUT.fullmatch(row[0].strip()):
                note(opened.notes, "rows were left out of the file where it has dots")
                continue
            if short is not None:
                raise _misfit(opened, *short)
            if len(row) == width + 1 and not row[-1].strip():
                row.pop()
            if len(row) != width:
                short = (reader.line_num, len(row))
            elif row[0].strip() == opened.columns[0] and [c.strip() for c in row] == list(opened.columns):
                note(opened.notes, "the header is repeated within the file; the repetition was left out")
            else:
                yield row
    except csv.Error as error:
        raise _broken(opened.path, reader.line_num, str(error)) from error
    if short is not None and short[1] > width:
        raise _misfit(opened, *short)
    if short is not None:
        opened.notes.append(f"the last row (line {short[0]}) is cut off and was left out: the file is not complete")


def pointed(notes: list[str], row: list[str]) -> list[str]:
    """Return a row of a table with semicolons, whose numbers have decimal commas, with decimal points instead.

    >>> pointed([], ["k", "1.234,5", "0,5", "1.234.567", "2.5", "1.234"])
    ['k', '1234.5', '0.5', '1234567', '2.5', '']
    """
    pointed = []
    for cell in row:
        bare = cell.strip()
        if decimal := _DECIMAL.fullmatch(bare):
            pointed.append(f"{decimal[1].replace('.', '')}.{decimal[2]}")
        elif _EITHER.fullmatch(bare):
            note(notes, UNCLEAR)
            pointed.append("")
        else:
            pointed.append(bare.replace(".", "") if _THOUSANDS.fullmatch(bare) else cell)
    return pointed


def note(notes: list[str], sentence: str) -> None:
    """Add a note once."""
    if sentence not in notes:
        notes.append(sentence)


def unread(notes: list[str], cell: str) -> None:
    """Note that a number with commas is not read: nobody can tell whether they mark thousands or decimals."""
    if _COMMAS.search(cell):
        note(
            notes,
            "counters written with commas, decimal or of thousands, were left out: save the table with points only",
        )


def _misfit(opened: Table, line: int, cells: int) -> ProfileError:
    return ProfileError(
        f"{named(opened.path)}, line {line} has {cells} cells under a header of {len(opened.columns)}: the file is damaged "
        "or mixes tables; give the files one by one, as the profiler wrote them."
    )


def _broken(path: Path, line: int, reason: str) -> ProfileError:
    return ProfileError(
        f"{named(path)}, line {line} is no CSV ({reason}): the file is damaged or no table of a profiler."
    )
