"""rocprof-compute (Omniperf): workload folders and their files."""

from __future__ import annotations

import re

from hotloop.profilers.format import Format, Reader, has_columns
from hotloop.profilers.source import Head
from hotloop.profilers.tables.csvtext import normal


def _is_folder(head: Head) -> bool:
    if "pmc_perf.csv" in head.entries:
        return True
    named = any(n.removeprefix("results_").startswith("pmc_") for n in head.entries)
    return "sysinfo.csv" in head.entries and (named or any(head.path.glob("out/*/*/*.db")))


def _is_system(head: Head) -> bool:
    columns = {normal(column) for column in head.header}
    return bool(columns & {"gpu_arch", "gpu_soc"}) and bool(columns & {"workload_name", "workload_path"})


def _is_accumulated(head: Head) -> bool:
    columns = {normal(column) for column in head.header}
    return {"dispatch_id", "kernel_name", "gpu_id", "sq_accum_prev_hires"} <= columns


def _is_wide(head: Head) -> bool:
    columns = {normal(column) for column in head.header}
    return {"dispatch_id", "kernel_name", "gpu_id"} <= columns and ("pid" not in columns or "dispatchns" in columns)


_PRINTED = re.compile(r"^\s*\d+\.\d* ?(?:Top (?:Stats?|Kernels)|System Speed[- ]of[- ]Light)\s*$", re.MULTILINE)


_HANGING = re.compile(r"^\s*Kernel \d+: \S.*%\)\s*\n(?:\s*[|│]?\s*\n)*\s*├─+ \d+\.\d+ ", re.MULTILINE)
"""Tables below a kernel, passed on without the rest of the analysis."""


_NUMBERED = re.compile(r"^\s*│ \d{1,2}\.\d{1,2}\.\d{1,2}\s+│ [A-Za-z]", re.MULTILINE)
"""Rows of panels, passed on without their heads."""


def _is_printed(head: Head) -> bool:
    listed = _PRINTED.search(head.text) is not None or _HANGING.search(head.text) is not None
    return listed or len(_NUMBERED.findall(head.text)) > 2


_SAVED = re.compile(r"(?:0\.1_Top_[KS]\w+|\d+\.\d+_[A-Z][\w.() -]+)\.csv")


def _is_saved(head: Head) -> bool:
    return sum(_SAVED.fullmatch(name) is not None for name in head.entries) > 1 and any(
        n.startswith("0.1_Top") for n in head.entries
    )


FORMATS = (
    Format("rocprof-compute saved tables", _is_saved, Reader("formats.compute.printed", "read_saved")),
    Format("rocprof-compute workload folder", _is_folder, Reader("formats.compute.workload")),
    Format(
        "rocprof-compute long counters CSV",
        has_columns("Dispatch_ID", "GPU_ID", "Counter_Name", "Counter_Value"),
        Reader("tables.longtable", "read_long", "rocprof-compute"),
    ),
    Format(
        "rocprof-compute accumulating counter CSV", _is_accumulated, Reader("formats.compute.counters", "read_counters")
    ),
    Format("rocprof-compute wide counters CSV", _is_wide, Reader("formats.compute.counters", "read_counters")),
    Format(
        "rocprof-compute top kernels CSV",
        has_columns("Kernel_Name", "Count", "Sum(ns)"),
        Reader("formats.compute.top", "read_top"),
    ),
    Format(
        "rocprof-compute system CSV",
        _is_system,
        Reader("formats.compute.system", "read_system"),
    ),
    Format(
        "rocprof-compute roofline CSV",
        has_columns("device", "HBMBw", "L2Bw"),
        Reader("formats.compute.system", "read_roofline"),
    ),
    Format("rocprof-compute printed analysis", _is_printed, Reader("formats.compute.printed")),
)
