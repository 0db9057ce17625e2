"""Row sum, max, softmax, RMS norm and layer norm on an NVIDIA GPU, against PyTorch, torch.compile and a copy.

    python3 benchmarks/gpu/reductions.py            # under a minute on one H200
    python3 benchmarks/gpu/reductions.py --compile  # compile only: needs nvcc, no GPU

Every case is verified against float64 on fresh inputs before it is timed. Raw samples go to $OUT/reductions.json.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from statistics import median

import harness

from hotloop.model.dtype import roundoff

FAMILY = harness.KERNELS / "reduction"
rows = harness.load_by_path(FAMILY / "geometry.py")
SOURCE = (FAMILY / "cuda" / "rows.cuh").read_text()
WORK = Path("/tmp/hotloop_reductions")
ENTRY = "rows_reduce"
CHILD_START_S, CHILD_EACH_S = 40.0, 3.0
TIMED = ((32768, 4096), (131072, 1024), (8192, 16384))
"""Rows and columns of the timed cases: 268 MB each in bfloat16, five times the L2 cache."""
PEERS = ("torch", "torch.compile")
COMPILED = ("softmax", "rmsnorm", "layernorm")
"""What torch.compile is asked for; it takes seconds for each."""


def key(case: object) -> str:
    """Return a case's name."""
    asked = {"lanes": case.lanes, "block": case.block}
    asked |= {name: getattr(case, name) + 1 for name in ("hold", "stream", "early", "crowd")}  # -1 lets the rule choose
    changed = "".join(f" {name}={getattr(case, name)}" for name, value in asked.items() if value)
    return f"{case.operation} {case.rows}x{case.columns} {case.dtype}{changed}"


def timed() -> dict[str, object]:
    """Return what is timed: every operation and size in its default configuration; few_rows.py has others compete."""
    made = [rows.Rows(operation, n, m) for n, m in TIMED for operation in rows.OPERATIONS]
    return {key(case): case for case in made}


def awkward() -> dict[str, object]:
    """Return further cases, verified only."""
    shapes = (
        (37, 127, "float32"),
        (3, 70000, "float16"),
        (1, 1, "bfloat16"),
        (1000, 24, "float16"),
        (5, 8192, "float32"),
    )
    return {key(c): c for c in (rows.Rows(op, n, m, dtype) for n, m, dtype in shapes for op in rows.OPERATIONS)}


def compile_all(cases: dict[str, object], workers: int) -> dict[str, harness.Built]:
    """Compile every case; failures stay values."""

    def one(item: tuple[int, tuple[str, object]]) -> tuple[str, harness.Built]:
        number, (name, case) = item
        return name, harness.build(SOURCE, case.options, f"rows{number}", WORK)

    with ThreadPoolExecutor(workers) as pool:
        return dict(pool.map(one, enumerate(cases.items())))


# --- verification -----------------------------------------------------------------------------------------------------------
@cache
def tensors(count: int, columns: int, dtype: str, seed: int) -> tuple[object, object, object]:
    """Return x, scale and shift."""
    import torch

    generator = torch.Generator(device="cuda").manual_seed(seed)

    def draw(*size: int) -> object:
        return torch.randn(size, device="cuda", generator=generator).to(getattr(torch, dtype))

    return draw(count, columns), draw(columns), draw(columns)


def empty(case: object) -> object:
    """Return y full of NaN."""
    import torch

    size = (case.rows,) if case.operation in ("sum", "max") else (case.rows, case.columns)
    return torch.full(size, float("nan"), device="cuda", dtype=getattr(torch, case.dtype))


def reference(case: object, x: object, scale: object, shift: object) -> tuple[object, object]:
    """Return the float64 result and the scale of its rounding errors."""
    import torch

    wide, by, plus = x.double(), scale.double(), shift.double()
    if case.operation == "sum":
        return wide.sum(1), wide.abs().sum(1)
    if case.operation == "max":
        return wide.amax(1), wide.amax(1).abs()
    if case.operation == "softmax":
        want = torch.softmax(wide, 1)
        return want, want * 30
    if case.operation == "rmsnorm":
        want = wide * torch.rsqrt((wide * wide).mean(1, keepdim=True) + case.epsilon) * by
        return want, want.abs()
    centred = wide - wide.mean(1, keepdim=True)
    scaled = centred * torch.rsqrt((centred * centred).mean(1, keepdim=True) + case.epsilon) * by
    return scaled + plus, scaled.abs() + plus.abs() + by.abs()


def verify(case: object, cubin: Path) -> dict[str, object]:
    """Run one case twice on two fresh inputs and compare with float64, up to 4096 rows at a time."""
    import ctypes

    import torch

    kernel = harness.driver().load(cubin, ENTRY, 0)
    worst, unwritten, same, errors, norms = 0.0, 0, True, 0.0, 0.0
    for seed in (21, 22):
        x, scale, shift = tensors(case.rows, case.columns, case.dtype, seed)
        runs = []
        for _ in range(2):
            y = empty(case)
            kernel.bind(case.grid, case.threads, x, scale, y, shift, ctypes.c_int(case.rows))()
            torch.cuda.synchronize()
            runs.append(y)
        same &= bool(torch.equal(runs[0].view(torch.uint8), runs[1].view(torch.uint8)))
        unwritten += int(runs[0].isnan().sum())
        for at in range(0, case.rows, 4096):
            part = slice(at, at + 4096)
            want, size = reference(case, x[part], scale, shift)
            most = float(torch.finfo(getattr(torch, case.dtype)).max)
            got = runs[0][part].double()
            off = torch.where((want.abs() > most) & (got == want.sign() * torch.inf), 0.0, (got - want).abs())
            bound = roundoff(case.dtype) * 1.01 * want.abs() + 2e-6 * size + 1e-7
            worst = max(worst, float((off / bound).nan_to_num(1e9).max()))
            errors += float(off.square().sum())
            norms += float(want.square().sum())
    return {
        "ok": worst <= 1.0 and unwritten == 0 and same,
        "error_over_bound": worst,
        "relative_norm": (errors / norms) ** 0.5,
        "nan": unwritten,
        "repeats": same,
        **kernel.facts(case.threads),
    }


def child(numbered: list[str]) -> None:
    """Verify cases given as ``number:name`` and print a line for each."""
    cases = timed() | awkward()
    for text in numbered:
        number, _, name = text.partition(":")
        try:
            print(json.dumps(verify(cases[name], WORK / f"rows{number}.cubin")), flush=True)
        except RuntimeError as error:
            print(json.dumps({"ok": False, "why": str(error)}), flush=True)
            sys.exit(harness.RESTART)


def verify_all(cases: dict[str, object], built: dict[str, harness.Built]) -> dict[str, dict[str, object]]:
    """Verify what compiled, in two processes."""
    texts = [f"{i}:{name}" for i, name in enumerate(cases) if built[name].path is not None]
    command = [sys.executable, __file__, "--verify"]
    with ThreadPoolExecutor(2) as pool:
        halves = [half for half in (texts[::2], texts[1::2]) if half]
        made = list(pool.map(lambda names: harness.in_children(command, names, CHILD_START_S, CHILD_EACH_S), halves))
    found = {text.partition(":")[2]: result for results in made for text, result in results.items()}
    return {name: found.get(name, {"ok": False, "why": "did not compile"}) for name in cases}


# --- timing -----------------------------------------------------------------------------------------------------------------
def eager(operation: str) -> object:
    """Return PyTorch's own function of (x, scale, shift)."""
    import torch
    from torch.nn import functional

    return {
        "sum": lambda x, _g, _b: x.sum(1),
        "max": lambda x, _g, _b: x.amax(1),
        "softmax": lambda x, _g, _b: torch.softmax(x, 1),
        "rmsnorm": lambda x, g, _b: functional.rms_norm(x, (x.shape[1],), g, 1e-5),
        "layernorm": lambda x, g, b: functional.layer_norm(x, (x.shape[1],), g, b, 1e-5),
    }[operation]


def peers(operation: str, sets: list[tuple[object, object, object]], until: float) -> dict[str, list[object]]:
    """Return PyTorch eager and, while there is time, compiled."""
    import torch

    plain = eager(operation)
    made = {"torch": [lambda s=s: plain(*s) for s in sets]}
    if operation in COMPILED and time.monotonic() < until:
        try:
            compiled = torch.compile(plain, dynamic=False)
            compiled(*sets[0])
            made["torch.compile"] = [lambda s=s: compiled(*s) for s in sets]
        except Exception as error:  # noqa: BLE001 - whatever the compiler stack raises, the other rows go on
            print(f"torch.compile {operation}: {str(error)[:400]}", file=sys.stderr)
    return made


def measure(good: list[str], built: dict[str, harness.Built], budget_s: float) -> dict[str, object]:
    """Time cases, peers and a copy of the same bytes; then the best case of each operation in ABBA rounds."""
    import ctypes

    import torch

    began, cases = time.monotonic(), timed()
    data: dict[str, object] = {"samples_ms": {}, "abba_ms": {}}
    for count, columns in TIMED:
        sets = [tensors(count, columns, "bfloat16", seed) for seed in (1, 2, 3)]
        targets = [torch.empty_like(x) for x, _, _ in sets]
        copies = [lambda x=s[0], t=t: t.copy_(x) for s, t in zip(sets, targets, strict=True)]
        for operation in rows.OPERATIONS:
            label = f"{operation} {count}x{columns}"
            calls = {"copy": copies, **peers(operation, sets, began + budget_s)}
            for name in good:
                case = cases[name]
                if (case.operation, case.rows, case.columns) == (operation, count, columns):
                    kernel = harness.driver().load(built[name].path, ENTRY, 0)
                    calls[name] = [
                        kernel.bind(case.grid, case.threads, x, g, empty(case), b, ctypes.c_int(count))
                        for x, g, b in sets
                    ]
            samples = {}
            for name, each in calls.items():
                harness.sample_ms(each, 3)
                samples[name] = [harness.sample_ms(each, 12) for _ in range(9)]
            data["samples_ms"][label] = samples
            middle = {name: median(values) for name, values in samples.items()}
            ours = min((name for name in middle if name in good), key=middle.get, default=None)
            peer = min((name for name in middle if name.startswith("torch")), key=middle.get)
            if ours and time.monotonic() - began < 2 * budget_s:
                times = harness.abba(calls[ours], calls[peer], 12, 8, 8)
                data["abba_ms"][f"{ours} | {peer}"] = times
            del calls
        tensors.cache_clear()
    return data


def table(data: dict[str, object]) -> None:
    """Print what a reader needs, last."""
    cases = timed()
    for label, samples in data["timing"]["samples_ms"].items():
        print(f"\n{label}")
        for name, values in sorted(samples.items(), key=lambda item: -median(item[1])):
            ms = median(values)
            copied = 2 * 2 * int(label.split()[1].split("x")[0]) * int(label.split("x")[-1])
            case = next(c for c in cases.values() if f"{c.operation} {c.rows}x{c.columns}" == label)
            moved = copied if name == "copy" else case.compulsory_bytes
            print(f"  {name:44} {ms * 1e3:8.1f} us {moved / ms / 1e6:7.0f} GB/s")
    for name, facts in data["verified"].items():
        if not facts["ok"]:
            print(f"WRONG  {name}: {json.dumps(facts)}")
    print(f"verified: {sum(bool(f['ok']) for f in data['verified'].values())} of {len(data['verified'])}")
    for pair, times in data["timing"]["abba_ms"].items():
        middle, low, high = harness.ratio(times)
        print(
            f"ABBA {pair}: {median(times['a']) * 1e3:.1f} us against {median(times['b']) * 1e3:.1f}, x{middle:.2f} [{low:.2f}, {high:.2f}]"
        )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compile", action="store_true", help="compile only")
    parser.add_argument("--workers", type=int, default=12)
    parser.add_argument("--budget-s", type=float, default=25.0, help="wall time after which torch.compile is not asked")
    parser.add_argument("--verify", nargs="+", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.verify:
        child(asked.verify)
        return 0
    began, cases = time.monotonic(), timed() | awkward()
    built = compile_all(cases, asked.workers)
    for name, one in built.items():
        if asked.compile or one.path is None:
            print(f"{name}: {one.resources if one.path else 'FAILED' + chr(10) + one.log}")
    print(f"compiled {len(built)} in {time.monotonic() - began:.1f} s", flush=True)
    if asked.compile:
        return 0 if all(one.path for one in built.values()) else 1
    checks = verify_all(cases, built)
    print(f"verified after {time.monotonic() - began:.1f} s", flush=True)
    good = [name for name in timed() if checks[name]["ok"]]
    data = {"verified": checks, "compiled": {name: one.resources for name, one in built.items()}}
    harness.write("reductions.json", data)
    data["timing"] = measure(good, built, asked.budget_s)
    harness.write("reductions.json", data | {"conditions": harness.conditions()})
    table(data)
    print(f"took {time.monotonic() - began:.1f} s")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
