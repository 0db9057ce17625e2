"""Verification of the conv3d kernels on a GPU, in a process for each group of them: every output against float64.

``conv3d_check.py NUMBER:NAME ...`` is what conv3d.py starts, with numbers of compiled files and names of cases.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

import harness
from conv3d_cases import SOURCE, Jit, awkward, candidates, jits, models

from hotloop.model.dtype import roundoff

WORK = Path("/tmp/hotloop_conv3d")
CHILD_START_S, CHILD_EACH_S = 40.0, 4.0
"""Patience with a process that verifies: for its start, and for each rung."""
SEEDS = (11, 12)
SPECIAL = 13
"""The seed of inputs with NaN and infinities among them."""
PLANTED = 60


def compile_all(cases: dict[str, object], workers: int) -> dict[str, harness.Built]:
    """Compile every case; failures stay values."""

    def one(item: tuple[int, tuple[str, object]]) -> tuple[str, harness.Built]:
        number, (name, (_, rung)) = item
        if isinstance(rung, Jit):
            return name, harness.Built(Path(__file__), "compiled by Triton at its first launch")
        return name, harness.build(SOURCE, rung.options, f"rung{number}", WORK)

    with ThreadPoolExecutor(workers) as pool:
        return dict(pool.map(one, enumerate(cases.items())))


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


def planted(x: object, seed: int) -> None:
    """Replace some inputs, the first and the last among them, by NaN and infinities."""
    import torch

    generator = torch.Generator(device="cuda").manual_seed(seed)
    places = torch.randint(x.numel(), (PLANTED,), device="cuda", generator=generator)
    places[0], places[1] = 0, x.numel() - 1
    kinds = torch.tensor([float("nan"), float("inf"), float("-inf")], device="cuda", dtype=x.dtype)
    x.view(-1)[places] = kinds[torch.arange(PLANTED, device="cuda") % 3]


@cache
def wanted(shape: object, seed: int) -> tuple[object, object, object, object]:
    """Return x, w and their float64 reference with magnitudes, kept for the next rung of the same shape."""
    import torch

    x, weights, _ = tensors(shape, seed)
    if seed == SPECIAL:
        planted(x, seed)
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
    from hotloop.kernels.conv3d_depthwise.triton import kernel as jit
    from hotloop.kernels.conv3d_depthwise.triton import plan as triton

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


def judged(shape: object, y: object, want: object, size: object) -> tuple[float, float, float]:
    """Return the largest error over its bound, 1e9 where NaN or an infinity is not as it should be, and squares for a norm."""
    ours = y.movedim(-1, 1) if shape.channels_last else y
    slack = 4e-6 if shape.dtype == "float32" else 4e-5  # sums in float32, matrix units round towards zero
    worst, errors, norms = 0.0, 0.0, 0.0
    for at in range(0, want.shape[1], 64):
        part = slice(at, at + 64)
        got, wish = ours[:, part].double(), want[:, part]
        off = (got - wish).abs().masked_fill((got == wish) | (got.isnan() & wish.isnan()), 0.0)
        bound = roundoff(shape.dtype) * 1.01 * wish.abs() + slack * size[:, part] + 1e-7
        ratio = (off / bound).masked_fill(off == 0, 0.0).nan_to_num(1e9, posinf=1e9)
        worst = max(worst, float(ratio.max()))
        errors += float(off.square().sum())
        norms += float(wish.square().sum())
    return worst, errors, norms


def verify(shape: object, rung: object, cubin: Path) -> dict[str, object]:
    """Run one rung on fresh inputs and on some with NaN and infinities, twice each, and compare every output with float64."""
    import torch

    bind, facts = binder(shape, rung, cubin)
    found, same = {}, True
    for seed in (*SEEDS, SPECIAL):
        x, weights, want, size = wanted(shape, seed)
        before, runs = x.clone(), []
        for _ in range(2):
            y = tensors_out(shape)
            bind(x, weights, y)()
            torch.cuda.synchronize()
            runs.append(y)
        same &= all(torch.equal(a.view(torch.uint8), b.view(torch.uint8)) for a, b in (runs, (before, x)))
        found[seed] = judged(shape, runs[0], want, size)
    worst, errors, norms = (tuple(found[seed][i] for seed in SEEDS) for i in range(3))
    return {
        "ok": max(one for one, _, _ in found.values()) <= 1.0 and same,
        "error_over_bound": max(worst),
        "relative_norm": (sum(errors) / sum(norms)) ** 0.5,
        "special": found[SPECIAL][0],
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
    command = [sys.executable, __file__]
    with ThreadPoolExecutor(len(groups)) as pool:
        made = list(
            pool.map(lambda names: harness.in_children(command, names, CHILD_START_S, CHILD_EACH_S), groups.values())
        )
    found = {text.partition(":")[2]: result for results in made for text, result in results.items()}
    return {name: found.get(name, {"ok": False, "why": "did not compile"}) for name in cases}


if __name__ == "__main__":
    child(sys.argv[1:])
