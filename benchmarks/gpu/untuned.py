"""Operators of `hotloop.ops` on shapes that no table was tuned for, dispatch included, beside what PyTorch would run.

    PYTHONPATH=src python benchmarks/gpu/untuned.py OUT.json [--families gemm,attention,conv3d,softmax] [--limit-s 60]
    PYTHONPATH=src python benchmarks/gpu/untuned.py OUT.json --families int4,int4-torch --no-compile

Each shape: what dispatch chose and how near its evidence is; the result against float64 (twice, before and after the timed
rounds); the device's time in interleaved rounds of CUDA graphs (ABBA, inputs rotated beyond the second-level cache); the host's
time of a call, from the call until it returns. One shape of each family also runs under `torch.compile`, where both functions
are compiled whole. Products with 4-bit weights stand here, too, beside cuBLAS on the same weights in bfloat16 (`int4`) and PyTorch's
own int4 product (`int4-torch`): peers that store the weights in forms of their own, which the family's buffers do not hold.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median

import torch
import triton
from graphs import DEVICE, L2_BYTES, WORKERS, geometric, graphed, interleaved, pairs
from torch.nn import functional

from hotloop import ops
from hotloop.kernels.gemm_int4.storage import GROUP
from hotloop.kernels.gemm_int4.tensors import widened
from hotloop.model.dtype import roundoff

GOAL = 0.7
HALF_ULP = {getattr(torch, name): roundoff(name) for name in ("bfloat16", "float16", "float32")}
ROUNDS = 6
HOST_CALLS = 60

# m, n, k, type, bias and GELU
GEMM = [
    (37, 1000, 3000, torch.bfloat16, False),
    (777, 1544, 2056, torch.bfloat16, False),
    (3000, 3000, 3000, torch.float16, False),
    (129, 5000, 12008, torch.bfloat16, False),
    (5, 11008, 4096, torch.bfloat16, False),
    (1500, 520, 10000, torch.bfloat16, False),
    (6144, 1536, 768, torch.bfloat16, True),
    (2049, 3304, 1096, torch.float16, True),
    (4097, 4104, 4088, torch.bfloat16, False),
    (300, 301, 303, torch.bfloat16, False),
]
# batch, heads, kv heads, queries, keys, head size, causal
ATTENTION = [
    (2, 12, 12, 1337, 1337, 64, True),
    (1, 24, 8, 5000, 5000, 128, True),
    (3, 16, 4, 333, 333, 128, False),
    (1, 40, 40, 2111, 2111, 128, False),
    (6, 8, 2, 100, 3001, 64, False),
    (2, 10, 10, 900, 900, 256, True),
    (5, 6, 6, 77, 77, 64, False),
    (2, 20, 20, 1500, 1500, 64, False),
    (3, 28, 4, 1, 2777, 128, False),
    (1, 9, 9, 700, 700, 80, True),
]
# n, channels, depth, height, width, window, stride, padding, dilation, type
CONV3D = [
    (1, 96, 17, 33, 47, (3, 3, 3), 1, 1, 1, torch.bfloat16),
    (2, 64, 9, 30, 30, (3, 5, 5), 1, (1, 2, 2), 1, torch.bfloat16),
    (1, 200, 13, 57, 101, (3, 3, 3), 1, (0, 1, 1), 1, torch.float16),
    (1, 384, 21, 45, 39, (1, 7, 7), 1, (0, 3, 3), 1, torch.bfloat16),
    (2, 48, 8, 112, 90, (3, 3, 3), (1, 2, 2), 1, 1, torch.bfloat16),
    (1, 130, 11, 37, 61, (5, 5, 5), 1, 2, 1, torch.bfloat16),
    (1, 72, 30, 33, 33, (3, 3, 3), 1, (2, 2, 2), 2, torch.bfloat16),
    (1, 56, 19, 50, 70, (3, 3, 3), 1, 1, 1, torch.float32),
]
# shape, type
SOFTMAX = [
    ((4097, 1000), torch.bfloat16),
    ((333, 50257), torch.bfloat16),
    ((70001, 65), torch.bfloat16),
    ((8192, 3000), torch.float32),
    ((12, 128256), torch.bfloat16),
    ((300001, 17), torch.float16),
    ((777, 8193), torch.float32),
    ((3, 16, 1023, 1023), torch.bfloat16),
]
# m, n, k
INT4 = [
    *((m, n, k) for m in (1, 16, 32, 64) for n, k in ((4096, 4096), (14336, 4096), (4096, 14336), (8192, 8192), (1024, 8192))),
    (128, 4096, 4096),
    (256, 8192, 8192),
]  # fmt: skip


@dataclass(frozen=True)
class Case:
    """One shape: input sets, both functions, and an error over its bound."""

    name: str
    sets: list[tuple[torch.Tensor, ...]]
    ours: Callable[..., torch.Tensor]
    peer: Callable[..., torch.Tensor]
    error: Callable[[torch.Tensor], float]
    choice: object


def drawn(make, size_bytes):
    """Return input sets that together exceed the cache."""
    return [make() for _ in range(max(2, min(8, -(-2 * L2_BYTES // size_bytes))))]


def over(found, exact, slack):
    """Return the largest error over its bound."""
    bound = HALF_ULP[found.dtype] * 1.01 * exact.abs() + slack + 1e-7
    return float(((found.double() - exact).abs() / bound).max()) if torch.isfinite(found).all() else float("inf")


def normal(*shape, dtype):
    return torch.randn(shape, device=DEVICE).to(dtype)


def gemm_case(m, n, k, dtype, fused):
    def make():
        return (
            normal(m, k, dtype=dtype),
            normal(k, n, dtype=dtype),
            *([normal(n, dtype=dtype)] if fused else []),
        )

    sets = drawn(make, 2 * (m * k + k * n + m * n))
    rows = torch.randperm(m, device=DEVICE)[:48]

    def error(found):
        a, b, *bias = sets[0]
        exact, terms = a[rows].double() @ b.double(), a[rows].double().abs() @ b.double().abs()
        slack = 2.0**-20 * terms
        if fused:
            exact = exact + bias[0].double()
            # where PyTorch's own functions run, the product is rounded before GELU, whose slope is 1.13 at most
            slack = slack + (1.2 * HALF_ULP[dtype] * exact.abs() if choice.implementation == "torch" else 0)
            exact = functional.gelu(exact)
        return over(found[rows], exact, slack)

    if fused:
        choice = ops.explain_choice("gemm", *sets[0][:2], bias=sets[0][2], activation="gelu")
        ours = lambda a, b, x: ops.gemm(a, b, bias=x, activation="gelu")  # noqa: E731
        peer = lambda a, b, x: functional.gelu(functional.linear(a, b.t(), x))  # noqa: E731
    else:
        choice, ours, peer = ops.explain_choice("gemm", *sets[0]), lambda a, b: ops.gemm(a, b), torch.matmul  # noqa: PLW0108
    return Case(f"{m}x{n}x{k} {dtype}{' gelu' if fused else ''}", sets, ours, peer, error, choice)


def attention_case(batch, heads, kv_heads, length_q, length_k, size, causal):
    dtype = torch.bfloat16

    def make():
        q = normal(batch, heads, length_q, size, dtype=dtype)
        return q, *(normal(batch, kv_heads, length_k, size, dtype=dtype) for _ in range(2))

    sets = drawn(make, 4 * batch * size * (heads * length_q + kv_heads * length_k))

    def error(found):
        q, k, v = (x[-1:, -1].double() for x in sets[0])
        scores = (q @ k.transpose(1, 2)) * size**-0.5
        if causal:
            hidden = torch.ones(length_q, length_k, device=DEVICE, dtype=torch.bool).triu(1)
            scores.masked_fill_(hidden, float("-inf"))
        weights = scores.softmax(-1)
        spread = (weights**2 @ v**2).sqrt()
        return over(found[-1:, -1], weights @ v, 2.0**-7 * spread + 2.0**-10 * (weights @ v.abs()))

    ours = lambda q, k, v: ops.attention(q, k, v, causal=causal)  # noqa: E731
    peer = lambda q, k, v: functional.scaled_dot_product_attention(  # noqa: E731
        q, k, v, is_causal=causal, enable_gqa=heads != kv_heads
    )
    choice = ops.explain_choice("attention", *sets[0], causal=causal)
    return Case(
        f"{batch}x{heads}/{kv_heads}x{length_q}/{length_k}x{size} causal={causal}", sets, ours, peer, error, choice
    )


def conv3d_case(n, channels, depth, height, width, window, stride, padding, dilation, dtype):
    options = {"stride": stride, "padding": padding, "dilation": dilation}

    def make():
        return normal(n, channels, depth, height, width, dtype=dtype), normal(channels, 1, *window, dtype=dtype)

    sets = drawn(make, 2 * dtype.itemsize * n * channels * depth * height * width)
    some = [0, channels // 2, channels - 1]

    def error(found):
        x, w = (one.double() for one in (sets[0][0][:, some], sets[0][1][some]))
        exact = functional.conv3d(x, w, groups=3, **options)
        terms = functional.conv3d(x.abs(), w.abs(), groups=3, **options)
        return over(found[:, some], exact, 2.0**-20 * terms)

    ours = lambda x, w: ops.depthwise_conv3d(x, w, **options)  # noqa: E731
    peer = lambda x, w: functional.conv3d(x, w, groups=channels, **options)  # noqa: E731
    choice = ops.explain_choice("depthwise_conv3d", *sets[0], **options)
    name = f"{n}x{channels}x{depth}x{height}x{width} {window} s{stride} p{padding} d{dilation} {dtype}"
    return Case(name, sets, ours, peer, error, choice)


def softmax_case(shape, dtype):
    sets = drawn(lambda: (4 * normal(*shape, dtype=dtype),), 2 * dtype.itemsize * torch.Size(shape).numel())

    def error(found):
        return over(found[-64:], sets[0][0][-64:].double().softmax(-1), 1e-6)

    ours, peer = lambda x: ops.softmax(x), lambda x: functional.softmax(x, -1)  # noqa: PLW0108
    return Case(f"{shape} {dtype}", sets, ours, peer, error, ops.explain_choice("softmax", *sets[0]))


def tinygemm(stored, scales):
    """Return PyTorch's own int4 form of the same weights: q in pairs by row of n, scales and zeros by group."""
    q = ((widened(stored, torch.ones_like(scales, dtype=torch.float32)) + 8).to(torch.int32)).t().contiguous()
    packed = ((q[:, ::2] << 4) | q[:, 1::2]).to(torch.uint8)
    weights = torch.ops.aten._convert_weight_to_int4pack(packed, 8)  # noqa: SLF001 - PyTorch names these operators so
    return weights, torch.stack([scales, torch.zeros_like(scales)], -1).contiguous()


def int4_case(m, n, k, *, own):
    """Return weights of 4 bits beside PyTorch's `own` form of them, or beside the same numbers in bfloat16."""

    def make():
        stored, scales = ops.pack_int4(normal(k, n, dtype=torch.bfloat16))
        peers = tinygemm(stored, scales) if own else (widened(stored, scales),)
        return normal(m, k, dtype=torch.bfloat16), stored, scales, *peers

    sets = drawn(make, k * n // 2 + 2 * m * (k + n))
    rows = torch.randperm(m, device=DEVICE)[:64]

    def error(found):
        a, stored, scales = sets[0][:3]
        w = widened(stored, scales.double())
        return over(found[rows], a[rows].double() @ w, 2.0**-20 * (a[rows].double().abs() @ w.abs()))

    ours = lambda a, stored, scales, *_: ops.gemm_int4(a, stored, scales)  # noqa: E731
    if own:
        peer = lambda a, _w, _s, form, zeros: torch.ops.aten._weight_int4pack_mm(a, form, GROUP, zeros)  # noqa: E731, SLF001
    else:
        peer = lambda a, _w, _s, wide: torch.matmul(a, wide)  # noqa: E731
    return Case(f"{m}x{n}x{k} int4", sets, ours, peer, error, ops.explain_choice("gemm_int4", *sets[0][:3]))


FAMILIES = {
    "int4": (partial(int4_case, own=False), INT4),
    "int4-torch": (partial(int4_case, own=True), INT4),
    "gemm": (gemm_case, GEMM),
    "attention": (attention_case, ATTENTION),
    "conv3d": (conv3d_case, CONV3D),
    "softmax": (softmax_case, SOFTMAX),
}


def host_us(function, sets):
    """Return the median host time of a call that finds the device idle enough to take it."""
    times = []
    for index in range(HOST_CALLS):
        one = sets[index % len(sets)]
        began = time.perf_counter()
        function(*one)
        times.append(1e6 * (time.perf_counter() - began))
        if index % 8 == 7:
            torch.cuda.synchronize()
    return median(times)


def rounds(functions, sets):
    """Return raw ms of a call for each function, in interleaved rounds of graphs."""
    graphs = {name: graphed([partial(function, *one) for one in sets], 1) for name, function in functions.items()}
    repeats = {name: max(1, min(100, int(1.5 / (graph.sample(1) * graph.calls)))) for name, graph in graphs.items()}
    return interleaved(graphs, repeats, ROUNDS)


def ratio(times):
    """Return the peer's time over ours: median and extremes of the rounds."""
    found = sorted(p / o for o, p in zip(pairs(times["ours"]), pairs(times["peer"]), strict=True))
    return {"median": median(found), "low": found[0], "high": found[-1]}


def study_compiled(row, case):
    """Add what becomes of both functions under torch.compile to a row."""
    functions = {"ours": case.ours, "peer": case.peer}
    made = {name: torch.compile(function, fullgraph=True, dynamic=False) for name, function in functions.items()}
    row["compiled_error"] = case.error(made["ours"](*case.sets[0]))
    row["compiled_times_ms"] = rounds(made, case.sets)
    row["compiled_ratio"] = ratio(row["compiled_times_ms"])
    row["compiled_host_us"] = {name: host_us(function, case.sets) for name, function in made.items()}
    host = " / ".join(f"{value:.0f}" for value in row["compiled_host_us"].values())
    print(
        f"under torch.compile: {row['family']} {row['name']}: {row['compiled_ratio']['median']:.3f} "
        f"[{row['compiled_ratio']['low']:.3f}, {row['compiled_ratio']['high']:.3f}]  host {host} us  "
        f"error {row['compiled_error']:.2f}",
        flush=True,
    )


def study(family, case):
    functions = {"ours": case.ours, "peer": case.peer}
    row = {
        "family": family,
        "name": case.name,
        "choice": str(case.choice),
        "implementation": case.choice.implementation,
    }
    row["errors"] = [case.error(case.ours(*case.sets[0])) for _ in range(2)]
    row["peer_error"] = case.error(case.peer(*case.sets[0]))
    row["times_ms"] = rounds(functions, case.sets)
    row["ratio"] = ratio(row["times_ms"])
    row["host_us"] = {name: host_us(function, case.sets) for name, function in functions.items()}
    row["errors"].append(case.error(case.ours(*case.sets[0])))
    host = " / ".join(f"{value:.0f}" for value in row["host_us"].values())
    low = "  BELOW THE GOAL" if row["ratio"]["median"] < GOAL else ""
    print(
        f"{family} {case.name}: {1e3 * median(row['times_ms']['ours']):.1f} us, {row['ratio']['median']:.3f} "
        f"[{row['ratio']['low']:.3f}, {row['ratio']['high']:.3f}] {row['implementation']}  host {host} us  "
        f"error {max(row['errors']):.2f} (peer {row['peer_error']:.2f}){low}",
        flush=True,
    )
    return row


def warm(part, families):
    """Compile what every WORKERS-th shape runs into Triton's cache; runs in a child process."""
    for family, shape in [(name, shape) for name in families for shape in FAMILIES[name][1]][part::WORKERS]:
        try:
            case = FAMILIES[family][0](*shape)
            case.ours(*case.sets[0])
            torch.cuda.synchronize()
        except Exception as reason:  # noqa: BLE001 - it is told where it is measured
            print("warming:", family, shape, (str(reason).splitlines() or [repr(reason)])[0][:120], flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--families", default="gemm,attention,softmax,conv3d")
    parser.add_argument("--limit-s", type=float, default=60)
    parser.add_argument("--no-compile", action="store_true")
    parser.add_argument("--warm", type=int)
    given = parser.parse_args()
    torch.manual_seed(7)
    if given.warm is not None:
        warm(given.warm, given.families.split(","))
        return
    began, rows = time.monotonic(), []
    command = [sys.executable, __file__, str(given.out), "--families", given.families, "--warm"]
    for child in [subprocess.Popen([*command, str(part)]) for part in range(WORKERS)]:
        child.wait()
    print(f"compiled in {time.monotonic() - began:.0f} s", flush=True)
    conditions = {
        "device": torch.cuda.get_device_name(), "torch": torch.__version__, "triton": triton.__version__,
        "cudnn": torch.backends.cudnn.version(), "command": sys.argv,
    }  # fmt: skip
    for family in given.families.split(","):
        make, shapes = FAMILIES[family]
        for shape in shapes:
            if time.monotonic() - began > given.limit_s:
                print("out of time before", family, shape, flush=True)
                break
            try:
                rows.append(study(family, make(*shape)))
            except Exception as reason:  # noqa: BLE001 - a failure is a result
                text = (str(reason).splitlines() or [repr(reason)])[0][:200]
                print(f"failed: {family} {shape}: {text}", flush=True)
                rows.append({"family": family, "name": str(shape), "failed": text})
            given.out.write_text(json.dumps({"conditions": conditions, "rows": rows}))
        mine = [row["ratio"]["median"] for row in rows if row["family"] == family and "ratio" in row]
        wrong = [row["name"] for row in rows if row["family"] == family and max(row.get("errors", [0])) > 1]
        if mine:
            print(
                f"== {family}: geometric mean {geometric(mine):.3f}, least {min(mine):.3f}, {len(mine)} shapes, wrong: {wrong}"
            )
    for family in [] if given.no_compile else given.families.split(","):
        row = next((row for row in rows if row["family"] == family and "ratio" in row), None)
        if row is None or time.monotonic() - began > given.limit_s:
            print("no time for torch.compile of", family, flush=True)
            continue
        make, shapes = FAMILIES[family]
        try:
            study_compiled(row, make(*shapes[[r for r in rows if r["family"] == family].index(row)]))
        except Exception as reason:  # noqa: BLE001
            print(
                f"failed: torch.compile of {family}: {(str(reason).splitlines() or [repr(reason)])[0][:200]}",
                flush=True,
            )
        given.out.write_text(json.dumps({"conditions": conditions, "rows": rows}))


if __name__ == "__main__":
    main()
