"""Counters of a ladder's rungs by Nsight Compute: one process launches all rungs, one launch of each is profiled."""

from __future__ import annotations

import csv
import json
import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from hotloop.host import toolchain
from hotloop.host.toolchain import Tool, ToolSilentError

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
ONCE = "hotloop.app.ladder.card.once"


def program() -> Tool | None:
    """Return Nsight Compute's command line; None where it is not installed."""
    found = shutil.which("ncu") or shutil.which("ncu", path="/usr/local/cuda/bin:/opt/nvidia/nsight-compute")
    return None if found is None else Tool("ncu", (found,), "the CUDA toolkit")


def count(
    module: str, rungs: Sequence[Mapping[str, Any]], folder: Path, environment: Mapping[str, str]
) -> tuple[dict[str, dict[str, float]], str]:
    """Return the facts of each rung by name, and why there are none or not all.

    Args:
        module: the family's card module.
        rungs: name, sizes, kernel, config, binary, and the kernels of one call under ``entries``.
        folder: for the question, the page and the log.
        environment: variables of the process that launches, besides this one's.
    """
    tool = program()
    if tool is None:
        return {}, "Nsight Compute is not installed"
    asked, page, done = folder / "once.json", folder / "counters.csv", folder / "done.txt"
    question = {"card": module, "rungs": list(rungs), "done": str(done), "environment": dict(environment)}
    asked.write_text(json.dumps(question))
    arguments = [
        "--metrics", ",".join(METRICS.values()), "--csv", "--page", "raw", "--print-units", "base",
        "--clock-control", "none", "--profile-from-start", "off", "--log-file", str(page),
        sys.executable, "-m", ONCE, str(asked),
    ]  # fmt: skip
    try:
        ran = toolchain.run(tool, arguments, LIMIT_S, folder=folder)
        said = _last(ran.stdout + ran.stderr)
        why = "" if ran.returncode == 0 else f"Nsight Compute ended with {ran.returncode}: {said}"
    except ToolSilentError:
        why = f"Nsight Compute did not end within {LIMIT_S:.0f} s"
    text = page.read_text(errors="replace") if page.exists() else ""
    finished = done.read_text().splitlines() if done.exists() else []
    found = facts([(str(r["name"]), tuple(r["entries"])) for r in rungs if r["name"] in finished], text)
    return found, why if why or found else f"Nsight Compute counted nothing: {_last(text)}"


def _last(text: str) -> str:
    lines = [line for line in text.splitlines() if line.startswith("==ERROR==")] or text.strip().splitlines()[-1:]
    return " ".join(lines)[:300]


def facts(rungs: Sequence[tuple[str, tuple[str, ...]]], page: str) -> dict[str, dict[str, float]]:
    """Read a page of raw counters: the launches of the rungs in order, kernels of others between them left out.

    Raises nothing: a rung whose launches are not there has no facts.
    """
    rows = [line for line in page.splitlines() if not line.startswith("==")]
    launches = list(csv.DictReader(rows))[1:]  # the first one holds the units
    found: dict[str, dict[str, float]] = {}
    at = 0
    for name, entries in rungs:
        own: list[dict[str, float]] = []
        place = at
        while place < len(launches) and len(own) < len(entries):
            if _function(launches[place]["Kernel Name"]) == entries[len(own)]:
                own.append(_launch(launches[place]))
            place += 1
        if entries and len(own) == len(entries):
            found[name], at = _together(own), place
    return found


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
    total = sum(one.get("counted_ns", 0.0) for one in launches)
    found = {}
    for fact in launches[0]:
        values = [one.get(fact, 0.0) for one in launches]
        weighted = sum(v * one.get("counted_ns", 0.0) for v, one in zip(values, launches, strict=True))
        found[fact] = sum(values) if fact in _SUMS or not total else weighted / total
    return found
