"""nvprof's ``--print-gpu-trace``: one row for each launch and copy, as text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import prod
from pathlib import Path
from typing import Final

from hotloop.profilers.source import lines, named
from hotloop.profilers.summary import Summary
from hotloop.profilers.tables.totals import time_ns
from hotloop.profiles.failure import ProfileError
from hotloop.profiles.profile import Dispatch, Profile

_SIZES: Final = r"\((\d+) (\d+) (\d+)\)"
_LAUNCH = re.compile(
    rf"^\s*[0-9.]+[mun]?s\s+(?P<time>[0-9.]+[mun]?s)\s+{_SIZES}\s+{_SIZES}\s+(?P<registers>\d+)\s+(?P<static>\S+B)\s+(?P<dynamic>\S+B)"
    r"(?:\s+-)*\s+(?P<device>\S.*?)(?:\s{2,}\d+){1,3}\s{2,}(?P<name>\S.*?)(?:\s\[\d+\])?\s*$"
)
_BYTES: Final = {"B": 1, "KB": 1 << 10, "MB": 1 << 20}
_REASONS: Final = {"counters": "a trace holds times only", "scratch_bytes": "the trace does not tell private memory"}


def read(path: Path) -> Profile:
    """Return the launches; copies are left out. Raises ProfileError."""
    summary, devices = Summary(), set[str]()
    with lines(path) as text:
        for number, match in enumerate(_launches(text), 1):
            devices.add(match["device"])
            summary.add(_dispatch(number, match))
    if not summary.kernels():
        raise ProfileError(f"{named(path)} is a trace of nvprof without a launch: it holds copies only.")
    return Profile(
        tool="nvprof", source=path.name, format="GPU trace", device_name=devices.pop() if len(devices) == 1 else None,
        dispatches=summary.dispatches(), kernels=summary.kernels(), absent=summary.absent(_REASONS),
    )  # fmt: skip


def _launches(text: Iterator[str]) -> Iterator[re.Match[str]]:
    return (match for line in text if (match := _LAUNCH.match(line)) is not None)


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
