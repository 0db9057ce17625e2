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
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache, partial
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from statistics import median

import harness

FAMILY = harness.KERNELS / "conv3d_depthwise"
rungs = harness.load_by_path(FAMILY / "rungs.py")
WORK = Path("/tmp/hotloop_conv3d")
SOURCE = "\n".join((FAMILY / "sources" / f"{part}.cuh").read_text() for part in rungs.PARTS)
CHILD_START_S, CHILD_EACH_S = 40.0, 4.0
"""Patience with a process that verifies: for its start, and for each rung."""


@dataclass(frozen=True)
class Jit:
    """A configuration of the Triton implementation, in the place of a rung."""

    config: object

    @property
    def name(self) -> str:
        """What distinguishes it."""
        from hotloop.kernels.conv3d_depthwise.triton import NAIVE

        said = " ".join(f"{name}={value}" for name, value in self.config.items() if NAIVE[name] != value)
        return f"triton {self.config['FORM']} {said.replace('FORM=patches ', '')}"


def runtime() -> str:
    """Name Triton as the device's facts do."""
    return f"Triton {version('triton')}"


def jits() -> dict[str, tuple[object, Jit]]:
    """Return the Triton kernels for the video problem: the one its rule chooses, and multiply-adds."""
    if not find_spec("triton") or not find_spec("hotloop"):
        return {}
    from hotloop.kernels.conv3d_depthwise import triton

    video = rungs.VIDEO
    made = [
        Jit(triton.best(video, runtime())),
        Jit(triton.best(video)),
        Jit(triton.NAIVE.replace(PLANES=20, BLOCK=512, HOLD=1)),
    ]
    return {one.name: (video, one) for one in made}


def models() -> dict[str, tuple[object, object]]:
    """Return shapes of other video models, each with the CUDA rung and the Triton kernel that their rules choose."""
    shape = rungs.Shape
    shapes = (
        shape(1, 384, (21, 60, 104), (3, 3, 3), (1, 1, 1)),
        shape(1, 256, (16, 64, 64), (3, 7, 7), (1, 3, 3)),
        shape(1, 96, (33, 120, 208), (3, 3, 3), (1, 1, 1), (1, 2, 2), dtype="float16"),
    )
    found: dict[str, tuple[object, object]] = {}
    for one in shapes:
        text = f"model {'x'.join(map(str, (one.c, *one.size)))} window {'x'.join(map(str, one.kernel))}"
        text += "" if one.stride == (1, 1, 1) else f" stride {'x'.join(map(str, one.stride))}"
        found[f"{text}: cuda"] = (one, rungs.best(one))
        if jits():
            from hotloop.kernels.conv3d_depthwise import triton

            found[f"{text}: triton"] = (one, Jit(triton.best(one, runtime())))
    return found


def candidates() -> dict[str, object]:
    """Return the ladder for the video problem: from the naive rung to the variants of the last one."""
    video, t = rungs.VIDEO, rungs.toeplitz
    made = [rungs.direct(video), rungs.tile(video)]
    made += [rungs.strip(video, width=width) for width in (4, 8)]
    made += [
        rungs.strip(video, width=4, planes=20, wide=True),
        rungs.strip(video, width=8, planes=20, wide=True),
        rungs.strip(video, width=8, planes=20),
    ]
    made += [
        t(video, quads=3, loader="registers", blocks=2),
        t(video, quads=3, loader="async", stages=4, blocks=2),
        t(video, quads=3, loader="async", stages=6, blocks=2),
        t(video, quads=3, loader="async", stages=4, blocks=2, planes=30),
        t(video, quads=3, loader="async", stages=4, blocks=2, stream=True),
        t(video, quads=3, loader="async", stages=4, blocks=1),
        t(video, quads=6, loader="async", stages=4, blocks=4),
        t(video, quads=6, loader="async", stages=4, blocks=3, planes=20),
        t(video, quads=2, loader="async", stages=4, blocks=2),
        t(video, quads=3, loader="bulk", stages=4, blocks=2),
        t(video, quads=3, loader="bulk", stages=6, blocks=2),
        t(video, quads=3, loader="bulk", stages=8, blocks=2, stream=True),
        t(video, quads=3, loader="bulk", stages=4, blocks=2, planes=30),
        t(video, quads=6, loader="bulk", stages=5, blocks=4),
        t(video, quads=6, loader="bulk", stages=4, blocks=3, planes=20),
    ]
    return {rung.name: (video, rung) for rung in made} | jits()


def awkward() -> dict[str, object]:
    """Return further shapes, verified only: strides, dilations, layouts, types, ragged sizes."""
    shape, t = rungs.Shape, rungs.toeplitz
    odd = shape(2, 3, (7, 11, 13), (2, 3, 4), (1, 2, 0), (2, 1, 2), (1, 2, 1), 2, "float32")
    last = shape(2, 6, (5, 9, 10), (3, 3, 3), (1, 1, 1), dtype="float16", channels_last=True)
    fp32 = shape(1, 16, (9, 30, 52), (3, 5, 5), (1, 2, 2), dtype="float32")
    cubic = shape(2, 24, (17, 60, 104), (3, 3, 3), (1, 1, 1), dtype="float16")
    ragged = shape(1, 5, (6, 37, 22), (5, 5, 5), (2, 2, 2))
    flat = shape(2, 7, (4, 90, 160), (1, 5, 5), (0, 2, 2))
    valid = shape(1, 9, (8, 34, 48), (3, 3, 3), (0, 0, 0))
    cases = {
        "direct fp32 stride dilation x2": (odd, rungs.direct(odd)),
        "direct fp16 channels last": (last, rungs.direct(last)),
        "strip fp32": (fp32, rungs.strip(fp32, width=4, planes=3)),
        "tile fp32": (fp32, rungs.tile(shape(1, 16, (9, 16, 20), (3, 5, 5), (1, 2, 2), dtype="float32"))),
        "toeplitz fp16 3x3x3": (cubic, t(cubic, quads=4)),
        "toeplitz ragged 5x5x5": (ragged, t(ragged, quads=3, stages=3)),
        "toeplitz 1x5x5": (flat, t(flat, quads=4)),
        "toeplitz no padding bulk": (valid, t(valid, quads=2, loader="bulk")),
        "best of 3x3x3": (cubic, rungs.best(cubic)),
    }
    small = shape(1, 16, (9, 16, 20), (3, 5, 5), (1, 2, 2), dtype="float32")
    cases["tile fp32"] = (small, rungs.tile(small))
    return cases


def compile_all(cases: dict[str, object], workers: int) -> dict[str, harness.Built]:
    """Compile every case; failures stay values."""

    def one(item: tuple[int, tuple[str, object]]) -> tuple[str, harness.Built]:
        number, (name, (_, rung)) = item
        if isinstance(rung, Jit):
            return name, harness.Built(Path(__file__), "compiled by Triton at its first launch")
        return name, harness.build(SOURCE, rung.options, f"rung{number}", WORK)

    with ThreadPoolExecutor(workers) as pool:
        return dict(pool.map(one, enumerate(cases.items())))


# --- verification, in a process per rung ---------------------------------------------------------------------------------
def tensors(shape: object, seed: int) -> tuple[object, object, object]:
    """Return x and w with fresh values and y full of NaN."""
    import torch

    dtype = getattr(torch, shape.dtype)
    generator = torch.Generator(device="cuda").manual_seed(seed)
    d, h, w = shape.size
    last = shape.channels_last
    size = (shape.n, d, h, w, shape.c) if last else (shape.n, shape.c, d, h, w)
    x = torch.randn(size, device="cuda", generator=generator).to(dtype)
    weights = torch.randn((shape.c * shape.multiplier, *shape.kernel), device="cuda", generator=generator).to(dtype)
    return x, weights, tensors_out(shape)


def tensors_out(shape: object) -> object:
    """Return y full of NaN."""
    import torch

    channels = shape.c * shape.multiplier
    size = (shape.n, *shape.output, channels) if shape.channels_last else (shape.n, channels, *shape.output)
    return torch.full(size, float("nan"), device="cuda", dtype=getattr(torch, shape.dtype))


def reference(shape: object, x: object, weights: object, first: int, last: int) -> tuple[object, object]:
    """Return float64 sums of products and of their absolute values, for output channels first to last: shifts and adds."""
    import torch

    inputs = [channel // shape.multiplier for channel in range(first, last)]
    x = x.movedim(-1, 1) if shape.channels_last else x
    p, s, far, k = shape.padding, shape.stride, shape.dilation, shape.kernel
    wide = torch.nn.functional.pad(x[:, inputs].double(), (p[2], p[2], p[1], p[1], p[0], p[0]))
    taps = weights[first:last].double()
    total = torch.zeros((shape.n, last - first, *shape.output), device="cuda", dtype=torch.float64)
    size = torch.zeros_like(total)
    for a in range(k[0]):
        for b in range(k[1]):
            for e in range(k[2]):
                window = tuple(
                    slice(at * far[i], at * far[i] + s[i] * (shape.output[i] - 1) + 1, s[i])
                    for i, at in enumerate((a, b, e))
                )
                part = wide[(slice(None), slice(None), *window)] * taps[None, :, a, b, e, None, None, None]
                total += part
                size += part.abs()
    return total, size


HALF_ULP = {"float32": 2.0**-24, "bfloat16": 2.0**-8, "float16": 2.0**-11}


@cache
def wanted(shape: object, seed: int) -> tuple[object, object, object, object]:
    """Return x, w and their float64 reference with magnitudes, kept for the next rung of the same shape."""
    import torch

    x, weights, _ = tensors(shape, seed)
    channels = shape.c * shape.multiplier
    parts = [reference(shape, x, weights, at, min(at + 64, channels)) for at in range(0, channels, 64)]
    return x, weights, torch.cat([total for total, _ in parts], 1), torch.cat([size for _, size in parts], 1)


def binder(
    shape: object, rung: object, cubin: Path
) -> tuple[Callable[..., Callable[[], object]], Callable[[], dict[str, int]]]:
    """Return what binds a kernel to x, weights and y, and what tells its resources after a first launch."""
    if not isinstance(rung, Jit):
        kernel = harness.driver().load(cubin, rung.entry, rung.shared_bytes)
        return lambda *arrays: kernel.bind(rung.grid, rung.threads, *arrays), lambda: kernel.facts(rung.threads)
    from hotloop.kernels.conv3d_depthwise import jit, triton

    config, grid = rung.config, (triton.programs(shape, rung.config), 1, 1)
    function, values = getattr(jit, str(config["FORM"])), triton.constants(shape, config)
    options = {name: config[name] for name in ("num_warps", "num_stages")}
    made: dict[str, object] = {}

    def bind(*arrays: object) -> Callable[[], object]:
        made["kernel"] = made.get("kernel") or function.warmup(*arrays, grid=grid, **values, **options)
        made["kernel"].run  # noqa: B018 - loads it, which is when registers and spills are known
        places = dict(zip(("x", "weights", "y"), arrays, strict=True)) | dict(values)
        return lambda: made["kernel"][grid](*(places[name] for name in function.arg_names))

    def facts() -> dict[str, int]:
        kernel = made["kernel"]
        return {"registers": kernel.n_regs, "spills": kernel.n_spills, "shared_bytes": kernel.metadata.shared}

    return bind, facts


def verify(shape: object, rung: object, cubin: Path) -> dict[str, object]:
    """Run one rung on two fresh inputs, twice each, and compare every output with float64."""
    import torch

    bind, facts = binder(shape, rung, cubin)
    worst, errors, norms, unwritten, same = 0.0, 0.0, 0.0, 0, True
    for seed in (11, 12):
        x, weights, want, size = wanted(shape, seed)
        before, runs = x.clone(), []
        for _ in range(2):
            y = tensors_out(shape)
            bind(x, weights, y)()
            torch.cuda.synchronize()
            runs.append(y)
        same &= bool(torch.equal(runs[0].view(torch.uint8), runs[1].view(torch.uint8)) and torch.equal(before, x))
        unwritten += int(runs[0].isnan().sum())
        ours = runs[0].movedim(-1, 1) if shape.channels_last else runs[0]
        slack = 4e-6 if shape.dtype == "float32" else 4e-5  # sums in float32, matrix units round towards zero
        for at in range(0, want.shape[1], 64):
            part = slice(at, at + 64)
            off = (ours[:, part].double() - want[:, part]).abs()
            bound = HALF_ULP[shape.dtype] * 1.01 * want[:, part].abs() + slack * size[:, part] + 1e-7
            worst = max(worst, float((off / bound).nan_to_num(1e9).max()))
            errors += float(off.square().sum())
            norms += float(want[:, part].square().sum())
    return {
        "ok": worst <= 1.0 and unwritten == 0 and same,
        "error_over_bound": worst,
        "relative_norm": (errors / norms) ** 0.5,
        "nan": unwritten,
        "repeats": same,
        **facts(),
    }


def child(numbered: list[str]) -> None:
    """Verify rungs given as ``number:name`` and print a line for each."""
    cases = candidates() | models() | awkward()
    for text in numbered:
        number, _, name = text.partition(":")
        shape, rung = cases[name]
        try:
            print(json.dumps(verify(shape, rung, WORK / f"rung{number}.cubin")), flush=True)
        except Exception as error:  # noqa: BLE001 - Triton and its compilers have exceptions of their own
            print(json.dumps({"ok": False, "why": str(error)[-800:]}), flush=True)
            sys.exit(harness.RESTART)


def verify_all(cases: dict[str, object], built: dict[str, harness.Built]) -> dict[str, dict[str, object]]:
    """Verify what compiled, in five processes: one crash or hang does not end the others."""
    number = {name: i for i, name in enumerate(cases)}
    groups: dict[str, list[str]] = {"plain": [], "matrix": [], "bulk": [], "awkward": [], "models": []}
    for name in cases:
        if built[name].path is not None:
            kind = "awkward" if name in awkward() else "bulk" if "bulk" in name else "plain"
            kind = "matrix" if kind == "plain" and name.startswith("toeplitz") else kind
            kind = "models" if name in models() or name in jits() else kind
            groups[kind].append(f"{number[name]}:{name}")
    command = [sys.executable, __file__, "--verify"]
    with ThreadPoolExecutor(len(groups)) as pool:
        made = list(
            pool.map(lambda names: harness.in_children(command, names, CHILD_START_S, CHILD_EACH_S), groups.values())
        )
    found = {text.partition(":")[2]: result for results in made for text, result in results.items()}
    return {name: found.get(name, {"ok": False, "why": "did not compile"}) for name in cases}


# --- timing --------------------------------------------------------------------------------------------------------------
def measure(good: list[str], built: dict[str, harness.Built], budget_s: float) -> dict[str, object]:
    """Time all good rungs roughly, then the best of each kind against PyTorch and a copy in ABBA rounds."""
    import torch

    began = time.monotonic()
    shape = rungs.VIDEO
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
    parser.add_argument("--verify", nargs="+", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.verify:
        child(asked.verify)
        return 0
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
    table(rungs.VIDEO, data)
    print(f"took {time.monotonic() - began:.1f} s")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
