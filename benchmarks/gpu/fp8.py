"""Products of 8-bit floats against PyTorch's `_scaled_mm` and against cuBLAS in bfloat16, on a Hopper GPU.

    PYTHONPATH=src python benchmarks/gpu/fp8.py OUT.json [--rounds 8] [--limit-s 40]

Both ways of adding: `exact` adds blocks of k in float32, as `_scaled_mm` does with ``use_fast_accum=False``; `fast` lets the matrix
instruction add, as ``use_fast_accum=True`` does. Every output is judged against float64 of what the operands mean: before the
timed rounds on fresh inputs with a poisoned output, twice, and after them on what the timed graph wrote. Rounds are
interleaved (ABBA, CUDA graphs of back-to-back calls, inputs rotated beyond the second-level cache). `gelu` rows have bias and
exact GELU: fused here, after the product in PyTorch.
"""

# ruff: noqa: SLF001 - PyTorch names the operator so
from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from statistics import median

import torch
import triton
from gemm import DEVICE, L2_BYTES, geometric, graphed, pairs

from hotloop.dispatch import launch
from hotloop.drivers.torch import gpus
from hotloop.kernels.gemm_fp8.problem import DEFAULT
from hotloop.kernels.gemm_fp8.rule import variant

SHAPES = [
    (1, 8192, 8192), (16, 4096, 4096), (64, 8192, 8192), (256, 14336, 4096), (2048, 2048, 2048), (4096, 4096, 4096),
    (8192, 8192, 8192),
]  # fmt: skip
GELU_SHAPES = [(256, 14336, 4096), (4096, 4096, 4096)]
JOBS = [(shape, False) for shape in SHAPES] + [(shape, True) for shape in GELU_SHAPES]
WAYS = ("exact", "fast")
SLACK = {"exact": 2.0**-9, "fast": 2.0**-5}
"""Largest error of a sum over the root of the sum of its squared terms: the instruction keeps about 14 bits."""


def draw(shape, count):
    """Return input sets (a, w, scale of a, scale of w, bias, c)."""
    m, n, k = shape
    return [
        (
            torch.randn((m, k), device=DEVICE).to(torch.float8_e4m3fn),
            torch.randn((n, k), device=DEVICE).to(torch.float8_e4m3fn),
            torch.rand((), device=DEVICE) + 0.5,
            torch.rand((), device=DEVICE) + 0.5,
            torch.randn((n,), device=DEVICE).bfloat16(),
            torch.empty((m, n), device=DEVICE, dtype=torch.bfloat16),
        )
        for _ in range(count)
    ]


def problem(shape, way, gelu):
    """Return what is computed, in the family's words."""
    sizes = dict(zip("mnk", shape, strict=True))
    return DEFAULT.replace(**sizes, epilogue="bias-gelu-erf" if gelu else "none", fast_accum=way == "fast")


def ours(shape, way, gelu, one):
    """Return a call of the kernel that the family's rule gives."""
    device, asked = gpus("triton", "Triton")[0], problem(shape, way, gelu)
    arrays = dict(zip(("a", "w", "scale_a", "scale_b", "bias", "c"), one, strict=True))
    return partial(launch.prepared(variant(asked, device).program(asked, device), device, arrays), arrays)


def scaled(way, gelu, one):
    """Return a call of PyTorch's product."""
    a, w, scale_a, scale_b, bias, _ = one
    product = partial(
        torch._scaled_mm, a, w.t(), scale_a=scale_a, scale_b=scale_b, bias=bias if gelu else None,
        out_dtype=torch.bfloat16, use_fast_accum=way == "fast",
    )  # fmt: skip
    return (lambda: torch.nn.functional.gelu(product())) if gelu else product


def wide(gelu, a, w, bias, c):
    """Return a call of cuBLAS on the same numbers in 16 bits."""
    if not gelu:
        return partial(torch.matmul, a, w.t(), out=c)
    return lambda: torch.nn.functional.gelu(torch.nn.functional.linear(a, w, bias))


class Judge:
    """Float64 results of some rows."""

    def __init__(self, one, gelu):
        a, w, scale_a, scale_b, bias, _ = one
        self.rows = torch.randperm(a.shape[0], device=DEVICE)[:64]
        a, w, factor = a.bfloat16()[self.rows].double(), w.bfloat16().double().t(), (scale_a * scale_b).double()
        self.exact, self.size = (a @ w) * factor, (a.square() @ w.square()).sqrt() * factor
        if gelu:
            self.exact = torch.nn.functional.gelu(self.exact + bias.double())

    def error(self, c, way):
        """Return the largest error over its bound; above 1 is wrong."""
        error = (c[self.rows].double() - self.exact).abs() / (2.0**-8 * self.exact.abs() + SLACK[way] * self.size)
        return float(error.max()) if torch.isfinite(c).all() else float("inf")

    def norm(self, c):
        """Return the error's norm over the result's."""
        return float((c[self.rows].double() - self.exact).norm() / self.exact.norm())


def checked(shape, way, gelu, one, judge):
    """Return the error over its bound of two calls on a poisoned output."""
    found = []
    for _ in range(2):
        one[-1].fill_(float("nan"))
        ours(shape, way, gelu, one)()
        found.append(judge.error(one[-1], way))
    return max(found)


def study(shape, gelu, rounds):
    """Return the measurements of one shape."""
    m, n, k = shape
    size = m * k + n * k + 2 * m * n
    inputs = draw(shape, max(2, min(12, -(-3 * L2_BYTES // size))))
    judge = Judge(inputs[0], gelu)
    device = gpus("triton", "Triton")[0]
    cuts = {way: variant(problem(shape, way, gelu), device).label for way in WAYS}
    passes = max(1, int(0.5 / (2e-9 * m * n * k / 1200 + size / 3e9 + 4e-3) / len(inputs)))
    row = {
        "shape": shape,
        "gelu": gelu,
        "cuts": cuts,
        "errors_of_bound": {},
        "errors_of_norm": {},
        "ratios": {},
    }
    graphs = {}
    for way in WAYS:
        row["errors_of_bound"][way] = checked(shape, way, gelu, inputs[0], judge)
        row["errors_of_norm"][way] = judge.norm(inputs[0][-1])
        if row["errors_of_bound"][way] <= 1:
            graphs[way] = graphed([ours(shape, way, gelu, one) for one in inputs], passes)
        row["errors_of_norm"][f"scaled-{way}"] = judge.norm(scaled(way, gelu, inputs[0])())
        graphs[f"scaled-{way}"] = graphed([scaled(way, gelu, one) for one in inputs], passes)
    sixteen = [(a.bfloat16(), w.bfloat16(), bias, c) for a, w, _, _, bias, c in inputs]
    graphs["bf16"] = graphed([wide(gelu, *one) for one in sixteen], passes)
    times = timed(graphs, rounds)
    row["times_ms"] = times
    for way in WAYS:
        if way in graphs:
            inputs[0][-1].fill_(float("nan"))
            graphs[way].sample(1)
            row["errors_of_bound"][f"{way} replayed"] = judge.error(inputs[0][-1], way)
            for peer in (f"scaled-{way}", "bf16"):
                each = sorted(p / o for o, p in zip(pairs(times[way]), pairs(times[peer]), strict=True))
                row["ratios"][f"{way} {peer}"] = {"median": median(each), "low": each[0], "high": each[-1]}
    told(row)
    return row


def timed(graphs, rounds):
    """Return ms of each graph's calls in interleaved rounds."""
    repeats = {name: max(1, int(2.0 / (graph.sample(1) * graph.calls))) for name, graph in graphs.items()}
    times = {name: [] for name in graphs}
    for index in range(rounds):
        order = list(graphs) if index % 2 == 0 else list(reversed(graphs))
        for name in (*order, *reversed(order)):
            times[name].append(graphs[name].sample(repeats[name]))
    return times


def told(row):
    """Print one shape."""
    m, n, k = row["shape"]
    times = {name: round(1e3 * median(each), 2) for name, each in row["times_ms"].items()}
    best = min(times.get("exact", 1e9), times.get("fast", 1e9))
    found = "  ".join(
        f"{name} {r['median']:.2f} [{r['low']:.2f}, {r['high']:.2f}]" for name, r in row["ratios"].items()
    )
    norms = {name: f"{error:.1e}" for name, error in row["errors_of_norm"].items()}
    print(
        f"{'gelu ' if row['gelu'] else ''}{m}x{n}x{k}: {2e-6 * m * n * k / best:.0f} TFLOP/s us {times}\n    {found}",
        flush=True,
    )
    print(f"    errors of norm {norms}, of bound {row['errors_of_bound']}", flush=True)


def warm(part):
    """Compile for one shape into the cache; runs in a child process."""
    shape, gelu = JOBS[part]
    one = draw(shape, 1)[0]
    for way in WAYS:
        ours(shape, way, gelu, one)()
    torch.cuda.synchronize()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--limit-s", type=float, default=40)
    parser.add_argument("--warm", type=int, help=argparse.SUPPRESS)
    given = parser.parse_args()
    torch.manual_seed(1)
    if given.warm is not None:
        warm(given.warm)
        return
    began, rows = time.monotonic(), []
    command = [sys.executable, __file__, str(given.out), "--warm"]
    for child in [subprocess.Popen([*command, str(i)]) for i in range(len(JOBS))]:
        child.wait()
    print(f"compiled in {time.monotonic() - began:.0f} s", flush=True)
    conditions = {
        "device": torch.cuda.get_device_name(), "torch": torch.__version__, "triton": triton.__version__,
        "cuda": torch.version.cuda, "command": sys.argv,
    }  # fmt: skip
    for shape, gelu in JOBS:
        if time.monotonic() - began > given.limit_s:
            print("out of time before", shape, flush=True)
            break
        try:
            rows.append(study(shape, gelu, given.rounds))
        except Exception as reason:  # noqa: BLE001
            print(f"failed: {shape}: {reason}", flush=True)
        given.out.write_text(json.dumps({"conditions": conditions, "rows": rows}))
    summary(rows)


def summary(rows):
    """Print geometric means by peer, with and without GELU."""
    for gelu in (False, True):
        for pair in ("exact scaled-exact", "fast scaled-fast", "exact bf16", "fast bf16"):
            found = [row["ratios"][pair]["median"] for row in rows if row["gelu"] == gelu and pair in row["ratios"]]
            if found:
                ours_, peer = pair.split()
                print(
                    f"{'gelu ' if gelu else ''}{ours_} against {peer}: geometric mean {geometric(found):.3f}, "
                    f"least {min(found):.3f}, {len(found)} shapes"
                )


if __name__ == "__main__":
    main()
