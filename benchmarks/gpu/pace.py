"""How many verified configurations a search tries in a second, and where the seconds go.

    PYTHONPATH=src python benchmarks/gpu/pace.py OUT.json [--budget 40] [--only matmul,layernorm]     # one GPU
    PYTHONPATH=src python benchmarks/gpu/pace.py OUT.json --only cpu                                  # CPU: the main job's search
    PYTHONPATH=src python benchmarks/gpu/pace.py OUT.json --only FOLDER.capture/KERNEL                # a kernel file, or a captured kernel

Each case is `hotloop tune` with a fresh store, in this process; HOTLOOP_AHEAD=off beside it shows what compiling ahead saves: wall time, configurations tried, their outcomes, and the seconds
spent waiting for the worker by kind of request; the rest is the parent's own work (inputs, references, judgement, proposals).
"""

from __future__ import annotations

import argparse
import io
import json
import os
import sys
import tempfile
import threading
import time
from collections import Counter, defaultdict
from contextlib import redirect_stdout
from pathlib import Path

_WORTH_NOTING_S = 0.01
_SAMPLE_S = 0.02
ROOT = Path(__file__).resolve().parents[2]
CASES = {
    "matmul": (str(ROOT / "examples/matmul_triton.py"), "--shape", "m=4096,n=4096,k=4096"),
    "layernorm": (str(ROOT / "examples/layernorm.py"),),
    "conv3d": ("conv3d_depthwise", "--implementation", "triton", "--shape", "c=96,d=17,h=33,w=47,dtype=bfloat16"),
    "reduction": ("reduction", "--implementation", "cuda", "--shape", "rows=4096,columns=4096"),
    "cpu": ("gemm", "--shape", "1024x1024x1024"),
}
KNOWN = {case[0] for case in CASES.values()}


def watched(child):
    """Count the seconds of each kind of request to a worker, and note when each of more than 10 ms began."""
    seconds, counts, line = defaultdict(float), defaultdict(int), []
    ask = child.ask

    def timed(self, message, limit_s):
        op, began = message.get("op", "start"), time.perf_counter()
        try:
            return ask(self, message, limit_s)
        finally:
            took_s = time.perf_counter() - began
            seconds[op] += took_s
            counts[op] += 1
            if took_s > _WORTH_NOTING_S:
                line.append((began, op, took_s, threading.current_thread() is threading.main_thread()))

    child.ask = timed
    return seconds, counts, line


class Sampled:
    """Where the main thread stands, every 20 ms: seconds of each of the product's functions, by its callers, and by the second."""

    def __init__(self):
        self.main = threading.main_thread().ident
        self.stacks, self.seconds, self.over = Counter(), [], threading.Event()
        self.thread = threading.Thread(target=self.sample, daemon=True)

    def sample(self):
        began = time.perf_counter()
        while not self.over.wait(_SAMPLE_S):
            frame, names = sys._current_frames().get(self.main), []  # noqa: SLF001 - there is no other way to look
            while frame is not None:
                code = frame.f_code
                if "hotloop" in code.co_filename and "/cli/" not in code.co_filename:
                    names.append(f"{Path(code.co_filename).stem}.{code.co_name}")
                frame = frame.f_back
            names.reverse()
            self.stacks.update({tuple(names[:depth]) for depth in range(1, len(names) + 1)})
            while len(self.seconds) <= (at := int(time.perf_counter() - began)):
                self.seconds.append(Counter())
            self.seconds[at][" > ".join(names[1:9])] += 1

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.over.set()
        self.thread.join()

    def told(self, least_s=0.25):
        """Return the tree of functions that took `least_s` and more."""
        rows = [(stack, count * _SAMPLE_S) for stack, count in self.stacks.items() if count * _SAMPLE_S >= least_s]
        return [f"{'  ' * (len(stack) - 1)}{stack[-1]} {seconds:.2f} s" for stack, seconds in sorted(rows)]

    def by_second(self):
        return [counter.most_common(2) for counter in self.seconds]


def tuned(arguments, budget_s, folder, engine=""):
    """Run one search and return what it printed as JSON."""
    from hotloop.cli.main import hotloop

    text = io.StringIO()
    verb = "tune" if arguments[0] in KNOWN else "optimize"
    command = [verb, *arguments, "--budget", str(budget_s), *["--no-peers", "--fresh", "-q", "--json"]]
    command += ["--engine", engine] if engine else []
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


def measured(name, budget_s, engine=""):
    """Return the pace of one case."""
    from hotloop.host.process import Child

    seconds, counts, line = watched(Child)
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        with Sampled() as sampled:
            answer = tuned(CASES.get(name, (name,)), budget_s, folder, engine)
        wall_s = time.perf_counter() - began
        outcomes = trials(folder)
    waited_s = sum(seconds.values())
    tried = sum(outcomes.values())
    print(
        f"== {name}: {tried} trials in {wall_s:.1f} s for a budget of {budget_s} s: {tried / wall_s:.2f} a second; {outcomes}"
    )
    rows = ", ".join(f"{op} {seconds[op]:.1f} s in {counts[op]}" for op in seconds)
    print(f"   worker: {rows}; the parent's own work {wall_s - waited_s:.1f} s", flush=True)
    return {
        "case": name, "engine": engine, "budget_s": budget_s, "wall_s": wall_s, "trials": tried, "outcomes": outcomes, "worker_s": dict(seconds),
        "requests": dict(counts), "answer": answer, "tree": sampled.told(), "by_second": sampled.by_second(),
        "requests_over_10_ms": [(round(at - began, 2), op, round(took_s, 3), main) for at, op, took_s, main in sorted(line)],
    }  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--budget", type=int, default=40, help="wall time of each search in s")
    parser.add_argument("--only", default="matmul,layernorm,conv3d,reduction")
    parser.add_argument(
        "--engine", default="", help="ray: what a cluster of this machine's GPUs does, and what it costs here"
    )
    given = parser.parse_args()
    os.environ.setdefault("PYTHONPATH", str(ROOT / "src"))
    rows = []
    for name in given.only.split(","):
        rows.append(measured(name, given.budget, given.engine))
        given.out.write_text(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()
