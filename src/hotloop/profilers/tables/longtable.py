"""Counters in long form: one row for each dispatch, counter and, for some tools, instance.

Columns by name, as rocprofv3 (``*_counter_collection.csv``) and rocprof-compute write them: older versions lack
``Kernel_Id``, ``Accum_VGPR_Count`` and the time stamps, and number the agent where newer ones write ``Agent 1``. Rows of one
dispatch and counter are instances (dies, engines) and are added up.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Final

from hotloop.profilers.source import look, named
from hotloop.profilers.summary import Summary, absences
from hotloop.profilers.tables.csvtext import Table, note, table, unread
from hotloop.profilers.tables.launchcolumns import LaunchColumns
from hotloop.profiles.cell import real
from hotloop.profiles.failure import ProfileError
from hotloop.profiles.profile import Dispatch, KernelProfile, Profile

LARGE_BYTES: Final = 16 << 20
"""Size from which dispatches are not kept one by one and the table is read in columns."""
_REASONS: Final = {
    "wave_size": "the tool does not write it into this table",
    "agprs": "this version of the tool has no column for it",
    "duration_ns": "this version of the tool has no time stamps in this table; a kernel trace has them",
}
UNNUMBERED: Final = "launches have no number: the n-th row of a kernel and a counter is taken for its n-th launch"
MIXED: Final = "counters were collected in several passes of one dispatch; the earliest pass of each was used"
_NAME: Final = "counters, one row for each dispatch and counter (CSV)"


def read_long(path: Path, tool: str) -> Profile:
    """Return dispatches with their counters; of large files the kernels only. Raises ProfileError."""
    return read_large(path, tool) if look(path).size_bytes > LARGE_BYTES else read_small(path, tool)


def read_small(path: Path, tool: str) -> Profile:
    """Return every dispatch. Raises ProfileError."""
    summary, reasons = Summary(), dict(_REASONS)
    with table(path) as opened:
        for dispatch in _dispatches(opened, reasons):
            summary.add(dispatch)
        notes = tuple(opened.notes)
    return Profile(tool=tool, source=path.name, format=_NAME, dispatches=summary.dispatches(), kernels=summary.kernels(),
                   absent=summary.absent(reasons), notes=notes)  # fmt: skip


def _dispatches(opened: Table, reasons: dict[str, str]) -> list[Dispatch]:
    launch = LaunchColumns(opened.columns)
    name, value = opened.index("Counter_Name"), opened.index("Counter_Value")
    if name is None or value is None:
        raise ProfileError(f"{named(opened.path)} lacks Counter_Name or Counter_Value: no counter table.")
    numbered = "dispatch_id" in launch.places
    if not numbered:
        note(opened.notes, UNNUMBERED)
    rows_of: Counter[tuple[str, str]] = Counter()
    dispatches: dict[tuple[object, ...], Dispatch] = {}
    sums: dict[tuple[object, ...], dict[str, float]] = {}
    begins: dict[tuple[object, ...], int] = {}
    for row in opened.rows:
        dispatch = launch.dispatch(row)
        if not numbered:
            rows_of[dispatch.kernel, row[name]] += 1
            dispatch = replace(dispatch, dispatch_id=rows_of[dispatch.kernel, row[name]])
        if dispatch.dispatch_id is None:
            raise ProfileError(f"{named(opened.path)} has a row whose Dispatch_Id is no number: the table is damaged.")
        key = (dispatch.process_id, dispatch.device, dispatch.kernel, dispatch.dispatch_id)
        counters = sums.setdefault(key, {})
        dispatches[key] = _earlier(dispatches.get(key), replace(dispatch, counters=counters))
        number, counter = real(row[value]), row[name].strip()
        if number is None:
            unread(opened.notes, row[value])
            continue
        begin = -1 if dispatch.start_ns is None else dispatch.start_ns
        first = begins.setdefault((*key, counter), begin)
        if begin != first:
            note(opened.notes, MIXED)
        if begin < first:
            begins[*key, counter] = begin
            counters[counter] = number
        elif begin == first:
            counters[counter] = counters.get(counter, 0.0) + number
    reasons.update(launch.reasons)
    return list(dispatches.values())


def _earlier(first: Dispatch | None, other: Dispatch) -> Dispatch:
    """Return the dispatch with the times of its earliest pass."""
    if first is None:
        return other
    mine, theirs = (-1 if d.start_ns is None else d.start_ns for d in (first, other))
    if mine == theirs:
        longest = max(first.duration_ns or 0.0, other.duration_ns or 0.0) or None
        return first if longest == first.duration_ns else replace(first, end_ns=other.end_ns, duration_ns=longest)
    return (
        first
        if mine < theirs
        else replace(first, start_ns=other.start_ns, end_ns=other.end_ns, duration_ns=other.duration_ns)
    )


def read_large(path: Path, tool: str) -> Profile:
    """Return the kernels, streaming: memory does not grow with the file. Raises ProfileError."""
    kernels, notes = _streamed(path)
    return Profile(tool=tool, source=path.name, format=_NAME, kernels=kernels,
                   absent=absences(kernels, _REASONS, kept=False), notes=tuple(notes))  # fmt: skip


def _streamed(path: Path) -> tuple[tuple[KernelProfile, ...], list[str]]:
    from hotloop.profilers.tables.bulk import CounterSums
    from hotloop.profilers.tables.longcsv import (
        UnconvertibleError,
        columns_of,
        fast_available,
        fast_batches,
        slow_batches,
    )

    if not {"dispatch_id", "kernel", "counter", "value"} <= set(columns_of(look(path).header)):
        raise ProfileError(f"{named(path)} lacks Dispatch_Id, Counter_Name or Counter_Value: no counter table.")
    for batches in [fast_batches] * fast_available() + [slow_batches]:
        sums, notes = CounterSums(), list[str]()
        try:
            for batch in batches(path, notes):
                sums.add(batch)
        except UnconvertibleError:
            continue
        kernels = sums.kernels()
        if sums.mixed:
            notes.append(MIXED)
        if sums.late:
            notes.append("rows of one dispatch are far apart: minima and maxima are unknown and means too low")
        return kernels, notes
    raise ProfileError(f"{named(path)} cannot be read as a counter table.")
