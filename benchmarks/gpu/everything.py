"""Every measurement of the GPU families in one run: the README's tables, dispatch, ladders, the loop, tests.

    OUT=FOLDER python benchmarks/gpu/everything.py                  # one GPU
    OUT=FOLDER python benchmarks/gpu/everything.py tables loop      # only these parts

`drawn` has shapes of public models and others drawn at random, a seed of its own each time (FRESH_SEED=N: that one, for `random`, too), as dispatch
runs them after one call, beside PyTorch, cuDNN's attention and a loop over experts. Each part is a process of its own with a wall-clock limit; what one prints and leaves under $OUT stays when a later one fails. Exit
status 1: a part failed or ran past its limit.
"""

from __future__ import annotations

import argparse
import os
import secrets
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
OUT = Path(os.environ.get("OUT", ROOT / "build" / "gpu"))
TAIL_LINES = 60


@dataclass(frozen=True)
class Part:
    """Commands of this interpreter that run at the same time, and the seconds that they may take."""

    limit_s: int
    commands: tuple[tuple[str, ...], ...]
    shared_cores: int = 0
    """Cores of a command, taken in turn, where all of them would start compilers for each core; 0: all."""
    at_once: int = 0
    """Commands that run at the same time; 0: all."""

    def run(self, name):
        """Run them, keep what each prints in a log, and return whether all ended well."""
        began = time.monotonic()
        logs = [OUT / f"{name}{number or ''}.log" for number in range(len(self.commands))]
        with ThreadPoolExecutor(self.at_once or len(logs)) as pool:
            codes = list(pool.map(self._one, self.commands, logs, range(len(logs))))
        for log in logs:
            print("\n".join(log.read_text(errors="replace").splitlines()[-TAIL_LINES:]))
        print(f"== {name}: exit status {', '.join(map(str, codes))}, {time.monotonic() - began:.0f} s", flush=True)
        return not any(codes)

    def _one(self, arguments, log, number):
        seed = os.environ["FRESH_SEED"]
        command = [sys.executable, *(part.format(out=OUT, seed=seed) for part in arguments)]
        if self.shared_cores:
            cores = sorted(os.sched_getaffinity(0))
            mine = [
                cores[(number * self.shared_cores + i) % len(cores)] for i in range(min(self.shared_cores, len(cores)))
            ]
            command = ["taskset", "-c", ",".join(map(str, mine)), *command]
        with (
            log.open("w") as sink,
            subprocess.Popen(command, cwd=ROOT, stdout=sink, stderr=sink, start_new_session=True) as process,
        ):
            try:
                return process.wait(self.limit_s)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)  # its workers, too: they would disturb the next part
                return f"none: past {self.limit_s} s"


def script(name, limit_s, *arguments):
    """Return a part that is one script of this folder."""
    return Part(limit_s, ((f"benchmarks/gpu/{name}.py", *arguments),))


PYTEST = (
    "-m",
    "pytest",
    "-o",
    "addopts=--import-mode=importlib",
    "-v",
    "-rs",
    "-p",
    "no:cacheprovider",
    "-p",
    "no:benchmark",
)
SPREAD = {"test_gemm_tensor_cores.py": 3, "test_attention_planned.py": 3, "test_narrow.py": 3, "test_drawn.py": 4}
"""Processes of a file whose tests compile for seconds each; each process has a desk of its own."""
TESTS = sorted(f"tests/device/{path.name}" for path in (ROOT / "tests" / "device").glob("test_*.py"))
TEST_CORES = 4
"""Cores of a file of tests: on 2026-11-29 twelve files with all 16 each had so many compilers at once that builds took more than their 60 s."""
TIMING = ("tests/device/test_cuda.py", "tests/device/test_triton.py")
"""Tests that look at times: nothing else may run then."""


def tested(test):
    """Return the command of a file of tests; each prints its result when it has it, so that a cut loses none."""
    processes = SPREAD.get(test.rpartition("/")[2])
    return (*PYTEST, *(("-n", str(processes), "--dist", "worksteal") if processes else ()), test)


def ladders(limit_s, *options):
    """Return a part that climbs all ladders; each compiles while another one has the card: they take turns on it."""
    more = ("--limit-s", str(limit_s - 15), *options)
    return Part(limit_s, tuple(("tests/device/ladder_card.py", "{out}", family, *more) for family in LADDERS))


LADDERS = ("reduction", "conv3d", "gemm", "attention")
MEASURED = "conv,attention,linear,fused,grouped,untuned,large"
"""Of `layers` what `ops.warm` measures; what is drawn is a part of its own."""
PARTS = {
    "drawn": script(
        "layers", 420, "{out}/drawn.jsonl", "--parts", "fresh,public,wide,batches,host", "--limit-s", "400"
    ),
    "reference": script("reference", 60, "{out}/reference.json", "--no-warm"),
    "models": script("models", 120, "{out}/models.json", "--limit-s", "90"),
    "random": script("random_calls", 450, "{out}/random.jsonl", "--limit-s", "420", "--seed", "{seed}"),
    "shared": Part(480, (("benchmarks/gpu/shared.py",),)),
    "layers": script("layers", 560, "{out}/layers.jsonl", "--parts", MEASURED, "--limit-s", "520"),
    "tables": script("tables", 580, "--limit-s", "520"),
    "int4": script("int4", 90, "{out}/gemm-int4.json", "--limit-s", "60"),
    "ladders": ladders(175, "--no-counters"),
    "loop": script("loop", 600, "--budget", "30"),
    "tests": Part(480, tuple(tested(test) for test in TESTS if test not in TIMING), TEST_CORES, at_once=4),
    "tests-timing": Part(90, ((*PYTEST, *TIMING),)),
    "ladder-counters": ladders(590),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", help=f"some of {', '.join(PARTS)}; default: all")
    given = parser.parse_args()
    unknown = set(given.parts) - set(PARTS)
    if unknown:
        parser.error(f"no part is named {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")
    OUT.mkdir(parents=True, exist_ok=True)
    os.environ.setdefault("FRESH_SEED", str(secrets.randbelow(10**9)))
    print("shapes are drawn by FRESH_SEED =", os.environ["FRESH_SEED"], flush=True)
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(ROOT / "src"), os.environ.get("PYTHONPATH")]))
    wrong = [name for name in given.parts or PARTS if not PARTS[name].run(name)]
    print(f"failed: {', '.join(wrong)}" if wrong else "every part ended well")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
