"""Verified configurations a second of a search with one GPU of this machine and with several, in turn.

    PYTHONPATH=src python benchmarks/gpu/devices.py OUT.json --only matmul:12,nbody:8 --runs 1,2,1 --limit-s 150
    PYTHONPATH=src python benchmarks/gpu/devices.py OUT.json --engine ray                # the same through Ray

Each run is baseline and search, so many seconds of it, in a process of its own (`pace.py`), with a fresh store, so many GPUs and the cores
that are their share (half of the machine's for one of two GPUs); `wide` is one GPU with all cores. One GPU is used as without `--engine`.
Told are looks whose configuration was verified and timed, over the time of the search. All of it goes to OUT.json.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from argparse import Namespace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import pace


def gpus() -> int:
    """Return how many GPUs the driver lists."""
    listed = subprocess.run(["nvidia-smi", "-L"], capture_output=True, text=True, check=True)
    return len(listed.stdout.splitlines())


def ran(
    name: str, search_s: float, devices: int, cores: set[int], given: Namespace, left_s: float
) -> dict[str, object]:
    """Search with so many GPUs and these cores; return what `pace.py` tells."""
    os.environ["CUDA_VISIBLE_DEVICES"] = ",".join(map(str, range(devices)))
    os.environ["RAY_ADDRESS"] = "local"
    os.sched_setaffinity(0, cores)
    asked = Namespace(
        budget=given.budget, engine=given.engine if devices > 1 else "", brief_ms=0.0, brisk_us=given.brisk_us
    )
    return {"gpus": devices, "cores": len(cores), **pace.apart(name, search_s, asked, left_s)}


def rate(row: dict[str, object]) -> float | None:
    """Return verified configurations a second of the search; None where it recorded too few."""
    right = sum(verified for _, verified in row.get("answered", ()))
    return right / row["looked_s"] if right >= 2 else None


def main() -> None:
    """Run all cases, print a table in Markdown."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--only", default="matmul:12,nbody:8", help="cases of pace.py with their seconds of search")
    parser.add_argument("--runs", default="1,2,1", help="numbers of GPUs in turn, or: all, wide")
    parser.add_argument("--engine", default="gpus", help="what several GPUs are used by: gpus, or ray")
    parser.add_argument("--budget", type=int, default=0, help="wall time of whole runs in s; 0: baseline and search")
    parser.add_argument("--brisk-us", type=float, default=0.0, help="see pace.py")
    parser.add_argument("--limit-s", type=float, default=540, help="no run begins without time for its search")
    given = parser.parse_args()
    until_s, rows, every, cores = time.monotonic() + given.limit_s, [], gpus(), sorted(os.sched_getaffinity(0))
    for asked in given.only.split(","):
        name, _, search_s = asked.partition(":")
        first = None
        for run in given.runs.split(","):
            devices = {"all": every, "wide": 1}.get(run) or int(run)
            share = len(cores) if run == "wide" else len(cores) * devices // every
            row = ran(name, float(search_s or 10), devices, set(cores[:share]), given, until_s - time.monotonic())
            rows.append(row)
            given.out.write_text(json.dumps(rows))
            now = rate(row)
            first = first or now
            if now and first:
                print(
                    f"| {name} | {devices} GPUs, {share} cores | {now:.2f} a second | {now / first:.2f} times the first |",
                    flush=True,
                )


if __name__ == "__main__":
    main()
