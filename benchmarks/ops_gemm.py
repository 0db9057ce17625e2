"""`hotloop.ops.gemm` against NumPy's BLAS, end to end: NumPy arrays in, a new NumPy array out, float32.

python benchmarks/ops_gemm.py                          # 256 512 1024 2048 on the default device
python benchmarks/ops_gemm.py --sizes 1024 --rounds 20 --device pocl --json ops.json

Both run in this process, in alternating rounds of a few calls. The other's idle threads are given time to fall asleep
first (OpenBLAS's spin for 30 to 110 ms and would take a core from OpenCL's), then one call goes untimed. Best of all
calls and median of the rounds' medians are compared; CPU time over wall time of hotloop's calls tells whether the
machine was ours: two cores at work give 2, less means that something else ran.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

SETTLE_S = 0.25
"""Longer than OpenBLAS's threads spin after a call: 30 ms on one machine, 110 ms on another."""
ROUND_S = 0.15
"""About the time of one contender's calls in a round."""


def main() -> int:
    """Measure and print; the exit code is 1 when a size misses the wanted ratio."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[256, 512, 1024, 2048])
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--device", default="")
    parser.add_argument("--json", type=Path, help="also write raw times and conditions to this file")
    parser.add_argument("--want", type=float, default=0.0, help="fail when a best ratio is below this")
    options = parser.parse_args()
    core = with_fitting_blas()

    from hotloop import ops

    choice = ops.explain_choice("gemm", m=1024, n=1024, k=1024, device=options.device)
    print(f"device    {choice.device.name}, {choice.device.runtime}, {choice.device.target}")
    print(f"BLAS      NumPy's, core type {core}, {os.environ['OPENBLAS_NUM_THREADS']} threads")
    print(f"load      {os.getloadavg()[0]:.2f}\n")
    print(
        f"{'n':>5}  {'hotloop best/median':>20}  {'BLAS best/median':>18}  {'ratio best/median':>18}  {'CPU/wall':>8}  from"
    )
    rows = [measure(n, options.rounds, options.device) for n in options.sizes]
    print(f"\nGFLOP/s; load afterwards {os.getloadavg()[0]:.2f}")
    if options.json:
        conditions = {"device": choice.device.key, "driver": choice.device.driver, "core": core, "argv": sys.argv[1:]}
        options.json.write_text(json.dumps({"conditions": conditions, "rows": rows}, indent=1) + "\n")
    return int(any(row["ratio_best"] < options.want for row in rows))


def with_fitting_blas() -> str:
    """Start this script again with the BLAS kernels that fit the processor, since they are chosen at load time."""
    from hotloop.devices.blas import coretype
    from hotloop.devices.detect import detect
    from hotloop.host.settings import BLAS_THREADS, usable_cores

    processor = detect()
    wanted = {BLAS_THREADS.name: str(usable_cores())}
    if name := coretype(processor.flags, processor.machine).name:
        wanted["OPENBLAS_CORETYPE"] = name
    missing = {key: value for key, value in wanted.items() if os.environ.get(key) != value}
    if missing:
        os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, **missing})
    return os.environ.get("OPENBLAS_CORETYPE", "as OpenBLAS chooses")


def measure(n: int, rounds: int, device: str) -> dict[str, Any]:
    """Compare at one square size, print a line, return raw times in ns and ratios."""
    import numpy as np

    from hotloop import ops

    rng = np.random.default_rng(n)
    a, b = (rng.standard_normal((n, n), dtype=np.float32) for _ in range(2))
    contenders: dict[str, Callable[[], object]] = {
        "hotloop": lambda: ops.gemm(a, b, device=device),
        "blas": lambda: np.matmul(a, b),
    }
    error = np.abs(ops.gemm(a, b, device=device) - a.astype(np.float64) @ b).max()
    assert error < 1e-5 * n, f"wrong result, error {error}"
    times: dict[str, list[list[int]]] = {name: [] for name in contenders}
    cpu_ns = wall_ns = 0
    for index in range(rounds + 1):
        for name in contenders if index % 2 else reversed(contenders):
            time.sleep(SETTLE_S)
            contenders[name]()
            before = time.process_time_ns()
            sample = calls(contenders[name])
            if index:  # the first round warms up
                times[name].append(sample)
                cpu_ns += time.process_time_ns() - before if name == "hotloop" else 0
                wall_ns += sum(sample) if name == "hotloop" else 0
    return line(n, times, cpu_ns / wall_ns, ops.explain_choice("gemm", m=n, n=n, k=n, device=device).origin)


def calls(call: Callable[[], object]) -> list[int]:
    """Return wall times of some calls in ns."""
    times: list[int] = []
    while sum(times) < ROUND_S * 1e9 or len(times) < 3:
        start = time.perf_counter_ns()
        call()
        times.append(time.perf_counter_ns() - start)
    return times


def line(n: int, times: dict[str, list[list[int]]], cores: float, origin: str) -> dict[str, Any]:
    """Print one size and return its record."""
    best = {name: min(map(min, rounds)) for name, rounds in times.items()}
    middle = {name: median(map(median, rounds)) for name, rounds in times.items()}
    speed = {name: f"{2 * n**3 / best[name]:.0f} / {2 * n**3 / middle[name]:.0f}" for name in times}
    ratios = best["blas"] / best["hotloop"], middle["blas"] / middle["hotloop"]
    shown = f"{ratios[0]:.2f} / {ratios[1]:.2f}"
    print(f"{n:5}  {speed['hotloop']:>20}  {speed['blas']:>18}  {shown:>18}  {cores:8.2f}  {origin}", flush=True)
    return {"n": n, "ratio_best": ratios[0], "ratio_median": ratios[1], "cpu_per_wall": cores, "times_ns": times}


if __name__ == "__main__":
    sys.exit(main())
