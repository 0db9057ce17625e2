"""Share of a trial's wall time that checking takes on the main job: building, checking, a quick look beside the incumbent.

    python benchmarks/checking_share.py [--n 1024] [--count 40]

Processor time is that of this process and of the workers it started: beside other processes wall time tells more of them than of the check.
Configurations are walks from those that are known for this machine. Each is built first, so that what remains of the check is
running its cases, reading results and judging them. A full comparison takes longer than the quick look, and the share is smaller.
"""

from __future__ import annotations

import os
import sys
import time
from itertools import pairwise
from pathlib import Path

import numpy as np
import stand
from clean_sweep import walk

from hotloop.app import session, userfile
from hotloop.app.run import checking, timing
from hotloop.app.run.attempt import QUICK_ROUNDS
from hotloop.app.run.inputs import chosen
from hotloop.app.run.inputs.workload import Workload
from hotloop.kernels.gemm.opencl.rows import TABLES
from hotloop.model.check import CheckReport
from hotloop.model.kernel import Variant
from hotloop.model.outcome import Artifact


def cpu_s() -> float:
    """Return the processor time of this process and of all that descend from it, in s."""
    total, parents, spent = 0.0, {}, {}
    for file in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = file.read_text(errors="replace").rpartition(")")[2].split()
        except OSError:
            continue  # it has just ended
        parents[int(file.parent.name)] = int(fields[1])
        spent[int(file.parent.name)] = sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")
    for process, own_s in spent.items():
        above = process
        while above > 1 and above != os.getpid():
            above = parents.get(above, 0)
        total += own_s if above == os.getpid() else 0.0
    return total


def now() -> np.ndarray:
    """Return wall and processor time in s."""
    return np.array([time.perf_counter(), cpu_s()])


def trial(desk, workload, incumbent, variant):
    """Return wall and processor seconds of building, checking and timing, or None for what does not run or is too slow to be looked at."""
    program = workload.planned(variant, workload.problem)
    marks = [now()]
    if not isinstance(desk.engine.build(program), Artifact):
        return None
    marks.append(now())
    verified = checking.check(desk, workload, workload.subject(variant), programs=chosen.SEARCHED)
    marks.append(now())
    if not isinstance(verified.answer, CheckReport):
        return None
    timing.time_together(desk, workload, (workload.program(incumbent), program), QUICK_ROUNDS)
    marks.append(now())
    return tuple(b - a for a, b in pairwise(marks))


def main():
    parser = stand.parser(__doc__)
    parser.add_argument("--n", type=int, default=1024)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    kernel, rng = userfile.find("gemm"), np.random.default_rng(asked.seed)
    implementation = kernel.implementation()
    with session.desk(session.Options(limit_s=60)) as desk:
        starts = [row.config for row in TABLES.get(desk.device.target, next(iter(TABLES.values())))]
        workload = Workload(
            desk.engine, kernel, kernel.problem.replace(m=asked.n, n=asked.n, k=asked.n), desk.device, asked.seed
        )
        incumbent = Variant(implementation, starts[-1])
        rows = []
        while len(rows) < asked.count:
            config = walk(implementation.space, starts[int(rng.integers(len(starts)))], rng, 4)
            try:
                row = trial(desk, workload, incumbent, Variant(implementation, config))
            except ValueError:
                continue
            if row is not None:
                rows.append(row)
    spent = np.sum(rows[1:], axis=0)  # the first one also pays for the references
    for (build_s, check_s, time_s), kind in zip(spent.T, ("wall", "processor"), strict=True):
        whole_s = build_s + check_s + time_s
        print(
            f"{len(rows) - 1} trials, {kind} time: building {build_s:.2f} s, checking {check_s:.2f} s, timing {time_s:.2f} s; "
            f"checking is {check_s / whole_s:.1%}, without building {check_s / (check_s + time_s):.1%}"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
