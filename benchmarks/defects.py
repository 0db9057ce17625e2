"""Defects of `explain` and `isa` that are mended: each scenario on this code and on an older tree, with what either says.

    git worktree add /tmp/before COMMIT
    python benchmarks/defects.py --before /tmp/before > docs/profiles/defects.md

A scenario is a command and a condition on its answer; it holds now, and did not before where the table says so. Texts come from the
tests named beside them, recordings lie beside the repository (see `benchmarks/verdicts.py`); what needs either is left out without it.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import stand

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "golden"))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "loop"))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "unit" / "app" / "explain"))

from test_derived import PAGE
from test_offline_files import HALVES, TUTORIAL
from test_offline_programs import COMMON, PROGRAM
from test_offline_verdicts import BODIES, ROWS
from test_published import PUBLISHED
from test_verdicts_amd import SAMPLES

ROOT = Path(__file__).resolve().parents[1]
HELD = "held-in/rocprofiler-compute"
LIMIT_S = 200
NAMED = re.sub(r"\b(x|y|w|loss|chosen)\b", r"\1_ptr", ROWS)
"""With names that older code took for pointers, so that it gets as far as its verdict."""


@dataclass(frozen=True)
class Scenario:
    """One defect."""

    number: int
    """In the list of defects that were seen."""
    what: str
    held_by: str
    """Test that holds it now."""
    command: tuple[str, ...]
    """Verb and inputs: of `explain` within the recordings unless a text is given."""
    holds: Callable[[dict[str, Any]], bool]
    text: str = ""
    """Content of the file that the command names; PUBLISHED's name where that is one."""
    file: str = ""


def fact(answer: dict[str, Any], name: str) -> str:
    """Return a fact as it is printed, empty where it is absent."""
    return next((row["value"] for row in answer.get("facts", []) if row["name"] == name), "")


def first(answer: dict[str, Any]) -> str:
    """Return the first finding's rule."""
    kernel = answer if "kernels" not in answer or answer.get("findings") else (answer["kernels"] or [{}])[0]
    return next((finding["rule"] for finding in kernel.get("findings", [])), "undecided")


def device(answer: dict[str, Any]) -> str:
    return str(answer.get("subject", {}).get("device", "")).partition(";")[0]


def listed(answer: dict[str, Any]) -> str:
    """Return all that a report of code says, for words that must or must not stand in it."""
    return json.dumps(answer, ensure_ascii=False)


def clock(answer: dict[str, Any]) -> float:
    """Return the clock in GHz, 0 where none is told."""
    amount, _, unit = fact(answer, "gpu.clock_hz").partition(" ")
    return float(amount or 0) * {"GHz": 1.0, "MHz": 1e-3}.get(unit, 0.0)


VERDICTS = "golden/test_verdicts_amd.py"
FILES = "loop/test_offline_files.py"
SCENARIOS = (
    Scenario(1, "a clock above the device's 2.1 GHz", VERDICTS, ("explain", f"{HELD}/kernel/MI300X_A1"), lambda a: 0 < clock(a) <= 2.1),
    Scenario(1, "0.336 waves on a SIMD that holds six", VERDICTS, ("explain", f"{HELD}/no_roof/MI300X_A1"),
             lambda a: 6 < float(fact(a, "gpu.occupancy_waves").split()[0]) < 7),
    Scenario(1, "'tail effect, high' from counters of the texture path", VERDICTS, ("explain", f"{HELD}/ipblocks_TD/MI300A_A1"),
             lambda a: first(a) == "undecided"),
    Scenario(2, "agent_info says gfx950", VERDICTS,
             ("explain", "held-in/gfx950-agent/agent_info.csv", "held-in/rocprofv3-docs/counter_collection.csv"),
             lambda a: "MI350X" in device(a)),
    Scenario(2, "MI100 counters beside their sysinfo", VERDICTS, ("explain", f"{HELD}/kernel/MI100/pmc_perf.csv"),
             lambda a: device(a).startswith("MI100")),
    Scenario(2, "an MI350 file alone beside its sysinfo", VERDICTS, ("explain", f"{HELD}/no_roof/MI350/pmc_perf_3.csv"),
             lambda a: device(a).startswith("MI350")),
    Scenario(3, "decimal time stamps: 18.52 µs; 16 MiB are no full memory", VERDICTS, ("explain", f"{HELD}/no_roof/MI350"),
             lambda a: fact(a, "gpu.duration_ns") == "18.5 µs" and first(a) != "hbm-bound"),
    Scenario(4, "430 ms and 0.6 ms are not one kernel of 216 ms", VERDICTS, ("explain", "held-in/hpc/openmp-MI300A"),
             lambda a: fact(a, "gpu.duration_ns") == "629 µs" and first(a) == "first-launch"),
    Scenario(5, "bytes that need not move are the finding", VERDICTS, ("explain", "held-in/hpc/laplacian-kernel2"),
             lambda a: first(a) == "l2-thrash"),
    Scenario(5, "one of four like kernels is not 'dominated'", VERDICTS,
             ("explain", "held-in/gfx950-agent/agent_info.csv", "held-in/rocprofv3-docs/counter_collection.csv"),
             lambda a: first(a) != "foreign-kernel"),
    Scenario(6, "ncu's default text page", "golden/test_published.py", ("explain", "page.txt"), lambda a: first(a) == "l1-bound", "SGEMM 1024³"),
    Scenario(6, "perf stat --topdown", "golden/test_published.py", ("explain", "page.txt"), lambda a: first(a) == "backend-bound",
             "chain of divisions"),
    Scenario(6, "perf's numbers as a Swiss locale writes them", "unit/profilers/formats/test_perf.py", ("explain", "page.txt"),
             lambda a: "instructions_per_cycle 0.771" in a.get("verdict", ""), "matrix product of a C++ course"),
    Scenario(7, "PC samples bring a finding", VERDICTS, ("explain", "rocprof-compute-viewer-pcsampling"), lambda a: first(a) == "barrier-stalls"),
    Scenario(7, "stochastic samples bring a finding", VERDICTS, ("explain", "rocprofiler-sdk-docs/pc_sampling_stochastic_debug.csv"),
             lambda a: first(a) == "exposed-global-latency"),
    Scenario(8, "an n-body kernel is bound by the vector unit", "loop/test_offline_verdicts.py",
             ("isa", "bodies.hip", "--target", "gfx942"), lambda a: first(a) == "static-unit-bound", BODIES, "bodies.hip"),
    Scenario(8, "an RMS norm is bound by memory, not by s_nop", "loop/test_offline_verdicts.py",
             ("isa", "rows.py:rms_norm", "--target", "gfx942"), lambda a: first(a) in {"static-memory-bound", "static-exposed-loads"},
             NAMED, "rows.py"),
    Scenario(8, "a cross entropy is no matrix product", "loop/test_offline_verdicts.py",
             ("isa", "rows.py:cross_entropy", "--target", "gfx942"), lambda a: first(a) not in {"static-matrix-unused", "undecided"}, NAMED,
             "rows.py"),
    Scenario(9, "32 waves on gfx942 are the code's fault, not an option's that nobody gave", "loop/test_offline_verdicts.py",
             ("isa", "rows.py:rms_norm", "--target", "gfx942"),
             lambda a: "compiled for groups of 2048" in listed(a) and "--workgroup 2048" not in listed(a),
             NAMED.replace("num_warps=8", "num_warps=32"), "rows.py"),
    Scenario(10, "70 % of the memory without a finding says what would decide", "unit/app/explain/test_derived.py", ("explain", "page.txt"),
             lambda a: "would decide where the other 30 % go" in a.get("verdict", ""), PAGE.format(70)),
    Scenario(11, "float16 inputs with divisible strides are loaded 16 bytes at once, as in a launch on sm_90", FILES, ("isa", "halves.py", "--target", "sm_90"),
             lambda a: first(a) != "undecided" and not first(a).startswith("static-narrow"), HALVES, "halves.py"),
    Scenario(12, "a tutorial that asks PyTorch and a driver at import", FILES, ("isa", "tutorial.py:double", "--target", "gfx942", "-P", "SHARED=65536", "-P", "BLOCK=1024"),
             lambda a: '"findings"' in listed(a), TUTORIAL, "tutorial.py"),
    Scenario(12, "a HIP program whose header comes through another one", "loop/test_offline_programs.py",
             ("isa", "twice.hip", "--target", "gfx942"), lambda a: '"findings"' in listed(a), PROGRAM, "twice.hip"),
)  # fmt: skip


def asked(scenario: Scenario, tree: Path) -> tuple[bool, str]:
    """Ask a tree; return whether the condition holds, and what it said in a few words."""
    with TemporaryDirectory() as folder:
        if scenario.text:
            name = scenario.file or "page.txt"
            (Path(folder) / name).write_text(
                PUBLISHED[scenario.text][0] if scenario.text in PUBLISHED else scenario.text
            )
            (Path(folder) / "common.hpp").write_text(COMMON)
        verb, *inputs = scenario.command
        given = inputs if scenario.text else [str(SAMPLES / name) for name in inputs]
        done = subprocess.run(
            [sys.executable, "-m", "hotloop", verb, *given, "--json"], cwd=folder, capture_output=True, text=True, check=False,
            timeout=LIMIT_S, env={**os.environ, "PYTHONPATH": str(tree / "src")},
        )  # fmt: skip
    try:
        answer = json.loads(done.stdout)
    except ValueError:
        return False, f"refused: {' '.join(done.stderr.split())[:110]}"
    answer = answer[0] if isinstance(answer, list) else answer
    words = [
        first(answer),
        device(answer),
        *(filter(None, (fact(answer, name) for name in ("gpu.clock_hz", "gpu.duration_ns")))),
    ]
    try:
        return scenario.holds(answer), ", ".join(filter(None, words))
    except (IndexError, ValueError):
        return False, ", ".join(filter(None, words))


def main() -> int:
    """Print the table; 1 where a scenario does not hold now."""
    parser = stand.parser(__doc__)
    parser.add_argument("--before", type=Path, required=True, help="an older tree of the project")
    given = parser.parse_args()
    was = subprocess.run(
        ["git", "log", "-1", "--format=%h of %cs"], cwd=given.before, capture_output=True, text=True, check=False
    )
    print("<!-- written by benchmarks/defects.py; do not edit -->\n# Mended defects, before and now\n")
    print(
        f"Each row: what must hold, what commit {was.stdout.strip()} answered, and what the code answers now. `tests/` holds each.\n"
    )
    print("| defect | what must hold | before | now | test |\n|---|---|---|---|---|")
    fails = 0
    for scenario in SCENARIOS:
        if not scenario.text and not SAMPLES.is_dir():
            continue
        (held, before), (holds, now) = asked(scenario, given.before), asked(scenario, ROOT)
        fails += not holds
        marks = ["" if held else "**no**: ", "" if holds else "**no**: "]
        print(
            f"| {scenario.number} | {scenario.what} | {marks[0]}{before.replace('|', '/')} | {marks[1]}{now.replace('|', '/')} | {scenario.held_by} |",
            flush=True,
        )
    return int(bool(fails))


if __name__ == "__main__":
    sys.exit(main())
