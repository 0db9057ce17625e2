"""Depthwise conv3d on an NVIDIA GPU: every rung and Triton's kernels, verified against float64, timed against PyTorch.

    python3 benchmarks/gpu/conv3d.py            # all rungs; about a minute on one H200
    python3 benchmarks/gpu/conv3d.py --compile  # compile only: needs nvcc, no GPU

Raw samples go to $OUT/conv3d.json. The problem: x [1, 512, 61, 45, 80] bf16, window 3x5x5, padding (0, 2, 2). Then shapes of
other video models: the CUDA rung and the Triton kernel that their rules choose, and PyTorch. The Triton kernels are imported as
`hotloop.kernels.conv3d_depthwise`, so ``src`` must be on the path; without Triton they are left out.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from functools import partial
from statistics import median

import harness
from conv3d_cases import awkward, candidates, models
from conv3d_check import binder, compile_all, tensors, verify_all

from hotloop.kernels.conv3d_depthwise.shape import VIDEO


def measure(good: list[str], built: dict[str, harness.Built], budget_s: float) -> dict[str, object]:
    """Time all good rungs roughly, then the best of each kind against PyTorch and a copy in ABBA rounds."""
    import torch

    began = time.monotonic()
    shape = VIDEO
    sets = [tensors(shape, seed) for seed in range(3)]
    weights5 = [w.unsqueeze(1) for _, w, _ in sets]
    conv = torch.nn.functional.conv3d

    def torch_calls(*, last: bool = False) -> list[object]:
        form = torch.channels_last_3d if last else torch.contiguous_format
        xs = [x.to(memory_format=form) for x, _, _ in sets]
        return [
            lambda x=x, w=w: conv(x, w, padding=shape.padding, groups=shape.c)
            for x, w in zip(xs, weights5, strict=True)
        ]

    count = shape.compulsory_bytes // 2 // 2 // 8 * 8
    copies = [
        (
            torch.empty(count, device="cuda", dtype=torch.bfloat16),
            torch.ones(count, device="cuda", dtype=torch.bfloat16),
        )
        for _ in range(2)
    ]
    calls = {"copy of the same bytes": [lambda t=t, f=f: t.copy_(f) for t, f in copies]}
    calls["torch conv3d"] = torch_calls()
    calls["torch conv3d channels_last_3d"] = torch_calls(last=True)
    for name in good:
        _, rung = candidates()[name]
        bind, _ = binder(shape, rung, built[name].path)
        calls[name] = [bind(*each) for each in sets]
    rough: dict[str, list[float]] = {}
    for name, each in calls.items():
        try:
            first = harness.sample_ms(each, 3)
            batch = max(3, min(24, round(6 / max(first, 0.05))))
            rough[name] = [harness.sample_ms(each, batch) for _ in range(9)]
        except RuntimeError as error:
            print(f"{name}: {error}", file=sys.stderr)
    torch.backends.cudnn.benchmark = True
    try:
        name, each = "torch conv3d cudnn.benchmark", torch_calls()
        harness.sample_ms(each, 3)
        rough[name] = [harness.sample_ms(each, 3) for _ in range(9)]
        calls[name] = each
    except RuntimeError as error:
        print(f"cudnn.benchmark: {error}", file=sys.stderr)
    torch.backends.cudnn.benchmark = False
    ranked = sorted((name for name in rough if name in good), key=lambda name: median(rough[name]))
    finals = {}
    peers = [name for name in rough if name.startswith("torch")]
    peer = min(peers, key=lambda name: median(rough[name]))
    kinds = dict.fromkeys(name.split()[0] for name in ranked)
    chosen = list(dict.fromkeys([*ranked[:2], *(next(n for n in ranked if n.split()[0] == kind) for kind in kinds)]))
    for name in chosen:
        if time.monotonic() - began > budget_s:
            break
        batch = max(2, min(16, round(2 / median(rough[name]))))
        for against, rounds, batch_b in ((peer, 12, 1), ("copy of the same bytes", 20, 16)):
            torch.backends.cudnn.benchmark = against.endswith("benchmark")
            times = harness.abba(calls[name], calls[against], rounds, batch, batch_b)
            finals[f"{name} | {against}"] = times
    return {"rough_ms": rough, "abba_ms": finals, "peer": peer, "ranked": ranked}


def peer(shape: object, x: object, weights: object) -> object:
    """Return PyTorch's result."""
    import torch

    return torch.nn.functional.conv3d(
        x, weights, padding=shape.padding, stride=shape.stride, dilation=shape.dilation, groups=shape.c
    )  # fmt: skip


def measure_models(good: list[str], built: dict[str, harness.Built], budget_s: float) -> dict[str, object]:
    """Time the kernels of the other models against PyTorch in ABBA rounds; raw milliseconds."""
    began, found = time.monotonic(), {}
    for name in good:
        if time.monotonic() - began > budget_s:
            break
        shape, rung = models()[name]
        sets = [tensors(shape, seed) for seed in range(3)]
        bind, _ = binder(shape, rung, built[name].path)
        ours = [bind(*each) for each in sets]
        theirs = [partial(peer, shape, x, w.unsqueeze(1)) for x, w, _ in sets]
        for call in (*ours, *theirs):
            call()
        batch = max(2, min(24, round(2 / harness.sample_ms(ours, 4))))
        found[name] = harness.abba(ours, theirs, 8, batch, max(1, batch // 8))
    return found


def table(shape: object, data: dict[str, object]) -> None:
    """Print what a reader needs, last."""
    timing, checks = data["timing"], data["verified"]
    print(f"\nfloor: {shape.compulsory_bytes / 1e6:.1f} MB, {shape.flops / 1e9:.2f} GFLOP")
    print(f"{'rung':58} {'ms':>8} {'TFLOP/s':>8} {'GB/s':>6} {'x peer':>7} regs blk rel.err")
    peer_ms = median(timing["rough_ms"][timing["peer"]])
    for name, samples in sorted(timing["rough_ms"].items(), key=lambda item: -median(item[1])):
        ms = median(samples)
        facts = checks.get(name, {})
        print(
            f"{name:58} {ms:8.4f} {shape.flops / ms / 1e9:8.1f} {shape.compulsory_bytes / ms / 1e6:6.0f} "
            f"{peer_ms / ms:7.2f} {facts.get('registers', ''):>4} {facts.get('blocks_per_multiprocessor', ''):>3} "
            f"{facts.get('relative_norm', float('nan')):.1e}"
        )
    for name, facts in checks.items():
        if not facts["ok"]:
            print(f"WRONG  {name}: {json.dumps(facts)}")
    print("good beyond the video shape:", ", ".join(n for n in awkward() if checks.get(n, {}).get("ok")))
    for pair, times in (timing["abba_ms"] | {f"{n} | torch": t for n, t in timing["models_ms"].items()}).items():
        middle, low, high = harness.ratio(times)
        print(
            f"ABBA {pair}: {median(times['a']):.4f} ms against {median(times['b']):.4f} ms, x{middle:.2f} [{low:.2f}, {high:.2f}]"
        )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compile", action="store_true", help="compile only")
    parser.add_argument("--workers", type=int, default=12)
    parser.add_argument("--budget-s", type=float, default=30.0, help="wall time of the ABBA rounds")
    asked = parser.parse_args()
    cases = candidates() | models() | awkward()
    began = time.monotonic()
    built = compile_all(cases, asked.workers)
    for name, one in built.items():
        print(f"{name}: {one.resources if one.path else 'FAILED' + chr(10) + one.log}")
    print(f"compiled in {time.monotonic() - began:.1f} s", flush=True)
    if asked.compile:
        return 0 if all(one.path for one in built.values()) else 1
    checks = verify_all(cases, built)
    print(f"verified after {time.monotonic() - began:.1f} s", flush=True)
    good = [name for name in candidates() if checks[name]["ok"]]
    data = {"verified": checks, "compiled": {name: one.resources for name, one in built.items()}}
    harness.write("conv3d.json", data | {"conditions": harness.conditions()})
    data["timing"] = measure(good, built, asked.budget_s) | {"models_ms": {}}
    harness.write("conv3d.json", data | {"conditions": harness.conditions()})
    data["timing"]["models_ms"] = measure_models([name for name in models() if checks[name]["ok"]], built, 8.0)
    harness.write("conv3d.json", data | {"conditions": harness.conditions()})
    table(VIDEO, data)
    print(f"took {time.monotonic() - began:.1f} s")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
