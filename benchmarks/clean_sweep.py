"""Checks thousands of correct kernels and counts false alarms: the other side of `hotloop verify_checker`.

    python benchmarks/clean_sweep.py OUT.jsonl [--count 2000] [--seed 1] [--minutes 10] [--share 0.7] [--full] [--jobs 1]

Each configuration is a random valid configuration of the OpenCL GEMM on a random problem (`--share` of them), or of one
of the catalogue's kernels or the examples. It goes through the quick check without awkward problems (two inputs of
different kinds, outputs poisoned, run twice), and every fourth one through the check of timed calls as well. One line per
configuration is appended to OUT at once; the same command continues where it was stopped. With `--jobs N` so many processes, each on
`--cores` processors, take every N-th configuration into files beside OUT, which then get into OUT in order. Exit code 1 for an alarm.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import stand

from hotloop import registry
from hotloop.app import session, userfile
from hotloop.app.run import checking, timing
from hotloop.app.run.inputs.workload import Workload
from hotloop.errors import HotloopError
from hotloop.kernels.gemm.opencl.rows import CPU, TABLES
from hotloop.kernels.gemm.opencl.space import NAIVE
from hotloop.model.check import CheckReport
from hotloop.model.kernel import Kernel, Variant
from hotloop.model.outcome import CompileFailed, Crashed, LaunchFailed, NotApplicable, TimedOut, describe
from hotloop.model.problem import Problem
from hotloop.model.space import Config, Space
from hotloop.model.subject import Subject

EXAMPLES = Path(__file__).parents[1] / "examples"
SPECIMENS = "hotloop.verify.catalogue.specimens"
PER_WORKER = 40
"""Configurations for which one worker process serves: it keeps what it compiled."""
LIMIT_S = 20
QUIET = ("n/a ", "died ")
FAMILIES = ("conv3d_depthwise", "reduction", "attention")
"""The project's own besides GEMM; each is drawn three times as often as a small specimen."""
SIZES = (1, 2, 3, 5, 7, 8, 13, 16, 17, 31, 32, 33, 48, 61, 64, 65, 96, 100, 127, 128, 131, 200, 257)


def gemm_problem(kernel: Kernel, rng: np.random.Generator) -> Problem:
    m, n, k = (int(rng.choice(SIZES)) for _ in range(3))
    if rng.random() < 0.15:
        k = int(rng.choice((300, 513, 1000, 2048)))
    changes: dict[str, int | float | str] = {
        "m": m,
        "n": n,
        "k": k,
        "op": str(rng.choice(("nn", "nt", "tn", "tt"))),
        "layout": str(rng.choice(("row", "row", "col"))),
        "dtype": str(rng.choice(("float32", "float32", "float32", "float64", "float16"))),
        "alpha": float(rng.choice((1.0, 1.0, -1.5, 0.0))),
        "beta": float(rng.choice((0.0, 0.0, 1.0, -0.5))),
        "epilogue": str(
            rng.choice(("none", "none", "none", "bias", "relu", "bias-relu", "gelu-erf", "bias-gelu-tanh", "silu"))
        ),
    }
    if rng.random() < 0.3:
        tall = max(m, n, k)
        changes |= {name: tall + int(rng.integers(0, 9)) for name in ("lda", "ldb", "ldc")}
        changes |= {name: int(rng.integers(0, 20)) for name in ("offset_a", "offset_b", "offset_c")}
    return kernel.problem.replace(**changes)


def walk(space: Space, start: Config, rng: np.random.Generator, steps: int) -> Config:
    """Return a valid configuration some random steps away from a valid one."""
    here = start
    for _ in range(steps):
        parameter = space.parameters[int(rng.integers(len(space.parameters)))]
        value = parameter.values[int(rng.integers(len(parameter.values)))]
        there = here.replace(**{parameter.name: value})
        here = there if space.violation(there) is None else here
    return here


def gemm_case(rng: np.random.Generator) -> tuple[Kernel, Variant, Problem]:
    kernel = userfile.find("gemm")
    name = str(rng.choice(("opencl", "opencl", "opencl", "opencl-pipelined", "opencl-scheduled")))
    implementation = kernel.implementation(name)
    starts = [implementation.start]
    if name == "opencl":
        starts = [NAIVE, CPU, *(row.config for rows in TABLES.values() for row in rows)]
    config = walk(implementation.space, starts[int(rng.integers(len(starts)))], rng, 25)
    return kernel, Variant(implementation, config), gemm_problem(kernel, rng)


def exact(config: Config) -> Config:
    """Return a configuration without the device's own exp: nobody promises its error, and Intel's on CPUs is 1e-4, which
    the check rightly refuses."""
    return config.replace(FAST=0) if "FAST" in config else config


def other_case(rng: np.random.Generator, kernels: list[Kernel]) -> tuple[Kernel, Variant, Problem]:
    kernel = kernels[int(rng.integers(len(kernels)))]
    implementation = kernel.implementation()
    variant = Variant(implementation, exact(walk(implementation.space, implementation.start, rng, 8)))
    problems = (kernel.problem, *kernel.awkward(kernel.problem))
    problem = problems[int(rng.integers(len(problems)))]
    if kernel.origin.startswith("catalogue"):
        sizes = {name: int(rng.integers(1, max(2, int(value) + 40))) for name, value in problem.sizes.items()}
        problem = problem.replace(**sizes) if rng.random() < 0.7 else problem
    return kernel, variant, problem


def others() -> list[Kernel]:
    specimens = [registry.load(SPECIMENS, name, "SPECIMEN") for name in registry.names(SPECIMENS)]
    kernels = [specimen.kernel for specimen in specimens if specimen.kernel and specimen.language == "opencl"]
    for name in ("blur", "softmax", "transpose"):
        kernel = userfile.load(EXAMPLES / f"{name}.py")
        small = kernel.awkward(kernel.problem)
        kernels.append(replace(kernel, problem=small[-1]))
    for name in FAMILIES:
        kernel = userfile.find(name)
        small = kernel.awkward(kernel.problem)
        kernels += [replace(kernel, problem=small[-1])] * 3
    return kernels


class Shelf:
    """Remembers the datasets of one workload, so that they can be freed."""

    def __init__(self, engine) -> None:
        self._engine = engine
        self.made = []

    def dataset(self, *arguments):
        self.made.append(self._engine.dataset(*arguments))
        return self.made[-1]


def examine(desk, kernel: Kernel, variant: Variant, problem: Problem, seed: int, level: str, *, timed: bool) -> str:
    """Return an empty text for a pass, ``n/a ...`` for what was not run, ``died ...`` for no answer, else the alarm."""
    sizes = dict.fromkeys(problem.sizes, "fixed")  # what others a configuration allows is not known here
    bare = replace(kernel, awkward=lambda _problem: (), domain={**kernel.domain, **sizes})
    shelf = Shelf(desk.engine)
    workload = Workload(shelf, bare, problem, desk.device, seed)
    made = replace(desk, seed=seed)
    try:
        verified = checking.check(made, workload, Subject.of(variant, problem, made.device), level)
        answer = verified.answer
        if isinstance(answer, CheckReport) and timed:
            measured = timing.measure(made, workload, workload.program(variant), 1)
            answer = answer if isinstance(measured, timing.Alone) else measured
    finally:
        for dataset in shelf.made:
            desk.engine.discard(dataset)
    if isinstance(answer, CheckReport):
        return ""
    refused = isinstance(answer, NotApplicable) or (isinstance(answer, LaunchFailed) and "OUT_OF" in answer.reason)
    died = isinstance(answer, TimedOut | Crashed | CompileFailed)
    return f"{'n/a ' if refused else 'died ' if died else ''}{describe(answer)}"


def main() -> int:
    parser = stand.parser(__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--count", type=int, default=2000, help="clean configurations that must have passed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=1e9)
    parser.add_argument("--share", type=float, default=0.7, help="share of GEMM")
    parser.add_argument(
        "--full", action="store_true", help="the full check of that problem: fences and the opposite order, too"
    )
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--cores", type=int, default=2, help="processors of each of several jobs")
    parser.add_argument(
        "--every", nargs=2, type=int, default=(0, 1), metavar=("K", "N"), help="the K-th of each N only"
    )
    asked = parser.parse_args()
    if asked.jobs > 1:
        several(asked)
    else:
        alone(asked)
    return told(read(asked.out))


def several(asked: argparse.Namespace) -> None:
    """Run the sweep in processes of its own, and gather what they wrote."""
    files = [asked.out.with_name(f"{asked.out.stem}.{job}-of-{asked.jobs}.jsonl") for job in range(asked.jobs)]
    options = [
        "--seed",
        asked.seed,
        "--minutes",
        asked.minutes,
        "--share",
        asked.share,
        *(["--full"] if asked.full else []),
    ]
    count = -(-asked.count // asked.jobs)
    commands = {
        file: [sys.executable, __file__, *map(str, (file, "--count", count, "--every", job, asked.jobs, *options))]
        for job, file in enumerate(files)
    }
    for file, ended in stand.side_by_side(commands, asked.jobs, asked.cores, 60 * asked.minutes + 600):
        print(f"{file.name}: {ended.stdout.strip()} {ended.stderr[-300:]} {ended.cpu_s:.0f} s of CPU", flush=True)
    rows = sorted((row for file in files for row in read(file)), key=lambda row: row["index"])
    asked.out.write_text("".join(json.dumps(row) + "\n" for row in rows))


def read(file: Path) -> list[dict]:
    return [json.loads(row) for row in file.read_text(encoding="utf-8").splitlines()] if file.exists() else []


def alarm(row: dict) -> bool:
    return bool(row["answer"]) and not row["answer"].startswith(QUIET)


def alone(asked: argparse.Namespace) -> None:
    """Run the sweep, or its share, in this process."""
    level = "full" if asked.full else "quick"
    first, step = asked.every
    rows = read(asked.out)
    until_s = time.monotonic() + 60 * asked.minutes
    kernels = others()
    passed = sum(row["answer"] == "" for row in rows)
    index = max((row["index"] for row in rows), default=first - step) + step
    with asked.out.open("a") as out:
        while passed < asked.count and time.monotonic() < until_s:
            with session.desk(session.Options(limit_s=LIMIT_S)) as desk:
                for index in range(index, index + PER_WORKER * step, step):  # noqa: B020 - goes on after the last one
                    rng = np.random.default_rng((asked.seed, index))
                    kernel, variant, problem = (
                        gemm_case(rng) if rng.random() < asked.share else other_case(rng, kernels)
                    )
                    seed = int(rng.integers(1, 1 << 20))
                    try:
                        timed = index // step % 4 == 0
                        answer = examine(desk, kernel, variant, problem, seed, level, timed=timed)
                    except HotloopError as error:
                        answer = f"error {error}"
                    row = {
                        "index": index,
                        "problem": problem.key,
                        "implementation": variant.implementation.name,
                        "config": dict(variant.config),
                        "seed": seed,
                        "answer": answer,
                    }
                    out.write(json.dumps(row) + "\n")
                    out.flush()
                    passed += answer == ""
                    if alarm(row):
                        print("ALARM", row, flush=True)
                    if passed >= asked.count or time.monotonic() > until_s:
                        break
            index += step


def told(rows: list[dict]) -> int:
    """Print what the rows say; return the exit code."""
    ruled_out, died = (sum(row["answer"].startswith(word) for row in rows) for word in QUIET)
    alarms = sum(map(alarm, rows))
    print(
        f"{sum(row['answer'] == '' for row in rows)} clean configurations pass, {alarms} false alarms; {ruled_out} ruled out by "
        f"device or problem, {died} neither right nor wrong: compiler or kernel took over {LIMIT_S} s, or failed"
    )
    return 1 if alarms else 0


if __name__ == "__main__":
    sys.exit(main())
