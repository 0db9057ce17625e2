"""What ``key_averages().table()`` of PyTorch's profiler prints: kernels, or else the operators that started them.

A kernel's row has time on the device and none of the host; where a table has such rows, the operators' rows repeat their time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from hotloop.profilers.formats.kineto import HEAD
from hotloop.profilers.source import lines
from hotloop.profilers.tables.totals import Total, profile, quantity, time_ns
from hotloop.profiles.profile import ON_DEVICE, ON_HOST, Profile
from hotloop.units import duration, percent

_DEVICE: Final = re.compile(r"self (?:cuda|xpu|hip|device|privateuse1|mtia)")
_TOTALS: Final = re.compile(r"^\s*Self (\w+) time total: (\S+)\s*$")
_LITTLE: Final = 0.5
"""Share of the host's own time below which the device's is said to be little."""
_RENAMED: Final = {
    "self cpu total %": "self cpu %",
    "self cpu total": "self cpu",
    "number of calls": "# of calls",
}
"""Heads until PyTorch 1.6, by what they are called since. Its ``CUDA total`` counts what an operator calls as well: no own time."""
_COPY: Final = re.compile(r"Mem(?:cpy|set)\b")
_PERCENT: Final = re.compile(r"([0-9.]+)%")


def read(path: Path) -> Profile:
    """Return the kernels with their launches and times; without a kernel's row the operators, as calls. Raises ProfileError."""
    totals: dict[str, float] = {}
    with lines(path) as text:
        rows = list(_without_ranges(_rows(text, totals)))
    kernels = [row for row in rows if not row.domain]
    return profile(
        "kineto",
        "table of PyTorch's profiler",
        path,
        [*kernels, *(row for row in rows if row.domain)],
        list(_notes(totals)),
    )


def _notes(totals: Mapping[str, float]) -> Iterator[str]:
    """Yield what the sums below the table say of the host and the device together."""
    host, device = totals.get("CPU", 0.0), sum(spent for name, spent in totals.items() if name != "CPU")
    if 0 < device < _LITTLE * host:
        yield (
            f"the device works {duration(device)} beside {duration(host)} of the host's own time: with one thread of the host it stands"
            f" still {percent(1 - device / host)} of the time at least"
        )


def _without_ranges(cells: Iterator[Mapping[str, str]]) -> Iterator[Total]:
    """Yield the rows without those of ranges that the program itself named: they last as long as the kernels within.

    Such a range stands twice under its name: with the host's time and no own time on the device, and like a kernel.
    """
    rows = list(cells)
    ranges = {row["name"] for row in rows if _is_range(row)}
    totals = [total for row in rows for total in _total(row)]
    rest = [total for total in totals if total.domain or total.name not in ranges]
    yield from rest or totals


def _is_range(cells: Mapping[str, str]) -> bool:
    head = next((head for head in cells if _DEVICE.fullmatch(head)), "")
    return bool(head) and not time_ns(cells[head]) and bool(time_ns(cells.get("cpu total", "")))


def _rows(text: Iterator[str], totals: dict[str, float]) -> Iterator[Mapping[str, str]]:
    """Yield the rows of the table by column; `totals` takes the sums below it."""
    heads: list[str] = []
    for line in text:
        if (summed := _TOTALS.match(line)) and (spent := time_ns(summed[2])) is not None:
            totals[summed[1]] = spent
        if HEAD.match(line):
            heads = [_RENAMED.get(head.lower(), head.lower()) for head in re.split(r"\s{2,}", line.strip())]
        elif heads and not line.lstrip().startswith("---"):
            cells = re.split(r"\s{2,}", line.strip())
            if len(cells) == len(heads):
                yield dict(zip(heads, cells, strict=True))


def _total(cells: Mapping[str, str]) -> Iterator[Total]:
    """Yield a row with time on the device; of a host's row without devices in the table, its own time."""
    head = next((head for head in cells if _DEVICE.fullmatch(head)), "self cpu")
    spent, host = time_ns(cells[head]), time_ns(cells.get("cpu total", ""))
    count = quantity(cells["# of calls"])
    if not spent or count is None or not count[0]:
        return
    is_kernel = head != "self cpu" and host == 0
    share = _PERCENT.fullmatch(cells.get(f"{head} %", ""))
    domain = "copy" if _COPY.match(cells["name"]) else "" if is_kernel else ON_HOST if head == "self cpu" else ON_DEVICE
    yield Total(cells["name"], int(count[0]), spent, domain=domain, percent=float(share[1]) if share else None)
