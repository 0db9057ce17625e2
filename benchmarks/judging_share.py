"""What judging timed calls costs in a comparison, by the verdict: all drawn sets of who is not slower, two of who is.

    python benchmarks/judging_share.py [FILE ...] [--pairs 6] [--n 512 256]

A kernel is compared with itself for as many rounds as a comparison needs at least: without judged calls, with all sets that are drawn
judged, and with those that `hotloop.app.run.due` leaves of a slower candidate. The three take turns, so that one load of the machine meets
all. Times are processor seconds of this process and its workers; shares are of a quick check and a comparison without judged calls, building
left out. Kernels are gemm of the sizes `--n` and the files, or some of tests/planted where none is given.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from pathlib import Path
from statistics import median, quantiles

import stand
from guard_cost import ROUNDS, spent

from hotloop.app import session, userfile
from hotloop.app.run import checking, honest, timing
from hotloop.app.run.due import due
from hotloop.app.run.inputs.workload import Workload
from hotloop.kernels.gemm.opencl.rows import TABLES
from hotloop.model.kernel import Variant
from hotloop.model.verdict import Verdict
from hotloop.ports import TimeRequest

PLANTED = Path(__file__).parents[1] / "tests" / "planted"
FILES = [PLANTED / "strangers" / f"{name}.py" for name in ("nearest", "variance", "csr", "median3")]
FILES += [PLANTED / "newcomers" / f"{name}.py" for name in ("dct", "fisher", "hermite")]
MODES = ("none", "all", "slower")


def comparison(desk, workload, programs, mode):
    judged = () if mode == "none" else timing.draw(desk, workload)
    request = TimeRequest(
        programs=programs, datasets=workload.sets(), rounds=ROUNDS, target_sample_ns=timing.SAMPLE_NS, mode=desk.mode,
        judged=judged, suspects=(1,),
    )  # fmt: skip
    desk.engine.time(request)
    left = judged if mode != "slower" else due(judged, Verdict.SLOWER)
    if left:
        honest.kept(desk, workload, programs[1], left)


def kernels(sizes, files):
    """Yield a name, a kernel, a problem and a variant each; of gemm one that is known to be fast on such machines."""
    gemm = userfile.find("gemm")
    for n in sizes:
        fast = Variant(gemm.implementation(), next(iter(TABLES.values()))[-1].config)
        yield f"gemm {n}", gemm, gemm.problem.replace(m=n, n=n, k=n), fast
    for file in files:
        kernel = userfile.load(file)
        yield file.stem, kernel, kernel.problem, userfile.starting(kernel)


def main():
    parser = stand.parser(__doc__)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--pairs", type=int, default=6)
    parser.add_argument("--n", type=int, nargs="*", default=[512, 256])
    asked = parser.parse_args()
    shares = defaultdict(list)
    with session.desk(session.Options(limit_s=60)) as desk:
        for name, kernel, problem, start in kernels(asked.n, asked.files or FILES):
            workload = Workload(desk.engine, kernel, problem, desk.device, 1)
            program = workload.program(start)
            desk.engine.build(program)
            check = lambda workload=workload, start=start: checking.check(desk, workload, workload.subject(start))  # noqa: E731
            comparison(desk, workload, (program,) * 2, "all")  # which also pays for the references
            spans = defaultdict(list)
            for pair in range(asked.pairs):
                spans["check"].append(spent(check))
                for mode in MODES[pair % 3 :] + MODES[: pair % 3]:
                    spans[mode].append(spent(lambda mode=mode: comparison(desk, workload, (program,) * 2, mode)))  # noqa: B023
            whole_s = median(spans["check"]) + median(spans["none"])
            told = []
            for mode in MODES[1:]:
                more = [after - before for after, before in zip(spans[mode], spans["none"], strict=True)]
                shares[mode].append(median(more) / whole_s)
                low, middle, high = (value / whole_s for value in quantiles(more, n=4))
                told.append(f"{mode} {1e3 * median(more):+.0f} ms, {middle:.1%} ({low:.1%} to {high:.1%})")
            print(f"{name:10} {whole_s:.3f} s; {'; '.join(told)}", flush=True)
    print("medians:", ", ".join(f"{mode} {median(rows):.1%}" for mode, rows in shares.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
