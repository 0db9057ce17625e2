"""Profiles of kernels with one fault each under Nsight Compute, and whether the rules about these faults fire on them.

    OUT=FOLDER python benchmarks/gpu/firing.py [NAME ...]     on a machine with an NVIDIA GPU and ncu

Each kernel of firing/kernels.py goes through ``hotloop profile``, so that counters, machine code and the stated work meet. $OUT gets
NAME.csv, ncu's raw page, and firing.json: findings with their shares. Exit code 1: a rule did not fire on the kernel made for it.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
OUT = Path(os.environ.get("OUT", "build/firing"))
EXPECTED = {
    "transpose": ("bank-conflicts",),
    "shared": ("lds-bound",),
    "convert": ("conversion-overhead",),
    "gather": ("occupancy-limited",),
    "tail": ("tail-effect",),
    "older": ("wrong-path-matrix",),
    "longer": ("instruction-cache",),
    "masked": ("flop-convention",),
}
"""Rules that each kernel is made for."""
COUNTED = {
    "convert": (
        "gpu__time_duration.sum", "sm__cycles_elapsed.avg", "sm__cycles_elapsed.max", "sm__cycles_active.avg", "smsp__inst_executed.sum",
        "smsp__thread_inst_executed_per_inst_executed.ratio", "smsp__issue_active.avg.pct_of_peak_sustained_active",
        "sm__pipe_fma_cycles_active.avg.pct_of_peak_sustained_elapsed", "sm__pipe_alu_cycles_active.avg.pct_of_peak_sustained_elapsed",
        "sm__pipe_fp64_cycles_active.avg.pct_of_peak_sustained_elapsed", "sm__inst_executed_pipe_xu.avg.pct_of_peak_sustained_active",
        "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum.per_cycle_elapsed",
        "smsp__sass_thread_inst_executed_op_hfma_pred_on.sum.per_cycle_elapsed",
        "smsp__sass_thread_inst_executed_op_dfma_pred_on.sum.per_cycle_elapsed",
        "smsp__sass_thread_inst_executed_op_conversion_pred_on.sum",
    ),
}  # fmt: skip
"""Metrics that ncu's full set lacks, with those that they are set against: only these are collected for the kernel."""
LIMIT_S = 120


def profiled(name: str) -> dict[str, object]:
    """Profile one kernel; return its findings, or why there are none."""
    folder = OUT / "work" / name
    command = [sys.executable, "-m", "hotloop", "profile", f"{HERE / 'firing' / 'kernels.py'}:{name}", "--tool", "ncu"]
    command += ["--launches", "1", "--out", str(folder), "--json"]
    command += ["--counters", ",".join(COUNTED[name])] if name in COUNTED else []
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=LIMIT_S)
    for page in sorted(folder.glob("*.csv")):
        shutil.copy(page, OUT / f"{name}.csv")
    try:
        answer = json.loads(done.stdout)
    except ValueError:
        return {"failed": (done.stderr or done.stdout)[-800:]}
    findings = answer.get("findings") or answer.get("explanation", {}).get("findings", [])
    return {"findings": [[finding["rule"], finding["share"]] for finding in findings], "code": done.returncode}


def main() -> int:
    """Profile all, or those that are named."""
    OUT.mkdir(parents=True, exist_ok=True)
    answers, missing = {}, []
    for name in sys.argv[1:] or EXPECTED:
        try:
            answers[name] = profiled(name)
        except subprocess.TimeoutExpired:
            answers[name] = {"failed": f"no answer within {LIMIT_S} s"}
        fired = {rule for rule, _ in answers[name].get("findings", [])}
        missing += [f"{rule} on {name}" for rule in EXPECTED[name] if rule not in fired]
        print(name, json.dumps(answers[name]), flush=True)
        (OUT / "firing.json").write_text(json.dumps(answers, indent=1) + "\n")
    shutil.rmtree(OUT / "work", ignore_errors=True)
    print("did not fire: " + "; ".join(missing) if missing else "all fired")
    return int(bool(missing))


if __name__ == "__main__":
    sys.exit(main())
