"""nvprof's summary of times: GPU activities, then calls of the host's functions."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

from hotloop.profilers.formats.nvprof import TIMES
from hotloop.profilers.formats.nvprof.sessions import device, faulted, sessions, spoken
from hotloop.profilers.source import lines
from hotloop.profilers.tables.totals import NS, Total, profile, quantity, time_ns
from hotloop.profiles.profile import Profile

_SPAN: Final = r"[0-9][0-9.]*(?:[mun]?s)?"
_ROW = re.compile(
    r"^\s*(?:(?P<kind>[A-Z][A-Za-z ()]*):)?\s*[0-9.]+%\s+(?P<time>\S+)\s+(?P<calls>[0-9]+)\s+"
    rf"(?P<avg>{_SPAN})(?:\s+(?P<min>{_SPAN})\s+(?P<max>{_SPAN}))?\s+(?P<name>\S.*?)\s*$"
)
"""A row; people leave out the shortest and the longest launch."""
_GPU: Final = "GPU activities"
_HOST = re.compile(r"\[CUDA mem\w+|cuda[A-Z]\w*$|cu[A-Z]\w*$|acc_\w+(?:@|$)")
"""Names that no kernel has: copies, functions of the runtime and the driver, OpenACC's phases."""


def read(path: Path) -> Profile:
    """Return kernels and calls of one run. Raises ProfileError."""
    with lines(path) as text:
        listed, sequel = sessions(text, totals_of)
    totals, notes = spoken(listed, sequel=sequel)
    summary = profile("nvprof", "summary", path, totals, (*notes, *faulted(totals)))
    return replace(summary, device_name=device(listed))


def totals_of(text: Iterator[str]) -> Iterator[Total]:
    """Yield the rows of a summary, whatever stands around it."""
    kind, heads, units = _GPU, list[str](), dict[str, str]()
    for line in text:
        row = _ROW.match(line)
        if TIMES.match(line) and "," in line:
            heads, units = [head.lower() for head in _cells(line)], {}
        elif row is not None:
            kind = row["kind"] or kind
            yield from _total(row.groupdict(), {}, kind)
        elif heads and line.strip():
            cells = dict(zip(heads, _whole(_cells(line), len(heads)), strict=False))
            if not units and cells.get("time", "") in NS:
                units = cells
                continue
            yield from _total(cells, units, cells.get("type") or _GPU)


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in next(csv.reader([line.strip()]), [])]


def _whole(cells: list[str], columns: int) -> list[str]:
    """Return the cells with a name in one piece: older versions write commas of parameters without quotes."""
    return [*cells[: columns - 1], ", ".join(cells[columns - 1 :])]


def _total(cells: dict[str, str], units: dict[str, str], kind: str) -> Iterator[Total]:
    count = quantity(cells.get("calls", ""))
    total, least, most = (time_ns(cells.get(key) or "", units.get(key, "")) for key in ("time", "min", "max"))
    name = cells.get("name", "")
    if count is None or not count[0] or total is None or not name:
        return
    host = kind != _GPU or _HOST.match(name) is not None
    yield Total(name, int(count[0]), total, least, most, kind if host else "")
