"""How many verified configurations a search tries in a second, and where the seconds go.

    PYTHONPATH=src python benchmarks/gpu/pace.py OUT.json --limit-s 230                               # one GPU: all cases, 60 s of search for the first
    PYTHONPATH=src python benchmarks/gpu/pace.py OUT.json --only layernorm:10,nbody:20                # these, so many seconds of search each
    PYTHONPATH=src python benchmarks/gpu/pace.py OUT.json --only matmul --budget 60                   # a whole run, its end included
    PYTHONPATH=src python benchmarks/gpu/pace.py OUT.json --only cpu --budget 60                      # CPU: the main job's search
    PYTHONPATH=src python benchmarks/gpu/pace.py OUT.json --only FOLDER.capture/KERNEL --budget 60    # a kernel file, or a captured kernel

Without `--budget` each case is baseline and search, without ceilings and end. Each runs in a process of its own, which is ended when its
time is over, so one that hangs costs the others nothing; what came of each is written at once. HOTLOOP_AHEAD=off beside it shows what
compiling ahead saves. Told are verified configurations a second of the search and their curve, from the journal; what a look spends its
time with, as medians over looks of samples of the stacks of the threads that make them; the part of the search for which the worker was
busy (`run` and `time`), which is the pace that is possible; and what the other processes waited for, by kind of request.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter, defaultdict
from contextlib import redirect_stdout
from pathlib import Path
from statistics import fmean, median

from sampled import Sampled

_WORTH_NOTING_S = 0.01
_AROUND_S = 45.0
"""What start, baseline, references and end of a case may take beside its search."""
ROOT = Path(__file__).resolve().parents[2]
CASES = {
    "matmul": (str(ROOT / "examples/matmul_triton.py"), "--shape", "m=4096,n=4096,k=4096"),
    "layernorm": (str(ROOT / "examples/layernorm.py"),),
    "conv3d": ("conv3d_depthwise", "--implementation", "triton", "--shape", "c=96,d=17,h=33,w=47,dtype=bfloat16"),
    "conv": ("conv3d_depthwise", "--implementation", "cuda", "--shape", "c=96,d=16,h=32,w=48,dtype=bfloat16"),
    "reduction": ("reduction", "--implementation", "cuda", "--shape", "rows=4096,columns=4096"),
    "nbody": (str(ROOT / "benchmarks/gpu/nbody.py"),),
    "cpu": ("gemm", "--shape", "1024x1024x1024"),
}
USUAL = "matmul:60,layernorm:10,nbody:20,conv:20"
"""Cases with their seconds of search: the kernel of layernorm has 180 configurations, which end sooner than its time."""
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


def searched(arguments, search_s, folder, engine=""):
    """Measure the baseline of a case and search around it for so many seconds."""
    from hotloop.app import userfile
    from hotloop.app.run import pace, polish
    from hotloop.app.run.attempt import Attempts
    from hotloop.app.run.foresight import warm
    from hotloop.app.session import Options, recorded_desk
    from hotloop.model.kernel import Variant
    from hotloop.stats.paired import PairedTest

    given = dict(zip(arguments[1::2], arguments[2::2], strict=True))
    kernel = userfile.find(arguments[0])
    problem = userfile.problem_of(kernel, given.get("--shape", ""))
    implementation = kernel.implementation(given.get("--implementation"))
    options = Options(store=str(Path(folder) / "store.db"), engine=engine).running(implementation)
    with recorded_desk(options, "tune", {}, arguments[0], fresh=True) as (desk, _, _):
        for opening in (False, True):
            warm(desk, implementation.language, opening=opening)
        attempts = Attempts(desk, pace.within(60.0, desk, kernel, problem), None, PairedTest())
        start = Variant(implementation, implementation.start)
        call_ns = attempts.baseline(start).call_ns
        attempts.pace(start, call_ns)
        found = polish.search(desk, attempts, start, call_ns, desk.spent_s + search_s)
        built = [desk.engine.build(program) for program in attempts.programs(start)]
        told = {
            "out": desk.journal.recall("configurations out at a time"),
            "compiled_ms": [round(one.build_ns / 1e6) for one in built],
        }
        print(
            f"   configurations out at a time, as recorded: {told['out']}; the first one compiled in {told['compiled_ms']} ms"
        )
        return {
            **told,
            "evaluated": found.summary.evaluated,
            "failures": found.summary.failures,
            "promised": found.promised,
        }


def paced(folder):
    """Return of each look when it was answered, in s from the search's start, and whether it was verified and timed."""
    import sqlite3

    with sqlite3.connect(Path(folder) / "store.db") as store:
        rows = store.execute("select data from journal where key like 'glance %' order by rowid").fetchall()
    looks, now_s = [], 0.0
    for (data,) in rows:
        answer = json.loads(data)
        now_s += answer["elapsed_s"]
        looks.append((round(now_s, 3), "samples" in answer["data"]["outcome"]))
    return looks


def curve(looks, step_s=1):
    """Return how many configurations were verified and timed in each second, or in each so many seconds that are whole."""
    whole = int(looks[-1][0] // step_s) if looks else 0
    counted = Counter(int(at // step_s) for at, verified in looks if verified)
    return [counted[number] / step_s for number in range(max(whole, 1))]


def trials(folder):
    """Count the trials of the store by outcome and purpose."""
    import sqlite3

    with sqlite3.connect(Path(folder) / "store.db") as store:
        tables = [row[0] for row in store.execute("select name from sqlite_master where type='table'")]
        name = next(table for table in tables if table.startswith("trial"))
        columns = [row[1] for row in store.execute(f"pragma table_info({name})")]
        kind = next(column for column in columns if column in ("outcome_kind", "outcome", "status", "kind"))
        return dict(store.execute(f"select substr({kind}, 1, 24), count(*) from {name} group by 1").fetchall())


def measured(name, budget_s, search_s, engine=""):
    """Return the pace of one case."""
    from hotloop.host.process import Child

    seconds, counts, line = watched(Child)
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        with Sampled() as sampled:
            case = CASES.get(name, (name,))
            answer = tuned(case, budget_s, folder, engine) if budget_s else searched(case, search_s, folder, engine)
        wall_s = time.perf_counter() - began
        outcomes = trials(folder)
        looks = paced(folder)
    late_ms = [round(1e3 * late_s, 3) for late_s in sampled.late_s[-500:]]
    told = {**sampled.looks.told(), "late_ms": late_ms}
    shown(name, wall_s, budget_s, outcomes, looks, told)
    rows = ", ".join(f"{op} {seconds[op]:.1f} s in {counts[op]}" for op in seconds)
    print(f"   requests: {rows}", flush=True)
    return {
        "case": name, "engine": engine, "budget_s": budget_s, "wall_s": wall_s, "trials": sum(outcomes.values()), "outcomes": outcomes,
        "looks": len(looks), "looked_s": looks[-1][0] if looks else 0.0, "answered": looks, "curve": curve(looks), "stages": told, "worker_s": dict(seconds), "requests": dict(counts), "answer": answer,
        "tree": sampled.told(), "by_second": sampled.by_second(),
        "requests_over_10_ms": [(round(at - began, 2), op, round(took_s, 3), main) for at, op, took_s, main in sorted(line)],
    }  # fmt: skip


def shown(name, wall_s, budget_s, outcomes, looks, told):
    """Print the pace of a case, its curve, and the stages of its looks."""
    beyond = f", {wall_s - budget_s:+.1f} s beyond the budget" if budget_s else ""
    looked_s, right = looks[-1][0] if looks else 0.0, sum(verified for _, verified in looks)
    print(
        f"== {name}: {right} verified of {len(looks)} looks in {looked_s:.1f} s of search: {right / max(looked_s, 1e-9):.2f} a second; "
        f"wall {wall_s:.1f} s{beyond}; {outcomes}"
    )
    print("   by second:", " ".join(f"{count:.0f}" for count in curve(looks)))
    print("   a second, over 5 s each:", " ".join(f"{rate:.1f}" for rate in curve(looks, 5)))
    for kind in ("median_ms", "mean_ms"):
        stages = ", ".join(
            f"{stage} {told[kind][stage]:.0f}" for stage in sorted(told[kind], key=told[kind].get, reverse=True)
        )
        print(
            f"   a look's stages, {kind}, of {told['looks']} timed looks: {stages}; whole look, median {told['look_ms']:.0f}"
        )
    busy = (told["mean_ms"].get("run", 0) + told["mean_ms"].get("time", 0)) * told["looks"] / 1e3
    print(
        f"   worker busy {busy / max(looked_s, 1e-9):.0%} of the search; main thread, s: { ({k: round(v, 2) for k, v in told['main_s'].items()}) }"
    )
    late_ms = sorted(told["late_ms"] or [0.0])
    print(
        f"   a thread that wakes waits for the interpreter {median(late_ms):.2f} ms, mean {fmean(late_ms):.2f}",
        flush=True,
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument(
        "--budget", type=int, default=0, help="wall time of whole runs in s; 0: baseline and search only"
    )
    parser.add_argument(
        "--search-s", type=float, default=10.0, help="wall time of a search in s, of cases that name none"
    )
    parser.add_argument(
        "--only", default=USUAL, help="cases, or kernel files; NAME:SECONDS gives a search its own time"
    )
    parser.add_argument(
        "--limit-s", type=float, default=600.0, help="wall time of everything; later cases are left out"
    )
    parser.add_argument(
        "--brief-ms", type=float, default=0.0, help="length of a quick look's samples; 0: the product's own"
    )
    parser.add_argument(
        "--brisk-us", type=float, default=0.0, help="interval at which threads take turns; 0: the product's own"
    )
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument(
        "--engine", default="", help="ray: what a cluster of this machine's GPUs does, and what it costs here"
    )
    given = parser.parse_args()
    os.environ.setdefault("PYTHONPATH", str(ROOT / "src"))
    if given.here:
        if given.brisk_us:
            from hotloop.host import threads

            threads.BRISK_S = 1e-6 * given.brisk_us
        if given.brief_ms:
            from hotloop.app.run import timing

            timing.BRIEF_NS = 1e6 * given.brief_ms
        given.out.write_text(json.dumps(measured(given.only, given.budget, given.search_s, given.engine)))
        return
    rows, end_s = [], time.monotonic() + given.limit_s
    for asked in given.only.split(","):
        name, colon, own_s = asked.rpartition(":")
        name, search_s = (name, float(own_s)) if colon and own_s.replace(".", "").isdigit() else (asked, given.search_s)
        rows.append(apart(name, search_s, given, end_s - time.monotonic()))
        given.out.write_text(json.dumps(rows, indent=1))


def apart(name, search_s, given, left_s):
    """Measure a case in a process of its own, and end it when its time is over."""
    limit_s = min(left_s, (given.budget or search_s) + _AROUND_S)
    if limit_s < (given.budget or search_s):
        print(f"== {name}: left out, {left_s:.0f} s are left", flush=True)
        return {"case": name, "left_out": True}
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "row.json"
        command = [sys.executable, __file__, str(out), "--here", "--only", name, "--search-s", str(search_s)]
        command += ["--budget", str(given.budget), "--engine", given.engine, "--brief-ms", str(given.brief_ms)]
        command += ["--brisk-us", str(given.brisk_us)]
        child = subprocess.Popen(command, start_new_session=True)
        try:
            code = child.wait(limit_s)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            code = child.wait()
        if out.exists():
            return json.loads(out.read_text())
    print(f"== {name}: nothing came of it within {limit_s:.0f} s, exit code {code}", flush=True)
    return {"case": name, "exit_code": code}


if __name__ == "__main__":
    main()
