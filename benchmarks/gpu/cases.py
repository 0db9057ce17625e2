"""The calls that `layers.py` measures: functions of `hotloop.ops` with what makes their arguments, part by part.

``--dry`` on the command line makes the shapes small and leaves the GPU out.
"""

# ruff: noqa: PLW2901 - sizes shrink in a dry run
from __future__ import annotations

import os
import random
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

DRY = "--dry" in sys.argv
if DRY:
    os.environ["TRITON_INTERPRET"] = "1"  # before Triton is imported

import shapes  # noqa: E402
import torch  # noqa: E402

from hotloop.kernels.attention.pytorch import Mask  # noqa: E402

DEVICE = "cpu" if DRY else "cuda"
SEED = os.environ.get("FRESH_SEED", "")
ONLY = os.environ.get("LAYERS_ONLY", "")
PARTS = (
    "conv",
    "attention",
    "linear",
    "fused",
    "grouped",
    "untuned",
    "large",
    "fresh",
    "public",
    "wide",
    "batches",
    "host",
)
DRAWN = ("fresh", "public", "wide", "batches")
"""Parts whose shapes nobody chose: they are measured as dispatch runs them after a first call."""
BLOCK = 512
"""Queries whose scores are in memory in float64 at a time."""
HALF = torch.float16 if DRY else torch.bfloat16


@dataclass(frozen=True)
class Case:
    """One call: the function's name, what makes its arguments, and what is told of it."""

    part: str
    name: str
    told: dict[str, object]
    make: Callable[[], tuple[tuple[object, ...], dict[str, object]]]
    exact: Callable[..., torch.Tensor] | None = None
    """Reference in float64 where the widened call does not fit in memory."""


def drawn(*shape: int, dtype: torch.dtype = HALF) -> torch.Tensor:
    return torch.randn(*shape, device=DEVICE, dtype=torch.float32).to(dtype)


def convolved(n, channels, size, window, dtype, *, bias=False, last=False, **options):
    """Return the arguments of a depthwise convolution."""
    x = drawn(n, channels, *size, dtype=dtype)
    x = x.to(memory_format=torch.channels_last_3d) if last else x
    return (x, drawn(channels, 1, *window, dtype=dtype), drawn(channels, dtype=dtype) if bias else None), options


def conv() -> Iterator[Case]:
    forms = [("bias", HALF, False), ("plain", HALF, False)]
    forms += [("bias, channels last", HALF, True), ("bias, float32", torch.float32, False)]
    for number, (channels, size, window, padding) in enumerate(shapes.VIDEOS):
        channels, size = (min(channels, 3), tuple(min(extent, 5) for extent in size)) if DRY else (channels, size)
        for form, dtype, last in forms if number < 2 or DRY else forms[:1] + forms[2:]:
            options = {"bias": "bias" in form, "last": last, "padding": padding}
            make = partial(convolved, 1, channels, size, window, dtype, **options)
            words = {"channels": channels, "size": size, "window": window, "form": form}
            yield Case("conv", "depthwise_conv3d", words, make)


def attended(batch, heads, kv, queries, keys, size, causal, window, shift):
    """Return the arguments of attention."""
    q, k, v = drawn(batch, heads, queries, size), drawn(batch, kv, keys, size), drawn(batch, kv, keys, size)
    return (q, k, v), {"causal": bool(causal), "window": window, "shift": shift}


def attention(rows=shapes.ATTENTION, part="attention") -> Iterator[Case]:
    for row in rows:
        sizes = dict(zip(shapes.HEADS, row, strict=True))
        if DRY:
            least = {"batch": 1, "heads": 2, "kv": 1, "queries": 9, "keys": 40, "window": 7}
            sizes |= {name: min(sizes[name], most) for name, most in least.items()}
            sizes["shift"] = sizes["keys"] - sizes["queries"] if sizes["shift"] else 0
        yield Case(part, "attention", sizes, partial(attended, **sizes), in_blocks)


def in_blocks(q, k, v, *, causal, window, shift) -> torch.Tensor:
    """Return attention of the first and last head in float64, some queries at a time."""
    made = []
    for head in (0, q.shape[1] - 1):
        key, value = (x[:, head * k.shape[1] // q.shape[1]].double() for x in (k, v))
        parts = []
        for first in range(0, q.shape[2], BLOCK):
            last = min(first + BLOCK, q.shape[2])
            scores = q[:, head, first:last].double() @ key.transpose(1, 2) * q.shape[3] ** -0.5
            hidden = Mask(q.shape[2], k.shape[2], causal, shift, window, q.device).hidden(first, last)
            weights = scores.masked_fill(hidden, float("-inf")).softmax(-1).nan_to_num(0.0)
            parts.append(weights @ value)
        made.append(torch.cat(parts, 1))
    return torch.stack(made, 1)


def multiplied(m, n, k, op="nt", fused=False, dtype=HALF):
    """Return the arguments of a product, with bias and GELU if it is fused, its operands stored as `op` says."""
    a = drawn(k, m, dtype=dtype).t() if op[0] == "t" else drawn(m, k, dtype=dtype)
    b = drawn(n, k, dtype=dtype).t() if op[1] == "t" else drawn(k, n, dtype=dtype)
    return (a, b / k**0.5), {"bias": drawn(n, dtype=dtype), "activation": "gelu"} if fused else {}


def products(part, rows) -> Iterator[Case]:
    for row in rows:
        sizes = dict(zip(("m", "n", "k", "op", "fused", "dtype"), row, strict=False))
        sizes |= {"m": min(sizes["m"], 5), "n": 24, "k": 32} if DRY else {}
        shown = {name: str(value) if name == "dtype" else value for name, value in sizes.items()}
        yield Case(part, "gemm", shown, partial(multiplied, **sizes))


def linear() -> Iterator[Case]:
    """Yield `nn.Linear`'s layout, plain and with bias and GELU, and one shape in all four layouts."""
    yield from products("linear", [(*row, "nt", fused) for fused in (False, True) for row in shapes.LINEAR])
    yield from products("linear", [(2048, 4096, 4096, op) for op in ("nn", "tn", "tt")])


def fused() -> Iterator[Case]:
    """Yield those of `linear` that have bias and GELU, alone."""
    yield from products("fused", [(*row, "nt", True) for row in shapes.LINEAR])


def fresh() -> Iterator[Case]:
    """Yield calls of which nothing was measured before, for dispatch as it is: products of models, and if shapes are drawn other calls, too."""
    rows = shapes.drawn(int(SEED), 60) if SEED else shapes.FRESH
    yield from products("fresh", [(*row, "nt", number % 2 == 1) for number, row in enumerate(rows)])
    if not SEED:
        return
    yield from products("fresh", [(*row[:3], "nt", row[3]) for row in shapes.drawn_public(int(SEED) + 5)])
    yield from several("fresh", shapes.drawn_experts(int(SEED) + 6, 16), shapes.drawn_batches(int(SEED) + 7, 12))
    forms = [(op, dtype) for op in ("nn", "nt", "tn") for dtype in (torch.float16, HALF) if (op, dtype) != ("nt", HALF)]
    others = shapes.drawn(int(SEED) + 1, 20)
    yield from products(
        "fresh",
        [(*row, op, n % 2 == 1, dtype) for n, row in enumerate(others) for op, dtype in forms[n % 5 : n % 5 + 1]],
    )
    yield from attention(shapes.drawn_attention(int(SEED) + 2, 24), "fresh")
    for channels, size, window, form in shapes.drawn_videos(int(SEED) + 3, 20):
        options = {"bias": "bias" in form, "last": "last" in form, "padding": tuple(extent // 2 for extent in window)}
        channels, size = (3, (5, 5, 5)) if DRY else (channels, size)
        words = {"channels": channels, "size": size, "window": window, "form": form}
        yield Case("fresh", "depthwise_conv3d", words, partial(convolved, 1, channels, size, window, HALF, **options))
    for shape in shapes.drawn_rows(int(SEED) + 4, 12):
        yield Case("fresh", "softmax", {"shape": shape}, partial(scored, shape))


def public() -> Iterator[Case]:
    """Yield the layers of public models with bias and GELU at more numbers of rows: of those in `fresh` there are ten only."""
    rows = [row for draw in range(4) for row in shapes.drawn_public(int(SEED) + 100 + draw) if row[3]]
    yield from products("public", [(*row[:3], "nt", True) for row in rows])


def wide() -> Iterator[Case]:
    """Yield products of drawn sizes in every layout, type and epilogue, and rows of softmax."""
    draw = random.Random(int(SEED) + 300)
    for m, n, k in shapes.drawn(int(SEED) + 301, 72):
        op, dtype = draw.choice(("nn", "nn", "tn", "tt", "nt")), draw.choice((HALF, HALF, torch.float16, torch.float32))
        ends = draw.choice(("none", "none", "bias", "relu", "gelu", "silu"))
        sizes = {"m": 5, "n": 24, "k": 32} if DRY else {"m": m, "n": n, "k": k}
        words = {**sizes, "op": op, "fused": ends != "none", "ends": ends, "dtype": str(dtype)}
        yield Case("wide", "gemm", words, partial(ended, **sizes, op=op, ends=ends, dtype=dtype))
    for shape in shapes.drawn_rows(int(SEED) + 303, 24):
        yield Case("wide", "softmax", {"shape": shape}, partial(scored, shape))


def ended(m, n, k, op, ends, dtype):
    """Return the arguments of a product with what follows it: nothing, a bias, or a bias and an activation."""
    given, _ = multiplied(m, n, k, op, dtype=dtype)
    named = {} if ends in ("none", "bias") else {"activation": ends}
    return given, named if ends == "none" else {"bias": drawn(n, dtype=dtype), **named}


def scored(shape):
    """Return the argument of softmax."""
    return (4 * drawn(*((3, 70) if DRY else shape)),), {}


def experts(groups, rows, n, k):
    """Return the arguments of a product of rows in groups, each with a matrix of its own."""
    cuts = sorted(random.Random(groups).sample(range(rows + 1), groups - 1))
    ends = torch.tensor([*cuts, rows], dtype=torch.int32, device=DEVICE)
    return (drawn(rows, k), drawn(groups, n, k).transpose(1, 2) / k**0.5, ends), {}


def batched(batch, m, n, k):
    """Return the arguments of a batch of products."""
    return (drawn(batch, m, k), drawn(batch, k, n) / k**0.5), {}


def finished(batch, m, n, k, form):
    """Return the same with what a form names: a bias, an activation, a residual."""
    given, options = batched(batch, m, n, k)
    options = {"bias": drawn(batch, n)} if "bias" in form else {}
    options |= {"activation": next((name for name in ("gelu", "silu") if name in form), "none")}
    options |= {"residual": drawn(batch, m, n)} if "residual" in form else {}
    return given, options


def batches() -> Iterator[Case]:
    """Yield drawn batches plain and with what PyTorch needs further passes for."""
    for number, row in enumerate(shapes.drawn_batches(int(SEED or "1") + 300, 16)):
        sizes = dict(zip(("batch", "m", "n", "k"), (2, 9, 16, 24) if DRY else row, strict=True))
        for form in ("plain", ("bias gelu", "bias", "bias silu residual", "residual")[number % 4]):
            words = {**sizes, "form": form}
            yield Case("batches", "gemm_batched", words, partial(finished, **sizes, form=form))


def grouped() -> Iterator[Case]:
    yield from several("grouped", shapes.EXPERTS, shapes.BATCHES)


def several(part, of_experts, of_batches) -> Iterator[Case]:
    """Yield products of experts and of batches."""
    for row in of_experts:
        sizes = dict(zip(("groups", "rows", "n", "k"), (3, 9, 16, 24) if DRY else row, strict=True))
        yield Case(part, "gemm_grouped", sizes, partial(experts, **sizes))
    for row in of_batches:
        sizes = dict(zip(("batch", "m", "n", "k"), (2, 9, 16, 24) if DRY else row, strict=True))
        yield Case(part, "gemm_batched", sizes, partial(batched, **sizes))


def kind(name):
    """Return a type by its name; a dry run has one only, because the interpreter cuts bfloat16 off instead of rounding."""
    return HALF if DRY else getattr(torch, name)


def untuned() -> Iterator[Case]:
    """Yield shapes that no table was tuned for."""
    part = "untuned"
    yield from products(part, [(*row[:3], "nn", row[4], kind(row[3])) for row in shapes.UNTUNED_GEMM])
    yield from attention([(*row, 0, 0) for row in shapes.UNTUNED_ATTENTION], part)
    for n, channels, size, window, options, dtype in shapes.UNTUNED_CONV3D:
        words = {"n": n, "channels": channels, "size": size, "window": window, "dtype": dtype, **options}
        make = partial(convolved, n, channels, size, window, kind(dtype), **options)
        yield Case(part, "depthwise_conv3d", words, make)
    for shape, dtype in shapes.UNTUNED_SOFTMAX:
        make = lambda shape=shape, dtype=dtype: ((4 * drawn(*shape, dtype=kind(dtype)),), {})  # noqa: E731
        yield Case(part, "softmax", {"shape": shape, "dtype": dtype}, make)


def cases(parts: list[str]) -> list[Case]:
    made = {
        "conv": conv,
        "attention": attention,
        "linear": linear,
        "grouped": grouped,
        "untuned": untuned,
        "large": lambda: attention(shapes.LARGE, "large"),
        "fresh": fresh,
        "fused": fused,
        "public": public,
        "wide": wide,
        "batches": batches,
    }
    asked = [case for part in PARTS if part in parts and part in made for case in made[part]()]
    asked = [case for case in asked if not ONLY or case.name in ONLY.split(",")]
    return list({(case.part, case.name): case for case in reversed(asked)}.values())[::-1] if DRY else asked
