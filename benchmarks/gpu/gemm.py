"""bf16 GEMM in Triton and Gluon against cuBLAS on a Hopper GPU: squares, LLM shapes, tall K; plain, and with bias + GELU fused.

    python benchmarks/gpu/gemm.py OUT.json [--only TEXT] [--limit-s S] [--search [--kinds KIND,...]]

Each shape gets the table's kernel and at most two others (`gemm_choice.py`); `--search` tries all that may be worth it.
They are first checked in parallel child processes, which also fill the compilers' caches: fresh random inputs, poisoned outputs,
two calls, float64 on sampled rows; a child that hangs or dies costs the candidate it was at and those behind it. Then the best
of a quick look per shape meets the peers in interleaved rounds (ABBA, CUDA graphs of back-to-back calls, inputs rotated beyond
the second-level cache), and what the timed graph wrote is checked again. Raw times of the rounds and conditions go to
OUT.json; a table is printed last.

Peers: cuBLAS through `torch.matmul`; for bias and GELU both `F.gelu(F.linear(x, w, b))` in eager PyTorch and the same through
`torch.compile`.
"""

from __future__ import annotations

import argparse
import faulthandler
import json
import math
import os
import subprocess
import sys
import time
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from statistics import median

import torch
import triton
from gemm_choice import JOBS, SHAPES, chosen, everything
from gemm_launch import DEVICE, MULTIPROCESSORS, Candidate

__all__ = ["DEVICE", "L2_BYTES", "MULTIPROCESSORS", "WORKERS", "geometric", "graphed", "pairs"]
L2_BYTES = 64 << 20
WORKERS = 16
CANDIDATE_S = 25
"""Most time for one candidate on one shape, compilation included, before its process gives up."""
ACT = 2
"""The kernels' number of GELU."""
CHAINS = {"hopper": (0, 1, 2), "hopper-ahead": (0, 1, 2), "hopper-split": (0, 1, 2), "skinny": (0, 1, 2, 3, 4, 5)}
"""Values of `Candidate.chain` that a search tries, where a kind has not those of `jit.py`."""
BEGINS = ("", " early", " late", " after", " early, ahead", " after, ahead")
"""`Candidate.chain` in words."""
LOOK_MS, SAMPLE_MS = 0.5, 3.0


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


def candidates(given, shape, gelu):
    """Return what is tried on a shape."""
    found = chosen(shape, gelu)
    if given.search:
        found = [replace(one, chain=chain) for one in everything(shape) for chain in CHAINS.get(one.kind, (0, 1, 2, 3))]
    return [one for one in found if not given.kinds or one.kind in given.kinds.split(",")]


def jobs(given):
    """Return the shapes that are asked for, each with whether bias and GELU are fused."""
    parts = [part for part in given.only.split(";") if part]
    return [(s, f) for s, f in JOBS if not parts or any(part in ",".join(map(str, (*s, f))) for part in parts)]


def check(given, part):
    """Check every WORKERS-th candidate and print one JSON line for each; runs in a child process."""
    wanted = [(s, f, one) for s, f in jobs(given) for one in candidates(given, s, f)]
    # a kernel is compiled once for each of these
    builds = sorted({(one, f, s[0] == 1) for s, f, one in wanted}, key=repr, reverse=True)
    mine, last, inputs, judge = set(builds[part::WORKERS]), None, None, None
    for shape, gelu, one in wanted:
        if (one, gelu, shape[0] == 1) not in mine:
            continue
        if (shape, gelu) != last:
            last, inputs = (shape, gelu), sets_for(*shape, seed=part + sum(shape), most=1)[0]
            judge = Judge(*inputs[:3], gelu)
        line = {**asdict(one), "shape": shape, "gelu": gelu}
        print(json.dumps({**line, "begun": True}), flush=True)
        faulthandler.dump_traceback_later(CANDIDATE_S, exit=True, file=sys.stdout)
        try:
            run, errors = one.call(inputs, ACT if gelu else 0), []
            for _ in range(2):  # twice: what the first call left behind must not matter
                inputs[3].fill_(float("nan"))
                run()
                torch.cuda.synchronize()
                errors.append(judge.error(inputs[3]))
            print(json.dumps({**line, "error": max(errors)}), flush=True)
        except Exception as reason:  # noqa: BLE001 - a configuration that does not fit is a result
            text = (str(reason).splitlines() or [repr(reason)])[0][:160]
            print(json.dumps({**line, "why": f"{type(reason).__name__}: {text}"}), flush=True)
            if "CUDA error" in text or "illegal" in text:
                sys.exit(7)
        faulthandler.cancel_dump_traceback_later()
    if "compile" in given.peers:
        warm_compile(jobs(given)[part::WORKERS])


def warm_compile(mine):
    """Let torch.compile fill its cache on disk."""
    for shape, gelu in mine:
        if gelu:
            a, b, bias, _ = sets_for(*shape, seed=1, most=1)[0]
            compiled()(a, b.t(), bias)
            torch.cuda.synchronize()


def checked(given):
    """Return error of its bound by (candidate, shape, gelu), from child processes side by side."""
    command = [sys.executable, __file__, *sys.argv[1:], "--check"]
    alone = {**os.environ, "TORCHINDUCTOR_COMPILE_THREADS": "1"}  # each is one of many already
    logs = [Path(f"{given.out}.check{i}") for i in range(WORKERS)]
    with_logs = [(log, log.open("w")) for log in logs]
    children = [
        subprocess.Popen([*command, str(i)], stdout=handle, stderr=subprocess.STDOUT, env=alone)
        for i, (_, handle) in enumerate(with_logs)
    ]
    end, good = time.monotonic() + given.check_s, {}
    for child in children:
        try:
            child.wait(max(0.1, end - time.monotonic()))
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
    for log, handle in with_logs:
        handle.close()
        good |= said_by(log.read_text())
        log.unlink()
    return good


def said_by(log):
    """Return the good candidates of a child's log, and print the others."""
    begun, good = None, {}
    for line in log.splitlines():
        if not line.startswith("{"):
            continue
        said = json.loads(line)
        one = Candidate(said["kind"], tuple(said["config"]), said["chain"])
        key = (one, tuple(said["shape"]), said["gelu"])
        begun = key if "begun" in said else None
        if "error" in said and said["error"] <= 1:
            good[key] = said["error"]
        elif "error" in said or "why" in said:
            print("refused:", *key, said.get("why", f"error {said.get('error')} of its bound"), flush=True)
    if begun is not None:
        print("hung or died:", *begun, log[-1200:], flush=True)
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


def linear(a, w, x):
    return torch.nn.functional.gelu(torch.nn.functional.linear(a, w, x))


def compiled():
    """Return `linear` compiled for one shape after the other, none of them by an earlier one's or generic code."""
    torch._dynamo.config.recompile_limit = 1000  # noqa: SLF001 - PyTorch's module for its settings
    return torch.compile(linear, dynamic=False)


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
        fused = compiled()
        found["compile"] = graphed([partial(fused, a, b.t(), x) for a, b, x, _ in inputs], passes)
    except Exception as reason:  # noqa: BLE001 - without Inductor the eager peer remains
        print("no torch.compile:", str(reason).splitlines()[0][:120], flush=True)
    return found


def look(good, shape, gelu, inputs, passes):
    """Return (ms, candidate, graph) of each good candidate, fastest first."""
    looks = []
    for one, where, fused in good:
        if where != shape or fused != gelu:
            continue
        try:
            graph = graphed([one.call(each, ACT if gelu else 0) for each in inputs], passes)
            looks.append((min(graph.sample(1) for _ in range(4)), one, graph))
        except Exception as reason:  # noqa: BLE001
            print(f"failed: {one}: {str(reason).splitlines()[0][:110]}", flush=True)
            torch.cuda.synchronize()
    return sorted(looks, key=lambda row: row[0])


def study(shape, gelu, good, given):
    """Return the measurements of one shape, or None when no candidate is right."""
    m, n, k = shape
    inputs = sets_for(m, n, k, seed=m + n + k)
    guess = 2e-9 * m * n * k / 600 + 2e-9 * (m * k + n * k) / 3 + 4e-3
    passes = max(1, int(LOOK_MS / guess / len(inputs)))
    looks = look(good, shape, gelu, inputs, passes)
    if not looks:
        return None
    _, one, ours = looks[0]
    graphs = {"ours": ours, **peers(inputs, gelu, passes, given.peers.split(","))}
    repeats = max(1, int(SAMPLE_MS / (ours.sample(1) * ours.calls)))
    times = {name: [] for name in graphs}
    for index in range(given.rounds):
        order = list(graphs) if index % 2 == 0 else list(reversed(graphs))
        for name in (*order, *reversed(order)):
            times[name].append(graphs[name].sample(repeats))
    judge = Judge(*inputs[0][:3], gelu)
    inputs[0][3].fill_(float("nan"))
    ours.sample(1)
    row = {
        "shape": shape, "fused": gelu, **asdict(one), "times_ms": times, "error_of_bound": good[one, shape, gelu],
        "replayed_error_of_bound": judge.error(inputs[0][3]),
        "looks": [(ms, asdict(other)) for ms, other, _ in looks], "ratios": ratios(times),
    }  # fmt: skip
    told(row)
    return row


def ratios(times):
    """Return each peer's time over ours: median of the rounds, and their tenth and ninetieth percentile."""
    found = {}
    for name in times:
        if name != "ours":
            each = sorted(p / o for o, p in zip(pairs(times["ours"]), pairs(times[name]), strict=True))
            found[name] = {"median": median(each), "p10": each[len(each) // 10], "p90": each[-1 - len(each) // 10]}
    return found


def told(row):
    """Print one shape."""
    (m, n, k), ours = row["shape"], median(row["times_ms"]["ours"])
    text = f"{'fused ' if row['fused'] else ''}{m}x{n}x{k}: {1e3 * ours:.2f} us {2e-9 * m * n * k / ours:.1f} TFLOP/s"
    for name, ratio in row["ratios"].items():
        text += f"  {name} {ratio['median']:.3f} [{ratio['p10']:.3f}, {ratio['p90']:.3f}]"
    looks = "; ".join(
        f"{1e3 * t:.2f} {one['kind']} {list(one['config'])}{BEGINS[one['chain']]}" for t, one in row["looks"][:3]
    )
    print(f"{text}\n    {looks}", flush=True)
    if not row["replayed_error_of_bound"] <= 1:
        print(f"WRONG after timing: {row['replayed_error_of_bound']} of its bound", flush=True)


def pairs(values):
    """Return the mean of each round's two samples."""
    return [(values[i] + values[i + 1]) / 2 for i in range(0, len(values), 2)]


def geometric(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def summary(rows):
    """Print geometric mean and least ratio for each peer, the encoders' layers apart."""
    for peer in ("cublas", "eager", "compile", "plain"):
        for name, inside in (("", True), (" on encoders' layers", False)):
            found = [
                r["ratios"][peer]["median"] for r in rows if peer in r["ratios"] and (r["shape"] in SHAPES) == inside
            ]
            if found:
                mean = geometric(found)
                print(f"{peer}{name}: geometric mean {mean:.3f}, least {min(found):.3f}, {len(found)} shapes")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--only", default="", help="shapes whose text m,n,k,fused contains one of these, divided by ;")
    parser.add_argument("--search", action="store_true", help="look at every candidate")
    parser.add_argument("--kinds", default="", help="kinds of candidates, divided by commas")
    parser.add_argument("--check", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--check-s", type=float, default=80, help="most time of the checks")
    parser.add_argument("--limit-s", type=float, default=190, help="no shape is begun after so long")
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument(
        "--peers", default="compile", help="what runs beside eager PyTorch where GELU is fused: compile,plain"
    )
    given = parser.parse_args()
    if given.check is not None:
        check(given, given.check)
        return
    began, rows = time.monotonic(), []
    good = checked(given)
    checked_s = time.monotonic() - began
    print(f"{len(good)} candidates are right, {checked_s:.0f} s", flush=True)
    for shape, gelu in jobs(given):
        if time.monotonic() - began > given.limit_s:
            print("out of time before", shape, flush=True)
            break
        try:
            row = study(shape, gelu, good, given)
            if row:
                rows.append(row)
        except Exception as reason:  # noqa: BLE001
            print(f"failed: {shape}: {reason}", flush=True)
        conditions = {
            "device": torch.cuda.get_device_name(), "torch": torch.__version__, "triton": triton.__version__,
            "cuda": torch.version.cuda, "command": sys.argv, "cpus": os.cpu_count(), "checked_s": checked_s,
            "whole_s": time.monotonic() - began,
        }  # fmt: skip
        given.out.write_text(json.dumps({"conditions": conditions, "rows": rows}))
    summary(rows)
    print(f"{time.monotonic() - began:.0f} s in all")


if __name__ == "__main__":
    main()
