"""The timing model's cycles of a hot loop beside those that Nsight Compute counted, for the kernels of ``gpu/firing``.

    python benchmarks/loop_cycles.py [NAME ...]        needs a compiler for sm_90 (``hotloop doctor``), no GPU

The pages in tests/golden/ncu were recorded on an H200 before this comparison existed; nothing was fitted to them. A kernel's iterations
on a scheduler are its executed instructions over those of the loop, so this counts only where the loop is nearly all of the kernel. The
model's time is the larger of its busiest unit and one wave's time over the warps that were resident on average.
"""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGES = ROOT / "tests" / "golden" / "ncu"
KERNELS = ROOT / "benchmarks" / "gpu" / "firing" / "kernels.py"
NAMES = ("transpose", "shared", "convert", "gather", "tail", "older", "masked")
"""Without `longer`, which the compiler does not end in the time that ``hotloop isa`` gives it, and `lookups`, whose source is gone."""
SCHEDULERS = 4 * 132
WARPS = 16
"""The most on a scheduler of sm_90."""


@dataclass(frozen=True)
class Row:
    """One kernel."""

    name: str
    instructions: int
    warps: float
    by: str
    model: float
    """Cycles of an iteration of one warp."""
    measured: float

    @property
    def line(self) -> str:
        """A line of the table."""
        ratio = self.measured / self.model
        return f"| {self.name} | {self.instructions} | {self.warps:.1f} | {self.by} | {self.model:.0f} | {self.measured:.0f} | {ratio:.2f} |"


def counted(name: str) -> dict[str, str]:
    """Return a page's metrics by name."""
    with (PAGES / f"{name}.csv").open(encoding="utf-8") as page:
        heads, _, values = list(csv.reader(page))[:3]
    return dict(zip(heads, values, strict=True))


def compared(name: str) -> Row:
    """Return a kernel's loop, by the model and by the counters."""
    command = [sys.executable, "-m", "hotloop", "isa", f"{KERNELS}:{name}", "--target", "sm_90", "--json"]
    answer = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    loop = answer["kernels"][0]["loops"][0]
    tempo, page = loop["tempo"], counted(name)
    executed, cycles, occupancy = (
        float(page.get(metric, "100").replace(",", ""))
        for metric in (
            "smsp__inst_executed.sum",
            "sm__cycles_active.avg",
            "sm__warps_active.avg.pct_of_peak_sustained_active",
        )
    )  # `convert` was counted without its occupancy: its 1,056 blocks of 8 warps fill the 132 multiprocessors exactly
    warps = WARPS * occupancy / 100
    busiest = max(tempo["units"], key=lambda unit: unit["cycles"])
    alone = tempo["alone_cycles"] / warps
    by = busiest["unit"] if busiest["cycles"] >= alone else "latency"
    iterations = executed / loop["instructions"] / SCHEDULERS
    return Row(name, loop["instructions"], warps, by, max(busiest["cycles"], alone), cycles / iterations)


def main() -> int:
    """Print the table."""
    print(
        "| kernel | instructions of the loop | warps on a scheduler | bound by | model, cycles | H200, cycles | measured over model |"
    )
    print("|---|---:|---:|---|---:|---:|---:|")
    for name in sys.argv[1:] or NAMES:
        print(compared(name).line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
