"""Nsight Compute's page ``source`` as CSV: an instruction a row, with the samples of its warps and their reasons to wait."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from hotloop.profilers.source import lines, named
from hotloop.profiles.cell import integer
from hotloop.profiles.failure import ProfileError
from hotloop.profiles.profile import Profile, SampledInstruction

SAMPLES: Final = ("Warp Stall Sampling (All Samples)", "# Samples", "Samples")
"""Columns that count samples, the newest name first."""
_STALL = "stall_"
_ISSUED = "selected"
"""The reason of a warp that issues: it waits for nothing."""
_AGAIN = re.compile(r"not.issued", re.IGNORECASE)
"""Columns that count the same samples again, but those of schedulers that issued nothing."""


def read(path: Path) -> Profile:
    """Return the samples of each instruction. Raises ProfileError."""
    with lines(path) as text:
        samples = tuple(_instructions(text))
    if not samples:
        raise ProfileError(f"{named(path)} is a page of source without samples: profile with 'ncu --set full'.")
    return Profile(tool="ncu", source=path.name, format="source page, CSV", samples=samples)


def _instructions(text: Iterator[str]) -> Iterator[SampledInstruction]:
    columns: list[str] = []
    for row in csv.reader(line for line in text if not line.startswith("==")):
        if "Source" in row and any(name in row for name in SAMPLES):
            columns = row
        elif columns and len(row) == len(columns):
            cells = dict(zip(columns, (cell.strip() for cell in row), strict=True))
            count = next((integer(cells[name]) for name in SAMPLES if name in cells), None)
            if count is not None and (cells.get("Address") or "Address" not in cells):
                stalls = _stalls(cells)
                issued = stalls.pop(_ISSUED, None)
                yield SampledInstruction(cells["Source"], "", count, issued, stalls)


def _stalls(cells: Mapping[str, str]) -> dict[str, int]:
    counts = {
        name.removeprefix(_STALL): integer(cell) or 0
        for name, cell in cells.items()
        if name.startswith(_STALL) and not _AGAIN.search(name)
    }
    return {reason: count for reason, count in counts.items() if count}
