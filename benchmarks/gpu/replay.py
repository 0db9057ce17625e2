"""One recorded list of configurations looked at by one GPU and by several: how much faster equal work is done, and where the difference lies.

    PYTHONPATH=src python benchmarks/gpu/replay.py OUT.json --case nbody --count 400 --runs 1,2,2,1         # a machine with two GPUs
    PYTHONPATH=src python benchmarks/gpu/replay.py OUT.json --list list.json --runs 1,1@gpus,2              # a list that was recorded before
    CUDA_VISIBLE_DEVICES=0,1 PYTHONPATH=src:tests/fakes python benchmarks/gpu/replay.py OUT.json --case benchmarks/cluster/weighed.py --count 40

The rates of two searches compare whatever configurations each of them met. Here a search with one GPU records what it looked at, which also
fills the compilers' caches, and every run then looks at just this list in this order, beside the same incumbent. The search thinks as usual:
it proposes, and is told the results as if its own proposals had had them. Each run is a process of its own with a fresh store and the cores
that are its GPUs' share; `N@gpus` uses `--engine gpus` for one, too. A run takes its start and baseline, about 20 s with a GPU, and the list.

Told are looks a second over the list (and between its first and last tenth), against the first kind of run, how busy each GPU's worker was, and what the requests of the same
configurations took: from the outside, and inside the worker by parts (`replay_worker.py`). What is left between both is the way there and back.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from statistics import fmean

sys.path.insert(0, str(Path(__file__).parent))
import pace


class Recorded:
    """A strategy that asks for a list; a real one beside it thinks as much as in a search, and takes the results for its own proposals'."""

    def __init__(self, listed, thinking):
        self._left, self._thinking = list(listed), thinking
        self._instead, self.answered_s = {}, []

    def ask(self):
        """Return the next configuration of the list."""
        if not self._left:
            return None
        asked = self._left.pop(0)
        self._instead[asked] = self._thinking.ask()
        return asked

    def tell(self, config, ratio):
        """Note when a result came."""
        self.answered_s.append(time.perf_counter())
        if (instead := self._instead.pop(config, None)) is not None:
            self._thinking.tell(instead, ratio)


class Watched:
    """What the requests of each look took, by configuration. Nothing of what judges is replaced: a run would refuse that."""

    def __init__(self):
        self.requests = []

    def install(self):
        """Watch from now on."""
        from hotloop.engine import local
        from hotloop.host.process import Child

        local.WORKER = "replay_worker"
        ask = Child.ask

        def asked(child, message, limit_s):
            began_s = time.perf_counter()
            answer = ask(child, message, limit_s)
            parts_ms, ended_s = answer.pop("took_ms", {}), time.perf_counter()
            if (op := message.get("op", "start")) in OF_LOOKS:
                row = {"op": op, "config": looked_at(), "worker": child.pid, "parts_ms": parts_ms}
                self.requests.append({**row, "began_s": began_s, "ended_s": ended_s, "ms": 1e3 * (ended_s - began_s)})
            return answer

        Child.ask = asked


OF_LOOKS = ("execute", "time")
"""Requests to the process that measures, in a search."""


def looked_at():
    """Return the configuration whose look this thread is at; empty where it is at none, or does a part of one for another thread."""
    frame = sys._getframe(2)  # noqa: SLF001 - there is no other way to know
    while frame is not None and frame.f_code.co_name != "_glance":
        frame = frame.f_back
    return "" if frame is None else frame.f_locals["candidate"].label


def opened(case, store, engine):
    """Return the block that yields a run's desk, its attempts and the baseline with its time of a call."""
    from contextlib import contextmanager

    from hotloop.app import userfile
    from hotloop.app.run import pace as paces
    from hotloop.app.run.attempt import Attempts
    from hotloop.app.run.foresight import warm
    from hotloop.app.session import Options, recorded_desk
    from hotloop.model.kernel import Variant
    from hotloop.stats.paired import PairedTest

    arguments = pace.CASES.get(case, (case,))
    named = dict(zip(arguments[1::2], arguments[2::2], strict=True))
    kernel = userfile.find(arguments[0])
    problem = userfile.problem_of(kernel, named.get("--shape", ""))
    implementation = kernel.implementation(named.get("--implementation"))
    options = Options(store=str(store), engine=engine).running(implementation)

    @contextmanager
    def made():
        with recorded_desk(options, "tune", {}, arguments[0], fresh=True) as (desk, _, _):
            for opening in (False, True):
                warm(desk, implementation.language, opening=opening)
            attempts = Attempts(desk, paces.within(60.0, desk, kernel, problem), None, PairedTest())
            start = Variant(implementation, implementation.start)
            call_ns = attempts.baseline(start).call_ns
            attempts.pace(start, call_ns)
            yield desk, attempts, start, call_ns

    return made()


def recorded(case, count, store):
    """Search with one GPU; return the configurations that it looked at."""
    from hotloop.app.run import polish

    with opened(case, store, "") as (desk, attempts, start, call_ns):
        found = polish.search(desk, attempts, start, call_ns, 1e9, most=count)
        return [dict(config) for config, _ in found.times_ns]


def replayed(case, listed, store, engine):
    """Look at a list; return when its results came, what each look took, and the processor time of this process."""
    from hotloop.app.run import polish
    from hotloop.model.space import Config
    from hotloop.search.strategy import named

    watched = Watched()
    watched.install()
    began_s = time.perf_counter()
    with opened(case, store, engine) as (desk, attempts, start, call_ns):
        space, configs = start.implementation.space, [Config(config) for config in listed]
        thinking = named("surrogate")(space, 1, start=(start.config,))
        thinking.tell(start.config, 1.0)
        strategy = Recorded([config for config in configs if config != start.config], thinking)
        before = time.perf_counter(), time.process_time(), time.thread_time()
        found = polish.tried(desk, attempts, start, call_ns, 1e9, strategy)
        after = time.perf_counter(), time.process_time(), time.thread_time()
    for row in watched.requests:
        row |= {key: round(row[key] - before[0], 5) for key in ("began_s", "ended_s")}
    wall_s, process_s, main_s = (late - early for early, late in zip(before, after, strict=True))
    return {
        "start_s": before[0] - began_s, "wall_s": wall_s, "process_s": process_s, "main_s": main_s, "looks": found.summary.evaluated,
        "failures": found.summary.failures, "answered_s": [round(at - before[0], 4) for at in strategy.answered_s], "requests": [row for row in watched.requests if row["began_s"] >= 0],
    }  # fmt: skip


def summed(row):
    """Return looks a second of a run, over all of its list and without its ends, and the share of the time that each worker was busy."""
    at, busy_s = row["answered_s"], defaultdict(float)
    for request in row["requests"]:
        busy_s[request["worker"]] += request["ended_s"] - request["began_s"]
    first, last = len(at) // 10, len(at) - 1 - len(at) // 10
    steady = (last - first) / max(at[last] - at[first], 1e-9)
    return {"rate": len(at) / at[-1], "steady": steady, "busy": [spent_s / at[-1] for spent_s in busy_s.values()]}


def by_part(row):
    """Return of each configuration what its requests took, by request and part; `way` is what the worker did not see of it."""
    told = defaultdict(lambda: defaultdict(float))
    for request in row["requests"]:
        parts, op, inside_ms = told[request["config"]], request["op"], dict(request["parts_ms"])
        whole_ms = inside_ms.pop("whole", 0.0)
        parts[op] += request["ms"]
        for part, ms in inside_ms.items():
            parts[f"{op}: {part}"] += ms
        parts[f"{op}: rest"] += whole_ms - sum(inside_ms.values())
        parts[f"{op}: way"] += request["ms"] - whole_ms
    return told


def compared(rows):
    """Print the runs' rates beside one GPU's, and for configurations that all looked at the mean time of each part, by kinds of run."""
    kinds = list(dict.fromkeys(row["run"] for row in rows))
    rates = {
        kind: [fmean(row[key] for row in rows if row["run"] == kind) for key in ("rate", "steady")] for kind in kinds
    }
    for kind, (whole, steady) in rates.items():
        beside = f"{whole / rates[kinds[0]][0]:.3f} and {steady / rates[kinds[0]][1]:.3f} times {kinds[0]}"
        print(f"{kind}: {whole:.2f} a second, without the ends {steady:.2f}: {beside}")
    told = [(row["run"], by_part(row)) for row in rows]
    common = set.intersection(*(set(parts) for _, parts in told)) - {""}
    mean_ms = lambda kind, name: fmean(parts[config][name] for run, parts in told if run == kind for config in common)  # noqa: E731
    print(f"ms a look at {len(common)} configurations: " + ", ".join(kinds))
    for name in sorted({name for _, parts in told for config in common for name in parts[config]}):
        each = [mean_ms(kind, name) for kind in kinds]
        if max(each) >= LEAST_MS:
            ratios = "".join(f"  {ms / max(each[0], 1e-9):5.2f}" for ms in each[1:])
            print(f"  {name:22}" + "".join(f"{ms:8.2f}" for ms in each) + ratios, flush=True)


LEAST_MS = 0.05
"""What takes less is not printed."""


def apart(out, given, gpus, engine, cores, limit_s):
    """Do one part in a process of its own, which is ended when its time is over; return what it wrote."""
    path = [str(pace.ROOT / "src"), str(Path(__file__).parent), *os.environ.get("PYTHONPATH", "").split(os.pathsep)]
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(str(Path(folder).resolve()) for folder in path if folder),
        "CUDA_VISIBLE_DEVICES": ",".join(gpus),
    }
    command = [sys.executable, __file__, str(out), "--here", "--case", given.case, "--count", str(given.count)]
    command += ["--engine", engine, *(("--list", str(given.list)) if given.list else ())]
    out.unlink(missing_ok=True)
    os.sched_setaffinity(0, cores)  # children have it, too
    child = subprocess.Popen(command, env=environment, start_new_session=True)
    try:
        code = child.wait(limit_s)
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        code = child.wait()
    if not out.exists():
        raise SystemExit(f"nothing came of a part within {limit_s:.0f} s, exit code {code}")
    return json.loads(out.read_text())


def here(given):
    """Do one part in this process."""
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "store.db"
        told = (
            replayed(given.case, json.loads(given.list.read_text()), store, given.engine)
            if given.list
            else recorded(given.case, given.count, store)
        )
    given.out.write_text(json.dumps(told))


def main():
    """Record a list where none is given, look at it in all runs, and print what they took."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--case", default="nbody", help="a case of pace.py, or a kernel file")
    parser.add_argument("--count", type=int, default=400, help="length of the list that is recorded")
    parser.add_argument("--list", type=Path, help="a list that was recorded before")
    parser.add_argument("--runs", default="1,2,2,1", help="numbers of GPUs in turn; N@gpus: through --engine gpus")
    parser.add_argument("--limit-s", type=float, default=90.0, help="wall time of each part")
    parser.add_argument("--engine", default="", help=argparse.SUPPRESS)
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.here:
        here(given)
        return
    sys.path.insert(0, str(pace.ROOT / "src"))
    from hotloop.engine.ray import gpus

    _, every = gpus.visible(os.environ)
    if not every:
        raise SystemExit("this machine shows no GPU")
    cores = sorted(os.sched_getaffinity(0))
    share = lambda count: set(cores[: max(1, len(cores) * count // len(every))])  # noqa: E731
    if given.list is None:
        listed = given.out.with_name(given.out.stem + "-list.json")
        began_s = time.monotonic()
        configs = apart(listed, given, every[:1], "", share(1), given.limit_s)
        given.list = listed
        print(f"recorded {len(configs)} configurations in {time.monotonic() - began_s:.0f} s: {listed}", flush=True)
    rows = []
    for run in given.runs.split(","):
        count, _, engine = run.partition("@")
        if int(count) > len(every):
            raise SystemExit(f"this machine shows {len(every)} GPUs, not {count}")
        part = given.out.with_name(given.out.stem + "-part.json")
        engine = engine or ("gpus" if int(count) > 1 else "")
        row = apart(part, given, every[: int(count)], engine, share(int(count)), given.limit_s)
        part.unlink()
        row = {"case": given.case, "run": run, "gpus": int(count), "cores": len(share(int(count))), **row}
        rows.append({**row, **summed(row)})
        given.out.write_text(json.dumps(rows))
        told(rows[-1])
    compared(rows)


def told(row):
    """Print a run."""
    busy = ", ".join(f"{share:.0%}" for share in row["busy"])
    print(
        f"{row['run']}: {row['looks']} looks in {row['wall_s']:.1f} s, {row['rate']:.2f} a second; workers busy {busy}; "
        f"{1e3 * row['process_s'] / row['looks']:.1f} ms of this process each, {1e3 * row['main_s'] / row['looks']:.1f} of its main thread; "
        f"before it {row['start_s']:.1f} s; failures {row['failures']}",
        flush=True,
    )


if __name__ == "__main__":
    main()
