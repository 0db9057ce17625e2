"""hotloop's own CPU time: start-up, import, and per configuration that a search evaluates.

    python benchmarks/overhead.py                 # prints a table; --json FILE keeps the raw numbers

Start-up and import are CPU times of fresh processes, the median of several. The search runs `tune` in this process on
the GEMM at 64x64x64, where kernels take microseconds, and counts this process's CPU time in the search only, without start-up: candidates are built and
run in a worker, whose CPU time is the kernels' and the compiler's. Verification happens here and counts; how much of the time is
reading results and comparing them with references, which grows with the problem, is said besides.
"""

from __future__ import annotations

import cProfile
import pstats
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

import stand

PROBES = {
    "hotloop --help": [sys.executable, "-m", "hotloop", "--help"],
    "import hotloop": [sys.executable, "-c", "import hotloop"],
    "python alone": [sys.executable, "-c", "pass"],
}


class Timer:
    """Calls a function and adds up the CPU time that it takes while a search runs."""

    on = False

    def __init__(self, function):
        self._function = function
        self.inside_s = 0.0

    def __call__(self, *arguments, **named):
        began_s = time.process_time()
        try:
            return self._function(*arguments, **named)
        finally:
            self.inside_s += time.process_time() - began_s if Timer.on else 0.0


def search(budget_s, size, profile):
    """Tune in this process; return evaluated configurations, CPU seconds of this process, and of judging in them."""
    from hotloop.app import userfile
    from hotloop.app.run import checking, climb, polish
    from hotloop.app.run.inputs import prepared
    from hotloop.app.run.plan import Plan
    from hotloop.app.session import Options
    from hotloop.engine import layout

    kernel = userfile.find("gemm")
    problem = userfile.problem_of(kernel, f"{size}x{size}x{size}")
    with tempfile.TemporaryDirectory() as folder:
        options = Options(store=str(Path(folder) / "store.sqlite"))
        plan = Plan(budget_s=budget_s, techniques=False, peers=False, strategies=("local", "surrogate"))
        request = climb.Request(kind="tune", kernel=kernel, spec="gemm", problem=problem, plan=plan, options=options)
        profiler = cProfile.Profile(time.process_time)
        spent_s = 0.0
        plain = polish.search

        def counted(*arguments, **named):
            nonlocal spent_s
            began_s, Timer.on = time.process_time(), True
            if profile:
                profiler.enable()
            result = plain(*arguments, **named)
            if profile:
                profiler.disable()
            spent_s += time.process_time() - began_s
            Timer.on = False
            return result

        # Verification is counted apart. It is replaced for that, which the check of what judges would notice.
        judging, reading = Timer(prepared.judge), Timer(layout.read)
        prepared.judge, layout.read = judging, reading
        checking.replaced = lambda _, asked=checking.replaced: asked()
        polish.search = counted
        made = climb.run(request)
    if profile:
        pstats.Stats(profiler).sort_stats("cumulative").print_stats("hotloop", 75)
    return made.search.evaluated, spent_s, judging.inside_s + reading.inside_s


def main():
    parser = stand.parser(__doc__)
    parser.add_argument("--budget", type=float, default=60.0)
    parser.add_argument("--size", type=int, default=64)
    parser.add_argument("--repeat", type=int, default=15)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--profile", action="store_true")
    given = parser.parse_args()
    figures = {
        name: median(stand.cpu_s(command) for _ in range(given.repeat)) * 1e3 for name, command in PROBES.items()
    }
    for name, value in figures.items():
        print(f"{name:<16} {value:7.1f} ms CPU (median of {given.repeat})")
    evaluated, spent_s, judging_s = search(given.budget, given.size, given.profile)
    figures |= {
        "evaluated": evaluated,
        "search_cpu_s": spent_s,
        "ms_per_configuration": spent_s / evaluated * 1e3,
        "verification_ms_per_configuration": judging_s / evaluated * 1e3,
    }
    print(
        f"search           {figures['ms_per_configuration']:7.2f} ms CPU per configuration, of it "
        f"{figures['verification_ms_per_configuration']:.2f} ms reading results and comparing them with references "
        f"({evaluated} evaluated, {spent_s:.2f} s)"
    )
    stand.keep(given.json, figures | {"conditions": stand.conditions()})


if __name__ == "__main__":
    main()
