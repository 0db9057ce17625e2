"""Record the timing noise of this machine: raw samples of one program against itself, in the rounds of a duel.

    python benchmarks/record_noise.py FILE.json --rounds 1500 --note "nothing else runs"
    python benchmarks/record_noise.py FILE.json --threads 2 --burners 3      # with three processes that disturb it
    python benchmarks/record_noise.py FILE.json --gpu                        # a bf16 matrix product, timed by GPU events

Rounds run A B B A and B A A B in turn, where A and B are the same NumPy (PyTorch with --gpu) matrix product; samples
last about 4 ms. `tests/golden/noise` keeps such recordings, `benchmarks/paired_power.py --recorded` proves the
statistics on them.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import time
from pathlib import Path

RESOLUTION_NS = 100
"""Samples are rounded to this: far below their jitter, and a file stays small."""
TARGET_NS = 4_000_000
BURNER = """
import random, time
chance = random.Random({seed})
while True:
    until = time.monotonic() + chance.uniform(0.002, 0.2)
    while time.monotonic() < until:
        sum(range(1000))
    time.sleep(chance.uniform(0.0, 0.4))
"""


def processor():
    """Return the name of the processor, as Linux gives it."""
    rows = Path("/proc/cpuinfo").read_text().splitlines() if Path("/proc/cpuinfo").exists() else []
    return next((row.partition(":")[2].strip() for row in rows if row.startswith("model name")), platform.machine())


def cpu_series(rounds, size):
    """Return wall and process CPU time of every sample in ns, and what was timed."""
    import numpy as np

    rng = np.random.default_rng(0)
    a, b = (rng.random((size, size), np.float32) for _ in range(2))
    best_ns = min(sampled(lambda: a @ b, 1)[0] for _ in range(30))
    calls = max(1, round(TARGET_NS / best_ns))
    pairs = [sampled(lambda: a @ b, calls) for _ in range(4 * rounds)]
    return [p[0] for p in pairs], [p[1] for p in pairs], f"{calls} NumPy products of {size} x {size}, float32"


def sampled(work, calls):
    """Time a batch: wall and CPU ns."""
    cpu_ns, wall_ns = time.process_time_ns(), time.perf_counter_ns()
    for _ in range(calls):
        work()
    return time.perf_counter_ns() - wall_ns, time.process_time_ns() - cpu_ns


def gpu_series(rounds, size):
    """Return device time of every sample in ns, from a cold start: the clock's ramp is part of the noise."""
    import torch

    a, b = (torch.randn(size, size, device="cuda", dtype=torch.bfloat16) for _ in range(2))
    a @ b
    torch.cuda.synchronize()
    time.sleep(2)
    calls, taken = 8, []
    for _ in range(4 * rounds):
        first, last = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        first.record()
        for _ in range(calls):
            a @ b
        last.record()
        last.synchronize()
        taken.append(round(1e6 * first.elapsed_time(last)))
    return taken, [], f"{calls} PyTorch products of {size} x {size}, bfloat16, {torch.cuda.get_device_name()}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--rounds", type=int, default=1500)
    parser.add_argument("--size", type=int, default=384)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--burners", type=int, default=0)
    parser.add_argument("--cores", type=int, default=0, help="use only this many processors")
    parser.add_argument("--gpu", action="store_true")
    parser.add_argument("--note", default="")
    given = parser.parse_args()
    os.environ["OPENBLAS_NUM_THREADS"] = str(given.threads)  # before NumPy is imported
    if given.cores:
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[: given.cores])
    burners = [subprocess.Popen([sys.executable, "-c", BURNER.format(seed=n)]) for n in range(given.burners)]
    try:
        began = os.getloadavg()[0]
        wall_ns, cpu_ns, what = (gpu_series if given.gpu else cpu_series)(given.rounds, given.size)
    finally:
        for burner in burners:
            burner.kill()
            burner.wait()
    conditions = {
        "timed": what,
        "processor": processor(),
        "cores": len(os.sched_getaffinity(0)),
        "threads": given.threads,
        "burners": given.burners,
        "load_before": round(began, 2),
        "load_after": round(os.getloadavg()[0], 2),
        "note": given.note,
    }
    if cpu_ns:
        conditions["cpu_share_of_one_thread"] = round(sum(cpu_ns) / sum(wall_ns), 3)
    rounded = [RESOLUTION_NS * round(value / RESOLUTION_NS) for value in wall_ns]
    rows = ",\n".join(json.dumps(rounded[i : i + 40]).strip("[]") for i in range(0, len(rounded), 40))
    head = json.dumps({"conditions": conditions}, indent=1)[:-2]
    given.file.write_text(head + f',\n "sample_ns": [\n{rows}\n]}}\n')
    print(f"{given.file}: {given.rounds} rounds, {conditions}")


if __name__ == "__main__":
    main()
