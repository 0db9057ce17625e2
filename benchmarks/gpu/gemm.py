"""bf16 GEMM in Triton and Gluon against cuBLAS on a Hopper GPU: squares, LLM shapes, tall K, and a fused bias + GELU.

    python benchmarks/gpu/gemm.py OUT.json [--only TEXT] [--kinds KIND,...] [--limit-s S] [--known]

Candidates are first checked in parallel child processes: fresh random inputs, poisoned outputs, two calls, float64 on sampled
rows; a child that hangs or dies costs the candidate it was at and those behind it. Then the best of a quick look per shape
meets cuBLAS in interleaved rounds (ABBA, CUDA graphs of back-to-back calls, inputs rotated beyond the second-level cache).
`--known` takes each shape's configuration from the project's table instead of looking. Raw times of the rounds and conditions
go to OUT.json; a table is printed last.

Peers: cuBLAS through `torch.matmul`; for bias and GELU both `F.gelu(F.linear(x, w, b))` in eager PyTorch and the same through
`torch.compile`.
"""

from __future__ import annotations

import argparse
import faulthandler
import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median

import torch
import triton
from harness import KERNELS, load_by_path
from triton.experimental.gluon.language._layouts import NVMMASharedLayout
from triton.experimental.gluon.nvidia.hopper import TensorDescriptor as GluonDescriptor
from triton.tools.tensor_descriptor import TensorDescriptor

jit = load_by_path(KERNELS / "gemm/jit.py")
gluon_hopper = load_by_path(KERNELS / "gemm/gluon_hopper.py")

DEVICE = "cuda"
L2_BYTES = 64 << 20
MULTIPROCESSORS = 132
WORKERS = 12
CANDIDATE_S = 25
"""Most time for one candidate on one shape, compilation included, before its process gives up."""
GELU = 2
SQUARES = [(n, n, n) for n in (1024, 2048, 4096, 8192)]
LLM = [(m, n, k) for m in (1, 16, 64, 256) for n, k in ((4096, 4096), (14336, 4096), (4096, 14336), (8192, 8192))]
TALL = [(512, 512, 16384), (256, 1024, 32768)]
FUSED = [(2048, 2048, 2048), (4096, 4096, 4096), (8192, 8192, 8192), (256, 14336, 4096)]
# First layers of feed-forward blocks that have GELU: BERT large, BERT base and GPT-2, GPT-2 large and ViT-H, GPT-2 XL
FUSED += [(8192, 4096, 1024), (16384, 3072, 768), (4096, 5120, 1280), (4096, 6400, 1600)]

# BM, BN, BK, GROUP, warps, stages, HALVES, FLATTEN, programs per multiprocessor
PERSISTENT = [
    (128, 256, 64, 8, 8, 4, True, True, 1),
    (128, 256, 64, 16, 8, 4, True, False, 1),
    (128, 128, 64, 8, 8, 4, False, True, 1),
    (128, 128, 64, 8, 4, 3, True, True, 2),
    (128, 128, 64, 8, 8, 3, True, True, 2),
    (64, 256, 64, 8, 4, 4, True, True, 1),
    (128, 64, 128, 8, 4, 4, False, True, 1),
    (64, 128, 128, 8, 4, 4, False, True, 1),
    (64, 128, 64, 8, 4, 7, False, False, 1),
    (64, 64, 128, 8, 4, 5, False, True, 1),
    (64, 32, 256, 8, 4, 4, False, True, 1),
]
# BM, BN, BK, GROUP, warps, stages, SPLITS
SPLIT = [
    (16, 64, 256, 1, 4, 4, 1),
    (16, 64, 256, 1, 4, 3, 2),
    (16, 128, 64, 1, 4, 6, 4),
    (16, 32, 256, 1, 4, 4, 1),
    (16, 32, 256, 1, 4, 4, 2),
    (64, 128, 128, 1, 4, 4, 4),
    (128, 128, 64, 8, 8, 6, 8),
]
MEET = [
    (64, 64, 128, 1, 4, 5, 2),
    (64, 128, 128, 1, 4, 4, 4),
    (128, 128, 64, 8, 8, 6, 2),
    (128, 128, 64, 8, 8, 6, 8),
    (128, 128, 128, 8, 8, 3, 8),
    (128, 256, 64, 8, 8, 4, 16),
]
# BM, BN, BK, STAGES, GROUPS, TAKE_TURNS, BUFFERS, GROUP
HOPPER = [
    (128, 256, 64, 4, 2, False, 2, 8),
    (128, 256, 64, 4, 2, False, 2, 16),
    (256, 128, 64, 4, 2, False, 1, 8),
    (256, 128, 64, 4, 2, False, 1, 4),
    (128, 128, 64, 5, 2, True, 2, 8),
    (128, 128, 64, 6, 2, True, 1, 8),
    (128, 128, 64, 6, 2, False, 2, 8),
    (128, 128, 128, 3, 2, False, 2, 8),
    (64, 256, 64, 5, 2, True, 1, 8),
    (128, 128, 64, 5, 2, True, 2, 16),
    (64, 256, 64, 5, 2, True, 1, 16),
    (64, 128, 128, 4, 1, False, 1, 8),
    (128, 64, 128, 4, 2, False, 1, 8),
    (64, 64, 128, 6, 1, False, 1, 8),
]
# BM, BN, BK, STAGES, GROUPS, TAKE_TURNS, BUFFERS, GROUP, AHEAD
HOPPER_AHEAD = [
    (128, 256, 64, 4, 2, False, 2, 8, 1),
    (128, 256, 64, 4, 2, False, 2, 8, 2),
    (128, 256, 64, 4, 2, False, 2, 16, 2),
    (128, 256, 64, 4, 2, False, 2, 8, 3),
    (256, 128, 64, 4, 2, False, 1, 8, 2),
]
# BM, BN, BK, STAGES, GROUPS, TAKE_TURNS, BUFFERS, GROUP, SPLITS
HOPPER_SPLIT = [
    (128, 128, 64, 6, 2, False, 1, 8, 2),
    (128, 128, 64, 6, 2, False, 1, 8, 8),
    (128, 128, 128, 3, 2, False, 1, 8, 8),
    (128, 256, 64, 4, 2, False, 1, 8, 16),
]
# MT, BN, BK, STAGES
SKINNY = [
    (16, 128, 128, 6),
    (16, 64, 256, 5),
    (16, 64, 128, 10),
    (64, 128, 128, 4),
    (64, 64, 128, 6),
    (64, 128, 64, 8),
]


@dataclass(frozen=True)
class Candidate:
    """A kernel and its constants."""

    kind: str
    config: tuple[int | bool, ...]


def persistent(config, a, b, c, bias, act):
    bm, bn, bk, group, warps, stages, halves_, flatten, resident = config
    (m, k), n = a.shape, b.shape[1]
    da = TensorDescriptor.from_tensor(a, [bm, bk])
    db = TensorDescriptor.from_tensor(b, [bk, bn])
    dc = TensorDescriptor.from_tensor(c, [bm, bn // 2 if halves_ else bn])
    programs = min(MULTIPROCESSORS * resident, triton.cdiv(m, bm) * triton.cdiv(n, bn))

    def run():
        jit.persistent[(programs,)](
            da, db, dc, bias if bias is not None else a, m, n, k,
            BM=bm, BN=bn, BK=bk, GROUP=group, PROGRAMS=programs, BIAS=bias is not None, ACT=act,
            HALVES=halves_, FLATTEN=flatten, SPECIALIZE=False, num_warps=warps, num_stages=stages,
        )  # fmt: skip

    return run


def split(config, a, b, c, bias, act, together=False):
    bm, bn, bk, group, warps, stages, splits = config
    (m, k), n = a.shape, b.shape[1]
    da = TensorDescriptor.from_tensor(a, [bm, bk])
    db = TensorDescriptor.from_tensor(b, [bk, bn])
    grid = (triton.cdiv(m, bm) * triton.cdiv(n, bn), splits)
    if together and grid[0] * splits > MULTIPROCESSORS:
        raise ValueError("more programs than multiprocessors")
    work = torch.empty((grid[0] * splits * bm * bn,), dtype=torch.float32, device=DEVICE)
    arrived = torch.zeros((grid[0],), dtype=torch.int32, device=DEVICE)
    kernel, more = (jit.meet, {"launch_cooperative_grid": True}) if together else (jit.split, {})

    def run():
        kernel[grid](
            da, db, c, bias if bias is not None else c, work, arrived, m, n, k,
            BM=bm, BN=bn, BK=bk, GROUP=group, SPLITS=splits, BIAS=bias is not None, ACT=act,
            num_warps=warps, num_stages=stages, **more,
        )  # fmt: skip

    return run


def described(tensor, block):
    """Return a Gluon descriptor with the widest swizzle that the block allows."""
    bits = tensor.element_size() * 8
    width = next(w for w in (128, 64, 32) if block[1] * bits // 8 % w == 0)
    return GluonDescriptor.from_tensor(tensor, list(block), NVMMASharedLayout(width, bits))


def hopper(config, a, b, c, bias, act, last="SPLITS"):
    bm, bn, bk, stages, groups, turns, buffers, group = config[:8]
    splits, ahead = (config[8], 0) if last == "SPLITS" and len(config) > 8 else (1, config[8] if len(config) > 8 else 0)
    (m, k), n = a.shape, b.shape[1]
    rows = bm if groups == 1 or turns else bm // 2
    tiles = triton.cdiv(m, bm) * triton.cdiv(n, bn) * splits
    programs = min(MULTIPROCESSORS, tiles)
    target = c if splits == 1 else torch.empty((splits * m, n), dtype=torch.float32, device=DEVICE)
    da, db = described(a, (bm, bk)), described(b, (bk, bn))
    dc = described(target, (rows, min(bn, 128 // target.element_size())))
    inside = splits == 1
    given = bias if bias is not None else a
    more = {"maxnreg": 128} if groups == 1 else {}

    def run():
        gluon_hopper.hopper[(programs,)](
            da, db, dc, given, m, n, k,
            GROUP=group, PROGRAMS=programs, SPLITS=splits, STAGES=stages, BUFFERS=buffers, GROUPS=groups,
            TAKE_TURNS=turns, BIAS=bias is not None and inside, ACT=act if inside else 0, AHEAD=ahead, num_warps=4,
            **more,
        )  # fmt: skip
        if not inside:
            jit.add_slices[(triton.cdiv(m * n, 1024),)](
                target, c, given, m, n, SPLITS=splits, BLOCK=1024, BIAS=bias is not None, ACT=act, num_warps=4
            )

    return run


def skinny(config, a, b, c, bias, act):
    mt, bn, bk, stages = config
    (m, k), n = a.shape, b.shape[1]
    tiles = triton.cdiv(n, bn)
    programs = min(MULTIPROCESSORS, tiles * triton.cdiv(k, bk))
    work = torch.empty((2 * programs * bn * mt,), dtype=torch.float32, device=DEVICE)
    arrived = torch.zeros((tiles,), dtype=torch.int32, device=DEVICE)
    da, db = described(a, (mt, bk)), described(b, (bk, bn))

    def run():
        gluon_hopper.skinny[(programs,)](
            da, db, c, bias if bias is not None else a, work, arrived, m, n, k,
            PROGRAMS=programs, STAGES=stages, BIAS=bias is not None, ACT=act, num_warps=4, maxnreg=128,
        )  # fmt: skip

    return run


MAKE = {
    "persistent": persistent,
    "split": split,
    "meet": partial(split, together=True),
    "hopper": hopper,
    "hopper-ahead": partial(hopper, last="AHEAD"),
    "hopper-split": hopper,
    "skinny": skinny,
}


def candidates(shape):
    """Return what is worth trying on a shape."""
    m, n, k = shape
    found = []
    if m > 64:
        found += [Candidate("hopper", c) for c in HOPPER if c[0] <= m]
        found += [Candidate("hopper-ahead", c) for c in HOPPER_AHEAD if c[0] <= m]
    if m >= 64:
        found += [Candidate("persistent", c) for c in PERSISTENT if c[0] <= m]
    if m <= 64:
        found += [Candidate("skinny", c) for c in SKINNY if c[0] == max(16, m)]
    few = m * n <= 256 * 14336 and (m <= 64 or k > 4 * n or n <= 1024)
    if few:
        found += [Candidate("split", c) for c in SPLIT if c[0] <= max(16, m)]
    for kind, table in (("meet", MEET), ("hopper-split", HOPPER_SPLIT)):
        for c in table:
            programs = triton.cdiv(m, c[0]) * triton.cdiv(n, c[1]) * c[-1]
            if m >= c[0] and MULTIPROCESSORS // 2 < programs <= MULTIPROCESSORS:
                found.append(Candidate(kind, c))
    return found


def sets_for(m, n, k, seed, most=12):
    """Return input sets that together exceed the cache."""
    size = 2 * (m * k + k * n + m * n)
    count = max(2, min(most, -(-3 * L2_BYTES // size))) if most > 1 else 1
    generator = torch.Generator(device=DEVICE).manual_seed(seed)
    made = []
    for _ in range(count):
        a = torch.randn((m, k), generator=generator, device=DEVICE, dtype=torch.float32).bfloat16()
        b = torch.randn((k, n), generator=generator, device=DEVICE, dtype=torch.float32).bfloat16()
        bias = torch.randn((n,), generator=generator, device=DEVICE, dtype=torch.float32).bfloat16()
        made.append((a, b, bias, torch.empty((m, n), device=DEVICE, dtype=torch.bfloat16)))
    return made


class Judge:
    """Float64 results of some rows of one input set, on the device."""

    def __init__(self, a, b, bias, gelu):
        self.rows = torch.randperm(a.shape[0], device=DEVICE)[:64]
        self.exact = a[self.rows].double() @ b.double()
        terms = a[self.rows].double().abs() @ b.double().abs()
        if gelu:
            self.exact = torch.nn.functional.gelu(self.exact + bias.double())
            terms += bias.double().abs()
        self.bound = 2.0**-8 * self.exact.abs() + 2.0**-22 * a.shape[1] ** 0.5 * terms * 4 + 1e-30

    def error(self, c):
        """Return the largest error over its bound; above 1 is wrong."""
        error = (c[self.rows].double() - self.exact).abs() / self.bound
        return float("inf") if not torch.isfinite(c).all() else float(error.max())


def check(jobs, part, kinds):
    """Check every WORKERS-th candidate and print one JSON line for each; runs in a child process."""
    names = sorted({(c.kind, c.config) for s, _ in jobs for c in candidates(s)}, key=repr, reverse=True)
    names = [name for name in names if not kinds or name[0] in kinds.split(",")]
    mine = set(names[part::WORKERS])
    for shape, gelu in jobs:
        wanted = [c for c in candidates(shape) if (c.kind, c.config) in mine]
        if not wanted:
            continue
        a, b, bias, c = sets_for(*shape, seed=part + sum(shape), most=1)[0]
        judge = Judge(a, b, bias, gelu)
        for candidate in wanted:
            line = {"kind": candidate.kind, "config": candidate.config, "shape": shape, "gelu": gelu}
            print(json.dumps({**line, "begun": True}), flush=True)
            faulthandler.dump_traceback_later(CANDIDATE_S, exit=True, file=sys.stdout)
            try:
                run = MAKE[candidate.kind](candidate.config, a, b, c, bias if gelu else None, GELU if gelu else 0)
                errors = []
                for _ in range(2):  # twice: what the first call left behind must not matter
                    c.fill_(float("nan"))
                    run()
                    torch.cuda.synchronize()
                    errors.append(judge.error(c))
                print(json.dumps({**line, "error": max(errors)}), flush=True)
            except Exception as reason:  # noqa: BLE001 - a configuration that does not fit is a result
                text = (str(reason).splitlines() or [repr(reason)])[0][:160]
                print(json.dumps({**line, "why": f"{type(reason).__name__}: {text}"}), flush=True)
                if "CUDA error" in text or "illegal" in text:
                    sys.exit(7)
    faulthandler.cancel_dump_traceback_later()


def checked(given, limit_s):
    """Return error of its bound by (kind, config, shape, gelu), from child processes side by side."""
    command = [sys.executable, __file__, str(given.out), "--only", given.only, "--kinds", given.kinds, "--check"]
    logs = [Path(f"{given.out}.check{i}") for i in range(WORKERS)]
    with_logs = [(log, log.open("w")) for log in logs]
    children = [
        subprocess.Popen([*command, str(i)], stdout=handle, stderr=subprocess.STDOUT)
        for i, (_, handle) in enumerate(with_logs)
    ]
    end, good = time.monotonic() + limit_s, {}
    for child in children:
        try:
            child.wait(max(0.1, end - time.monotonic()))
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
    for log, handle in with_logs:
        handle.close()
        begun = None
        for line in log.read_text().splitlines():
            if not line.startswith("{"):
                continue
            said = json.loads(line)
            key = (said["kind"], tuple(said["config"]), tuple(said["shape"]), said["gelu"])
            begun = key if "begun" in said else None
            if "error" in said and said["error"] <= 1:
                good[key] = said["error"]
            elif "error" in said or "why" in said:
                print("refused:", *key, said.get("why", f"error {said.get('error')} of its bound"), flush=True)
        if begun is not None:
            print("hung or died:", *begun, log.read_text()[-1200:], flush=True)
        elif not log.read_text():
            print("a child said nothing", flush=True)
        log.unlink()
    return good


def graphed(runs, passes):
    """Capture `passes` passes over calls as one graph, so that short kernels are not timed by their launches."""
    for run in runs:
        run()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for _ in range(passes):
            for run in runs:
                run()
    graph.replay()
    torch.cuda.synchronize()
    return Graph(graph, runs, passes * len(runs))


@dataclass(frozen=True)
class Graph:
    """A captured sequence; it keeps alive what the calls use."""

    graph: object
    runs: list
    calls: int

    def sample(self, repeats):
        """Return ms of one call."""
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        begin.record()
        for _ in range(repeats):
            self.graph.replay()
        end.record()
        end.synchronize()
        return begin.elapsed_time(end) / repeats / self.calls


def ours(candidate, inputs, gelu, passes):
    make = MAKE[candidate.kind]
    return graphed(
        [make(candidate.config, a, b, c, x if gelu else None, GELU if gelu else 0) for a, b, x, c in inputs], passes
    )


def linear(a, w, x):
    return torch.nn.functional.gelu(torch.nn.functional.linear(a, w, x))


def peers(inputs, gelu, passes, names):
    """Return the peers by name; `plain` is the product with bias alone: fusing can save no more."""
    if not gelu:
        return {"cublas": graphed([partial(torch.matmul, a, b, out=c) for a, b, _, c in inputs], passes)}
    found = {"eager": graphed([partial(linear, a, b.t(), x) for a, b, x, _ in inputs], passes)}
    if "plain" in names:
        found["plain"] = graphed([partial(torch.nn.functional.linear, a, b.t(), x) for a, b, x, _ in inputs], passes)
    if "compile" not in names:
        return found
    try:
        compiled = torch.compile(linear, dynamic=False)
        found["compile"] = graphed([partial(compiled, a, b.t(), x) for a, b, x, _ in inputs], passes)
    except Exception as reason:  # noqa: BLE001 - without Inductor the eager peer remains
        print("no torch.compile:", str(reason).splitlines()[0][:120], flush=True)
    return found


def study(shape, gelu, good, rounds, names):
    m, n, k = shape
    inputs = sets_for(m, n, k, seed=m + n + k)
    guess = 2e-9 * m * n * k / 600 + 2e-9 * (m * k + n * k) / 3 + 4e-3
    passes = max(1, int(0.7 / guess / len(inputs)))
    looks = []
    for kind, config, where, fused in good:
        if where != shape or fused != gelu:
            continue
        try:
            graph = ours(Candidate(kind, config), inputs, gelu, passes)
            looks.append((min(graph.sample(1) for _ in range(4)), kind, config))
        except Exception as reason:  # noqa: BLE001
            print(f"failed: {kind} {config}: {str(reason).splitlines()[0][:110]}", flush=True)
            torch.cuda.synchronize()
    if not looks:
        return None
    looks.sort()
    _, kind, config = looks[0]
    graphs = {"ours": ours(Candidate(kind, config), inputs, gelu, passes), **peers(inputs, gelu, passes, names)}
    repeats = max(1, int(3.0 / (graphs["ours"].sample(1) * graphs["ours"].calls)))
    times = {name: [] for name in graphs}
    for index in range(rounds):
        order = list(graphs) if index % 2 == 0 else list(reversed(graphs))
        for name in (*order, *reversed(order)):
            times[name].append(graphs[name].sample(repeats))
    row = {
        "shape": shape, "fused": gelu, "kind": kind, "config": config, "times_ms": times,
        "error_of_bound": good[kind, config, shape, gelu], "looks": looks, "ratios": {},
    }  # fmt: skip
    speed = 2e-9 * m * n * k / median(times["ours"])
    text = f"{'fused ' if gelu else ''}{m}x{n}x{k}: {1e3 * median(times['ours']):.2f} us {speed:.1f} TFLOP/s {kind} {config}"
    for name in graphs:
        if name != "ours":
            ratios = sorted(p / o for o, p in zip(pairs(times["ours"]), pairs(times[name]), strict=True))
            low, high = ratios[len(ratios) // 10], ratios[-1 - len(ratios) // 10]
            row["ratios"][name] = {"median": median(ratios), "p10": low, "p90": high}
            text += f"  {name} {median(ratios):.3f} [{low:.3f}, {high:.3f}]"
    print(text, flush=True)
    print("    " + "; ".join(f"{1e3 * t:.2f} {kd} {list(cf)}" for t, kd, cf in looks[:6]), flush=True)
    return row


def pairs(values):
    """Return the mean of each round's two samples."""
    return [(values[i] + values[i + 1]) / 2 for i in range(0, len(values), 2)]


def geometric(values):
    product = 1.0
    for value in values:
        product *= value
    return product ** (1 / len(values))


def known():
    """Return the project's table, keyed as the checks key what they find."""
    table = load_by_path(KERNELS / "gemm/known_hopper.py")
    return {(row.kind, row.config, row.shape, row.epilogue != "none") for row in table.TABLE}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--only", default="", help="shapes whose text m,n,k contains one of these, divided by ;")
    parser.add_argument("--kinds", default="")
    parser.add_argument("--check", type=int)
    parser.add_argument("--check-s", type=float, default=100)
    parser.add_argument("--limit-s", type=float, default=240)
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--known", action="store_true")
    parser.add_argument(
        "--peers", default="compile", help="what runs beside eager PyTorch where GELU is fused: compile,plain"
    )
    given = parser.parse_args()
    jobs = [(s, False) for s in SQUARES + TALL + LLM] + [(s, True) for s in FUSED]
    if given.only:
        jobs = [(s, f) for s, f in jobs if any(part in ",".join(map(str, (*s, f))) for part in given.only.split(";"))]
    if given.check is not None:
        check(jobs, given.check, given.kinds)
        return
    began, rows = time.monotonic(), []
    good = checked(given, given.check_s)
    if given.known:
        good = {key: error for key, error in good.items() if key in known()}
    if given.kinds:
        good = {key: error for key, error in good.items() if key[0] in given.kinds.split(",")}
    print(f"{len(good)} candidates are right, {time.monotonic() - began:.0f} s", flush=True)
    for shape, gelu in jobs:
        if time.monotonic() - began > given.limit_s:
            print("out of time before", shape, flush=True)
            break
        try:
            row = study(shape, gelu, good, given.rounds, given.peers.split(","))
            if row:
                rows.append(row)
        except Exception as reason:  # noqa: BLE001
            print(f"failed: {shape}: {reason}", flush=True)
        conditions = {
            "device": torch.cuda.get_device_name(), "torch": torch.__version__, "triton": triton.__version__,
            "cuda": torch.version.cuda, "command": sys.argv, "cpus": os.cpu_count(),
        }  # fmt: skip
        given.out.write_text(json.dumps({"conditions": conditions, "rows": rows}))
    for peer in ("cublas", "eager", "compile", "plain"):
        ratios = [row["ratios"][peer]["median"] for row in rows if peer in row["ratios"]]
        if ratios:
            print(f"{peer}: geometric mean {geometric(ratios):.3f}, least {min(ratios):.3f}, {len(ratios)} shapes")


if __name__ == "__main__":
    main()
