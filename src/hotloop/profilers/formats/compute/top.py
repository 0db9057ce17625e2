"""``pmc_kernel_top.csv`` of rocprof-compute: the kernels with the most time."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from hotloop.profilers.source import named
from hotloop.profilers.tables.csvtext import table
from hotloop.profilers.tables.totals import Total, profile
from hotloop.profiles.cell import real
from hotloop.profiles.failure import ProfileError
from hotloop.profiles.profile import Profile


def read_top(path: Path) -> Profile:
    """Return the kernels with their number of launches and times. Raises ProfileError."""
    return profile("rocprof-compute", "kernels with the most time (CSV)", path, tuple(_totals(path)))


def _totals(path: Path) -> Iterator[Total]:
    with table(path) as opened:
        name, count, total = (opened.index(column) for column in ("Kernel_Name", "Count", "Sum(ns)"))
        percent = opened.index("Pct")
        if name is None or count is None or total is None:
            raise ProfileError(f"{named(path)} lacks Kernel_Name, Count or Sum(ns): no list of rocprof-compute.")
        for row in opened.rows:
            launches, spent_ns = real(row[count]), real(row[total])
            if launches and spent_ns is not None:
                share = None if percent is None else real(row[percent])
                yield Total(row[name].strip(), int(launches), spent_ns, percent=share)
