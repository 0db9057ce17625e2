"""Kernels of nvFuser's table: one row for each segment of a fusion, with its time and the bytes of its inputs and outputs.

Its bandwidth is not counted: it is those bytes over the time, the least that can have been moved. So it is told in a note and no
counter, and a kernel whose bytes stay in a cache may exceed the memory's peak.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from hotloop.profilers.formats.nvfuser import HEAD
from hotloop.profilers.source import lines, named
from hotloop.profilers.tables.totals import NS, Total, profile
from hotloop.profiles.cell import real
from hotloop.profiles.failure import ProfileError, printable
from hotloop.profiles.profile import Profile

_NAME, _TIME, _RATE, _PEAK, _DEVICE = "S-KerName", "S-KerTm(ms)", "S-EffBw(GB/s)", "S-%PeakBw", "S-DeviceName"
_CELL: Final = re.compile(r"\[[^\]]*\]|\S+")
"""A cell; extents stand in brackets."""
_WHOLE: Final = 100.0


def read(path: Path) -> Profile:
    """Return the kernels with their times; several fusions may have a kernel of one name. Raises ProfileError."""
    with lines(path) as text:
        rows = list(_rows(text))
    totals = [Total(row[_NAME], 1, time) for row in rows if (time := NS["ms"] * (real(row.get(_TIME, "")) or 0.0)) > 0]
    if not totals:
        raise ProfileError(f"{named(path)} has the head of nvFuser's table and no kernel with a time.")
    devices = {row[_DEVICE] for row in rows if _DEVICE in row}
    told = profile("nvfuser", "nvFuser's table", path, totals, list(_notes(rows)))
    return replace(told, device_name=devices.pop() if len(devices) == 1 else None)


def _rows(text: Iterable[str]) -> Iterator[Mapping[str, str]]:
    """Yield the rows by column; a fusion of several segments has its own numbers in the first row only."""
    heads: list[str] = []
    for line in text:
        if HEAD.match(line):
            heads = line.split()
            continue
        cells = _CELL.findall(line)
        own = heads[heads.index("Seg#") :] if "Seg#" in heads else heads
        for names in (heads, own):
            if names and cells[0:1] and cells[0].isdigit() and len(cells) >= len(names):
                yield dict(zip(names, _joined(cells, names), strict=True))
                break


def _joined(cells: list[str], names: list[str]) -> list[str]:
    """Return the cells, the device's name as one: it alone has blanks."""
    spare, place = len(cells) - len(names), names.index(_DEVICE) if _DEVICE in names else len(names) - 1
    return [*cells[:place], " ".join(cells[place : place + spare + 1]), *cells[place + spare + 1 :]]


def _notes(rows: Iterable[Mapping[str, str]]) -> Iterator[str]:
    """Yield what the longest kernel moves at least."""
    timed = [row for row in rows if real(row.get(_TIME, ""))]
    longest = max(timed, key=lambda row: real(row[_TIME]) or 0.0, default=None)
    rate, share = (real(longest.get(name, "")) if longest else None for name in (_RATE, _PEAK))
    if longest is None or rate is None or share is None:
        return
    name = printable(longest[_NAME])
    if share > _WHOLE:
        yield f"{name}: inputs and outputs over the time are more than the memory's peak: they are in a cache, or the time is not theirs"
    elif share > 0:
        yield (
            f"{name}, the longest, moves its inputs and outputs at {rate:.4g} GB/s, {share:.3g} % of its memory's peak by nvFuser: "
            "the least that it can move"
        )
