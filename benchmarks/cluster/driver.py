"""Processor time that the process of a run spends for each look of its search, with fake GPUs: what limits several real ones.

    python benchmarks/cluster/driver.py --devices 2 --looks 400
    python benchmarks/cluster/driver.py --before /tmp/old/src --rounds 3     # the same by another tree, in turns; what it takes of that one's

The process of a run proposes, judges and records for all devices. Candidates are compiled and run by other processes, whose time does not
count here; the fake GPU of the tests computes in host memory. Each run is a process of its own with a fresh store. Told are milliseconds of
processor time of all threads of the run's process a look, and of its main thread, which proposes and records.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parents[2]
KERNEL = Path(__file__).with_name("weighed.py")


def searched(devices: int, looks: int, profile: str) -> dict[str, object]:
    """Search with so many fake GPUs; return what a look cost this process."""
    from hotloop.app import userfile
    from hotloop.app.run import pace, polish
    from hotloop.app.run.attempt import Attempts
    from hotloop.app.run.foresight import warm
    from hotloop.app.session import Options, recorded_desk
    from hotloop.model.kernel import Variant
    from hotloop.stats.paired import PairedTest

    kernel = userfile.find(str(KERNEL))
    implementation = kernel.implementation("cuda")
    engine = "gpus" if devices > 1 else ""
    options = Options(store=str(Path(os.environ["HOTLOOP_STORE"])), engine=engine).running(implementation)
    with recorded_desk(options, "tune", {}, str(KERNEL), fresh=True) as (desk, _, _):
        for opening in (False, True):
            warm(desk, implementation.language, opening=opening)
        attempts = Attempts(desk, pace.within(600.0, desk, kernel, kernel.problem), None, PairedTest())
        start = Variant(implementation, implementation.start)
        call_ns = attempts.baseline(start).call_ns
        assert call_ns is not None
        attempts.pace(start, call_ns)
        profiler = profiled(profile)
        began = time.process_time(), time.thread_time(), time.monotonic()
        found = polish.search(desk, attempts, start, call_ns, 1e9, most=looks)
        ended = time.process_time(), time.thread_time(), time.monotonic()
        if profiler is not None:
            profiler.disable()
            profiler.dump_stats(profile)
        count = found.summary.evaluated
        whole, main, wall = [1e3 * (after - before) / count for before, after in zip(began, ended, strict=True)]
        return {
            "looks": count,
            "process_ms": whole,
            "main_ms": main,
            "wall_ms": wall,
            "failures": found.summary.failures,
        }


def profiled(file: str):
    """Return a profiler of the main thread that runs, where a file is asked for."""
    if not file:
        return None
    import cProfile

    made = cProfile.Profile(time.thread_time)
    made.enable()
    return made


def apart(source: Path, given: argparse.Namespace) -> dict[str, float]:
    """Search in a process of its own by the code of a tree."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(source), str(ROOT / "tests" / "fakes")]),
            "HOTLOOP_STORE": str(Path(folder) / "store.db"),
            "CUDA_VISIBLE_DEVICES": ",".join(map(str, range(given.devices))),
        }
        command = [sys.executable, __file__, "--here", "--devices", str(given.devices), "--looks", str(given.looks)]
        command += ["--profile", given.profile]
        ended = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(ended.stdout.splitlines()[-1])


def main() -> None:
    """Print a line for each run, and the medians."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--devices", type=int, default=2)
    parser.add_argument("--looks", type=int, default=400)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--before", type=Path, help="folder src of the tree to compare with")
    parser.add_argument("--profile", default="", help="file for what cProfile says of the main thread")
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.here:
        print(json.dumps(searched(given.devices, given.looks, given.profile)))
        return
    trees = {"now": ROOT / "src", **({"before": given.before.resolve()} if given.before else {})}
    rows: dict[str, list[dict[str, float]]] = {name: [] for name in trees}
    for number in range(given.rounds):
        for name in sorted(trees, reverse=bool(number % 2)):
            rows[name].append(row := apart(trees[name], given))
            print(name, {key: round(value, 2) if isinstance(value, float) else value for key, value in row.items()})
    middle = {name: median(row["process_ms"] for row in told) for name, told in rows.items()}
    print(", ".join(f"{name} {ms:.2f} ms a look" for name, ms in middle.items()), end="")
    print(f": {middle['now'] / middle['before']:.0%}" if given.before else "")


if __name__ == "__main__":
    main()
