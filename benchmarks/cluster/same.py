"""A kernel compared with itself on a device of a Ray cluster: how often is one called faster or slower than the other?

python benchmarks/cluster/same.py [--runs 30] [--shape 256x256x256] [--kernel examples/layernorm.py]
"""

from __future__ import annotations

import argparse
import os
from collections import Counter

from hotloop.app import userfile
from hotloop.app.desk import Desk, MemoryJournal
from hotloop.app.run import timing
from hotloop.app.run.inputs.workload import Workload
from hotloop.app.session import Options, open_engine, select_device
from hotloop.host.clock import SystemClock
from hotloop.model.kernel import Variant
from hotloop.stats.paired import PairedTest


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=30)
    parser.add_argument("--kernel", default="gemm", help="a family or a kernel file")
    parser.add_argument("--shape", default="", help="sizes (default: 256x256x256 of gemm, a file's own)")
    parser.add_argument(
        "--engine", default="ray", help="ray, ray://HOST, or an empty text for this machine without Ray"
    )
    asked = parser.parse_args()
    os.environ.setdefault("RAY_ADDRESS", "local")
    kernel = userfile.find(asked.kernel, 60)
    implementation = kernel.implementation(None)
    options = Options(engine=asked.engine).running(implementation)
    shape = asked.shape or ("256x256x256" if asked.kernel == "gemm" else "")
    verdicts: Counter[str] = Counter()
    with open_engine(options) as engine:
        device = select_device(engine, options)
        problem = userfile.problem_of(kernel, shape) if shape else kernel.problem
        workload = Workload(engine, kernel, problem, device, 1)
        desk = Desk(engine, device, MemoryJournal(), SystemClock())
        program = workload.program(Variant(implementation, implementation.start))
        noise = timing.noise(desk, workload, program)
        floor = noise.floor if isinstance(noise, timing.Noise) else None
        for number in range(asked.runs):
            duel = timing.duel(desk, workload, program, program, PairedTest(), floor)
            verdict = duel.comparison.verdict.value if isinstance(duel, timing.Duel) else repr(duel)[:200]
            verdicts[verdict] += 1
            if verdict in ("FASTER", "SLOWER"):
                print(number, duel.comparison, flush=True)
    print(f"{device.name}, {shape or problem}, noise floor {floor}: {dict(verdicts)}")


if __name__ == "__main__":
    main()
