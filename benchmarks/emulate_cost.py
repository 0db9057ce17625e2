"""What executing a product costs: processor time of one thread, memory beside the kernel's own, how evenly threads share it.

    python benchmarks/emulate_cost.py gfx942 base 256 1024 --workers 1,2,4 --out results/emulate/cost.json

Late memory, all checks. Memory is the growth of the process's largest resident size while it executes, over the bytes of the
kernel's buffers, each size in a process of its own. `balance`: processor time of all threads over that of the busiest one, which
is by how much they would be faster than one thread on free cores.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from hotloop.app.emulate import rung
from hotloop.app.emulate.launching import launch_of
from hotloop.compilers import executor
from hotloop.emulate.machine import Options
from hotloop.verify.cases import cases, draw


class Clocked:
    """The interpreter's library with a clock of each thread's processor time."""

    def __init__(self, library: Any) -> None:
        self._library, self.spent_s = library, dict[int, float]()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._library, name)

    def hotloop_run(self, *arguments: Any) -> int:
        """Execute a thread's share."""
        began = time.thread_time()
        status = int(self._library.hotloop_run(*arguments))
        self.spent_s[threading.get_ident()] = time.thread_time() - began
        return status


def resident_bytes(which: str) -> int:
    """Return the resident size now (``VmRSS``), or the largest since the last `forget` (``VmHWM``)."""
    lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    return int(next(line for line in lines if line.startswith(which)).split()[1]) * 1024


def forget() -> None:
    """Let the largest resident size begin anew."""
    Path("/proc/self/clear_refs").write_text("5", encoding="utf-8")


def row(family: str, target: str, name: str, size: int, workers: int, repeat: int) -> dict[str, Any]:
    """Execute one size with some threads."""
    kernel, pose = rung.of(family, name, target, dict.fromkeys("mnk", size))
    case = cases(kernel, kernel.problem, "quick", 1)[0]
    task = pose(case.problem, draw(kernel, case), case.poison)
    step, built = task.steps[-1], executor.built(executor.folder())
    told: dict[str, Any] = {
        "target": target,
        "rung": name,
        "size": size,
        "workers": workers,
        "seconds": [],
        "balance": [],
    }
    for _ in range(repeat):
        launch, _ = launch_of(step, dict(task.arrays), task.fresh)
        forget()
        clocked, before, began = Clocked(built.library), resident_bytes("VmRSS"), time.process_time()
        done = replace(built, library=clocked, workers=workers).run(step.program, launch, Options(), None)
        assert done is not None, "left to NumPy"
        told["seconds"].append(time.process_time() - began)
        told["balance"].append(sum(clocked.spent_s.values()) / max(clocked.spent_s.values()))
        told.setdefault("grown_bytes", resident_bytes("VmHWM") - before)
        told["wave_instructions"] = done.executed
    told["buffer_bytes"] = sum(array.nbytes for array in task.arrays.values())
    told["memory_ratio"] = told["grown_bytes"] / told["buffer_bytes"]
    return told


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("target")
    parser.add_argument("rung")
    parser.add_argument("sizes", type=int, nargs="+")
    parser.add_argument("--family", default="gemm")
    parser.add_argument("--workers", default="1,2")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    executor.built(executor.folder())
    rows = []
    for size in given.sizes:
        for workers in map(int, given.workers.split(",")):
            with multiprocessing.get_context("spawn").Pool(1) as pool:
                rows.append(pool.apply(row, (given.family, given.target, given.rung, size, workers, given.repeat)))
            one = rows[-1]
            print(
                f"{size}³, {workers} threads: {min(one['seconds']):.4f} s, balance {max(one['balance']):.2f}, memory "
                f"{one['memory_ratio']:.2f} × {one['buffer_bytes'] / 1e6:.1f} MB",
                flush=True,
            )
            if given.out:
                given.out.parent.mkdir(parents=True, exist_ok=True)
                given.out.write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
