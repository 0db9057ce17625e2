"""Softmax and RMS norm of 4096 rows, 1024 to 65536 bf16 columns, against a copy, PyTorch and torch.compile.

    python3 benchmarks/gpu/few_rows.py      # under a minute on one H200; needs nvcc

Short kernels: every contender is a CUDA graph of back-to-back calls whose arrays together exceed the second-level cache, in
interleaved rounds (there and back), each sample after one replay that is not timed. Outputs rotate like inputs, for
everybody: what PyTorch returns is kept until the others of its rotation are there, or its allocator would hand the same
memory to every call, which then stays in the cache. Those times are in the file too, as "one output". Every kernel is
verified against float64 first; other configurations compete, and the table says which is the default. Raw samples go to
$OUT/few-rows.json.
"""

from __future__ import annotations

import argparse
import ctypes
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path
from statistics import median

import harness

reductions = harness.load_by_path(Path(__file__).with_name("reductions.py"))
rows = reductions.rows
COUNT = 4096
COLUMNS = (1024, 2048, 4096, 8192, 16384, 32768, 65536)
OPERATIONS = ("softmax", "rmsnorm")
L2_BYTES = 64 << 20
CALLS, CALLS_LONG = 24, 8
"""Calls of one graph, at least; of rows of 8192 elements and more."""
LONG = 8192
ONE_OUTPUT = " one output"


def candidates() -> dict[str, object]:
    """Return cases by name: the default, and other threads per row, rows per block, forms in registers, hints to caches."""
    made = {}
    for columns in COLUMNS:
        for operation in OPERATIONS:
            default = rows.Rows(operation, COUNT, columns)
            lanes = default.sharing
            tried = [default]
            tried += [replace(default, lanes=n) for n in (lanes // 2, lanes * 2) if 32 <= n <= 1024]
            if columns >= 16384:
                other = {"lanes": 1024, "hold": 0, "stream": 1} if default.held else {"lanes": 512, "hold": 2}
                tried.append(replace(default, **other))
            made |= {reductions.key(case): case for case in tried}
    return made


class Graph:
    """Calls captured one after the other; it keeps alive what they use."""

    def __init__(self, calls, passes, rotated=True):
        import torch

        self.calls, self.count, kept = calls, passes * len(calls), []
        for call in calls:
            call()
        torch.cuda.synchronize()
        self.graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self.graph):
            for _ in range(passes):
                for call in calls:
                    result = call()
                    kept = [*kept[1 - len(calls) :], result] if rotated else []
                    del result
        self.sample()

    def sample(self):
        """Return ms of one call."""
        self.graph.replay()
        return harness.sample_ms([self.graph.replay], 2) / self.count


def study(operation, columns, good, built, rounds):
    """Time every contender of one size; return raw samples by name."""
    import torch

    bytes_each = 2 * 2 * COUNT * columns
    sets = [
        reductions.tensors(COUNT, columns, "bfloat16", seed) for seed in range(max(2, -(-3 * L2_BYTES // bytes_each)))
    ]
    targets = [torch.empty_like(x) for x, _, _ in sets]
    calls = {"copy": [lambda x=s[0], t=t: t.copy_(x) for s, t in zip(sets, targets, strict=True)]}
    peers = reductions.peers(operation, sets, float("inf"))
    calls |= peers
    for name, case in good.items():
        if (case.operation, case.columns) == (operation, columns):
            kernel = harness.driver().load(built[name].path, reductions.ENTRY, 0)
            calls[name] = [
                kernel.bind(case.grid, case.threads, x, g, t, b, ctypes.c_int(COUNT))
                for (x, g, b), t in zip(sets, targets, strict=True)
            ]
    passes = -(-(CALLS if columns < LONG else CALLS_LONG) // len(sets))
    graphs = {name: Graph(each, passes) for name, each in calls.items()}
    graphs |= {name + ONE_OUTPUT: Graph(each, passes, rotated=False) for name, each in peers.items()}
    samples = {name: [] for name in graphs}
    for turn in range(2 * rounds):
        for name in graphs if turn % 2 == 0 else reversed(graphs):
            samples[name].append(graphs[name].sample())
    reductions.tensors.cache_clear()
    torch.cuda.empty_cache()
    return samples


def line(operation, columns, samples, good):
    """Return the text of one size: the best of ours and the default against the copy and the best peer, paired."""
    middle = {name: median(values) for name, values in samples.items()}
    order = sorted((name for name in middle if name in good), key=middle.get)
    usual = reductions.key(rows.Rows(operation, COUNT, columns))
    peer = min((name for name in reductions.PEERS if name in middle), key=middle.get)

    def ratio(a, b):
        middle, low, high = harness.ratio({"a": samples[b], "b": samples[a]})
        return f"{middle:.3f} [{low:.3f}, {high:.3f}]"

    def against(name):
        return f"{middle[name] * 1e3:.2f} us, copy {ratio('copy', name)}, {peer} {ratio(peer, name)}"

    others = "; ".join(
        f"{name.split('bfloat16')[1].strip()}: {middle[name] * 1e3:.2f}" for name in order if name != usual
    )
    return f"{usual}: {against(usual)} | best {middle[order[0]] * 1e3:.2f} | {others}"


def verified(cases, built):
    """Return what verification found, by name; cases of one size come together and share their inputs."""
    checks, last = {}, 0
    for name, case in cases.items():
        if case.columns != last:
            reductions.tensors.cache_clear()
        last = case.columns
        if built[name].path is not None:
            checks[name] = reductions.verify(case, built[name].path)
    reductions.tensors.cache_clear()
    return checks


def built_beside_torch(cases, workers):
    """Compile every case while PyTorch's compiler starts, which takes as long."""
    import torch

    built = {}
    thread = threading.Thread(target=lambda: built.update(reductions.compile_all(cases, workers)))
    thread.start()
    torch.compile(lambda x: torch.softmax(x, 1), dynamic=False)(torch.randn(64, 512, device="cuda"))
    thread.join()
    return built


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workers", type=int, default=12)
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--limit-s", type=float, default=52)
    asked = parser.parse_args()
    began, cases = time.monotonic(), candidates()
    built = built_beside_torch(cases, asked.workers)
    print(f"compiled {len(built)} in {time.monotonic() - began:.1f} s", flush=True)
    checks = verified(cases, built)
    good = {name: cases[name] for name, facts in checks.items() if facts["ok"]}
    for name in set(cases) - set(good):
        print("WRONG or not built:", name, checks.get(name, built[name].log[-300:]))
    print(f"verified {len(good)} of {len(cases)} after {time.monotonic() - began:.1f} s", flush=True)
    data: dict[str, object] = {"verified": checks, "samples_ms": {}, "conditions": harness.conditions()}
    for columns in COLUMNS:
        for operation in OPERATIONS:
            if time.monotonic() - began > asked.limit_s:
                print("out of time before", operation, columns)
                continue
            samples = study(operation, columns, good, built, asked.rounds)
            data["samples_ms"][f"{operation} {COUNT}x{columns}"] = samples
            print(line(operation, columns, samples, good), flush=True)
            harness.write("few-rows.json", data)
    print(f"took {time.monotonic() - began:.1f} s")
    return 0 if len(good) == len(cases) else 1


if __name__ == "__main__":
    sys.exit(main())
