"""rocprof v1, rocprof v2 and rocprofv3."""

from __future__ import annotations

import re

from hotloop.profilers.format import Format, Reader, has_columns, has_text
from hotloop.profilers.source import Head
from hotloop.profilers.sqlitefile import holds

_KERNELS = re.compile("KERN")


def _is_v1_database(head: Head) -> bool:
    return holds(head, _KERNELS)


def _is_v1_json(head: Head) -> bool:
    start = head.text.lstrip("\ufeff \t\r\n,[")
    return (
        start.startswith("{") and '"ph"' in start[:2000] and ('"traceEvents"' in start[:200] or '"args"' in start[:200])
    )


def _is_v2_text(head: Head) -> bool:
    return "ROCProfilerV2: Collecting" in head.text or ("Dispatch_ID(" in head.text and "Kernel_Name(" in head.text)


def _is_v3_json(head: Head) -> bool:
    return '"rocprofiler-sdk-tool"' in head.text[:4000] and head.text.lstrip("\ufeff \t\r\n").startswith("{") and '"$schema"' not in head.text[:4000]  # fmt: skip


_COUNTER = re.compile(
    r"(?:SQC?|TC[ACP]|T[AD]|GRBM|SPI|CP[CFG]|GL[12][AC]|GCEA)_[A-Za-z0-9_]+(?:\[\d+\])?|(?:FETCH|WRITE)_?SIZE|Wavefronts|(?:V|S|SFetch|VFetch|VWrite|LDS|FlatVMem)A?L?U?Insts"
    r"|[VS]ALU(?:Busy|Utilization)|GPUBusy|MemUnit(?:Busy|Stalled)|WriteUnitStalled|L2CacheHit|LDSBankConflict|OccupancyPercent|MfmaUtil",
    re.IGNORECASE,
)


def _is_pivoted(head: Head) -> bool:
    """Tell a table with one row for each launch that a script made of counters: what describes the launch is partly gone."""
    columns = [column.strip().strip('"') for column in head.header]
    kernels = {"kernelname", "kernel_name", "kernel"} & {column.lower().replace(" ", "_") for column in columns}
    return bool(kernels) and any(_COUNTER.fullmatch(column) for column in columns)


_ENOUGH = 4
"""Counters from which a table that has nothing else is one of a profiler's."""


def _is_bare(head: Head) -> bool:
    """Tell a table of counters alone: what people leave of one kernel's row when they show it."""
    columns = [column.strip().strip('"') for column in head.header]
    return len(columns) >= _ENOUGH and all(_COUNTER.fullmatch(column) for column in columns)


_LAUNCHES = has_columns("Kernel_Name", "Start_Timestamp", "End_Timestamp")
_COUNTS = has_columns("Counter_Name")


def _is_short_trace(head: Head) -> bool:
    """Tell a trace of launches of which people kept the names and the times."""
    return _LAUNCHES(head) and not _COUNTS(head)


SUMMARY = re.compile(r"^\s*\|\s*NAME\s*\|\s*DOMAIN\s*\|\s*CALLS\s*\|\s*DURATION \((\w+)\)", re.MULTILINE)
"""Head of what ``rocprofv3 -S`` prints, with the unit of its times."""


def _is_rocminfo(head: Head) -> bool:
    return "HSA Agents" in head.text and "Marketing Name:" in head.text


FORMATS = (
    Format("rocminfo text", _is_rocminfo, Reader("formats.rocprof.rocminfo")),
    Format("rocprof v1 results.db", _is_v1_database, Reader("formats.rocprof.v1database")),
    Format("rocprof v1 results.json", _is_v1_json, Reader("formats.rocprof.v1json")),
    Format("rocprof v1 CSV", has_columns("Index", "KernelName", "gpu-id"), Reader("formats.rocprof.v1", "read_csv")),
    Format("rocprofv3 summary text", has_text(SUMMARY), Reader("formats.rocprof.summarytext")),
    Format("rocprof v2 console text", _is_v2_text, Reader("formats.rocprof.v2text")),
    Format(
        "rocprofv3 counters CSV",
        has_columns("Dispatch_Id", "Agent_Id", "Counter_Name", "Counter_Value"),
        Reader("tables.longtable", "read_long", "rocprofv3"),
    ),
    Format(
        "rocprof v2 CSV",
        has_columns("Dispatch_ID", "GPU_ID", "PID", "Kernel_Name", "Correlation_ID"),
        Reader("formats.rocprof.v2", "read_csv"),
    ),
    Format(
        "rocprofv3 kernel trace CSV",
        has_columns("Dispatch_Id", "Agent_Id", "Kernel_Name", "Start_Timestamp"),
        Reader("formats.rocprof.v3", "read_kernel_trace"),
    ),
    Format(
        "rocprofv3 PC samples CSV",
        has_columns("Sample_Timestamp", "Instruction", "Dispatch_Id"),
        Reader("formats.rocprof.sampling"),
    ),
    Format(
        "rocprofv3 trace CSV",
        has_columns("Domain", "Function", "Start_Timestamp", "End_Timestamp"),
        Reader("formats.rocprof.calls", "read_trace"),
    ),
    Format(
        "rocprofv3 kernel trace CSV of 2024",  # before launches were numbered
        has_columns("Kind", "Agent_Id", "Kernel_Name", "Start_Timestamp"),
        Reader("formats.rocprof.v3", "read_kernel_trace"),
    ),
    Format("rocprofv3 kernel trace CSV, cut", _is_short_trace, Reader("formats.rocprof.v3", "read_kernel_trace")),
    Format(
        "rocprofv3 memory trace CSV",
        has_columns("Kind", "Start_Timestamp", "End_Timestamp"),
        Reader("formats.rocprof.calls", "read_trace"),
    ),
    Format(
        "rocprof statistics CSV",
        has_columns("Name", "Calls", "TotalDurationNs"),
        Reader("formats.rocprof.calls", "read_stats"),
    ),
    Format("rocprofv3 agents CSV", has_columns("Node_Id", "Agent_Type"), Reader("formats.rocprof.v3", "read_agents")),
    Format("rocprofv3 JSON", _is_v3_json, Reader("formats.rocprof.v3json")),
    Format(
        "counters by name CSV",
        has_columns("Kernel_Name", "Counter_Name", "Counter_Value"),
        Reader("tables.longtable", "read_long", "rocprofv3"),
    ),
    Format("table of rocprof's counters", _is_pivoted, Reader("formats.rocprof.v1", "read_made")),
    Format("rocprof's counters alone", _is_bare, Reader("formats.rocprof.v1", "read_made")),
)
"""Formats in the order in which they are tried: the first that recognises a file reads it."""
