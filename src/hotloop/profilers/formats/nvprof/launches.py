"""nvprof's ``--print-gpu-trace``: one row for each launch and copy, as text or separated by commas with a row of units below the head."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping
from math import prod
from pathlib import Path
from typing import Final

from hotloop.profilers.source import lines, named
from hotloop.profilers.summary import Summary
from hotloop.profilers.tables.totals import time_ns
from hotloop.profiles.cell import integer
from hotloop.profiles.failure import ProfileError
from hotloop.profiles.profile import Dispatch, Profile

_SIZES: Final = r"\((\d+) (\d+) (\d+)\)"
_LAUNCH = re.compile(
    rf"^\s*[0-9.]+[mun]?s\s+(?P<time>[0-9.]+[mun]?s)\s+{_SIZES}\s+{_SIZES}\s+(?P<registers>\d+)\s+(?P<static>\S+B)\s+(?P<dynamic>\S+B)"
    r"(?:\s+-)*\s+(?P<device>\S.*?)(?:\s{2,}\d+){1,3}\s{2,}(?P<name>\S.*?)(?:\s\[\d+\])?\s*$"
)
_SEPARATED: Final = ('"Start","Duration"', "Start,Duration,")
_BYTES: Final = {"B": 1, "KB": 1 << 10, "MB": 1 << 20}
_REASONS: Final = {"counters": "a trace holds times only", "scratch_bytes": "the trace does not tell private memory"}


def read(path: Path) -> Profile:
    """Return the launches; copies are left out. Raises ProfileError."""
    summary, devices = Summary(), set[str]()
    with lines(path) as text:
        for dispatch in _launches(text):
            devices.add(dispatch.device or "")
            summary.add(dispatch)
    if not summary.kernels():
        raise ProfileError(f"{named(path)} is a trace of nvprof without a launch: it holds copies only.")
    return Profile(
        tool="nvprof", source=path.name, format="GPU trace", device_name=devices.pop() if len(devices) == 1 else None,
        dispatches=summary.dispatches(), kernels=summary.kernels(), span_ns=summary.span_ns(), absent=summary.absent(_REASONS),
    )  # fmt: skip


def _launches(text: Iterator[str]) -> Iterator[Dispatch]:
    number = 0
    for line in text:
        if line.lstrip().startswith(_SEPARATED):
            yield from _separated(line, text)
        elif (match := _LAUNCH.match(line)) is not None:
            number += 1
            yield _dispatch(number, match)


def _separated(head: str, text: Iterator[str]) -> Iterator[Dispatch]:
    """Yield the launches of a table with commas; a row without a grid is a copy."""
    rows = csv.DictReader((head, *text))
    units = next(rows, {})
    launches = (row for row in rows if row.get("Grid X") and row.get("Duration") and row.get("Name"))
    for number, row in enumerate(launches, 1):
        yield _of_row(number, row, units)


def _of_row(number: int, row: Mapping[str, str], units: Mapping[str, str]) -> Dispatch:
    grid, block = (prod(integer(row.get(f"{what} {axis}") or "") or 0 for axis in "XYZ") for what in ("Grid", "Block"))
    shared = [_bytes(f"{row.get(name)}{units.get(name)}") for name in ("Static SMem", "Dynamic SMem")]
    return Dispatch(
        kernel=re.sub(r"\s\[\d+\]$", "", row["Name"]),
        dispatch_id=number,
        device=row.get("Device") or "",
        grid_items=grid * block or None,
        workgroup_items=block or None,
        lds_bytes=sum(shared),
        vgprs=integer(row.get("Registers Per Thread") or ""),
        duration_ns=time_ns(f"{row['Duration']}{units.get('Duration')}"),
    )


def _dispatch(number: int, match: re.Match[str]) -> Dispatch:
    sizes = [int(size) for size in match.groups()[1:7]]
    threads = prod(sizes[3:])
    return Dispatch(
        kernel=match["name"],
        dispatch_id=number,
        device=match["device"],
        grid_items=prod(sizes[:3]) * threads,
        workgroup_items=threads,
        lds_bytes=_bytes(match["static"]) + _bytes(match["dynamic"]),
        vgprs=int(match["registers"]),
        duration_ns=time_ns(match["time"]),
    )


def _bytes(text: str) -> int:
    """Return a size of shared memory, as ``2.0000KB``."""
    match = re.fullmatch(r"([0-9.]+)(B|KB|MB)", text)
    return round(float(match[1]) * _BYTES[match[2]]) if match else 0
