"""The main job's figures on this machine, each a ratio inside one interleaved run; everything lands in one folder.

    python benchmarks/main_job.py results/cpu-NAME                 # optimize, tune, bench, ops
    python benchmarks/main_job.py results/cpu-NAME --only verdicts # A/A and planted slowdown, quiet and loaded

Writes the command lines with their JSON output (raw samples and conditions included) and a summary.
"""

from __future__ import annotations

import json
import math
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import stand

SIZES = (256, 512, 1024, 2048)


def hotloop(folder, name, *arguments, store):
    """Run a verb, keep its JSON, return it."""
    command = [sys.executable, "-m", "hotloop", *arguments, "--json", "--store", str(store)]
    print(" ".join(["hotloop", *arguments]), flush=True)
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if not done.stdout:
        sys.exit(done.stderr)
    (folder / f"{name}.json").write_text(done.stdout)
    return json.loads(done.stdout)


def optimize(folder, store, size, budget):
    page, notes = folder / f"optimize-{size}.html", folder / f"optimize-{size}.md"
    pages = ("--html", str(page), "--markdown", str(notes))
    shape = f"{size}x{size}x{size}"
    return hotloop(
        folder,
        f"optimize-{size}",
        "optimize",
        "gemm",
        "--shape",
        shape,
        "--budget",
        str(budget),
        "--fresh",
        "-q",
        *pages,
        store=store,
    )


def tune(folder, store, budget):
    for size in SIZES:
        shape = ("--shape", f"{size}x{size}x{size}")
        hotloop(
            folder,
            f"tune-{size}",
            "tune",
            "gemm",
            *shape,
            "--budget",
            str(budget),
            "--no-peers",
            "--fresh",
            "-q",
            store=store,
        )


def bench(folder, store):
    """Time the best known variant, BLAS and CLBlast together, size by size."""
    ratios = {}
    for size in SIZES:
        answer = hotloop(folder, f"bench-{size}", "bench", "gemm@best", "--shape", f"{size}x{size}x{size}", store=store)
        rows = {row["name"]: row for row in answer["rows"]}
        ours = rows["gemm@best"]
        ratios[size] = {
            name: {
                "median": row["call_ns"] / ours["call_ns"],
                "best": row["best_ns"] / ours["best_ns"],
                "paired": 1 / row["ratio_to_first"],
            }
            for name, row in rows.items()
            if row["call_ns"] and name != "gemm@best"
        }
        ratios[size]["gflops"] = ours["flops_per_s"] / 1e9
    return ratios


def verdicts(runs, loaded):
    """Return verdict counts of A/A and of a planted 5 % slowdown, live, optionally beside a process that loads a core."""
    from hotloop.app.session import Options, desk

    with stand.neighbours(int(loaded), idle=False), desk(Options()) as made:
        fought = {kind: stand.duels(made, runs, longer) for kind, longer in (("A/A", 1.0), ("5 % slower", 1.05))}
    return {kind: dict(Counter(c.verdict.value for c in comparisons)) for kind, comparisons in fought.items()}


def main():
    arguments = stand.parser(__doc__)
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("--only", choices=["optimize", "tune", "bench", "verdicts"])
    arguments.add_argument("--budget", type=float, default=300)
    arguments.add_argument("--tune-budget", type=float, default=120)
    arguments.add_argument("--runs", type=int, default=100)
    given = arguments.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    store = given.folder / "store.sqlite"
    path = given.folder / "summary.json"
    summary = json.loads(path.read_text()) if path.exists() else {}
    began = time.strftime("%Y-%m-%dT%H:%M:%S%z")
    if given.only in (None, "optimize"):
        optimize(given.folder, store, 1024, given.budget)
    if given.only in (None, "tune"):
        tune(given.folder, store, given.tune_budget)
    if given.only in (None, "tune", "bench"):
        ratios = bench(given.folder, store)
        blas = [next(r["paired"] for n, r in rows.items() if n.startswith("BLAS")) for rows in ratios.values()]
        summary["bench"] = {
            "began": began,
            "sizes": ratios,
            "geometric mean of BLAS time over ours": math.prod(blas) ** (1 / len(blas)),
        }
    if given.only in (None, "verdicts"):
        summary["verdicts"] = {
            "began": began,
            "quiet": verdicts(given.runs, loaded=False),
            "one core loaded": verdicts(given.runs, loaded=True),
        }
    stand.keep(path, summary)
    print(json.dumps(summary, indent=2))


if __name__ == "__main__":
    main()
