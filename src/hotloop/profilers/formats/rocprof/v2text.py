"""rocprof v2's console output: one line a dispatch, among the program's own output.

``Dispatch_ID(1), GPU_ID(5), …, Kernel_Name("add"), …, GRBM_COUNT(499551.000000)``. Kernel names hold commas and
parentheses, so fields are found by scanning. Ranks interleave and reuse dispatch ids: the process tells them apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from hotloop.model.evidence import Absent
from hotloop.profilers.source import lines
from hotloop.profilers.summary import Summary
from hotloop.profilers.tables.launchcolumns import LaunchColumns
from hotloop.profiles.cell import real
from hotloop.profiles.profile import Dispatch, Profile

_FIELD = re.compile(r'\s*([A-Za-z_][A-Za-z0-9_\[\]-]*)\((?:"(.*?)"|([^()"]*))\)\s*(?:,|$)')
_NAMES = {"LDS": "LDS_Per_Workgroup", "Scratch_Size": "Scratch_Per_Workitem"}


def read(path: Path) -> Profile:
    """Return the dispatches that the text holds. Raises ProfileError."""
    summary, cut, reasons = Summary(), 0, dict[str, str]()
    with lines(path) as text:
        for line in text:
            start = line.find("Dispatch_ID(")
            if start < 0:
                continue
            fields = dict(_fields(line[start:]))
            if "Kernel_Name" in fields:
                summary.add(_dispatch(fields, reasons))
            else:
                cut += 1
    notes = (f"{cut} lines of dispatches are cut off and were left out",) if cut else ()
    absent = (
        summary.absent(reasons) if summary.kernels() else (Absent("dispatches", "no kernel ran under the profiler"),)
    )
    return Profile(tool="rocprof-v2", source=path.name, format="console text", dispatches=summary.dispatches(),
                   kernels=summary.kernels(), absent=absent, notes=notes)  # fmt: skip


def _fields(line: str) -> Iterator[tuple[str, str]]:
    position = 0
    while match := _FIELD.match(line, position):
        yield match[1], match[2] if match[2] is not None else match[3]
        position = match.end()


def _dispatch(fields: dict[str, str], reasons: dict[str, str]) -> Dispatch:
    launch = LaunchColumns([_NAMES.get(name, name) for name in fields], reasons)
    row = list(fields.values())
    return launch.dispatch(row, {n: v for place, n in launch.counters() if (v := real(row[place])) is not None})
