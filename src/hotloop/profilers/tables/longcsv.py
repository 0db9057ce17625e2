"""Rows of a long counter table as batches of columns: by pyarrow where it is installed, else by Python's csv.

Both give the same batches. Whatever pyarrow cannot convert is read again by the slow reader, whose messages name the line.
"""

from __future__ import annotations

import csv
import importlib.util
import io
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO, Final

import numpy as np

from hotloop.profilers.source import encoding_of, look, named
from hotloop.profilers.summary import GEOMETRY
from hotloop.profilers.tables.bulk import UNKNOWN, Batch, Floats, Ints
from hotloop.profilers.tables.csvtext import Table, normal, table
from hotloop.profilers.tables.launchcolumns import LONGEST_NS, SPELLINGS, unquoted
from hotloop.profiles.cell import integer, real
from hotloop.profiles.failure import ProfileError

BLOCK_BYTES: Final = 4 << 20
ROWS: Final = 20_000
_TAIL_BYTES: Final = 1 << 16
_INTEGERS: Final = ("dispatch_id", "process_id", *GEOMETRY, "start_ns", "end_ns")
_TEXTS: Final = ("kernel", "counter", "device")


class UnconvertibleError(Exception):
    """Raised where the fast reader meets what it cannot convert; the slow one decides."""


def columns_of(names: tuple[str, ...]) -> dict[str, str]:
    """Return the column of each field that a table has."""
    first: dict[str, str] = {}
    for name in names:
        first.setdefault(normal(name), name)
    spelled = {**SPELLINGS, "counter": ("counter_name",), "value": ("counter_value",)}
    return {f: first[n] for f, spellings in spelled.items() for n in spellings[::-1] if n in first}


def fast_available() -> bool:
    """Return True when pyarrow is installed."""
    return importlib.util.find_spec("pyarrow") is not None


def slow_batches(path: Path, notes: list[str]) -> Iterator[Batch]:
    """Yield batches read by Python's csv. Raises ProfileError."""
    with table(path) as opened:
        places = {f: opened.columns.index(c) for f, c in columns_of(opened.columns).items()}
        rows: list[list[str]] = []
        for row in opened.rows:
            rows.append(row)
            if len(rows) == ROWS:
                yield _from_rows(opened, places, rows)
                rows = []
        yield _from_rows(opened, places, rows)
        notes.extend(opened.notes)


def _from_rows(opened: Table, places: Mapping[str, int], rows: list[list[str]]) -> Batch:
    texts: dict[str, tuple[list[str], Ints]] = {}
    for name in _TEXTS:
        place = places.get(name)
        numbers: dict[str, int] = {}
        codes = [0 if place is None else numbers.setdefault(row[place].strip(), len(numbers)) for row in rows]
        texts[name] = (list(numbers) or [""], np.array(codes, np.int64))
    ints = {name: _ints([row[places[name]] for row in rows]) for name in _INTEGERS if name in places}
    if rows and (ints["dispatch_id"] == UNKNOWN).any():
        raise ProfileError(f"{named(opened.path)} has a row whose Dispatch_Id is no number: the table is damaged.")
    value = np.array([_real(row[places["value"]]) for row in rows], np.float64)
    return _batch(texts, ints, value, len(rows))


def _ints(cells: list[str]) -> Ints:
    numbers: dict[str, int] = {}
    for cell in set(cells):
        number = integer(cell)
        numbers[cell] = UNKNOWN if number is None or number < 0 or number >> 62 else number
    return np.array([numbers[cell] for cell in cells], np.int64)


def _real(cell: str) -> float:
    value = real(cell)
    return float("nan") if value is None else value


def _batch(texts: Mapping[str, tuple[list[str], Ints]], ints: dict[str, Ints], value: Floats, rows: int) -> Batch:
    unknown = np.full(rows, UNKNOWN, np.int64)
    start, end = ints.get("start_ns", unknown), ints.get("end_ns", unknown)
    timed = (start >= 0) & (end > start) & ((start > 0) | (end <= LONGEST_NS))
    return Batch(
        kernels=[unquoted(name) for name in texts["kernel"][0]],
        kernel=texts["kernel"][1],
        counters=texts["counter"][0],
        counter=texts["counter"][1],
        devices=texts["device"][0],
        device=texts["device"][1],
        process=ints.get("process_id", unknown),
        dispatch=ints["dispatch_id"],
        value=value,
        begin_ns=start,
        duration_ns=np.where(timed, end - start, UNKNOWN),
        geometry={name: ints[name] for name in GEOMETRY if name in ints},
    )


class _Beginning(io.RawIOBase):
    """The first bytes of a file."""

    def __init__(self, file: BinaryIO, size_bytes: int) -> None:
        self._file = file
        self._left = size_bytes

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        wanted = self._left if size < 0 else min(size, self._left)
        self._left -= wanted
        return self._file.read(wanted)


def fast_batches(path: Path, notes: list[str]) -> Iterator[Batch]:
    """Yield batches read by pyarrow on one thread.

    Raises:
        UnconvertibleError: the table holds something that needs the slow reader.
    """
    import pyarrow as pa

    head = look(path)
    if encoding_of(head.raw) != "utf-8-sig" or head.pasted or head.delimiter != ",":
        raise UnconvertibleError
    wanted = columns_of(head.header)
    whole_bytes = _whole_rows(path, head.size_bytes, len(head.header))
    try:
        with path.open("rb") as file:
            for record in _arrow_reader(_Beginning(file, whole_bytes), wanted):
                yield _from_arrow(record, {column: f for f, column in wanted.items()})
    except (pa.ArrowException, pa.ArrowInvalid, UnicodeDecodeError) as error:
        raise UnconvertibleError from error
    if whole_bytes < head.size_bytes:
        notes.append("the last row is cut off and was left out: the file is not complete")


def _whole_rows(path: Path, size_bytes: int, columns: int) -> int:
    """Return the size of a table without a last row that has too few cells.

    Raises:
        UnconvertibleError: a line's end stands within the last row.
    """
    with path.open("rb") as file:
        file.seek(max(0, size_bytes - _TAIL_BYTES))
        *before, last = file.read(_TAIL_BYTES).split(b"\n")
    try:
        cells = next(csv.reader([last.decode("latin-1")]), [])
    except csv.Error as error:
        raise UnconvertibleError from error
    if not before or not last.strip() or len(cells) >= columns:
        return size_bytes
    return size_bytes - len(last)


def _arrow_reader(file: _Beginning, wanted: Mapping[str, str]) -> Any:  # noqa: ANN401 - pyarrow has no types
    import pyarrow as pa
    from pyarrow import csv as table_of

    text = pa.dictionary(pa.int32(), pa.string())
    kinds = {"value": pa.float64(), **dict.fromkeys(_TEXTS, text), **dict.fromkeys(_INTEGERS, pa.int64())}
    columns = {column: kinds[f] for f, column in wanted.items() if f in kinds}
    return table_of.open_csv(
        pa.PythonFile(file, mode="r"),
        read_options=table_of.ReadOptions(use_threads=False, block_size=BLOCK_BYTES),
        parse_options=table_of.ParseOptions(newlines_in_values=False),
        convert_options=table_of.ConvertOptions(
            include_columns=list(columns), column_types=columns, strings_can_be_null=False, auto_dict_encode=False
        ),
    )


def _from_arrow(record: Any, fields: Mapping[str, str]) -> Batch:  # noqa: ANN401 - pyarrow has no types
    texts: dict[str, tuple[list[str], Ints]] = {name: ([""], np.zeros(record.num_rows, np.int64)) for name in _TEXTS}
    ints: dict[str, Ints] = {}
    value: Floats = np.empty(0)
    for column, name in ((c, fields[c]) for c in record.schema.names):
        array = record.column(column)
        if name in _TEXTS:
            distinct = [text.strip() for text in array.dictionary.to_pylist()]
            texts[name] = (distinct or [""], array.indices.to_numpy(zero_copy_only=False).astype(np.int64))
        elif name == "value":
            value = _filled(array, float("nan"))
        else:
            ints[name] = _filled(array, UNKNOWN)
    if any(bool((column < 0).any()) for name, column in ints.items() if name != "process_id"):
        raise UnconvertibleError  # empty or negative cells: rare enough for the slow reader's finer judgement
    return _batch(texts, ints, value, record.num_rows)


def _filled(array: Any, filler: float) -> Any:  # noqa: ANN401 - pyarrow has no types
    import pyarrow.compute as pc

    whole = pc.fill_null(array, filler) if array.null_count else array
    return whole.to_numpy(zero_copy_only=False)
