"""``nsys stats --report cuda_gpu_trace`` or ``cuda_kern_exec_trace``: one row for each launch and copy, as CSV."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from math import prod
from pathlib import Path
from typing import Final

from hotloop.profilers.source import named
from hotloop.profilers.summary import Summary
from hotloop.profilers.tables.callsums import CallSums
from hotloop.profilers.tables.csvtext import table
from hotloop.profilers.tables.totals import time_ns
from hotloop.profiles.cell import integer, real
from hotloop.profiles.failure import ProfileError
from hotloop.profiles.profile import Dispatch, Profile

_HEAD = re.compile(r"(?P<name>[^(]*?)\s*(?:\((?P<unit>[^)]*)\).*)?")
"""Name and unit of a column; what stands behind the unit belongs to neither."""
_ALIKE: Final = {"Kernel Dur": "Duration", "Kernel Name": "Name"}
"""Heads of ``cuda_kern_exec_trace`` under those of the other report."""
_EXTENTS: Final = ("GrdX", "GrdY", "GrdZ", "BlkX", "BlkY", "BlkZ")
_SHARED: Final = ("StcSMem", "DymSMem")
_BYTES: Final = {"B": 1, "KB": 1e3, "MB": 1e6, "GB": 1e9}
_REASONS: Final = {"counters": "a trace holds times only", "scratch_bytes": "the trace does not tell private memory"}
_MOVED: Final = re.compile(r"\[CUDA (?:memcpy|memset)\b")
_NUMBERED = re.compile(r"\s*\(\d+\)$")


def read(path: Path) -> Profile:
    """Return the launches, and the copies, which have no grid, as calls. Raises ProfileError."""
    summary, copies, devices = Summary(), CallSums(), set[str]()
    with table(path) as opened:
        heads = [_parted(column) for column in opened.columns]
        names, units = [name for name, _ in heads], dict(heads)
        for number, row in enumerate(opened.rows, 1):
            cells = {name: cell.strip() for name, cell in zip(names, row, strict=True)}
            for launch in _launch(cells, units, number):
                devices.add(launch.device or "")
                summary.add(launch)
            for name, spent_ns in _copy(cells, units):
                copies.add("copy", name, spent_ns)
    if not summary.kernels() and not copies.calls():
        raise ProfileError(f"{named(path)} is a trace of Nsight Systems without a launch or a copy.")
    card = _NUMBERED.sub("", devices.pop()) if len(devices) == 1 else None
    return Profile(
        tool="nsys", source=path.name, format="GPU trace", device_name=card or None, dispatches=summary.dispatches(), span_ns=summary.span_ns(),
        kernels=summary.kernels(), calls=copies.calls(), absent=summary.absent(_REASONS) if summary.kernels() else (),
    )  # fmt: skip


def _parted(column: str) -> tuple[str, str]:
    """Return a column's name and its unit.

    >>> _parted("Throughput (MB/s)"), _parted("Kernel Dur (ns)"), _parted("Strm")
    (('Throughput', 'MB/s'), ('Duration', 'ns'), ('Strm', ''))
    """
    match = _HEAD.fullmatch(column.strip())
    name, unit = (match["name"], match["unit"]) if match else (column.strip(), None)
    return _ALIKE.get(name, name), unit or ""


def _copy(cells: Mapping[str, str], units: Mapping[str, str]) -> Iterator[tuple[str, float]]:
    """Yield name and time of a row that is a copy or a fill."""
    name = cells.get("Name", "")
    spent_ns = time_ns(cells.get("Duration", ""), units.get("Duration") or "ns")
    if _MOVED.match(name) and spent_ns is not None:
        yield name, spent_ns


def _launch(cells: Mapping[str, str], units: Mapping[str, str], number: int) -> Iterator[Dispatch]:
    """Yield the launch of a row, nothing for a copy."""
    joined = [*cells.get("GridXYZ", "").split(), *cells.get("BlockXYZ", "").split()]
    sizes = [integer(cell) for cell in joined or (cells.get(name, "") for name in _EXTENTS)]
    extents = [size for size in sizes if size is not None]
    if len(extents) != len(_EXTENTS) or not all(extents):
        return
    threads = prod(extents[3:])
    shared_bytes = [(real(cells[name]) or 0.0) * _BYTES.get(units[name], 1) for name in _SHARED if name in cells]
    yield Dispatch(
        kernel=cells.get("Name", ""),
        dispatch_id=number,
        device=cells.get("Device") or None,
        grid_items=prod(extents[:3]) * threads,
        workgroup_items=threads,
        lds_bytes=round(sum(shared_bytes)) if shared_bytes else None,
        vgprs=integer(cells.get("Reg/Trd", "")),
        duration_ns=time_ns(cells["Duration"], units["Duration"] or "ns"),
    )
