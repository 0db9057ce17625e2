"""rocprof-compute (Omniperf): workload folders and their files."""

from __future__ import annotations

from pathlib import Path

from hotloop.profilers.format import Format, has_columns
from hotloop.profilers.source import Head
from hotloop.profilers.tables.csvtext import normal
from hotloop.profiles.profile import Profile


def _folder(path: Path) -> Profile:
    from hotloop.profilers.formats.compute.workload import read

    return read(path)


def _counters(path: Path) -> Profile:
    from hotloop.profilers.formats.compute.counters import read_counters

    return read_counters(path)


def _long(path: Path) -> Profile:
    from hotloop.profilers.tables.longtable import read_long

    return read_long(path, "rocprof-compute")


def _system(path: Path) -> Profile:
    from hotloop.profilers.formats.compute.system import read_system

    return read_system(path)


def _roofline(path: Path) -> Profile:
    from hotloop.profilers.formats.compute.system import read_roofline

    return read_roofline(path)


def _is_folder(head: Head) -> bool:
    return "pmc_perf.csv" in head.entries or (
        "sysinfo.csv" in head.entries and any(n.startswith("pmc_") for n in head.entries)
    )


def _is_accumulated(head: Head) -> bool:
    columns = {normal(column) for column in head.header}
    return {"dispatch_id", "kernel_name", "gpu_id", "sq_accum_prev_hires"} <= columns


def _is_wide(head: Head) -> bool:
    columns = {normal(column) for column in head.header}
    return {"dispatch_id", "kernel_name", "gpu_id"} <= columns and ("pid" not in columns or "dispatchns" in columns)


FORMATS = (
    Format("rocprof-compute workload folder", _is_folder, _folder),
    Format(
        "rocprof-compute long counters CSV",
        has_columns("Dispatch_ID", "GPU_ID", "Counter_Name", "Counter_Value"),
        _long,
    ),
    Format("rocprof-compute accumulating counter CSV", _is_accumulated, _counters),
    Format("rocprof-compute wide counters CSV", _is_wide, _counters),
    Format("rocprof-compute system CSV", has_columns("workload_name", "gpu_arch"), _system),
    Format("rocprof-compute roofline CSV", has_columns("device", "HBMBw", "L2Bw"), _roofline),
)
