"""Verified configurations a second of a search through Ray with one GPU of this machine and with all of them.

    PYTHONPATH=src python benchmarks/gpu/devices.py OUT.json [--budget 70] [--only matmul,layernorm] [--runs 1,2,4] [--limit-s 540]

Each case is `hotloop tune --engine ray` with a fresh store in a process of its own, with so many GPUs and the cores that are their
share (half of the machine's for one of two GPUs); `all` are all GPUs, `one` is one, and `wide` one with all cores. Only the
search counts: what the journal says that each configuration's answer took, in ms. `--end-s` ends a run that has searched; of one that
ended by itself the last column says by how much it exceeded its budget. Raw times go to OUT.json, those of all answers of the run with
them; where the driver's wall time goes, to OUT-CASE-GPUS.stacks (`stacks.py --read`).
"""

from __future__ import annotations

import argparse
import json
import os
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CASES = {
    "matmul": (str(ROOT / "examples/matmul_triton.py"), "--shape", "m=4096,n=4096,k=4096"),
    "layernorm": (str(ROOT / "examples/layernorm.py"),),
}


def gpus() -> int:
    """Return how many GPUs the driver lists."""
    listed = subprocess.run(["nvidia-smi", "-L"], capture_output=True, text=True, check=True)
    return len(listed.stdout.splitlines())


def searched(store: Path) -> list[float]:
    """Return what each configuration of the search took until its answer was recorded, in s, in order."""
    with sqlite3.connect(store) as opened:
        rows = opened.execute("select data from journal where key like 'glance %' order by position").fetchall()
    return [json.loads(data)["elapsed_s"] for (data,) in rows]


def answered(store: Path) -> list[tuple[str, float]]:
    """Return what each answer of the run was about, in words, and what it took in s with all before it, in order."""
    with sqlite3.connect(store) as opened:
        rows = opened.execute("select key, data from journal order by position").fetchall()
    timed = [(key, json.loads(data)) for key, data in rows if data.startswith('{"elapsed_s"')]
    return [(" ".join(word for word in key.split() if len(word) < 20), entry["elapsed_s"]) for key, entry in timed]


def ended(status: int, answers: list[tuple[str, float]]) -> float | None:
    """Return how long the run took, without the start of Ray, in s; None where it did not end by itself."""
    return None if status != 0 else sum(took_s for _, took_s in answers)


def run(name: str, devices: int, cores: int, budget_s: int, limit_s: float, stacks: Path) -> dict[str, object]:
    """Tune one case with so many GPUs and cores, and return what the store and the report say."""
    environment = dict(os.environ, RAY_ADDRESS="local", CUDA_VISIBLE_DEVICES=",".join(map(str, range(devices))))
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, [str(ROOT / "src"), os.environ.get("PYTHONPATH")]))
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "store.db"
        command = [
            "taskset",
            "-c",
            f"0-{cores - 1}",
            sys.executable,
            str(Path(__file__).with_name("stacks.py")),
            str(stacks),
            "tune",
            *CASES[name],
            "--engine",
            "ray",
        ]
        command += ["--budget", str(budget_s), "--no-peers", "--fresh", "-q", "--json", "--store", str(store)]
        began = time.monotonic()
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, env=environment, timeout=limit_s, check=False
            )
            status, text, error = done.returncode, done.stdout, done.stderr[-2000:]
        except subprocess.TimeoutExpired as late:
            status, text, error = 124, "", str(late.stderr)[-2000:]
        wall_s = time.monotonic() - began
        times_s, answers = (searched(store), answered(store)) if store.exists() else ([], [])
    report = json.loads(text) if status == 0 and text.strip() else None
    return {
        "case": name, "gpus": devices, "cores": cores, "budget_s": budget_s, "wall_s": wall_s, "status": status,
        "stderr": error, "looks_s": times_s, "run_s": ended(status, answers), "answers": answers, "report": report,
    }  # fmt: skip


def pace(row: dict[str, object]) -> float | None:
    """Return configurations a second of the search; None where it recorded too few."""
    times_s = row["looks_s"]
    return len(times_s) / sum(times_s) if len(times_s) >= 2 else None


def main() -> None:
    """Run all cases, print a table in Markdown."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--budget", type=int, default=70, help="wall time of each search in s")
    parser.add_argument("--only", default=",".join(CASES))
    parser.add_argument("--runs", default="one,all,wide", help="numbers of GPUs, or: one, all, wide")
    parser.add_argument("--end-s", type=float, help="a run is ended after so many seconds (default: twice its budget)")
    parser.add_argument("--limit-s", type=float, default=540, help="no case begins that could end later")
    given = parser.parse_args()
    until_s, rows, every, cores = time.monotonic() + given.limit_s, [], gpus(), len(os.sched_getaffinity(0))
    print(
        "| case | GPUs | cores | configurations | a second | times one | wall s | beyond the budget, s |\n|---|---|---|---|---|---|---|---|"
    )
    for name in given.only.split(","):
        first = None
        for asked in given.runs.split(","):
            devices = {"one": 1, "all": every, "wide": 1}.get(asked) or int(asked)
            share = cores if asked == "wide" else cores * devices // every
            left_s = until_s - time.monotonic()
            if left_s < (given.end_s or given.budget + 15):
                break
            stacks = given.out.with_name(f"{given.out.stem}-{name}-{devices}.stacks")
            row = run(name, devices, share, given.budget, min(left_s, given.end_s or 2 * given.budget), stacks)
            rows.append(row)
            given.out.write_text(json.dumps(rows))
            rate = pace(row)
            first = first or rate
            times = f"{rate / first:.2f}" if rate and first else "-"
            late = "-" if row["run_s"] is None else f"{row['run_s'] - given.budget:+.1f}"
            print(
                f"| {name} | {devices} | {share} | {len(row['looks_s'])} | {rate and round(rate, 2)} | {times} | {row['wall_s']:.0f} | {late} |"
                + ("" if row["status"] == 0 else f" status {row['status']}: {row['stderr'][-300:]}"),
                flush=True,
            )


if __name__ == "__main__":
    main()
