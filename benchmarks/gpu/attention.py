"""Attention forward against cuDNN's and the flash kernels of PyTorch on a Hopper GPU, and the ladder that leads there.

    PYTHONPATH=src python benchmarks/gpu/attention.py OUT.json [--parts check,ladder,peers] [--limit-s 200]

FLOPs are 4·B·H·S²·D, a causal mask counts half. `check` compares with float64 on the device: both types, all head sizes,
lengths that are no multiples, grouped heads, logarithms of row sums, shifted masks, packed sequences. `ladder` climbs from
plain Triton to the warp-specialized kernel. `peers` times the shipped configurations; `packed` sequences of different lengths
against PyTorch's flash kernel for such; `decode` few queries with many keys, against the fastest of PyTorch's kernels. Every
output is also checked after the timed runs, which replay CUDA graphs in interleaved rounds. Raw times and conditions go to
OUT.json.
"""

# ruff: noqa: SLF001 - PyTorch names these operators so
from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from statistics import median

import attention_launch as launch
import torch
import triton
from attention_check import check, tensors, wrong
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.functional import scaled_dot_product_attention as sdpa

from hotloop.kernels.attention.gluon.rows import row_for
from hotloop.kernels.attention.triton.rows import config_for

# batch, heads, kv heads, length, head size, causal
PEERS = [
    (1, 64, 64, 8192, 128, True),
    (1, 64, 64, 8192, 128, False),
    (1, 16, 16, 16384, 128, True),
    (1, 16, 16, 16384, 128, False),
    (4, 32, 8, 4096, 128, True),
    (4, 32, 32, 2048, 128, True),
    (8, 32, 32, 1024, 128, False),
    (8, 32, 8, 1024, 128, True),
    (2, 32, 32, 2048, 64, True),
    (1, 32, 32, 8192, 64, True),
    (4, 32, 32, 4096, 64, False),
    (1, 16, 16, 4096, 256, True),
    (1, 16, 16, 8192, 256, False),
    (2, 8, 1, 3001, 128, True),
    (3, 5, 5, 777, 64, False),
    (1, 32, 32, 512, 128, True),
]
# lengths, heads, kv heads, head size, causal
PACKED = [
    ("random 128 to 4096", 16, 32, 8, 128, True),
    ("random 128 to 4096", 16, 32, 32, 128, False),
    ("halving from 8192", 8, 32, 8, 128, True),
    ("random 16 to 512", 64, 32, 8, 128, True),
    ("random 128 to 1024", 32, 16, 16, 64, False),
    ("random 128 to 2048", 16, 32, 32, 64, True),
    ("random 128 to 2048", 12, 16, 4, 256, True),
    ("one of 16384, others 128", 33, 32, 8, 128, True),
]
# batch, heads, kv heads, queries, keys, head size
DECODE = [
    (1, 32, 8, 1, 8192, 128),
    (1, 64, 8, 1, 32768, 128),
    (16, 32, 8, 1, 4096, 128),
    (64, 32, 8, 1, 2048, 128),
    (8, 64, 8, 1, 16384, 128),
    (4, 32, 8, 4, 5000, 128),
    (16, 32, 32, 1, 4096, 128),
    (32, 16, 16, 1, 2048, 64),
    (8, 16, 4, 8, 4100, 256),
]
LADDER_WORK = [(1, 32, 32, 8192, 128, True), (1, 32, 32, 8192, 128, False)]
FAST, PLAIN = row_for(128).config, config_for(128).replace(rows=64, keys=32, warps=4, stages=1)
LARGE = PLAIN.replace(rows=128, keys=128, warps=8)
LADDER = {
    "baseline: 64x32, one warp group, all keys, one stage": PLAIN.replace(keep=0, exit=0),
    "queries loaded once": PLAIN.replace(exit=0),
    "larger query and key blocks: 128x128, two groups": LARGE.replace(exit=0),
    "causal early exit": LARGE,
    "double buffering": LARGE.replace(stages=2),
    "warp specialization: producer, ring, weights in registers": FAST.replace(overlap=0, resident=0),
    "overlap: softmax under the output product": FAST.replace(resident=0),
    "resident programs fetch tiles": FAST,
    "staggered warp groups": FAST.replace(stagger=1),
    "three stages of 64 keys": FAST.replace(keys=64, stages=3),
    "bands of 2 heads": FAST.replace(band=2),
}


def sample(call, repeats):
    begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    begin.record()
    for _ in range(repeats):
        call()
    end.record()
    end.synchronize()
    return begin.elapsed_time(end) / repeats


def graphed(call, target_ms=5.0):
    """Return a replay of some calls, and how many."""
    call()
    torch.cuda.synchronize()
    many = max(2, min(200, int(target_ms / sample(call, 2))))
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for _ in range(many):
            call()
    return graph.replay, many


def study(work, configs, rounds):
    """Time configurations and peers in interleaved rounds."""
    batch, heads, kv_heads, length, size, causal = work
    torch.manual_seed(length + size)
    q, k, v = tensors(batch, heads, kv_heads, length, length, size)
    flops = 4 * batch * heads * length * length * size / (2 if causal else 1)
    row = {"work": work, "errors": {}, "configs": {}, "failed": {}}
    calls, outputs = {}, {}
    for name, config in configs.items():
        try:
            o = torch.full_like(q, float("nan"))
            call = launch.bound(config, q, k, v, o, causal=causal)
            call()
            row["configs"][name] = dict(config)
            row["errors"][name] = wrong(q, k, v, o, None, causal)[0]
            if row["errors"][name] <= 1:
                calls[name], outputs[name] = graphed(call), o
        except Exception as reason:  # noqa: BLE001
            row["failed"][name] = str(reason).splitlines()[0][:200]
    for name, backend in (("cudnn", SDPBackend.CUDNN_ATTENTION), ("flash", SDPBackend.FLASH_ATTENTION)):

        def call(backend=backend):
            with sdpa_kernel(backend):
                return sdpa(q, k, v, is_causal=causal, enable_gqa=kv_heads != heads)

        try:
            calls[name] = graphed(call)
        except Exception as reason:  # noqa: BLE001
            row["failed"][name] = str(reason).splitlines()[0][:200]
    for replay, _ in calls.values():
        sample(replay, 2)
    times = {name: [] for name in calls}
    for index in range(rounds):
        for name in list(calls) if index % 2 == 0 else list(calls)[::-1]:
            replay, many = calls[name]
            times[name].append(sample(replay, 1) / many)
    for name, o in outputs.items():  # what was timed must have computed the same
        o.fill_(float("nan"))
        calls[name][0]()
        torch.cuda.synchronize()
        row["errors"][f"{name}, replayed"] = wrong(q, k, v, o, None, causal)[0]
    row["tflops"] = {name: flops / median(values) * 1e-9 for name, values in times.items()}
    row["times_ms"] = times
    first = next(iter(configs))
    row["ratios"] = {
        peer: median(p / o for o, p in zip(times[first], times[peer], strict=True))
        for peer in ("cudnn", "flash")
        if peer in times and first in times
    }
    shown = "  ".join(f"{name[:34]} {speed:.0f}" for name, speed in row["tflops"].items())
    worst = max(row["errors"].values(), default=float("nan"))
    ratios = {n: round(r, 3) for n, r in row["ratios"].items()}
    print(f"{work}: {shown} | ratios {ratios} err {worst:.2f} {row['failed'] or ''}", flush=True)
    return row


def lengths(kind, many):
    """Return the lengths of some sequences."""
    words = kind.split()
    if words[0] == "random":
        return [int(x) for x in torch.randint(int(words[1]), int(words[3]) + 1, (many,))]
    if words[0] == "halving":
        return [int(words[2]) >> i for i in range(many)]
    return [int(words[2][:-1])] + [int(words[4])] * (many - 1)


def interleaved(row, calls, first, rounds):
    """Time replays in interleaved rounds, and note the ratio of each peer to the first."""
    for replay, _ in calls.values():
        sample(replay, 2)
    times = {name: [] for name in calls}
    for index in range(rounds):
        for name in list(calls) if index % 2 == 0 else list(calls)[::-1]:
            replay, many = calls[name]
            times[name].append(sample(replay, 1) / many)
    row["times_ms"] = times
    row["ratios"] = {}
    for name in calls:
        if name != first:
            ratios = sorted(p / o for o, p in zip(times[first], times[name], strict=True))
            row["ratios"][name] = {"median": median(ratios), "low": ratios[0], "high": ratios[-1]}
    return median(times[first])


def said(row):
    ratios = "  ".join(f"{n} {r['median']:.3f} [{r['low']:.3f}, {r['high']:.3f}]" for n, r in row["ratios"].items())
    return f"{ratios}  errors {row['errors']} {row['failed'] or ''}"


def study_packed(work, rounds):
    """Time packed sequences beside PyTorch's flash kernel, which gets the same arrays."""
    kind, many, heads, kv_heads, size, causal = work
    torch.manual_seed(many + size)
    each = lengths(kind, many)
    starts = torch.tensor([sum(each[:i]) for i in range(many + 1)], dtype=torch.int32, device="cuda")
    q = torch.randn((sum(each), heads, size), device="cuda", dtype=torch.bfloat16)
    k, v = (torch.randn((sum(each), kv_heads, size), device="cuda", dtype=torch.bfloat16) for _ in range(2))
    longest, found = max(each), {}

    found["ours"] = torch.empty_like(q)
    ours = launch.bound_packed(q, k, v, starts, starts, longest, longest, found["ours"], causal=causal)

    def flash():
        found["flash"] = torch.ops.aten._flash_attention_forward(
            q, k, v, starts, starts, longest, longest, 0.0, causal, False
        )[0]

    def error(o):
        worst = 0.0
        for i in {0, many // 2, many - 1}:
            part = slice(int(starts[i]), int(starts[i + 1]))
            one = [x[part].transpose(0, 1).unsqueeze(0) for x in (q, k, v, o)]
            worst = max(worst, wrong(*one, None, causal, heads=2)[0])
        return worst

    row = {"work": work, "lengths": each, "errors": {}, "failed": {}}
    calls = {}
    for name, call in (("ours", ours), ("flash", flash)):
        try:
            calls[name] = graphed(call)
            found[name].fill_(float("nan"))
            calls[name][0]()
            torch.cuda.synchronize()
            row["errors"][name] = error(found[name])
        except Exception as reason:  # noqa: BLE001
            row["failed"][name] = str(reason).splitlines()[0][:200]
    if "ours" in calls:
        time_ms = interleaved(row, calls, "ours", rounds)
        flops = sum(4 * heads * x * x * size / (2 if causal else 1) for x in each)
        row["tflops"] = flops / time_ms * 1e-9
        print(f"packed {work}: {1e3 * time_ms:.1f} us {row['tflops']:.0f} TFLOP/s  {said(row)}", flush=True)
    else:
        print("packed", work, row["failed"], flush=True)
    return row


def study_decode(work, rounds):
    """Time few queries with many keys; the keys of several calls exceed the second-level cache."""
    batch, heads, kv_heads, length_q, length_k, size = work
    torch.manual_seed(length_k + size)
    size_bytes = 4 * batch * kv_heads * length_k * size
    sets = [
        tensors(batch, heads, kv_heads, length_q, length_k, size)
        for _ in range(max(2, min(12, (3 << 26) // size_bytes)))
    ]
    found = {}

    def ours():
        for one in sets:
            found["ours"] = launch.attend(*one)[0]

    def peer(backend):
        def call():
            for one in sets:
                if backend is None:
                    found["default"] = sdpa(*one, enable_gqa=heads != kv_heads)
                else:
                    with sdpa_kernel(backend):
                        found[str(backend)] = sdpa(*one, enable_gqa=heads != kv_heads)

        return call

    row = {"work": work, "errors": {}, "failed": {}}
    calls = {}
    backends = {"flash": SDPBackend.FLASH_ATTENTION, "cudnn": SDPBackend.CUDNN_ATTENTION, "default": None}
    for name, call in {"ours": ours, **{n: peer(b) for n, b in backends.items()}}.items():
        try:
            replay, many = graphed(call, 2.0)
            calls[name] = (replay, many * len(sets))
        except Exception as reason:  # noqa: BLE001
            row["failed"][name] = str(reason).splitlines()[0][:200]
    if "ours" in calls:
        found["ours"].fill_(float("nan"))
        calls["ours"][0]()
        torch.cuda.synchronize()
        row["errors"]["ours"] = wrong(*sets[-1], found["ours"], None, False, rows=length_q)[0]
        time_ms = interleaved(row, calls, "ours", rounds)
        row["terabytes_per_s"] = size_bytes / time_ms * 1e-9
        print(f"decode {work}: {1e3 * time_ms:.1f} us {row['terabytes_per_s']:.2f} TB/s  {said(row)}", flush=True)
    else:
        print("decode", work, row["failed"], flush=True)
    return row


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--parts", default="check,peers,packed,decode,ladder")
    parser.add_argument("--limit-s", type=float, default=200.0)
    given = parser.parse_args()
    began = time.monotonic()
    device = torch.cuda.get_device_name()
    versions = {"torch": torch.__version__, "triton": triton.__version__, "cudnn": torch.backends.cudnn.version()}
    result = {"conditions": {"device": device, **versions, "command": sys.argv}}
    plans = {
        "peers": [(work, {"ours": row_for(work[4]).config}, 9) for work in PEERS],
        "ladder": [(work, LADDER, 7) for work in LADDER_WORK],
    }
    for part in given.parts.split(","):
        if part == "check":
            result[part] = check()
        for work in {"packed": PACKED, "decode": DECODE}.get(part, []):
            if time.monotonic() - began > given.limit_s:
                print("out of time before", part, work)
                break
            try:
                result.setdefault(part, []).append((study_packed if part == "packed" else study_decode)(work, 9))
            except Exception as reason:  # noqa: BLE001
                print(f"failed: {part} {work}: {reason}", flush=True)
        for work, configs, rounds in plans.get(part, []):
            if time.monotonic() - began > given.limit_s:
                print("out of time before", part, work)
                break
            try:
                result.setdefault(part, []).append(study(work, configs, rounds))
            except Exception as reason:  # noqa: BLE001
                print(f"failed: {work}: {reason}", flush=True)
            given.out.write_text(json.dumps(result))
    given.out.write_text(json.dumps(result))
    print(f"took {time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main()
