"""Calls of functions, copies and phases: traces with one row a call, and statistics with one row a name."""

from __future__ import annotations

import re
from pathlib import Path

from hotloop.model.evidence import Absent
from hotloop.profilers.source import named
from hotloop.profilers.tables.callsums import CallSums
from hotloop.profilers.tables.csvtext import note, table
from hotloop.profilers.tables.launchcolumns import unquoted
from hotloop.profilers.tables.totals import of_all
from hotloop.profiles.cell import integer, real
from hotloop.profiles.failure import ProfileError
from hotloop.profiles.profile import Calls, KernelProfile, Profile, Tally

_API = re.compile(
    r"_{0,2}hip[A-Z]\w*$|hsa_\w+$|roctx\w+$|roc(?:Dec|JPEG)\w*$|nccl(?!Dev|Kernel)[A-Z]\w*$|MEMORY_\w+$|SCRATCH_\w+$|[A-Z]+(?:_[A-Z]+)*_(?:API|DISPATCH|COPY)\w*$|Copy(?:Host|Device)To(?:Host|Device)$"
)
"""Names of functions, copies and domains, which no kernel has."""
_NO_COUNTERS = (
    Absent("counters", "statistics hold times only; a run with --pmc has counters"),
    Absent("dispatches", "statistics hold sums over all launches of a kernel; a kernel trace has each"),
)


def read_trace(path: Path) -> Profile:
    """Return the calls of a rocprofv3 trace of an API, of copies, allocations or scratch memory. Raises ProfileError."""
    sums = CallSums()
    with table(path) as opened:
        domain = opened.index("Domain") if opened.index("Domain") is not None else opened.index("Kind")
        name = next((i for c in ("Function", "Operation", "Direction") if (i := opened.index(c)) is not None), domain)
        start, end = opened.index("Start_Timestamp"), opened.index("End_Timestamp")
        if domain is None or name is None or start is None or end is None:
            raise ProfileError(f"{named(path)} lacks a name or its time stamps: no trace of rocprofv3.")
        for row in opened.rows:
            begin, finish = integer(row[start]), integer(row[end])
            if begin is None or finish is None or finish < begin:
                note(opened.notes, "rows without usable time stamps were left out")
                continue
            sums.add(row[domain].strip(), row[name].strip(), float(finish - begin))
        notes = tuple(opened.notes)
    calls = sums.calls()
    absent = () if calls else (Absent("calls", "the trace has no row"),)
    return Profile(tool="rocprofv3", source=path.name, format="trace (CSV)", calls=calls, absent=absent, notes=notes)


def read_stats(path: Path) -> Profile:
    """Return the sums of a statistics file of rocprof v1 or rocprofv3: of kernels, or of calls of an API. Raises ProfileError."""
    calls: list[Calls] = []
    shares: list[tuple[float, float | None]] = []
    with table(path) as opened:
        place = {c: opened.index(c) for c in ("Name", "Calls", "TotalDurationNs", "MinNs", "MaxNs", "Percentage")}
        name, count, total = (place[c] for c in ("Name", "Calls", "TotalDurationNs"))
        if name is None or count is None or total is None:
            raise ProfileError(f"{named(path)} lacks Name, Calls or TotalDurationNs: no statistics of rocprof.")
        for row in opened.rows:
            number, sum_ns = integer(row[count]), real(row[total])
            if not number or number < 0 or sum_ns is None:
                note(opened.notes, "rows without a number of calls or a duration were left out")
                continue
            percent = place["Percentage"]
            shares.append((sum_ns, None if percent is None else real(row[percent])))
            least, most = (None if i is None else real(row[i]) for i in (place["MinNs"], place["MaxNs"]))
            calls.append(Calls("", unquoted(row[name].strip()), Tally(number, sum_ns, least, most)))
        tool = "rocprof-v1" if place["MinNs"] is None else "rocprofv3"
        notes = tuple(opened.notes)
    absent = (Absent("extremes", "rocprof v1 writes totals only"),) if tool == "rocprof-v1" else ()
    of_kernels = bool(calls) and not any(_API.match(call.name) for call in calls)
    return Profile(
        tool=tool,
        source=path.name,
        format="statistics of kernels (CSV)" if of_kernels else "statistics (CSV)",
        calls=() if of_kernels else tuple(calls),
        kernels=tuple(_kernel(call) for call in calls) if of_kernels else (),
        kernels_ns=of_all(shares) if of_kernels else None,
        calls_ns=None if of_kernels else of_all(shares),
        absent=(*absent, *_NO_COUNTERS) if of_kernels else absent,
        notes=notes,
    )


def _kernel(call: Calls) -> KernelProfile:
    return KernelProfile(kernel=call.name, dispatches=call.duration_ns.count, duration_ns=call.duration_ns)
