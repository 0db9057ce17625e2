"""What judging timed calls costs after a comparison, by the verdict: all drawn sets of who is not slower, two of who is.

    python benchmarks/judging_share.py [FILE ...] [--times 3] [--n 512 256]

A kernel is compared with itself for as many rounds as a comparison needs at least, and what its calls left is judged: all sets that are
drawn, and those that `hotloop.app.run.inputs.due` leaves of a slower candidate, each time as if nobody had judged the same bytes before. Times of
judging are processor seconds of this process; shares are of a quick check and a comparison, with the workers' seconds, building left out.
Kernels are gemm of the sizes `--n` and the files, or some of tests/planted where none is given.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from statistics import median

import stand
from guard_cost import ROUNDS, spent

from hotloop.app import session, userfile
from hotloop.app.run import checking, timing
from hotloop.app.run.inputs.due import due
from hotloop.app.run.inputs.workload import Workload
from hotloop.kernels.gemm.opencl.rows import TABLES
from hotloop.model.kernel import Variant
from hotloop.model.verdict import Verdict
from hotloop.ports import Executed, TimeRequest
from hotloop.verify.judge import judge

PLANTED = Path(__file__).parents[1] / "tests" / "planted"
FILES = [PLANTED / "strangers" / f"{name}.py" for name in ("nearest", "variance", "csr", "median3")]
FILES += [PLANTED / "newcomers" / f"{name}.py" for name in ("dct", "fisher", "hermite")]


def compared(desk, workload, programs):
    """Time two programs as a comparison does; return the sets that are to be judged."""
    request = TimeRequest(
        programs=programs, datasets=workload.sets(), rounds=ROUNDS, target_sample_ns=timing.SAMPLE_NS, mode=desk.mode,
        judged=timing.draw(desk, workload), suspects=(1,),
    )  # fmt: skip
    desk.engine.time(request)
    return request.judged


def judging_s(desk, workload, program, sets):
    """Return the processor time of fetching and judging what timed calls left, in s."""
    began_s = time.process_time()
    for index in sets:
        prepared = workload.timed(index)
        left = desk.engine.outputs(program, prepared.dataset)
        assert isinstance(left, Executed)
        judge(workload.kernel, prepared.case, prepared.inputs, left.arrays, expected=prepared.expected)
    return time.process_time() - began_s


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
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--n", type=int, nargs="*", default=[512, 256])
    asked = parser.parse_args()
    before, after = [], []
    with session.desk(session.Options(limit_s=60)) as desk:
        for name, kernel, problem, start in kernels(asked.n, asked.files or FILES):
            workload = Workload(desk.engine, kernel, problem, desk.device, 1)
            program = workload.program(start)
            desk.engine.build(program)
            checks = [
                spent(lambda w=workload, s=start: checking.check(desk, w, w.subject(s))) for _ in range(3)
            ]  # a worker may have ended
            check_s = median(checks)
            compared(desk, workload, (program,) * 2)  # which also pays for the references
            compared_s, every_s, two_s = [], [], []
            for _ in range(asked.times):
                sets = []
                compared_s.append(spent(lambda w=workload, p=program, s=sets: s.extend(compared(desk, w, (p,) * 2))))
                every_s.append(judging_s(desk, workload, program, sets))
                two_s.append(judging_s(desk, workload, program, due(tuple(sets), Verdict.SLOWER)))
            whole_s = check_s + median(compared_s)
            before.append(median(every_s) / (whole_s + median(every_s)))
            after.append(median(two_s) / (whole_s + median(two_s)))
            print(f"{name:10} check and comparison {whole_s:.2f} s; judging {len(sets)} sets {1e3 * median(every_s):.1f} ms, {before[-1]:.2%}; "
                  f"two {1e3 * median(two_s):.1f} ms, {after[-1]:.2%}", flush=True)  # fmt: skip
    print(f"medians: {median(before):.2%} and {median(after):.2%}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
