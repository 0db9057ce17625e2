"""PolyBench's OpenCL programs, each optimized from its bare source and compared again by an independent run.

    python benchmarks/foreign/polybench.py FOLDER_OF_SOURCES [--only gemm,atax] [--budget 110] [--out results.json]

The sources are read where they lie. For each program: ``hotloop optimize X.cl`` with the sizes and launches of
``polybench.toml``, then, by a process of its own, ``hotloop compare X.cl X.cl@best``: a ratio counts only when that says
FASTER, everything else counts 1.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
import tomllib
from math import exp, log
from pathlib import Path

HERE = Path(__file__).parent


def options(entry: dict) -> list[str]:
    """Return the command-line options of one program."""
    found = ["--size", entry["sizes"]]
    if entry.get("launches"):
        found += ["--launches", entry["launches"]]
    return found


def hotloop(*words: str) -> tuple[int, dict, str]:
    """Run a command with --json; return exit code, answer and errors."""
    done = subprocess.run(
        [sys.executable, "-m", "hotloop", *words, "--json"], capture_output=True, text=True, check=False
    )
    try:
        return done.returncode, json.loads(done.stdout), done.stderr
    except ValueError:
        return done.returncode, {}, (done.stderr or done.stdout)[-600:]


def optimized(source: Path, entry: dict, budget: float) -> dict:
    """Optimize one program."""
    began = time.time()
    code, answer, errors = hotloop(
        "optimize", str(source), *options(entry), "--budget", str(budget), "--quiet", "--fresh"
    )
    row = {"code": code, "seconds": round(time.time() - began, 1), "load": os.getloadavg()[0], "errors": errors[-400:]}
    row |= {key: answer.get(key) for key in ("headline", "stop_reason")}
    row["steps"] = [[s["technique"], s["change"], s["decision"], s["verdict"]] for s in answer.get("steps", [])]
    return row


def compared(source: Path, entry: dict) -> dict:
    """Compare the best known with the text as published."""
    code, answer, errors = hotloop("compare", str(source), f"{source}@best", *options(entry))
    return {"code": code, "comparison": answer.get("comparison"), "load": os.getloadavg()[0], "errors": errors[-400:]}


def mean(ratios: list[float]) -> float:
    """Return the geometric mean."""
    return exp(sum(map(log, ratios)) / len(ratios)) if ratios else float("nan")


def main() -> None:
    """Run everything and print a table."""
    asked = argparse.ArgumentParser()
    asked.add_argument("folder", type=Path)
    asked.add_argument("--only", default="")
    asked.add_argument("--budget", type=float, default=100.0)
    asked.add_argument("--out", type=Path, default=None)
    given = asked.parse_args()
    table = tomllib.loads((HERE / "polybench.toml").read_text())
    names = given.only.split(",") if given.only else list(table)
    rows = {}
    for name in names:
        rows[name] = {"seen": table[name].get("seen", False)}
        rows[name] |= optimized(given.folder / f"{name}.cl", table[name], given.budget)
        print(name, json.dumps(rows[name])[:600], flush=True)
        rows[name]["again"] = compared(given.folder / f"{name}.cl", table[name])
        print(name, json.dumps(rows[name]["again"])[:400], flush=True)
        if given.out:
            given.out.write_text(json.dumps(rows, indent=1))
    for seen in (True, False):
        ratios = []
        for row in (row for row in rows.values() if row["seen"] is seen):
            found = row["again"]["comparison"] or {}
            ratios.append(found.get("speedup", 1.0) if found.get("verdict") == "FASTER" else 1.0)
        if ratios:
            print("seen" if seen else "unseen", len(ratios), "programs, geometric mean", round(mean(ratios), 2))


if __name__ == "__main__":
    main()
