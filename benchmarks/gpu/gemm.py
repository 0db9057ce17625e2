"""bf16 GEMM in Triton against cuBLAS on a Hopper GPU: squares, LLM shapes, tall K, and a fused bias + GELU.

    python benchmarks/gpu/gemm.py OUT.json [--quick]

Every configuration is checked against float64 on fresh random inputs before it is timed; the best of a quick look per
shape meets cuBLAS in interleaved rounds (ABBA, CUDA events, inputs rotated beyond the second-level cache). Raw times of
the rounds and conditions go to OUT.json; a table is printed last.
"""

from __future__ import annotations

import argparse
import functools
import importlib.util
import json
import sys
import time
from pathlib import Path
from statistics import median

import torch
import triton
from triton.tools.tensor_descriptor import TensorDescriptor

ROOT = Path(__file__).parents[2]
SPEC = importlib.util.spec_from_file_location("jit", ROOT / "src/hotloop/kernels/gemm/jit.py")
jit = importlib.util.module_from_spec(SPEC)
sys.modules["jit"] = jit
SPEC.loader.exec_module(jit)

DEVICE = "cuda"
L2_BYTES = 64 << 20
SQUARES = [(n, n, n) for n in (1024, 2048, 4096, 8192)]
LLM = [(m, n, k) for m in (1, 16, 64, 256) for n, k in ((4096, 4096), (14336, 4096), (4096, 14336), (8192, 8192))]
TALL = [(512, 512, 16384), (256, 1024, 32768)]
FUSED = [(2048, 2048, 2048), (4096, 4096, 4096), (8192, 8192, 8192), (256, 14336, 4096)]

# BM, BN, BK, GROUP, warps, stages, HALVES, FLATTEN, programs per multiprocessor
PERSISTENT = [
    (128, 256, 64, 8, 8, 4, True, True, 1),
    (128, 256, 64, 8, 8, 3, False, False, 1),
    (128, 256, 64, 16, 8, 4, True, False, 1),
    (256, 128, 64, 8, 8, 4, True, True, 1),
    (128, 128, 64, 8, 8, 4, False, True, 1),
    (128, 128, 64, 8, 4, 3, True, True, 2),
    (128, 128, 64, 8, 4, 3, True, False, 2),
    (128, 128, 64, 8, 8, 3, True, True, 2),
    (128, 128, 128, 8, 8, 3, True, True, 1),
    (64, 256, 64, 8, 4, 4, True, True, 1),
    (128, 64, 64, 8, 4, 4, False, True, 2),
    (128, 64, 128, 8, 4, 4, False, True, 1),
    (64, 128, 64, 8, 4, 4, False, True, 2),
    (64, 128, 128, 8, 4, 4, False, True, 1),
    (64, 64, 128, 8, 4, 5, False, True, 1),
    (64, 64, 128, 8, 4, 3, False, True, 2),
]
# BM, BN, BK, GROUP, warps, stages, SPLITS
SPLIT = [
    (16, 64, 256, 1, 4, 4, 1),
    (16, 64, 256, 1, 4, 3, 2),
    (16, 64, 256, 1, 4, 4, 4),
    (16, 64, 128, 1, 4, 5, 8),
    (16, 128, 128, 1, 4, 5, 4),
    (16, 128, 64, 1, 4, 6, 4),
    (16, 128, 128, 1, 4, 5, 8),
    (16, 32, 256, 1, 4, 4, 1),
    (16, 32, 256, 1, 4, 4, 2),
    (16, 32, 256, 1, 4, 3, 4),
    (16, 256, 64, 1, 4, 5, 4),
    (64, 64, 128, 1, 4, 3, 2),
    (64, 64, 128, 1, 4, 5, 4),
    (64, 64, 128, 1, 4, 5, 8),
    (64, 128, 128, 1, 4, 4, 4),
    (64, 128, 64, 1, 4, 6, 8),
    (128, 128, 64, 8, 8, 6, 4),
    (128, 128, 64, 8, 8, 6, 8),
    (128, 128, 64, 8, 8, 6, 16),
    (128, 256, 64, 8, 8, 4, 8),
    (128, 256, 64, 8, 8, 4, 16),
]
MULTIPROCESSORS = 132


def persistent(config, a, b, c, bias, act):
    bm, bn, bk, group, warps, stages, halves, flatten, resident = config
    (m, k), n = a.shape, b.shape[1]
    da = TensorDescriptor.from_tensor(a, [bm, bk])
    db = TensorDescriptor.from_tensor(b, [bk, bn])
    dc = TensorDescriptor.from_tensor(c, [bm, bn // 2 if halves else bn])
    programs = min(MULTIPROCESSORS * resident, triton.cdiv(m, bm) * triton.cdiv(n, bn))

    def run():
        jit.persistent[(programs,)](
            da, db, dc, bias if bias is not None else a, m, n, k,
            BM=bm, BN=bn, BK=bk, GROUP=group, PROGRAMS=programs, BIAS=bias is not None, ACT=act,
            HALVES=halves, FLATTEN=flatten, SPECIALIZE=False, num_warps=warps, num_stages=stages,
        )  # fmt: skip

    return run


def split(config, a, b, c, bias, act):
    bm, bn, bk, group, warps, stages, splits = config
    (m, k), n = a.shape, b.shape[1]
    da = TensorDescriptor.from_tensor(a, [bm, bk])
    db = TensorDescriptor.from_tensor(b, [bk, bn])
    work = torch.empty((splits, m, n), dtype=torch.float32, device=DEVICE)
    grid = (triton.cdiv(m, bm) * triton.cdiv(n, bn), splits)
    arrived = torch.zeros((grid[0],), dtype=torch.int32, device=DEVICE)

    def run():
        jit.split[grid](
            da, db, c, bias if bias is not None else c, work, arrived, m, n, k,
            BM=bm, BN=bn, BK=bk, GROUP=group, SPLITS=splits, BIAS=bias is not None, ACT=act,
            num_warps=warps, num_stages=stages,
        )  # fmt: skip

    return run


def graphed(run):
    """Capture a call, so that short kernels are not timed by the launch from Python."""
    run()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        run()
    return functools.partial(_replay, graph, run)


def _replay(graph, keep):  # noqa: ARG001 - the graph does not keep the workspace alive, the second argument does
    graph.replay()


def sample(calls, repeats):
    """Return ms of one call: events around `repeats` passes over the rotation."""
    begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    begin.record()
    for _ in range(repeats):
        for call in calls:
            call()
    end.record()
    end.synchronize()
    return begin.elapsed_time(end) / repeats / len(calls)


def sets_for(m, n, k, seed):
    """Return input sets that together exceed the cache, at most 12."""
    size = 2 * (m * k + k * n + m * n)
    count = max(2, min(12, -(-3 * L2_BYTES // size)))
    generator = torch.Generator(device=DEVICE).manual_seed(seed)
    made = []
    for _ in range(count):
        a = torch.randn((m, k), generator=generator, device=DEVICE, dtype=torch.float32).bfloat16()
        b = torch.randn((k, n), generator=generator, device=DEVICE, dtype=torch.float32).bfloat16()
        bias = torch.randn((n,), generator=generator, device=DEVICE, dtype=torch.float32).bfloat16()
        made.append((a, b, bias, torch.empty((m, n), device=DEVICE, dtype=torch.bfloat16)))
    return made


def wrong(a, b, bias, c, act):
    """Return the largest error over its bound; above 1 is wrong. Sampled rows against float64 on the device."""
    rows = torch.randperm(a.shape[0], device=DEVICE)[:128]
    exact = a[rows].double() @ b.double()
    terms = a[rows].double().abs() @ b.double().abs()
    if bias is not None:
        exact += bias.double()
        terms += bias.double().abs()
    if act == 2:
        exact = torch.nn.functional.gelu(exact)
    bound = 2.0**-8 * exact.abs() + 2.0**-22 * a.shape[1] ** 0.5 * terms * 4 + 1e-30
    error = (c[rows].double() - exact).abs() / bound
    return float("inf") if not torch.isfinite(c).all() else float(error.max())


def build(kind, config, inputs, fused):
    make = persistent if kind == "persistent" else split
    return [graphed(make(config, a, b, c, bias if fused else None, 2 if fused else 0)) for a, b, bias, c in inputs]


def peer(inputs, fused):
    if not fused:
        return [graphed(lambda a=a, b=b, c=c: torch.matmul(a, b, out=c)) for a, b, _, c in inputs]
    return [graphed(lambda a=a, b=b, x=x: torch.nn.functional.gelu(torch.addmm(x, a, b))) for a, b, x, _ in inputs]


def study(shape, fused, rounds, broken):
    m, n, k = shape
    inputs = sets_for(m, n, k, seed=m + n + k)
    candidates = []
    few = m * n <= 256 * 14336
    choices = [("persistent", c) for c in PERSISTENT if c[0] <= max(64, m)] if m >= 64 else []
    choices += [("split", c) for c in SPLIT if c[0] <= max(16, m)] if few and (m <= 256 or k > 4 * n) else []
    for kind, config in choices:
        if (kind, config) in broken:
            continue
        try:
            for *_, c in inputs:
                c.fill_(float("nan"))
            calls = build(kind, config, inputs, fused)
            for call in calls:
                call()
            torch.cuda.synchronize()
            for call in calls:  # twice: what the first call left behind must not matter
                call()
            a, b, bias, c = inputs[0]
            error = wrong(a, b, bias if fused else None, c, 2 if fused else 0)
            if not error <= 1:
                print(f"wrong: {shape} {kind} {config} error {error:.2f} of its bound", flush=True)
                continue
            sample(calls, 1)
            candidates.append((min(sample(calls, 2) for _ in range(3)), kind, config, error))
        except Exception as reason:  # noqa: BLE001 - a configuration that does not fit is a result
            broken.add((kind, config))
            print(f"failed: {kind} {config}: {str(reason).splitlines()[0][:110]}", flush=True)
            torch.cuda.synchronize()
    if not candidates:
        return None
    candidates.sort(key=lambda row: row[0])
    _, kind, config, error = candidates[0]
    ours, theirs = build(kind, config, inputs, fused), peer(inputs, fused)
    once = max(sample(ours, 1), 1e-4) * len(ours)
    repeats = max(1, int(3.0 / once))
    times = {"ours": [], "peer": []}
    for index in range(rounds):
        order = ["ours", "peer", "peer", "ours"] if index % 2 == 0 else ["peer", "ours", "ours", "peer"]
        for name in order:
            times[name].append(sample(ours if name == "ours" else theirs, repeats))
    ratios = sorted(p / o for o, p in zip(halves(times["ours"]), halves(times["peer"]), strict=True))
    speed = 2e-9 * m * n * k / median(times["ours"])
    peer_speed = 2e-9 * m * n * k / median(times["peer"])
    low, high = ratios[len(ratios) // 10], ratios[-1 - len(ratios) // 10]
    print(
        f"{'fused ' if fused else ''}{m}x{n}x{k}: {speed:6.1f} vs {peer_speed:6.1f} TFLOP/s  ratio {median(ratios):.3f} "
        f"[{low:.3f}, {high:.3f}]  {kind} {config} err {error:.2f}",
        flush=True,
    )
    return {
        "shape": shape, "fused": bool(fused), "kind": kind, "config": config, "error_of_bound": error,
        "ratio_median": median(ratios), "ratio_p10": low, "ratio_p90": high, "times_ms": times,
        "looks": [(t, kd, list(cf)) for t, kd, cf, _ in candidates],
    }  # fmt: skip


def halves(values):
    """Return the mean of each round's two samples."""
    return [(values[i] + values[i + 1]) / 2 for i in range(0, len(values), 2)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--limit-s", type=float, default=240)
    given = parser.parse_args()
    began, broken, rows = time.monotonic(), set(), []
    jobs = [(s, "") for s in SQUARES + TALL + LLM] + [(s, "eager") for s in FUSED]
    if given.quick:
        jobs = [((1024, 1024, 1024), ""), ((16, 4096, 4096), ""), ((2048, 2048, 2048), "eager")]
    for shape, fused in jobs:
        if time.monotonic() - began > given.limit_s:
            print("out of time before", shape, flush=True)
            break
        try:
            row = study(shape, fused, 12, broken)
            if row:
                rows.append(row)
        except Exception as reason:  # noqa: BLE001
            print(f"failed: {shape}: {reason}", flush=True)
        conditions = {
            "device": torch.cuda.get_device_name(), "torch": torch.__version__, "triton": triton.__version__,
            "cuda": torch.version.cuda, "command": sys.argv,
        }  # fmt: skip
        given.out.write_text(json.dumps({"conditions": conditions, "rows": rows}))
    plain = [row["ratio_median"] for row in rows if not row["fused"]]
    fused = [row["ratio_median"] for row in rows if row["fused"]]
    for name, ratios in (("plain", plain), ("fused", fused)):
        if ratios:
            product = 1.0
            for ratio in ratios:
                product *= ratio
            print(
                f"{name}: geometric mean {product ** (1 / len(ratios)):.3f}, least {min(ratios):.3f}, {len(ratios)} shapes"
            )


if __name__ == "__main__":
    main()
