"""Columns that describe a launch, under the names that each tool and version gives them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final

from hotloop.profilers.tables.csvtext import normal
from hotloop.profiles.cell import fraction, integer, real, rounded
from hotloop.profiles.profile import Dispatch

SPELLINGS: Final = {
    "kernel": ("kernel_name", "kernelname", "kernel"),
    "dispatch_id": ("dispatch_id", "index"),
    "device": ("agent_id", "gpu_id"),
    "process_id": ("process_id", "pid"),
    "grid_items": ("grid_size", "grd"),
    "workgroup_items": ("workgroup_size", "wgr"),
    "lds_bytes": ("lds_block_size", "lds_per_workgroup", "lds_block_size_v", "lds", "group_segment_size"),
    "scratch_bytes": ("scratch_size", "scratch_per_workitem", "scr", "private_segment_size"),
    "vgprs": ("vgpr_count", "arch_vgpr_count", "arch_vgpr", "vgpr"),
    "agprs": ("accum_vgpr_count", "accum_vgpr", "accumulative_vgpr"),
    "sgprs": ("sgpr_count", "sgpr"),
    "wave_size": ("wave_size",),
    "start_ns": ("start_timestamp", "begin_timestamp", "beginns"),
    "end_ns": ("end_timestamp", "endns"),
    "duration_ns": ("durationns", "duration_ns"),
}
"""Normalised column names by field: rocprof v1, v2, rocprofv3, rocprof-compute."""

_OTHER: Final = frozenset(
    [
        "queue_id",
        "queue_index",
        "tid",
        "thread_id",
        "sig",
        "obj",
        "dispatchns",
        "completens",
        "correlation_id",
        "xcc_index",
        "kernel_id",
        "stream_id",
        "kind",
        "guid",
        "fbar",
        "node_id",
        "counter_name",
        "counter_value",
        "workgroup_size_x",
        "workgroup_size_y",
        "workgroup_size_z",
        "grid_size_x",
        "grid_size_y",
        "grid_size_z",
        "lds_alloc",
        "run_number",
        "accumulated",
    ]
)
_KNOWN: Final = frozenset(name for names in SPELLINGS.values() for name in names) | _OTHER
_MERGED = re.compile(r"(.+)_[0-9]{1,4}")
LONGEST_NS: Final = 10**13
"""rocprof-compute writes begin 0 and the duration as end; a whole clock there (hours) means that begin was never set."""
ROUNDED_REASON: Final = "the time stamps went through a spreadsheet, which rounded them (like 8.1097E+14): begin and end cannot be told apart"
UNORDERED_REASON: Final = "begin and end of the dispatches are equal or out of order: the duration is unknown, not 0"


def describes_launch(column: str) -> bool:
    """Return True for a column that is no counter, also where a merged pass repeats it (``Wave_Size_3``, ``obj_7``)."""
    name = normal(column)
    merged = _MERGED.fullmatch(name)
    return name in _KNOWN or name.startswith("unnamed") or bool(merged and merged[1] in _KNOWN) or not name


@dataclass(slots=True)
class LaunchColumns:
    """Where the fields of a launch stand in one table."""

    columns: Sequence[str]
    reasons: dict[str, str] = field(default_factory=dict)
    """Why a field stays None although there is a column, found while reading."""
    places: dict[str, int] = field(init=False)
    grid: tuple[int, ...] = field(init=False)
    workgroup: tuple[int, ...] = field(init=False)

    def __post_init__(self) -> None:
        """Resolve names once."""
        first: dict[str, int] = {}
        for index, column in enumerate(self.columns):
            first.setdefault(normal(column), index)
        self.places = {f: first[n] for f, names in SPELLINGS.items() for n in names[::-1] if n in first}
        self.grid = tuple(first[n] for n in ("grid_size_x", "grid_size_y", "grid_size_z") if n in first)
        self.workgroup = tuple(
            first[n] for n in ("workgroup_size_x", "workgroup_size_y", "workgroup_size_z") if n in first
        )

    def counters(self) -> tuple[tuple[int, str], ...]:
        """Return place and name of the columns that are counters, in a table with one row for each dispatch."""
        seen: set[str] = set()
        counters = []
        for index, column in enumerate(self.columns):
            if not describes_launch(column) and column not in seen:
                seen.add(column)
                counters.append((index, column))
        return tuple(counters)

    def passes(self) -> tuple[tuple[str, ...], ...]:
        """Return the counters of each pass: tables put side by side repeat describing columns (``Wave_Size_3``, ``obj_7``).

        Empty where nothing is repeated: then all columns are of one pass. Single channels (``TCC_HIT[3]``) are left out.
        """
        passes: list[list[str]] = [[]]
        counted = {place: name for place, name in self.counters() if "[" not in name}
        for place, column in enumerate(self.columns):
            merged = _MERGED.fullmatch(normal(column))
            if merged and merged[1] in _KNOWN and normal(column) not in _KNOWN and passes[-1]:
                passes.append([])
            if place in counted:
                passes[-1].append(counted[place])
        return tuple(map(tuple, passes)) if len(passes) > 1 else ()

    def dispatch(
        self,
        row: Sequence[str],
        counters: dict[str, float] | None = None,
        passes: tuple[Mapping[str, float], ...] = (),
    ) -> Dispatch:
        """Return the launch that a row describes."""
        start, end = self._time(row, "start_ns"), self._time(row, "end_ns")
        return Dispatch(
            kernel=unquoted(self._text(row, "kernel") or ""),
            dispatch_id=self._integer(row, "dispatch_id"),
            device=self._text(row, "device"),
            process_id=self._integer(row, "process_id"),
            grid_items=_product(row, self.grid) if self.grid else self._integer(row, "grid_items"),
            workgroup_items=_product(row, self.workgroup) if self.workgroup else self._integer(row, "workgroup_items"),
            lds_bytes=self._integer(row, "lds_bytes"),
            scratch_bytes=self._integer(row, "scratch_bytes"),
            vgprs=self._integer(row, "vgprs"),
            agprs=self._integer(row, "agprs"),
            sgprs=self._integer(row, "sgprs"),
            wave_size=self._integer(row, "wave_size"),
            start_ns=None if start is None else round(start),
            end_ns=None if end is None else round(end),
            duration_ns=self._duration(row, start, end),
            counters=counters or {},
            passes=passes,
        )

    def _text(self, row: Sequence[str], name: str) -> str | None:
        place = self.places.get(name)
        return None if place is None else row[place].strip() or None

    def _integer(self, row: Sequence[str], name: str) -> int | None:
        place = self.places.get(name)
        return None if place is None else integer(row[place])

    def _time(self, row: Sequence[str], name: str) -> int | Fraction | None:
        """Return a time stamp exactly: a double holds no nanoseconds of a clock that has run for months."""
        place = self.places.get(name)
        if place is None:
            return None
        if rounded(row[place]):
            self.reasons["duration_ns"] = ROUNDED_REASON
        whole = integer(row[place])
        return fraction(row[place]) if whole is None else whole

    def _duration(self, row: Sequence[str], start: int | Fraction | None, end: int | Fraction | None) -> float | None:
        place = self.places.get("duration_ns")
        if place is not None:
            given = real(row[place])
            return given if given and given > 0 else None
        if start is None or end is None:
            return None
        if end <= start or (start == 0 and end > LONGEST_NS):
            self.reasons["duration_ns"] = UNORDERED_REASON
            return None
        return float(end - start)


def unquoted(name: str) -> str:
    """Return a kernel name without the literal quotes that rocprof v1 stores.

    >>> unquoted('"copy"'), unquoted("copy")
    ('copy', 'copy')
    """
    return name[1:-1] if len(name) > 1 and name[0] == name[-1] == '"' else name


def _product(row: Sequence[str], places: Sequence[int]) -> int | None:
    product = 1
    for place in places:
        size = integer(row[place])
        if size is None:
            return None
        product *= size
    return product
