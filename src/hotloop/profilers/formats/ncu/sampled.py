"""Nsight Compute's page ``source`` as CSV: an instruction a row, with the samples of its warps and their reasons to wait."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from hotloop.profilers.source import lines, named
from hotloop.profilers.summary import Summary
from hotloop.profiles.cell import integer
from hotloop.profiles.failure import ProfileError
from hotloop.profiles.profile import Dispatch, Profile, SampledInstruction

SAMPLES: Final = ("Warp Stall Sampling (All Samples)", "# Samples", "Samples")
"""Columns that count samples, the newest name first."""
_STALL = "stall_"
_ISSUED = "selected"
"""The reason of a warp that issues: it waits for nothing."""
_AGAIN = re.compile(r"not.issued", re.IGNORECASE)
"""Columns that count the same samples again, but those of schedulers that issued nothing."""


_LONG: Final = {
    "long_sb": "long_scoreboard", "short_sb": "short_scoreboard", "mio": "mio_throttle", "lg": "lg_throttle", "tex": "tex_throttle",
    "math": "math_pipe_throttle", "imc": "imc_miss", "no_inst": "no_instructions", "branch_resolve": "branch_resolving",
    "dispatch": "dispatch_stall", "sleep": "sleeping",
}  # fmt: skip
"""Reasons by the names that counters of the same samples have, where the page shortens them."""
_NAMED: Final = ("Kernel Name", "Function Name")
_LINE: Final = "Line No"
_COUNTER: Final = "smsp__pcsamp_{}"
_REASONS: Final = {"duration_ns": "a page of source tells no time"}


@dataclass(slots=True)
class _Kernel:
    name: str
    samples: list[SampledInstruction] = field(default_factory=list)


def read(path: Path) -> Profile:
    """Return the samples of each instruction, and their sums as counters of the kernel. Raises ProfileError."""
    with lines(path) as text:
        kernels = [kernel for kernel in _kernels(text) if any(row.samples for row in kernel.samples)]
    if not kernels:
        raise ProfileError(f"{named(path)} is a page of source without samples: profile with 'ncu --set full'.")
    summary = Summary()
    for number, kernel in enumerate(kernels, 1):
        summary.add(Dispatch(kernel=kernel.name, dispatch_id=number, counters=_counters(kernel.samples)))
    samples = [
        replace(row, dispatch_id=number, stalls={reason: count for reason, count in row.stalls.items() if count})
        for number, kernel in enumerate(kernels, 1)
        for row in kernel.samples
    ]
    return Profile(
        tool="ncu", source=path.name, format="source page, CSV", samples=tuple(samples), dispatches=summary.dispatches(),
        kernels=summary.kernels(), absent=summary.absent(_REASONS),
    )  # fmt: skip


def _counters(rows: list[SampledInstruction]) -> dict[str, float]:
    """Return the samples of all instructions, under the names that Nsight Compute's raw page has for them."""
    counts = {_COUNTER.format("sample_count"): float(sum(row.samples for row in rows))}
    reasons = dict.fromkeys(reason for row in rows for reason in row.stalls)
    for reason in reasons:
        name = _COUNTER.format(f"warps_issue_stalled_{_LONG.get(reason, reason)}")
        counts[name] = float(sum(row.stalls.get(reason, 0) for row in rows))
    return counts


def _kernels(text: Iterator[str]) -> Iterator[_Kernel]:
    """Yield the kernels: each has a row of its name, a head and its instructions."""
    columns: list[str] = []
    kernel, file, place = _Kernel(""), "", ""
    for row in csv.reader(line for line in text if not line.startswith("==")):
        if len(row) >= 2 and row[0] == "File Path":
            file, place = row[1].rpartition("/")[2], ""
        elif len(row) >= 2 and row[0] in _NAMED:
            if row[1] != kernel.name:  # each file that a kernel's code comes from repeats its name
                yield kernel
                kernel = _Kernel(row[1])
            columns, place = [], ""
        elif "Source" in row and any(name in row for name in SAMPLES):
            columns = row
        elif columns and len(row) == len(columns):
            cells = dict(zip(columns, (cell.strip() for cell in row), strict=True))
            place = f"{file}:{cells[_LINE]}" if cells.get(_LINE) else place
            kernel.samples.extend(_instruction(cells, place))
    yield kernel


def _instruction(cells: Mapping[str, str], place: str) -> Iterator[SampledInstruction]:
    """Yield the instruction of a row; nothing for a line of source, which has the sums of its instructions below it."""
    count = next((integer(cells[name]) for name in SAMPLES if name in cells), None)
    if count is not None and cells.get("Address", "of a page of lines") not in {"", "-"}:
        stalls = _stalls(cells)
        yield SampledInstruction(cells["Source"], place, count, stalls.pop(_ISSUED, None), stalls)


def _stalls(cells: Mapping[str, str]) -> dict[str, int]:
    return {
        name.removeprefix(_STALL): integer(cell) or 0
        for name, cell in cells.items()
        if name.startswith(_STALL) and not _AGAIN.search(name)
    }
