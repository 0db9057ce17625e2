"""Products with 4-bit weights against cuBLAS on the same weights in bfloat16, and PyTorch's own int4 product, on a Hopper GPU.

    PYTHONPATH=src python benchmarks/gpu/quantized.py OUT.json [--rounds 8] [--limit-s 90]

Weights have one scale for 128 rows of k. Every output is judged against float64 of what the stored weights mean: before the
timed rounds on fresh inputs with a poisoned output, twice, and after them on what the timed graph wrote. Rounds are
interleaved (ABBA, CUDA graphs of back-to-back calls, inputs rotated beyond the second-level cache). What runs is what the rule
of `hotloop.kernels.gemm_int4` gives. Both peers store the weights in forms of their own, which the family's buffers do not hold;
therefore this is no part of `tables.py`.
"""

# ruff: noqa: SLF001 - PyTorch names these operators so
from __future__ import annotations

import argparse
import json
import sys
import time
from functools import partial
from pathlib import Path
from statistics import median

import torch
import triton
from graphs import DEVICE, L2_BYTES, geometric, graphed, interleaved, pairs

from hotloop.dispatch import launch
from hotloop.drivers.torch import gpus
from hotloop.kernels.gemm_int4.problem import DEFAULT
from hotloop.kernels.gemm_int4.rule import variant
from hotloop.kernels.gemm_int4.storage import GROUP
from hotloop.kernels.gemm_int4.tensors import pack_int4, widened
from hotloop.kernels.gemm_int4.triton import TRITON

SHAPES = [
    (m, n, k)
    for m in (1, 16, 32, 64)
    for n, k in ((4096, 4096), (14336, 4096), (4096, 14336), (8192, 8192), (1024, 8192))
]
SHAPES += [(128, 4096, 4096), (256, 8192, 8192)]


def problem(shape):
    """Return what is computed, in the family's words."""
    return DEFAULT.replace(**dict(zip("mnk", shape, strict=True)))


def plan(shape):
    """Return the rule's configuration."""
    return variant(problem(shape), gpus("triton", "Triton")[0]).config


def call(cut, a, stored, scales, c):
    asked = problem((a.shape[0], scales.shape[1], a.shape[1]))
    device, arrays = gpus("triton", "Triton")[0], {"a": a, "w": stored, "scale": scales, "c": c}
    return partial(launch.prepared(TRITON.plan(asked, cut, device), device, arrays), arrays)


class Judge:
    """Float64 results of some rows."""

    def __init__(self, a, w):
        self.rows = torch.randperm(a.shape[0], device=DEVICE)[:64]
        self.exact = a[self.rows].double() @ w
        self.bound = 2.0**-8 * self.exact.abs() + 2.0**-20 * (a[self.rows].double().abs() @ w.abs()) + 1e-30

    def error(self, c):
        error = (c[self.rows].double() - self.exact).abs() / self.bound
        return float(error.max()) if torch.isfinite(c).all() else float("inf")


def draw(shape, count):
    """Return input sets (a, stored, scales, c, bf16 weights)."""
    m, n, k = shape
    made = []
    for _ in range(count):
        stored, scales = pack_int4(torch.randn((k, n), device=DEVICE).bfloat16())
        a = torch.randn((m, k), device=DEVICE).bfloat16()
        c = torch.empty((m, n), device=DEVICE, dtype=torch.bfloat16)
        made.append((a, stored, scales, c, widened(stored, scales)))
    return made


def tinygemm(stored, scales):
    """Return PyTorch's own int4 form of the same weights: q in pairs by row of n, scales and zeros by group."""
    q = ((widened(stored, torch.ones_like(scales, dtype=torch.float32)) + 8).to(torch.int32)).t().contiguous()
    packed = ((q[:, ::2] << 4) | q[:, 1::2]).to(torch.uint8)
    weights = torch.ops.aten._convert_weight_to_int4pack(packed, 8)
    return weights, torch.stack([scales, torch.zeros_like(scales)], -1).contiguous()


def study(shape, rounds):
    m, n, k = shape
    size = k * n // 2 + 2 * m * (k + n)
    inputs = draw(shape, max(2, min(12, -(-3 * L2_BYTES // size))))
    judge = Judge(inputs[0][0], widened(inputs[0][1], inputs[0][2].double()))
    passes = max(1, int(0.7 / (6e-3 + size / 3e9) / len(inputs)))
    row = {"shape": shape, "errors": {}, "ratios": {}}
    cut, errors = plan(shape), []
    for _ in range(2):
        inputs[0][3].fill_(float("nan"))
        call(cut, *inputs[0][:4])()
        errors.append(judge.error(inputs[0][3]))
    row["errors"]["ours"] = max(errors)
    if max(errors) > 1:
        print("wrong:", shape, cut, errors, flush=True)
        return row
    ours = graphed([call(cut, *one[:4]) for one in inputs], passes)
    graphs = {"ours": ours, "bf16": graphed([partial(torch.matmul, a, w, out=c) for a, _, _, c, w in inputs], passes)}
    try:
        forms = [(one[0], *tinygemm(one[1], one[2])) for one in inputs]
        made = torch.ops.aten._weight_int4pack_mm(forms[0][0], forms[0][1], GROUP, forms[0][2])
        row["errors"]["torch-int4"] = judge.error(made)
        graphs["torch-int4"] = graphed(
            [partial(torch.ops.aten._weight_int4pack_mm, a, w, GROUP, z) for a, w, z in forms], passes
        )
    except Exception as reason:  # noqa: BLE001 - a peer may lack the shape
        row["errors"]["torch-int4"] = str(reason).splitlines()[0][:160]
    repeats = max(1, int(2.0 / (graphs["ours"].sample(1) * graphs["ours"].calls)))
    times = interleaved(graphs, dict.fromkeys(graphs, repeats), rounds)
    inputs[0][3].fill_(float("nan"))
    ours.sample(1)
    row |= {"cut": dict(cut), "times_ms": times}
    row["errors"]["replayed"] = judge.error(inputs[0][3])
    time_ms = median(times["ours"])
    for name in graphs:
        if name != "ours":
            ratios = sorted(p / o for o, p in zip(pairs(times["ours"]), pairs(times[name]), strict=True))
            row["ratios"][name] = {"median": median(ratios), "low": ratios[0], "high": ratios[-1]}
    said = "  ".join(f"{name} {r['median']:.2f} [{r['low']:.2f}, {r['high']:.2f}]" for name, r in row["ratios"].items())
    print(
        f"{m}x{n}x{k}: {1e3 * time_ms:.2f} us, {size / time_ms * 1e-9:.2f} TB/s {dict(cut)}  {said}  errors {row['errors']}",
        flush=True,
    )
    return row


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--limit-s", type=float, default=90)
    parser.add_argument("--rows", default="", help="values of m, divided by commas; default: all")
    given = parser.parse_args()
    torch.manual_seed(1)
    if given.rows:
        SHAPES[:] = [shape for shape in SHAPES if str(shape[0]) in given.rows.split(",")]
    began, rows = time.monotonic(), []
    conditions = {
        "device": torch.cuda.get_device_name(), "torch": torch.__version__, "triton": triton.__version__,
        "cuda": torch.version.cuda, "command": sys.argv,
    }  # fmt: skip
    for shape in SHAPES:
        if time.monotonic() - began > given.limit_s:
            print("out of time before", shape, flush=True)
            break
        try:
            rows.append(study(shape, given.rounds))
        except Exception as reason:  # noqa: BLE001
            print(f"failed: {shape}: {reason}", flush=True)
        given.out.write_text(json.dumps({"conditions": conditions, "rows": rows}))
    for peer in ("bf16", "torch-int4"):
        ratios = [row["ratios"][peer]["median"] for row in rows if peer in row["ratios"]]
        if ratios:
            print(f"{peer}: geometric mean {geometric(ratios):.3f}, least {min(ratios):.3f}, {len(ratios)} shapes")


if __name__ == "__main__":
    main()
