"""rocprof v1, rocprof v2 and rocprofv3."""

from __future__ import annotations

from pathlib import Path

from hotloop.profilers.format import Format, has_columns
from hotloop.profilers.source import Head
from hotloop.profiles.profile import Profile

_MAGIC = b"SQLite format 3\x00"


def _v1_wide(path: Path) -> Profile:
    from hotloop.profilers.formats.rocprof.v1 import read_csv

    return read_csv(path)


def _v1_database(path: Path) -> Profile:
    from hotloop.profilers.formats.rocprof.v1database import read

    return read(path)


def _v1_json(path: Path) -> Profile:
    from hotloop.profilers.formats.rocprof.v1json import read

    return read(path)


def _v2_wide(path: Path) -> Profile:
    from hotloop.profilers.formats.rocprof.v2 import read_csv

    return read_csv(path)


def _v2_text(path: Path) -> Profile:
    from hotloop.profilers.formats.rocprof.v2text import read

    return read(path)


def _v3_counters(path: Path) -> Profile:
    from hotloop.profilers.tables.longtable import read_long

    return read_long(path, "rocprofv3")


def _v3_kernels(path: Path) -> Profile:
    from hotloop.profilers.formats.rocprof.v3 import read_kernel_trace

    return read_kernel_trace(path)


def _v3_agents(path: Path) -> Profile:
    from hotloop.profilers.formats.rocprof.v3 import read_agents

    return read_agents(path)


def _calls(path: Path) -> Profile:
    from hotloop.profilers.formats.rocprof.calls import read_trace

    return read_trace(path)


def _stats(path: Path) -> Profile:
    from hotloop.profilers.formats.rocprof.calls import read_stats

    return read_stats(path)


def _samples(path: Path) -> Profile:
    from hotloop.profilers.formats.rocprof.sampling import read

    return read(path)


def _v3_json(path: Path) -> Profile:
    from hotloop.profilers.formats.rocprof.v3json import read

    return read(path)


def _is_v1_database(head: Head) -> bool:
    return head.raw.startswith(_MAGIC) and b"KERN" in head.raw and b"rocpd_" not in head.raw


def _is_v1_json(head: Head) -> bool:
    start = head.text.lstrip("\ufeff \t\r\n,[")
    return (
        start.startswith("{") and '"ph"' in start[:2000] and ('"traceEvents"' in start[:200] or '"args"' in start[:200])
    )


def _is_v2_text(head: Head) -> bool:
    return "ROCProfilerV2: Collecting" in head.text or ("Dispatch_ID(" in head.text and "Kernel_Name(" in head.text)


def _is_v3_json(head: Head) -> bool:
    return '"rocprofiler-sdk-tool"' in head.text[:4000] and head.text.lstrip("\ufeff \t\r\n").startswith("{") and '"$schema"' not in head.text[:4000]  # fmt: skip


FORMATS = (
    Format("rocprof v1 results.db", _is_v1_database, _v1_database),
    Format("rocprof v1 results.json", _is_v1_json, _v1_json),
    Format("rocprof v1 CSV", has_columns("Index", "KernelName", "gpu-id"), _v1_wide),
    Format("rocprof v2 console text", _is_v2_text, _v2_text),
    Format(
        "rocprofv3 counters CSV", has_columns("Dispatch_Id", "Agent_Id", "Counter_Name", "Counter_Value"), _v3_counters
    ),
    Format("rocprof v2 CSV", has_columns("Dispatch_ID", "GPU_ID", "PID", "Kernel_Name", "Correlation_ID"), _v2_wide),
    Format(
        "rocprofv3 kernel trace CSV",
        has_columns("Dispatch_Id", "Agent_Id", "Kernel_Name", "Start_Timestamp"),
        _v3_kernels,
    ),
    Format("rocprofv3 PC samples CSV", has_columns("Sample_Timestamp", "Instruction", "Dispatch_Id"), _samples),
    Format("rocprofv3 trace CSV", has_columns("Domain", "Function", "Start_Timestamp", "End_Timestamp"), _calls),
    Format("rocprofv3 memory trace CSV", has_columns("Kind", "Start_Timestamp", "End_Timestamp"), _calls),
    Format("rocprof statistics CSV", has_columns("Name", "Calls", "TotalDurationNs"), _stats),
    Format("rocprofv3 agents CSV", has_columns("Node_Id", "Agent_Type"), _v3_agents),
    Format("rocprofv3 JSON", _is_v3_json, _v3_json),
)
"""In order: the first that recognises a file reads it."""
