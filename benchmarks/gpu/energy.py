"""What the energy counter of a device tells, and whether it is told right; at most 90 s on a GPU.

    PYTHONPATH=src python benchmarks/gpu/energy.py OUT.json                      # one NVIDIA GPU with nvidia-ml-py and Triton
    PYTHONPATH=src python benchmarks/gpu/energy.py OUT.json --kernel FILE.py@A=1 --other FILE.py@A=2 --shape '' --no-card

The counter: how long its steps are, and joules over seconds of an idle card beside the power that NVML shows. Then through the
command line: joules beside time in `bench`, two configurations in energy, a kernel against itself (must be SAME), and in what is left
of the time an `optimize --objective energy` with its front. Exit status 1 where a kernel is not SAME as itself.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path

from hotloop.engine import metered
from hotloop.host.meters import board, gpuclock

ROOT = Path(__file__).resolve().parents[2]
MATMUL = str(ROOT / "examples/matmul_triton.py")
SLOW = f"{MATMUL}@BM=32,BN=32"
LIMIT_S = 90.0
_IDLE_S = 2.0


def card() -> dict:
    """Return what the counter of the first GPU is like while nothing runs there."""
    import pynvml

    pynvml.nvmlInit()
    handle = pynvml.nvmlDeviceGetHandleByIndex(0)
    name = pynvml.nvmlDeviceGetName(handle)
    meter = board.meter(name if isinstance(name, str) else name.decode())
    if not isinstance(meter, board.Board):
        return {"absent": meter.reason}
    periods_s = [metered.period(meter) for _ in range(3)]
    before_j, began_s, shown_w = meter.joules(), time.perf_counter(), []
    while time.perf_counter() - began_s < _IDLE_S:
        shown_w.append(pynvml.nvmlDeviceGetPowerUsage(handle) / 1000)
        time.sleep(0.02)
    counted_w = (meter.joules() - before_j) / (time.perf_counter() - began_s)
    return {
        "source": meter.source,
        "state": gpuclock.state(name),
        "periods_s": periods_s,
        "idle_counted_w": counted_w,
        "idle_shown_w": sum(shown_w) / len(shown_w),
    }


def hotloop(left_s: float, *arguments: str) -> dict:
    """Run a command and return its answer, with how long it took."""
    began_s = time.perf_counter()
    command = [sys.executable, "-m", "hotloop", *arguments, "--json"]
    try:
        ended = subprocess.run(command, capture_output=True, text=True, timeout=max(1.0, left_s), check=False)
    except subprocess.TimeoutExpired:
        return {"command": arguments, "failed": f"not done within {left_s:.0f} s"}
    took = {"command": arguments, "took_s": time.perf_counter() - began_s, "rc": ended.returncode}
    try:
        return {**took, "answer": json.loads(ended.stdout)}
    except ValueError:
        return {**took, "failed": ended.stderr[-600:]}


def told(found: dict) -> str:
    """Return an answer in a line."""
    answer = found.get("answer")
    if answer is None:
        return found.get("failed", "")
    if "comparison" in answer:
        comparison = answer["comparison"]
        joules = [f"{one['value']:.4g} J [{one['low']:.4g}, {one['high']:.4g}]" for one in answer["joules"] if one]
        verdict = (
            f"{comparison['verdict']} {comparison['speedup']:.3f} [{comparison['low']:.3f}, {comparison['high']:.3f}]"
            if comparison
            else "none"
        )
        return f"{verdict} in {len(comparison['log_ratios']) if comparison else 0} rounds; {', '.join(joules)}"
    if "rows" in answer:
        return "; ".join(f"{row['call_ns']} ns {row['joules'] or answer['energy_absent']}" for row in answer["rows"])
    front = [f"{row['label']}: {row['time_ns']:.0f} ns {row['joules']['value']:.4g} J" for row in answer["front"]]
    return f"{answer['headline']['speedup']}; front: {'; '.join(front)}"


def main() -> int:
    """Measure, print a line for each answer, write all of them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--kernel", default=MATMUL)
    parser.add_argument("--other", default=SLOW)
    parser.add_argument("--shape", default="m=2048,n=2048,k=2048")
    parser.add_argument("--budget", default="25")
    parser.add_argument("--no-card", action="store_true", help="leave out the counter of the card itself")
    asked = parser.parse_args()
    began_s, shape = time.perf_counter(), ["--shape", asked.shape] if asked.shape else []
    measured: dict = {"card": {} if asked.no_card else card()}
    print("card", measured["card"], flush=True)
    runs = {
        "bench": ("bench", asked.kernel, asked.other, *shape),
        "energy": ("compare", asked.kernel, asked.other, "--objective", "energy", *shape),
        "same": ("compare", asked.kernel, asked.kernel, "--objective", "energy", *shape),
    }
    store, kernel = str(asked.out.with_suffix(".db")), asked.kernel.partition("@")[0]
    limits = ("--budget", asked.budget, "--store", store, "--no-peers")
    runs["optimize"] = ("optimize", kernel, "--objective", "energy", *limits, *shape)
    for name, arguments in runs.items():
        measured[name] = hotloop(LIMIT_S - (time.perf_counter() - began_s), *arguments)
        print(f"{name} ({measured[name].get('took_s', 0):.0f} s)", told(measured[name]), flush=True)
        asked.out.write_text(json.dumps(measured, indent=1), encoding="utf-8")
    comparison = measured["same"].get("answer", {}).get("comparison") or {}
    return 0 if comparison.get("verdict") == "SAME" else 1


if __name__ == "__main__":
    sys.exit(main())
