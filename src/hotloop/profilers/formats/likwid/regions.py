"""Regions of a program that ``likwid-perfctr`` counted: events and its own metrics of each hardware thread.

Counts are summed over threads, shares are their mean, a bandwidth is the sum of those threads that count for a socket. Of several
regions the one that took longest speaks; a table of sums (``STAT``) is used where threads are not listed.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from typing import Final

from hotloop.profilers.source import lines, named
from hotloop.profiles.cell import real
from hotloop.profiles.failure import ProfileError, printable
from hotloop.profiles.profile import Profile, Reading

_REGION = re.compile(r"^(?:TABLE,)?Region ([^,\n]+)")
_GROUP = re.compile(r"^(?:TABLE,)?(?:Region [^,\n]+,\s*)?Group (\d+)[:,]")
_PROCESSOR = re.compile(r"^CPU name:[\s,]*([^,\n]*?)[\s,]*$")
_EVENTS: Final = (
    ("instructions", re.compile(r"INSTR?_RETIRED(?:_ANY)?|RETIRED_INSTRUCTIONS|PM_RUN_INST_CMPL")),
    ("cycles", re.compile(r"CPU_CLK_UNHALTED_CORE|CPU_CLOCKS_UNHALTED|CPU_CYCLES|PM_RUN_CYC")),
    ("branches", re.compile(r"BR_INST_RETIRED_ALL_BRANCHES|RETIRED_BRANCH_INSTR")),
    ("branch-misses", re.compile(r"BR_MISP_RETIRED_ALL_BRANCHES|RETIRED_MISP(?:REDICTED)?_BRANCH_INSTR")),
)
"""perf's name of an event, and what it is called in LIKWID's lists of Intel, AMD, Arm and POWER."""
_SLOTS: Final = {
    "Retiring [%]": "topdown-retiring",
    "Speculation [%]": "topdown-bad-spec",
    "Bad Speculation [%]": "topdown-bad-spec",
    "Front End [%]": "topdown-fe-bound",
    "Frontend Bound [%]": "topdown-fe-bound",
    "Back End [%]": "topdown-be-bound",
    "Backend Bound [%]": "topdown-be-bound",
}
"""Metrics of the groups TMA and TOPDOWN."""
_SUMS: Final = {
    "Memory bandwidth [MBytes/s]": ("memory-bandwidth", "MB/s"),
    "DP [MFLOP/s]": ("double-rate", "MFLOP/s"),
    "SP [MFLOP/s]": ("single-rate", "MFLOP/s"),
}
_MOST_MBYTES_PER_S: Final = 2e7
"""No node's memory moves more, in MB/s: four processors with stacked memory have 5.3 TB/s each. Counters that ran over say more."""
_TIME: Final = "Runtime (RDTSC) [s]"
_STAT: Final = " STAT"


@dataclass(slots=True)
class _Region:
    name: str
    values: dict[str, list[float]] = field(default_factory=dict)
    """Values of each thread, by event or metric."""
    sums: dict[str, tuple[float, float]] = field(default_factory=dict)
    """Sum and mean over threads."""

    def take(self, heads: list[str], cells: list[str]) -> None:
        """Take a row in; what a group counts again (each counts instructions and clocks) is the first group's."""
        name = cells[0]
        if "Sum" in heads and "Avg" in heads:
            total, mean = (real(cells[heads.index(head)]) for head in ("Sum", "Avg"))
            if total is not None and mean is not None:
                self.sums.setdefault(name.removesuffix(_STAT), (total, mean))
            return
        values = [real(cell) for cell in cells[2 if heads[1:2] == ["Counter"] else 1 :]]
        self.values.setdefault(name, [value for value in values if value is not None])

    def total(self, name: str) -> float | None:
        """Return a sum over threads."""
        values = self.values.get(name)
        return sum(values) if values else self.sums[name][0] if name in self.sums else None

    def mean(self, name: str) -> float | None:
        """Return a mean over threads."""
        values = self.values.get(name)
        return fmean(values) if values else self.sums[name][1] if name in self.sums else None

    @property
    def timeless(self) -> bool:
        """True where a time was asked for and is 0, as in virtual machines without the clock that it is read from."""
        return (_TIME in self.values or _TIME in self.sums) and not self.seconds()

    def seconds(self) -> float:
        """Return how long the region took, 0 where it does not say."""
        return max(self.values.get(_TIME, []), default=0.0) or self.sums.get(_TIME, (0.0, 0.0))[1]


def read(path: Path) -> Profile:
    """Return the readings of the region that took longest. Raises ProfileError."""
    with lines(path) as text:
        rows = [line.rstrip("\r\n") for line in text]
    regions = [region for region in _regions(rows) if region.values or region.sums]
    if not regions:
        raise ProfileError(f"{named(path)} has the head of likwid-perfctr's tables and no row: nothing was counted.")
    chosen = max(regions, key=_Region.seconds)
    readings = tuple(_readings(chosen))
    if not readings:
        raise ProfileError(
            f"{named(path)} counts nothing of likwid-perfctr's that hotloop knows: count the groups TMA or MEM."
        )
    processor = next((match[1] for row in rows if (match := _PROCESSOR.match(row))), None)
    others = [printable(region.name) for region in regions if region is not chosen]
    notes = (f"the longest region, {printable(chosen.name)}, is shown; others: {', '.join(others)}",) if others else ()
    notes = (*notes, *(f"{r.event} is left out: {r.reason}" for r in readings if r.value is None))
    return Profile(
        tool="likwid", source=path.name, format="likwid-perfctr", device_name=processor, readings=readings, notes=notes
    )


def _regions(rows: Iterable[str]) -> Iterator[_Region]:
    """Yield regions in the file's order; several groups of one region are one."""
    regions: dict[str, _Region] = {"": _Region("the program")}
    current, heads, name = regions[""], list[str](), ""
    seen, run = set[tuple[str, str]](), 1
    for row in rows:
        match = _REGION.match(row)
        if match:
            name = match[1].strip()
            current, heads = regions.setdefault(name, _Region(name)), []
        group = _GROUP.match(row)
        if group and not row.startswith("TABLE,"):
            run += (name, group[1]) in seen  # groups are numbered in each run
            seen.add((name, group[1]))
            label = name if run == 1 else f"{name or 'the program'}, run {run}"
            current, heads = regions.setdefault(label, _Region(label or regions[""].name)), []
        cells = _cells(row)
        if len(cells) < 2 or cells[0] in {"TABLE", "STRUCT", "Region Info", ""}:
            heads = [] if cells[:1] in (["TABLE"], ["STRUCT"]) else heads
        elif cells[0] in {"Event", "Metric"}:
            heads = cells
        elif heads:
            current.take(heads, [*cells, *[""] * (len(heads) - len(cells))])
    yield from regions.values()


def _cells(row: str) -> list[str]:
    if row.startswith("|"):
        return [cell.strip() for cell in row.strip().strip("|").split("|")]
    return [cell.strip() for cell in next(csv.reader([row]), [])] if "," in row else []


def _readings(region: _Region) -> Iterator[Reading]:
    for event, spelled in _EVENTS:
        names = [name for name in (*region.values, *region.sums) if spelled.fullmatch(name)]
        total = region.total(names[0]) if names else None
        if total is not None:
            yield Reading(event, total, "")
    for name, event in _SLOTS.items():
        share = region.mean(name)
        if share is not None:
            yield Reading(event, share, "%")
    for name, (event, unit) in _SUMS.items():
        total = region.total(name)
        if total is not None and unit == "MB/s" and total > _MOST_MBYTES_PER_S:
            yield Reading(
                event, None, unit, reason=f"{total:.3g} MB/s is more than any memory moves: a counter ran over"
            )
        elif total == 0 and region.timeless:
            yield Reading(event, None, unit, reason="likwid-perfctr measured a time of 0: rates over it are none")
        elif total is not None:
            yield Reading(event, total, unit)
    per_instruction = region.mean("CPI")
    if per_instruction:
        yield Reading("cycles-per-instruction", per_instruction, "")
    if region.seconds():
        yield Reading("seconds time elapsed", region.seconds(), "s")
