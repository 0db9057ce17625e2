"""Metrics of ``AMDuProfPcm``: instructions a clock, shares of issue slots and bandwidth of a whole machine, under perf's names.

A cumulated report has a metric a row, a series a metric a column and an interval a row: of a series the mean speaks.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import fmean
from typing import Final

from hotloop.profilers.source import lines, named
from hotloop.profiles.cell import real
from hotloop.profiles.failure import ProfileError
from hotloop.profiles.profile import Profile, Reading

_METRICS: Final = {
    "IPC (Sys + User)": ("instructions-per-cycle", ""),
    "Retiring": ("topdown-retiring", "%"),
    "Frontend_Bound": ("topdown-fe-bound", "%"),
    "Bad_Speculation": ("topdown-bad-spec", "%"),
    "Backend_Bound": ("topdown-be-bound", "%"),
    "Backend_Bound.Memory": ("topdown-mem-bound", "%"),
    "Backend_Bound.CPU": ("topdown-core-bound", "%"),
    "SMT_Disp_contention": ("topdown-smt", "%"),
}
_BANDWIDTH: Final = "Total Mem Bw (GB/s)"
_MARK: Final = " (%)"
_WHOLE: Final = "counts are of all programs that ran on the machine meanwhile"


def read(path: Path) -> Profile:
    """Return one reading for each metric. Raises ProfileError."""
    with lines(path) as text:
        rows = [[cell.strip() for cell in row] for row in csv.reader(line.replace("\0", "") for line in text)]
    readings = tuple(_readings(dict(_values(rows))))
    if not readings:
        raise ProfileError(
            f"{named(path)} is a report of AMD uProf without instructions a clock: collect 'AMDuProfPcm -m ipc,pipeline_util'."
        )
    return Profile(tool="uprof", source=path.name, format="AMDuProfPcm, CSV", readings=readings, notes=(_WHOLE,))


def _values(rows: Sequence[list[str]]) -> Iterator[tuple[str, float]]:
    """Yield names with the first value of a row, or the mean of a column of a series' first core."""
    heads: list[str] = []
    series: dict[str, list[float]] = {}
    for row in rows:
        if any(cell.startswith("IPC (") for cell in row[1:]):
            heads = row
        elif heads:
            for name, cell in dict(reversed(list(zip(heads, row, strict=False)))).items():
                value = real(cell)
                if name and value is not None:
                    series.setdefault(name, []).append(value)
        elif len(row) > 1 and (value := real(row[1])) is not None:
            yield row[0], value
    for name, values in series.items():
        yield name, fmean(values)


def _readings(values: dict[str, float]) -> Iterator[Reading]:
    bare = {name.removesuffix(_MARK): value for name, value in values.items()}
    for name, (event, unit) in _METRICS.items():
        if name in bare:
            yield Reading(event, bare[name], unit)
    if _BANDWIDTH in values:
        yield Reading("memory-bandwidth", 1000 * values[_BANDWIDTH], "MB/s")
