"""What each guard of checking and timing costs, as a share of a trial of the main job, in processor time.

    python benchmarks/guard_cost.py [--n 1024] [--count 20]

The guards are called once more, on the arrays, sources and binaries of real trials. A trial is building, checking and a quick look, as in
`checking_share.py`; quick looks keep nothing. What timed calls of a comparison leave to be judged is the difference of two comparisons of the incumbent
with itself, with and without it, in alternating order; its share is that of building, checking and such a comparison of eleven rounds. `--looks` takes looks
at both instead, as `bench` does, beside the shorter trial. The shares are of the median trial; of the judged calls the median difference with its quartiles.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from statistics import median, quantiles

import numpy as np
import stand
from checking_share import cpu_s
from clean_sweep import walk

from hotloop.app import session, userfile
from hotloop.app.run import checking, honest, timing
from hotloop.app.run.attempt import QUICK_ROUNDS
from hotloop.app.run.inputs import chosen
from hotloop.app.run.inputs.workload import Workload
from hotloop.drivers import linkage
from hotloop.kernels.gemm.opencl.rows import TABLES
from hotloop.model.check import CheckReport
from hotloop.model.kernel import Variant
from hotloop.model.outcome import Artifact
from hotloop.ports import Executed, TimeRequest
from hotloop.verify import guards
from hotloop.verify.texts import includes

MANY = 20
"""Repetitions of what takes less than the clock of processor time shows."""
ROUNDS = 11
"""Rounds of a comparison that is decided as early as ranks allow, with one to warm up."""


def spent(call, times=1):
    """Return the processor time of a call in s, here and in the worker."""
    began_s = cpu_s()
    for _ in range(times):
        call()
    return (cpu_s() - began_s) / times


def look(desk, workload, programs, *, judged):
    return timing.time_together(desk, workload, programs, QUICK_ROUNDS, judged=judged)


def comparison(desk, workload, programs, *, judged):
    """Time two programs as a comparison does, and judge what the second one's calls left."""
    request = TimeRequest(
        programs=programs, datasets=workload.sets(), rounds=ROUNDS, target_sample_ns=timing.SAMPLE_NS, mode=desk.mode,
        judged=timing.draw(desk, workload) if judged else (), suspects=(1,),
    )  # fmt: skip
    desk.engine.time(request)
    if judged:
        honest.kept(desk, workload, programs[1], request.judged)


def trial(desk, workload, incumbent, variant, costs):
    """Add the costs of one trial, or nothing where it does not run."""
    program = workload.planned(variant, workload.problem)
    built = []
    build_s = spent(lambda: built.append(desk.engine.build(program)))
    if not isinstance(built[0], Artifact):
        return
    subject, reports = workload.subject(variant), []
    check_s = spent(lambda: reports.append(checking.check(desk, workload, subject, programs=chosen.SEARCHED).answer))
    if not isinstance(reports[0], CheckReport):
        return
    both = (workload.program(incumbent), program)
    costs["build and check"].append(build_s + check_s)
    costs["trial"].append(build_s + check_s + spent(lambda: look(desk, workload, both, judged=False)))
    costs["intact: functions that judge"].append(spent(lambda: checking.intact(workload), MANY))
    costs["linkage: barred words, files outside"].append(
        spent(lambda: (linkage.regained(program.source), includes.refused(program.source)), MANY)
    )
    binary = desk.engine.binary(program)
    costs["linkage: what objects need and keep"].append(spent(lambda: linkage.examined(binary), MANY))
    prepared = workload.prepare(workload.cases("quick", desk.seed)[0])
    ran = desk.engine.execute(program, prepared.dataset)
    if isinstance(ran, Executed):
        costs["canary bands of all arrays"].append(
            spent(lambda: [guards.overrun(a) for a in ran.arrays.values()], MANY)
        )


def main():
    parser = stand.parser(__doc__)
    parser.add_argument("--n", type=int, default=1024)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--pairs", type=int, default=20, help="looks with and without what is judged")
    parser.add_argument("--looks", action="store_true", help="looks at both, not comparisons")
    asked = parser.parse_args()
    kernel, rng, costs = userfile.find("gemm"), np.random.default_rng(1), defaultdict(list)
    implementation = kernel.implementation()
    with session.desk(session.Options(limit_s=60)) as desk:
        starts = [row.config for row in TABLES.get(desk.device.target, next(iter(TABLES.values())))]
        workload = Workload(
            desk.engine, kernel, kernel.problem.replace(m=asked.n, n=asked.n, k=asked.n), desk.device, 1
        )
        incumbent, warm = Variant(implementation, starts[-1]), defaultdict(list)
        while len(costs["trial"]) < asked.count:
            variant = Variant(
                implementation, walk(implementation.space, starts[int(rng.integers(len(starts)))], rng, 4)
            )
            try:  # the first one also pays for the references
                trial(desk, workload, incumbent, variant, costs if warm["trial"] else warm)
            except ValueError:
                continue
        both, timed = (workload.program(incumbent),) * 2, look if asked.looks else comparison
        timed(desk, workload, both, judged=True)  # which also pays for the references
        for pair in range(asked.pairs):
            spans = {
                judged: spent(lambda judged=judged: timed(desk, workload, both, judged=judged))
                for judged in ((True, False), (False, True))[pair % 2]
            }
            costs["kept"].append(spans[True] - spans[False])
            costs["without"].append(spans[False])
    whole_s, without_s = median(costs.pop("trial")), median(costs.pop("build and check")) + median(costs.pop("without"))
    print(f"{asked.count} trials of {whole_s:.3f} s of processor time (median)")
    low, middle, high = (value / without_s for value in quantiles(costs.pop("kept"), n=4))
    print(
        f"results of timed calls are kept: {middle:.2%}  ({low:.2%} to {high:.2%}) of a trial of {without_s:.3f} s with such timing"
    )
    for name, rows in costs.items():
        low, _, high = quantiles(rows, n=4)
        print(f"{name:40} {median(rows) / whole_s:7.2%}  ({low / whole_s:.2%} to {high / whole_s:.2%})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
