"""How many verified configurations a search tries in a second, and where the seconds go.

    PYTHONPATH=src python benchmarks/gpu/pace.py OUT.json [--budget 40] [--only matmul,layernorm]     # one GPU
    PYTHONPATH=src python benchmarks/gpu/pace.py OUT.json --only cpu                                  # CPU: the main job's search

Each case is `hotloop tune` with a fresh store, in this process: wall time, configurations tried, their outcomes, and the seconds
spent waiting for the worker by kind of request; the rest is the parent's own work (inputs, references, judgement, proposals).
"""

from __future__ import annotations

import argparse
import cProfile
import io
import json
import os
import pstats
import tempfile
import time
from collections import defaultdict
from contextlib import redirect_stdout
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CASES = {
    "matmul": (str(ROOT / "examples/matmul_triton.py"), "--shape", "m=4096,n=4096,k=4096"),
    "layernorm": (str(ROOT / "examples/layernorm.py"),),
    "conv3d": ("conv3d_depthwise", "--implementation", "triton", "--shape", "c=96,d=17,h=33,w=47,dtype=bfloat16"),
    "reduction": ("reduction", "--implementation", "cuda", "--shape", "rows=4096,columns=4096"),
    "cpu": ("gemm", "--shape", "1024x1024x1024"),
}


def watched(child):
    """Count the seconds of each kind of request to a worker."""
    seconds, counts = defaultdict(float), defaultdict(int)
    ask = child.ask

    def timed(self, message, limit_s):
        op, began = message.get("op", "start"), time.perf_counter()
        try:
            return ask(self, message, limit_s)
        finally:
            seconds[op] += time.perf_counter() - began
            counts[op] += 1

    child.ask = timed
    return seconds, counts


def tuned(arguments, budget_s, folder):
    """Run one search and return what it printed as JSON."""
    from hotloop.cli.main import hotloop

    text = io.StringIO()
    command = ["tune", *arguments, "--budget", str(budget_s), "--no-peers", "--fresh", "-q", "--json"]
    with redirect_stdout(text):
        hotloop.main(args=[*command, "--store", str(Path(folder) / "store.db")], standalone_mode=False)
    return json.loads(text.getvalue())


def trials(folder):
    """Count the trials of the store by outcome and purpose."""
    import sqlite3

    with sqlite3.connect(Path(folder) / "store.db") as store:
        tables = [row[0] for row in store.execute("select name from sqlite_master where type='table'")]
        name = next(table for table in tables if table.startswith("trial"))
        columns = [row[1] for row in store.execute(f"pragma table_info({name})")]
        kind = next(column for column in columns if column in ("outcome_kind", "outcome", "status", "kind"))
        return dict(store.execute(f"select substr({kind}, 1, 24), count(*) from {name} group by 1").fetchall())


def measured(name, budget_s):
    """Return the pace of one case."""
    from hotloop.host.process import Child

    seconds, counts = watched(Child)
    with tempfile.TemporaryDirectory() as folder:
        profile, began = cProfile.Profile(), time.perf_counter()
        profile.enable()
        answer = tuned(CASES[name], budget_s, folder)
        profile.disable()
        wall_s = time.perf_counter() - began
        outcomes = trials(folder)
    told = io.StringIO()
    pstats.Stats(profile, stream=told).sort_stats("tottime").print_stats(25)
    waited_s = sum(seconds.values())
    tried = sum(outcomes.values())
    print(
        f"== {name}: {tried} trials in {wall_s:.1f} s for a budget of {budget_s} s: {tried / wall_s:.2f} a second; {outcomes}"
    )
    rows = ", ".join(f"{op} {seconds[op]:.1f} s in {counts[op]}" for op in seconds)
    print(f"   worker: {rows}; the parent's own work {wall_s - waited_s:.1f} s", flush=True)
    return {
        "case": name, "budget_s": budget_s, "wall_s": wall_s, "trials": tried, "outcomes": outcomes, "worker_s": dict(seconds),
        "requests": dict(counts), "profile": told.getvalue(), "answer": answer,
    }  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--budget", type=int, default=40, help="wall time of each search in s")
    parser.add_argument("--only", default="matmul,layernorm,conv3d,reduction")
    given = parser.parse_args()
    os.environ.setdefault("PYTHONPATH", str(ROOT / "src"))
    os.environ.setdefault("HOTLOOP_REFERENCES", "device")
    os.environ.setdefault("HOTLOOP_AHEAD", "triton")
    rows = []
    for name in given.only.split(","):
        rows.append(measured(name, given.budget))
        given.out.write_text(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()
