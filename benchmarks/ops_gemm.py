"""`hotloop.ops.gemm` against NumPy's BLAS, end to end: NumPy arrays in, a new NumPy array out, float32.

python benchmarks/ops_gemm.py                          # 256 512 1024 2048 on the default device
python benchmarks/ops_gemm.py --sizes 1024 --rounds 20 --device pocl --json ops.json
python benchmarks/ops_gemm.py --sizes 4096x1x4096 1x4096x4096     # m, n and k: matrix times vector, and the other way round

Both run in this process, in alternating rounds of a few calls. The other's idle threads are given time to fall asleep
first (OpenBLAS's spin for 30 to 110 ms and would take a core from OpenCL's), then one call goes untimed. Best of all
calls and median of the rounds' medians are compared; CPU time over wall time of hotloop's calls tells whether the
machine was ours: two cores at work give 2, less means that something else ran.
"""

from __future__ import annotations

import argparse
import math
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import stand

SETTLE_S = 0.25
"""Longer than OpenBLAS's threads spin after a call: 30 ms on one machine, 110 ms on another."""
ROUND_S = 0.15
"""About the time of one contender's calls in a round."""


def main() -> int:
    """Measure and print; the exit code is 1 when a size misses the wanted ratio."""
    parser = stand.parser(__doc__)
    parser.add_argument("--sizes", type=shape, nargs="+", default=[(n, n, n) for n in (256, 512, 1024, 2048)])
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
        f"{'m x n x k':>14}  {'hotloop best/median':>20}  {'BLAS best/median':>18}  {'ratio best/median':>18}  {'CPU/wall':>8}  from"
    )
    rows = [measure(sizes, options.rounds, options.device) for sizes in options.sizes]
    print(f"\nGFLOP/s; load afterwards {os.getloadavg()[0]:.2f}")
    conditions = stand.conditions(device=choice.device.key, driver=choice.device.driver, core=core)
    stand.keep(options.json, {"conditions": conditions, "rows": rows})
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


def shape(text: str) -> tuple[int, int, int]:
    """Return m, n and k of a square's side, or of three sides with an x between."""
    sides = tuple(map(int, text.split("x")))
    if len(sides) not in (1, 3):
        raise argparse.ArgumentTypeError(f"{text} is neither a size nor m x n x k")
    return (sides[0], sides[1], sides[2]) if len(sides) == 3 else (sides[0], sides[0], sides[0])


def measure(sizes: tuple[int, int, int], rounds: int, device: str) -> dict[str, Any]:
    """Compare on one shape, print a line, return raw times in ns and ratios."""
    import numpy as np

    from hotloop import ops

    m, n, k = sizes
    rng = np.random.default_rng(n)
    a, b = (rng.standard_normal(sides, dtype=np.float32) for sides in ((m, k), (k, n)))
    contenders: dict[str, Callable[[], object]] = {
        "hotloop": lambda: ops.gemm(a, b, device=device),
        "blas": lambda: np.matmul(a, b),
    }
    error = np.abs(ops.gemm(a, b, device=device) - a.astype(np.float64) @ b).max()
    assert error < 1e-5 * k, f"wrong result, error {error}"
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
    return line(sizes, times, cpu_ns / wall_ns, ops.explain_choice("gemm", m=m, n=n, k=k, device=device).origin)


def calls(call: Callable[[], object]) -> list[int]:
    """Return wall times of some calls in ns."""
    times: list[int] = []
    while sum(times) < ROUND_S * 1e9 or len(times) < 3:
        start = time.perf_counter_ns()
        call()
        times.append(time.perf_counter_ns() - start)
    return times


def line(sizes: tuple[int, int, int], times: dict[str, list[list[int]]], cores: float, origin: str) -> dict[str, Any]:
    """Print one shape and return its record."""
    flops, name = 2 * math.prod(sizes), "x".join(map(str, sizes))
    best = {name: min(map(min, rounds)) for name, rounds in times.items()}
    middle = {name: median(map(median, rounds)) for name, rounds in times.items()}
    speed = {who: f"{flops / best[who]:.0f} / {flops / middle[who]:.0f}" for who in times}
    ratios = best["blas"] / best["hotloop"], middle["blas"] / middle["hotloop"]
    shown = f"{ratios[0]:.2f} / {ratios[1]:.2f}"
    print(f"{name:>14}  {speed['hotloop']:>20}  {speed['blas']:>18}  {shown:>18}  {cores:8.2f}  {origin}", flush=True)
    return {
        "m": sizes[0],
        "n": sizes[1],
        "k": sizes[2],
        "ratio_best": ratios[0],
        "ratio_median": ratios[1],
        "cpu_per_wall": cores,
        "times_ns": times,
    }


if __name__ == "__main__":
    sys.exit(main())
