"""nvprof's metrics of each kernel, under the names that Nsight Compute gives to the same.

Source of the names: the table of nvprof's metrics in Nsight Compute's documentation. A metric that has no counterpart of one name
keeps nvprof's; levels as ``Low (1)`` are none in numbers.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from hotloop.model.evidence import Absent
from hotloop.profilers.formats.nvprof import METRICS
from hotloop.profilers.formats.nvprof.times import totals_of
from hotloop.profilers.source import lines, named
from hotloop.profiles.cell import real
from hotloop.profiles.failure import ProfileError
from hotloop.profiles.profile import Calls, KernelProfile, Profile, Tally

_ROW = re.compile(
    r"^\s*(?P<count>[0-9]+)\s+(?P<name>\w+)\s{2,}\S.*?\s{2,}(?P<min>\S.*?)\s{2,}(?P<max>\S.*?)\s{2,}(?P<avg>\S.*?)\s*$"
)
_KERNEL = re.compile(r"^\s*Kernel:\s*(\S.*?)\s*$")
_DEVICE = re.compile(r'^\s*Device "(.*?)(?: \(\d+\))?"')
_VALUE = re.compile(r"([0-9.]+(?:e[+-]?[0-9]+)?)(%|[KMGT]?B/s)?")
_RATES: Final = {"B/s": 1.0, "KB/s": 1e3, "MB/s": 1e6, "GB/s": 1e9, "TB/s": 1e12}
_STALL: Final = "smsp__warp_issue_stalled_{}_per_warp_active.pct"
_NAMES: Final = {
    "achieved_occupancy": ("sm__warps_active.avg.pct_of_peak_sustained_active", 100.0),
    "branch_efficiency": ("smsp__sass_average_branch_targets_threads_uniform.pct", 1.0),
    "dram_read_bytes": ("dram__bytes_read.sum", 1.0),
    "dram_write_bytes": ("dram__bytes_write.sum", 1.0),
    "dram_read_transactions": ("dram__sectors_read.sum", 1.0),
    "dram_write_transactions": ("dram__sectors_write.sum", 1.0),
    "gld_efficiency": ("smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct", 1.0),
    "gst_efficiency": ("smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct", 1.0),
    "inst_executed": ("smsp__inst_executed.sum", 1.0),
    "issue_slot_utilization": ("smsp__issue_active.avg.pct_of_peak_sustained_active", 1.0),
    "sm_efficiency": ("smsp__cycles_active.avg.pct_of_peak_sustained_elapsed", 1.0),
    "tex_cache_hit_rate": ("l1tex__t_sector_hit_rate.pct", 1.0),
    "l2_tex_hit_rate": ("lts__t_sector_hit_rate.pct", 1.0),
    "warp_execution_efficiency": ("smsp__thread_inst_executed_per_inst_executed.pct", 1.0),
    "stall_memory_dependency": (_STALL.format("long_scoreboard"), 1.0),
    "stall_sync": (_STALL.format("barrier"), 1.0),
    "stall_inst_fetch": (_STALL.format("no_instruction"), 1.0),
    "stall_constant_memory_dependency": (_STALL.format("imc_miss"), 1.0),
    "stall_pipe_busy": (_STALL.format("math_pipe_throttle"), 1.0),
    "stall_not_selected": (_STALL.format("not_selected"), 1.0),
}
"""Name and factor."""
_ABSENT: Final = (
    Absent("duration_ns", "nvprof's metrics tell no time: a summary of the same program does"),
    Absent("dispatches", "the table holds means over all launches of a kernel"),
)


@dataclass(slots=True)
class _Kernel:
    name: str
    launches: int = 0
    counters: dict[str, Tally] = field(default_factory=dict)

    def take(self, count: int, metric: str, cells: tuple[str, str, str]) -> None:
        """Count a metric in: least, most and mean of a launch."""
        name, factor = _NAMES.get(metric, (metric, 1.0))
        least, most, mean = (_number(cell) for cell in cells)
        self.launches = max(self.launches, count)
        if mean is not None and count:
            self.counters[name] = Tally(
                count, mean * factor * count, *(None if v is None else v * factor for v in (least, most))
            )


def read(path: Path) -> Profile:
    """Return the kernels with their metrics. Raises ProfileError."""
    with lines(path) as text:
        kernels, devices = _kernels(text)
    if not any(kernel.counters for kernel in kernels.values()):
        raise ProfileError(f"{named(path)} has the head of nvprof's metrics and no value: no kernel was profiled.")
    with lines(path) as text:
        totals = list(totals_of(text))
    times = {total.name: total.tally for total in totals if not total.domain}
    copies = tuple(Calls(total.domain, total.name, total.tally) for total in totals if total.domain)
    listed = tuple(
        KernelProfile(kernel=k.name, dispatches=k.launches, counters=k.counters, duration_ns=times.get(k.name))
        for k in kernels.values()
    )
    name = next(iter(devices)) if len(devices) == 1 else None
    absent = _ABSENT[1:] if times else _ABSENT
    return Profile(
        tool="nvprof", source=path.name, format="metrics", device_name=name, kernels=listed, calls=copies, absent=absent
    )


def _kernels(text: Iterator[str]) -> tuple[dict[str, _Kernel], dict[str, None]]:
    kernels, devices, current = dict[str, _Kernel](), dict[str, None](), ""
    is_csv = False
    for line in text:
        device, kernel, row = _DEVICE.match(line), _KERNEL.match(line), _ROW.match(line)
        if METRICS.match(line):
            is_csv = "," in line
        elif is_csv:
            _separated(line, kernels, devices)
        elif device:
            devices[device[1]] = None
        elif kernel:
            current = kernel[1]
        elif row and current:
            own = kernels.setdefault(current, _Kernel(current))
            own.take(int(row["count"]), row["name"], (row["min"], row["max"], row["avg"]))
    return kernels, devices


def _separated(line: str, kernels: dict[str, _Kernel], devices: dict[str, None]) -> None:
    cells = next(csv.reader([line.strip()]), [])
    if len(cells) < 8 or not cells[2].isdecimal():
        return
    devices[re.sub(r" \(\d+\)$", "", cells[0])] = None
    own = kernels.setdefault(cells[1], _Kernel(cells[1]))
    own.take(int(cells[2]), cells[3], (cells[-3], cells[-2], cells[-1]))


def _number(text: str) -> float | None:
    """Return a value in per cent, bytes per second or plain; None for a level."""
    match = _VALUE.fullmatch(text.strip())
    value = real(match[1]) if match else None
    return None if match is None or value is None else value * _RATES.get(match[2] or "", 1.0)
