"""Attention forward in Triton against cuDNN's and the flash kernels of PyTorch on a Hopper GPU.

    python benchmarks/gpu/attention.py OUT.json

FLOPs are 4·B·H·S²·D, a causal mask counts half. Each configuration is checked against float64 rows on the device before
it is timed; rounds are interleaved (ABBA). Raw times and conditions go to OUT.json.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import sys
import time
from pathlib import Path
from statistics import median

import torch
import triton
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.functional import scaled_dot_product_attention as sdpa
from triton.tools.tensor_descriptor import TensorDescriptor

ROOT = Path(__file__).parents[2]
SPEC = importlib.util.spec_from_file_location("attention_jit", ROOT / "benchmarks/gpu/attention_jit.py")
jit = importlib.util.module_from_spec(SPEC)
sys.modules["attention_jit"] = jit
SPEC.loader.exec_module(jit)

# (batch, heads, kv heads, length, head size, causal)
WORK = [
    (1, 64, 64, 8192, 128, True),
    (1, 64, 64, 8192, 128, False),
    (4, 32, 8, 4096, 128, True),
    (2, 32, 32, 2048, 64, True),
    (1, 16, 16, 4096, 256, True),
]
# BM, BN, warps, stages, SPECIALIZE
CONFIGS = [
    (128, 128, 8, 2, False), (128, 128, 8, 3, False), (128, 64, 8, 3, False), (128, 64, 4, 3, False),
    (128, 128, 8, 2, True), (64, 128, 4, 3, False), (128, 64, 8, 4, False), (64, 64, 4, 3, False),
    (128, 32, 8, 4, False), (128, 128, 4, 2, False),
]  # fmt: skip


def ours(config, q, k, v, o, causal):
    bm, bn, warps, stages, specialize = config
    batch, heads, length, size = q.shape
    kv_heads, length_k = k.shape[1], k.shape[2]

    def flat(x, rows):
        return TensorDescriptor.from_tensor(x.view(-1, size), [rows, size])

    dq, dk, dv, do = flat(q, bm), flat(k, bn), flat(v, bn), flat(o, bm)
    grid = (triton.cdiv(length, bm), batch * heads)

    def run():
        jit.forward[grid](
            dq, dk, dv, do, q, size**-0.5, heads, heads // kv_heads, length, length_k,
            BM=bm, BN=bn, D=size, CAUSAL=causal, LSE=False, SPECIALIZE=specialize, num_warps=warps, num_stages=stages,
        )  # fmt: skip

    return run


def sample(call, repeats):
    begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    begin.record()
    for _ in range(repeats):
        call()
    end.record()
    end.synchronize()
    return begin.elapsed_time(end) / repeats


def wrong(q, k, v, o, causal):
    """Return the largest error over its bound, for some heads and rows, against float64."""
    batch, heads, length, size = q.shape
    worst = 0.0
    for index in range(3):
        b, h = index % batch, (index * 7) % heads
        rows = torch.randperm(length, device="cuda")[:64]
        key, value = (x[b, h // (heads // x.shape[1])].double() for x in (k, v))
        scores = q[b, h, rows].double() @ key.T * size**-0.5
        if causal:
            scores.masked_fill_(rows[:, None] < torch.arange(length, device="cuda")[None, :], float("-inf"))
        weights = scores.softmax(-1)
        exact = weights @ value
        bound = (
            2.0**-8 * exact.abs()
            + 2.0**-8 * (weights**2 @ value**2).sqrt() * 2
            + 2.0**-10 * (weights @ value.abs())
            + 1e-30
        )
        worst = max(worst, float(((o[b, h, rows].double() - exact).abs() / bound).max()))
    return worst if torch.isfinite(o).all() else float("inf")


def study(work, rounds):
    batch, heads, kv_heads, length, size, causal = work
    torch.manual_seed(length + size)
    q = torch.randn((batch, heads, length, size), device="cuda", dtype=torch.bfloat16)
    k, v = (torch.randn((batch, kv_heads, length, size), device="cuda", dtype=torch.bfloat16) for _ in range(2))
    o = torch.empty_like(q)
    flops = 4 * batch * heads * length * length * size / (2 if causal else 1)
    looks = []
    for config in CONFIGS:
        try:
            o.fill_(float("nan"))
            call = ours(config, q, k, v, o, causal)
            call()
            torch.cuda.synchronize()
            error = wrong(q, k, v, o, causal)
            if not error <= 1:
                print(f"wrong: {work} {config}: error {error:.2f} of its bound", flush=True)
                continue
            looks.append((min(sample(call, 3) for _ in range(3)), config, error))
        except Exception as reason:  # noqa: BLE001 - what does not fit is a result
            print(f"failed: {work} {config}: {str(reason).splitlines()[0][:100]}", flush=True)
    looks.sort()
    _, best, error = looks[0]
    contenders = {"ours": ours(best, q, k, v, o, causal)}
    for name, backend in (("cudnn", SDPBackend.CUDNN_ATTENTION), ("flash", SDPBackend.FLASH_ATTENTION)):

        def call(backend=backend):
            with sdpa_kernel(backend):
                return sdpa(q, k, v, is_causal=causal, enable_gqa=kv_heads != heads)

        try:
            call()
            torch.cuda.synchronize()
            contenders[name] = call
        except Exception as reason:  # noqa: BLE001
            print(f"peer {name} not available for {work}: {str(reason).splitlines()[0][:100]}", flush=True)
    repeats = {name: max(1, int(12 / sample(call, 2))) for name, call in contenders.items()}
    times = {name: [] for name in contenders}
    for index in range(rounds):
        order = list(contenders) + list(contenders)[::-1]
        for name in order if index % 2 == 0 else [*order[len(contenders) :], *order[: len(contenders)]]:
            times[name].append(sample(contenders[name], repeats[name]))
    speeds = {name: flops / median(values) * 1e-9 for name, values in times.items()}
    ratios = {
        name: median(p / o for o, p in zip(times["ours"], times[name], strict=True)) for name in times if name != "ours"
    }
    shown = "  ".join(f"{name} {speed:.0f}" for name, speed in speeds.items())
    print(
        f"{work}: TFLOP/s {shown}  ratios { {n: round(r, 3) for n, r in ratios.items()} }  {best} err {error:.2f}",
        flush=True,
    )
    return {
        "work": work,
        "config": best,
        "error_of_bound": error,
        "ratios_median": ratios,
        "tflops": speeds,
        "times_ms": times,
        "looks": looks,
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    given = parser.parse_args()
    rows, began = [], time.monotonic()
    for work in WORK:
        if time.monotonic() - began > 150:
            print("out of time before", work)
            break
        try:
            rows.append(study(work, 10))
        except Exception as reason:  # noqa: BLE001
            print(f"failed: {work}: {reason}", flush=True)
        conditions = {
            "device": torch.cuda.get_device_name(),
            "torch": torch.__version__,
            "triton": triton.__version__,
            "command": sys.argv,
        }
        given.out.write_text(json.dumps({"conditions": conditions, "rows": rows}))


if __name__ == "__main__":
    main()
