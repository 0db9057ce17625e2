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
from hotloop.profiles.profile import Profile

_DEVICE: Final = re.compile(r"self (?:cuda|xpu|hip|device|privateuse1|mtia)")
_OPERATOR: Final = "operator"
_COPY: Final = re.compile(r"Mem(?:cpy|set)\b")
_PERCENT: Final = re.compile(r"([0-9.]+)%")


def read(path: Path) -> Profile:
    """Return the kernels with their launches and times; without a kernel's row the operators, as calls. Raises ProfileError."""
    with lines(path) as text:
        rows = list(_rows(text))
    kernels = [row for row in rows if not row.domain]
    return profile("kineto", "table of PyTorch's profiler", path, [*kernels, *(row for row in rows if row.domain)])


def _rows(text: Iterator[str]) -> Iterator[Total]:
    heads: list[str] = []
    for line in text:
        if HEAD.match(line):
            heads = [head.lower() for head in re.split(r"\s{2,}", line.strip())]
        elif heads and not line.lstrip().startswith("---"):
            cells = re.split(r"\s{2,}", line.strip())
            if len(cells) == len(heads):
                yield from _total(dict(zip(heads, cells, strict=True)))


def _total(cells: Mapping[str, str]) -> Iterator[Total]:
    """Yield a row with time on the device; of a host's row without devices in the table, its own time."""
    head = next((head for head in cells if _DEVICE.fullmatch(head)), "self cpu")
    spent, host = time_ns(cells[head]), time_ns(cells.get("cpu total", ""))
    count = quantity(cells["# of calls"])
    if not spent or count is None or not count[0]:
        return
    is_kernel = head != "self cpu" and host == 0
    share = _PERCENT.fullmatch(cells.get(f"{head} %", ""))
    domain = "copy" if _COPY.match(cells["name"]) else "" if is_kernel else _OPERATOR
    yield Total(cells["name"], int(count[0]), spent, domain=domain, percent=float(share[1]) if share else None)
