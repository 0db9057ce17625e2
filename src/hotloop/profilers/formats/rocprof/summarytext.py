"""What ``rocprofv3 -S`` prints: totals by name between bars, of kernels and of calls."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from hotloop.profilers.formats.rocprof import SUMMARY
from hotloop.profilers.source import lines
from hotloop.profilers.tables.totals import Total, profile, quantity, time_ns
from hotloop.profiles.profile import Profile

_KERNELS: Final = "KERNEL_DISPATCH"


def read(path: Path) -> Profile:
    """Return kernels and calls. Raises ProfileError."""
    with lines(path) as text:
        totals = tuple(_totals(text))
    return profile("rocprofv3", "summary (text)", path, totals)


def _totals(text: Iterator[str]) -> Iterator[Total]:
    heads: list[str] = []
    unit = ""
    for line in text:
        head = SUMMARY.match(line)
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if head:
            heads, unit = [cell.partition(" (")[0] for cell in cells], head[1]
        elif len(cells) > len(heads) > 0:
            cells = ["|".join(cells[: len(cells) - len(heads) + 1]), *cells[len(cells) - len(heads) + 1 :]]
        if heads and not head and len(cells) == len(heads):
            yield from _total(dict(zip(heads, cells, strict=True)), unit)


def _total(row: dict[str, str], unit: str) -> Iterator[Total]:
    count = quantity(row["CALLS"])
    spent, least, most = (time_ns(row.get(name, ""), unit) for name in ("DURATION", "MIN", "MAX"))
    if count is None or not count[0] or spent is None:
        return
    domain = row["DOMAIN"]
    yield Total(row["NAME"], int(count[0]), spent, least, most, "" if domain == _KERNELS else domain)
