"""Counters of a ladder's rungs by Nsight Compute: each in a process of its own, in which one call is profiled."""

from __future__ import annotations

import csv
import json
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from hotloop.app import session
from hotloop.engine import solo
from hotloop.host import toolchain
from hotloop.host.toolchain import Tool, ToolSilentError
from hotloop.host.turns import Turn
from hotloop.model.codec import encode

if TYPE_CHECKING:
    from hotloop.app.desk import Desk
    from hotloop.model.program import Program
    from hotloop.ports import Dataset

METRICS = {
    "counted_ns": "gpu__time_duration.sum",
    "blocks": "launch__grid_size",
    "instructions": "smsp__inst_executed.sum",
    "dram_read_bytes": "dram__bytes_read.sum",
    "dram_write_bytes": "dram__bytes_write.sum",
    "l2_sectors": "lts__t_sectors_srcunit_tex.sum",
    "shared_wavefronts": "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum",
    "bank_conflicts": "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum",
    "occupancy": "sm__warps_active.avg.pct_of_peak_sustained_active",
    "issue_utilization": "smsp__issue_active.avg.pct_of_peak_sustained_active",
    "matrix_utilization": "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed",
    "fma_utilization": "sm__pipe_fma_cycles_active.avg.pct_of_peak_sustained_elapsed",
    "dram_utilization": "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed",
    "long_scoreboard_stall": "smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio",
    "short_scoreboard_stall": "smsp__average_warps_issue_stalled_short_scoreboard_per_issue_active.ratio",
    "barrier_stall": "smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio",
    "gmma_stall": "smsp__average_warps_issue_stalled_gmma_per_issue_active.ratio",
    "math_stall": "smsp__average_warps_issue_stalled_math_pipe_throttle_per_issue_active.ratio",
}
"""Facts by the metrics of Nsight Compute of CUDA 13."""
_SECTOR_BYTES = 32
_SUMS = ("counted_ns", "blocks", "instructions", "shared_wavefronts", "bank_conflicts", "dram_bytes", "l2_bytes")
LIMIT_S = 150.0
REQUEST, PAGE = "request.json", "counters.csv"
_WARMUPS = 1


def program() -> Tool | None:
    """Return Nsight Compute's command line; None where it is not installed."""
    path = shutil.which("ncu") or shutil.which("ncu", path="/usr/local/cuda/bin:/opt/nvidia/nsight-compute")
    return None if path is None else Tool("ncu", (path,), "the CUDA toolkit")


@dataclass(frozen=True, slots=True)
class Asked:
    """A rung's program and the arrays that it is counted on."""

    name: str
    program: Program
    dataset: Dataset


@dataclass(frozen=True, slots=True)
class Counter:
    """Nsight Compute at a desk whose engine has laid out the arrays."""

    desk: Desk
    device_name: str
    """Name under which the device was selected."""
    folder: Path
    """Folder for requests and pages of the profiler."""

    def count(self, asked: Asked) -> tuple[dict[str, float], str]:
        """Return the facts of one rung, or why there are none; the card is waited for, and held meanwhile."""
        tool = program()
        if tool is None:
            return {}, "Nsight Compute is not installed"
        with Turn(self.desk.device.name, session.worker_environment(), alone=True):
            return _one(tool, asked, self.desk, self.device_name, self.folder)


def _one(tool: Tool, asked: Asked, desk: Desk, device_name: str, folder: Path) -> tuple[dict[str, float], str]:
    """Return the facts of one rung, or why there are none."""
    entries, page = tuple(launch.entry for launch in asked.program.launches), folder / PAGE
    request = solo.Request(
        program=asked.program, dataset=asked.dataset, arena=str(desk.engine.arena), device=device_name, warmups=_WARMUPS,
        launches=1,
    )  # fmt: skip
    (folder / REQUEST).write_text(json.dumps(encode(request)), encoding="utf-8")
    page.unlink(missing_ok=True)
    arguments = [
        "--metrics", ",".join(METRICS.values()), "--csv", "--page", "raw", "--print-units", "base",
        "--clock-control", "none", "--kernel-name", f"regex:^({'|'.join(dict.fromkeys(entries))})$",
        "--launch-skip", str(_WARMUPS * len(entries)), "--launch-count", str(len(entries)), "--log-file", str(page),
        sys.executable, "-m", solo.MODULE, str(folder / REQUEST),
    ]  # fmt: skip
    try:
        ran = toolchain.run(tool, arguments, LIMIT_S, folder=folder)
    except ToolSilentError:
        return {}, f"Nsight Compute did not end within {LIMIT_S:.0f} s"
    text = page.read_text(encoding="utf-8", errors="replace") if page.exists() else ""
    if rows := facts([(asked.name, entries)], text):
        return rows[asked.name], ""
    if ran.returncode:
        return {}, f"Nsight Compute ended with {ran.returncode}: {_last(ran.stdout + ran.stderr)}"
    return {}, f"Nsight Compute counted nothing: {_last(text)}"


def _last(text: str) -> str:
    lines = [line for line in text.splitlines() if line.startswith("==ERROR==")] or text.strip().splitlines()[-1:]
    return " ".join(lines)[:300]


def facts(rungs: Sequence[tuple[str, tuple[str, ...]]], page: str) -> dict[str, dict[str, float]]:
    """Read a page of raw counters: the launches of the rungs in order, kernels of others between them left out.

    Raises nothing: a rung whose launches are not there has no facts.
    """
    rows = [line for line in page.splitlines() if not line.startswith("==")]
    launches = list(csv.DictReader(rows))[1:]  # the first one holds the units
    by_rung: dict[str, dict[str, float]] = {}
    at = 0
    for name, entries in rungs:
        own: list[dict[str, float]] = []
        place = at
        while place < len(launches) and len(own) < len(entries):
            if _function(launches[place]["Kernel Name"]) == entries[len(own)]:
                own.append(_launch(launches[place]))
            place += 1
        if entries and len(own) == len(entries):
            by_rung[name], at = _together(own), place
    return by_rung


def _function(name: str) -> str:
    """Return the bare name of a kernel: ``tile`` of ``tile(int, ...)``."""
    return name.partition("(")[0].strip()


def _launch(row: Mapping[str, str]) -> dict[str, float]:
    values: dict[str, float] = {}
    for fact, metric in METRICS.items():
        try:
            values[fact] = float(row.get(metric, "").replace(",", ""))
        except ValueError:  # not counted on this card
            continue
    if "dram_read_bytes" in values and "dram_write_bytes" in values:
        values["dram_bytes"] = values.pop("dram_read_bytes") + values.pop("dram_write_bytes")
    if "l2_sectors" in values:
        values["l2_bytes"] = _SECTOR_BYTES * values.pop("l2_sectors")
    return values


def _together(launches: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """Return the facts of a call: sums of what is counted, shares by the time of each kernel."""
    total = sum(launch.get("counted_ns", 0.0) for launch in launches)
    merged = {}
    for fact in launches[0]:
        values = [launch.get(fact, 0.0) for launch in launches]
        weighted = sum(v * launch.get("counted_ns", 0.0) for v, launch in zip(values, launches, strict=True))
        merged[fact] = sum(values) if fact in _SUMS or not total else weighted / total
    return merged
