"""Execute the AMD ladders' rungs with both back ends of the executor, and compare results, findings and processor time.

    python benchmarks/emulate_backends.py gfx942 gfx1100 --out results/emulate/backends.json
    python benchmarks/emulate_backends.py gfx942 --family gemm --rung base --sizes 256x256x256 --sizes 1024x1024x1024 --fast-only

Writes a row for each rung: whether arrays and findings are equal, seconds of both (the best of some repetitions, in one
process), what the fast back end gave to the other one. `--workers 1` keeps it to one thread.
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import rungs

from hotloop.app.emulate import rung
from hotloop.app.emulate.launching import launch_of
from hotloop.compilers import executor
from hotloop.emulate.launch import run
from hotloop.emulate.machine import Options, Order
from hotloop.emulate.native.encode import encoded
from hotloop.errors import HotloopError
from hotloop.verify.cases import cases, draw


def row(
    family: str, target: str, name: str, backend: Any, sizes: dict[str, int], chosen: argparse.Namespace
) -> dict[str, Any]:
    told: dict[str, Any] = {"family": family, "target": target, "rung": name}
    try:
        kernel, pose = rung.of(family, name, target, sizes or None)
        case = cases(kernel, kernel.problem, "quick", 1)[0]
        task = pose(case.problem, draw(kernel, case), case.poison)
    except (HotloopError, ValueError) as error:
        return {**told, "status": "not executed", "reason": str(error)}
    told["problem"] = case.problem.key
    for order in (Options(), Options(late=False, order=Order.DESCENDING)):
        arrays = {key: dict(task.arrays) for key in ("fast", "numpy")}
        for step in task.steps:
            code = encoded(step.program)
            told["refused"] = code.refused
            told["given_back"] = sorted({step.program.code[n].mnemonic for n in code.backs})
            outcome: dict[str, Any] = {}
            for key, used in (("fast", backend), ("numpy", None)):
                if key == "numpy" and chosen.fast_only:
                    continue
                best = np.inf
                for _ in range(chosen.repeat if key == "fast" else 1):
                    launch, names = launch_of(step, arrays[key], task.fresh)
                    began, wall = time.process_time(), time.perf_counter()
                    done = used.run(step.program, launch, order, None) if used else None
                    if done is None:
                        told["left_to_numpy"] = told.get("left_to_numpy", False) or key == "fast"
                        done = run(step.program, launch, order)
                    best = min(best, time.process_time() - began)
                    told.setdefault(f"{key}_wall_s", []).append(round(time.perf_counter() - wall, 4))
                outcome[key] = done
                told[f"{key}_s"] = round(told.get(f"{key}_s", 0) + best, 4)
                arrays[key] |= {n: value for n, value in zip(names, done.arrays, strict=True) if n}
            told["wave_instructions"] = told.get("wave_instructions", 0) + outcome["fast"].executed
            if chosen.fast_only:
                continue
            same = all(
                a.tobytes() == b.tobytes()
                for a, b in zip(arrays["fast"].values(), arrays["numpy"].values(), strict=True)
            )
            told["same"] = told.get("same", True) and same
            found = [{(f.trouble, f.line, f.other_line) for f in outcome[key].findings} for key in ("fast", "numpy")]
            told["same_findings"] = told.get("same_findings", True) and found[0] == found[1]
            told["findings"] = len(found[1])
            told["same_counts"] = told.get("same_counts", True) and bool(
                (outcome["fast"].counts == outcome["numpy"].counts).all()
            )
        if chosen.once:
            break
    told["status"] = "numpy only" if told.get("refused") or told.get("left_to_numpy") else "executed"
    if "numpy_s" in told and told["fast_s"]:
        told["ratio"] = round(told["numpy_s"] / told["fast_s"], 1)
    told["fast_wall_s"] = min(told.get("fast_wall_s", [0]))
    told["numpy_wall_s"] = min(told.get("numpy_wall_s", [0]))
    return told


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("targets", nargs="+")
    parser.add_argument("--family", action="append", default=[])
    parser.add_argument("--rung", action="append", default=[])
    parser.add_argument(
        "--sizes", action="append", default=[], help="MxNxK instead of the small problem, products only"
    )
    parser.add_argument("--out", type=Path)
    parser.add_argument("--once", action="store_true", help="late memory only")
    parser.add_argument("--fast-only", action="store_true")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--workers", type=int, default=0)
    chosen = parser.parse_args()
    backend = executor.built(executor.folder())
    if chosen.workers:
        backend = replace(backend, workers=chosen.workers)
    rows: list[dict[str, Any]] = []
    for target, family, name in rungs.named(chosen.targets, chosen.family, chosen.rung):
        for text in chosen.sizes or [""]:
            sizes = dict(zip("mnk", map(int, text.split("x")), strict=True)) if text else {}
            rows.append(row(family, target, name, backend, sizes, chosen))
            print({k: v for k, v in rows[-1].items() if v not in ([], "", None)}, flush=True)
            if chosen.out:
                chosen.out.parent.mkdir(parents=True, exist_ok=True)
                chosen.out.write_text(json.dumps(rows, indent=1) + "\n")
    executed = [r for r in rows if r["status"] == "executed"]
    same = [r for r in executed if r.get("same")]
    ratios = sorted(r["ratio"] for r in executed if "ratio" in r)
    print(f"{len(executed)} of {len(rows)} executed by the fast back end, {len(same)} with equal results", end="")
    print(f", ratio {ratios[0]} to {ratios[-1]}, median {ratios[len(ratios) // 2]}" if ratios else "")


if __name__ == "__main__":
    main()
