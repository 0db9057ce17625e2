"""What a quick look of the search takes inside the worker, and how much it scatters, by the length of its samples, in whole turns of the input sets or not.

    PYTHONPATH=src python benchmarks/gpu/look.py OUT.json --only conv,layernorm [--brief-ms 1,0.5] [--limit-s 40]

Incumbent and candidates are timed in this process, as the worker does it: each candidate once for each length, in turn. Told are the wall
time of the request, the part of it that is samples, what a profile says the rest is, and by how much the ratio of a program to itself
scatters (it is 1).
"""

from __future__ import annotations

import argparse
import cProfile
import json
import pstats
import random
import sys
import time
from contextlib import suppress
from pathlib import Path
from statistics import median, stdev

sys.path.insert(0, str(Path(__file__).parent))
from pace import CASES

from hotloop.app import userfile
from hotloop.app.run.attempt import QUICK_ROUNDS
from hotloop.app.run.inputs.workload import Workload
from hotloop.app.run.timing import HOPELESS
from hotloop.app.session import Options, open_engine, select_device
from hotloop.engine import rounds
from hotloop.engine.bench import Bench
from hotloop.errors import HotloopError
from hotloop.model.kernel import Variant
from hotloop.ports import BuildError, LaunchError, TimeRequest
from hotloop.search.strategy import named

PROFILED = 4
"""One candidate in so many is profiled, and its times do not count."""


def programs_of(implementation, workload, count):
    """Return the start's program and those of configurations drawn at random that apply."""
    made = named("random")(implementation.space, 7, start=(implementation.start,))
    made.tell(implementation.start, 1.0)
    drawn = [workload.program(Variant(implementation, implementation.start))]
    while len(drawn) <= count and (config := made.ask()) is not None:
        with suppress(ValueError):
            drawn.append(workload.program(Variant(implementation, config)))
        made.tell(config, 1.0)
    return drawn


def look(bench, programs, sets, kind, paces_ns):
    """Time one look; return its wall time in ms, the part of its samples, and the ratio of the best times."""
    brief_ns, whole = kind
    calls = rounds.even([brief_ns / pace for pace in paces_ns])
    calls = rounds.turned(calls, len(sets)) if whole else calls
    request = TimeRequest(
        programs=programs, datasets=sets, rounds=QUICK_ROUNDS + 1, target_sample_ns=brief_ns, calls=calls, hopeless=HOPELESS,
        warmup_ns=4e6, judged=(),
    )  # fmt: skip
    began = time.perf_counter()
    timed = rounds.run(bench, request)
    wall_ms = 1e3 * (time.perf_counter() - began)
    samples = [(index, sample) for each in timed.rounds for index, sample in each.samples]
    best = [min(s.device_ns / s.calls for i, s in samples if i == number) for number in (0, 1)]
    return {
        "wall_ms": wall_ms, "samples_ms": sum(s.wall_ns for _, s in samples) / 1e6, "device_ms": sum(s.device_ns for _, s in samples) / 1e6,
        "rounds": len(timed.rounds), "calls": calls, "ratio": best[1] / best[0], "best_ns": best,
    }  # fmt: skip


def paced(bench, program, dataset):
    """Return the time of a single call, as the verification of a candidate tells it, in ns."""
    bound = bench.bind(program, dataset)
    bound.enqueue()
    bound.finish()
    bound.enqueue()
    return bound.finish()


def looked(name, kinds, limit_s):
    """Look at candidates of one case until its time is over."""
    case = CASES.get(name, (name,))
    given = dict(zip(case[1::2], case[2::2], strict=True))
    kernel = userfile.find(case[0])
    problem, implementation = (
        userfile.problem_of(kernel, given.get("--shape", "")),
        kernel.implementation(given.get("--implementation")),
    )
    options = Options(witness=False).running(implementation)
    rows, profile, number, until_s = [], cProfile.Profile(), 0, time.monotonic() + limit_s
    with open_engine(options) as engine:
        device = select_device(engine, options)
        workload = Workload(engine, kernel, problem, device, 1)
        sets = workload.sets()
        bench = Bench(engine.arena, "")
        incumbent, *candidates = programs_of(implementation, workload, 400)
        own_ns = paced(bench, incumbent, sets[0])
        for candidate in candidates:
            if time.monotonic() > until_s:
                break
            try:
                bench.build(candidate)
                pace_ns = paced(bench, candidate, sets[0])
            except (BuildError, LaunchError, HotloopError):
                continue
            number += 1
            for kind in random.sample(kinds, len(kinds)):
                bench._loaded.pop(candidate.fingerprint, None)  # noqa: SLF001 - each length meets it as new
                if number % PROFILED == 0:
                    if kind == kinds[-1]:
                        profile.runcall(look, bench, (incumbent, candidate), sets, kind, (own_ns, pace_ns))
                    continue
                row = look(bench, (incumbent, candidate), sets, kind, (own_ns, pace_ns))
                again = look(bench, (incumbent, incumbent), sets, kind, (own_ns, own_ns))
                rows.append(
                    {"kind": kind, "label": candidate.fingerprint[:8], **row, "itself": again["ratio"], "itself_ms": again["wall_ms"]}
                )  # fmt: skip
    return rows, profile


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--only", default="conv")
    parser.add_argument("--brief-ms", default="1,0.5", help="lengths of samples that are compared")
    parser.add_argument("--limit-s", type=float, default=30.0, help="of each case, beside its start")
    given = parser.parse_args()
    briefs_ns, every = [1e6 * float(one) for one in given.brief_ms.split(",")], {}
    kinds = [(brief_ns, whole) for brief_ns in briefs_ns for whole in (False, True)]
    for name in given.only.split(","):
        rows, profile = looked(name, kinds, given.limit_s)
        every[name] = rows
        given.out.write_text(json.dumps(every))
        for kind in kinds:
            own = [row for row in rows if row["kind"] == kind]
            whole = [row for row in own if row["rounds"] > QUICK_ROUNDS]
            if len(whole) > 2:
                print(
                    f"{name}, samples of {kind[0] / 1e6} ms{', whole turns of the sets' * kind[1]}: {len(own)} looks, {len(whole)} of all rounds; "
                    f"request {median(r['wall_ms'] for r in whole):.1f} ms, samples {median(r['samples_ms'] for r in whole):.1f}, "
                    f"on the device {median(r['device_ms'] for r in whole):.1f}; itself {median(r['itself_ms'] for r in whole):.1f} ms, "
                    f"scatter of a ratio to itself {stdev(r['itself'] for r in own):.4f}",
                    flush=True,
                )
        pstats.Stats(profile).sort_stats("tottime").print_stats(22)


if __name__ == "__main__":
    main()
