"""Execute the Triton kernels of packages, launched by their own host code, beside PyTorch's result of the same operation.

    pip install --no-deps --target FOLDER liger-kernel flag-gems; pip install --target FOLDER torch pyyaml
    PYTHONPATH=FOLDER EMU_TARGET=gfx942 python benchmarks/emulate_packages.py liger flaggems --out packages.json

A case is one call of an operator. A compiled kernel is one source with one specialisation for one target; it is right when every
case that launched it is, and a case is right when all its outputs agree with PyTorch's in float64 within the tolerance of their type.
The packages are read where they are installed.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import torch
import triton_on_cpu
from torch.nn import functional

Case = tuple[str, Callable[[], Any], Callable[[], Any]]
TOLERANCE = {torch.float32: 2e-4, torch.float16: 4e-3, torch.bfloat16: 3e-2, torch.float64: 1e-9}


class _Nothing(contextlib.nullcontext[None]):
    """Stands for a choice of a device where there is none."""

    def __init__(self, *_: object) -> None:
        super().__init__()


def draw(*shape: int, low: float = -2.0, high: float = 2.0, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    """Return random numbers between two bounds."""
    return (torch.rand(*shape) * (high - low) + low).to(dtype)


def whole(*shape: int, low: int = -9, high: int = 9, dtype: torch.dtype = torch.int32) -> torch.Tensor:
    """Return random whole numbers."""
    return torch.randint(low, high, shape, dtype=dtype)


def wide(value: Any) -> Any:
    """Return floating-point tensors in float64, anything else as it is."""
    if isinstance(value, torch.Tensor):
        return value.double() if value.is_floating_point() else value.clone()
    if isinstance(value, list | tuple):
        return type(value)(wide(one) for one in value)
    return value


def copied(value: Any) -> Any:
    """Return tensors of their own."""
    if isinstance(value, torch.Tensor):
        return value.clone()
    return type(value)(copied(one) for one in value) if isinstance(value, list | tuple) else value


def flaggems() -> Iterator[Case]:
    """Yield calls of FlagGems' operators, by the names and arguments that PyTorch has for them."""
    os.environ["GEMS_VENDOR"] = "amd"
    torch.cuda.device = _Nothing  # type: ignore[misc,assignment]
    torch.cuda._DeviceGuard = _Nothing  # type: ignore[attr-defined]  # noqa: SLF001
    torch.cuda.current_device = lambda: 0  # type: ignore[assignment]
    import flag_gems
    from triton.runtime import autotuner

    libentry = sys.modules["flag_gems.utils.libentry"]  # the package hides its module behind a function of that name
    libentry.LibEntry.run = lambda self, *args, **more: self.fn.run(*args, **more)
    libentry.LibTuner.run = autotuner.Autotuner.run
    for config in filter(None, sys.modules["flag_gems.utils.codegen_config_utils"].CODEGEN_COFIGS.values()):
        config.prefer_block_pointer = False  # this Triton has none any more
    half, brain = torch.float16, torch.bfloat16
    ops: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = []

    def add(names: str, *args: Any, **more: Any) -> None:
        ops.extend((name, args, more) for name in names.split())

    x, y = draw(37, 65), draw(37, 65)
    unit, positive = draw(33, 50, low=-0.95, high=0.95), draw(33, 50, low=0.1, high=3.0)
    add("abs ceil cos cosh erf exp exp2 expm1 floor isfinite isinf isnan neg relu round sigmoid silu sin signbit", x)
    add("square tan tanh gelu atan angle absolute isneginf relu6 selu softplus hardsigmoid log_sigmoid softshrink", x)
    add("acos arcsinh logit", draw(33, 50, low=0.05, high=0.95))
    add("log log10 sqrt rsqrt reciprocal digamma i0 special_i0e special_i1", positive)
    add("add sub mul div maximum minimum eq ne lt le gt ge fmin hypot copysign atan2 isclose logaddexp", x, y)
    add("add mul sub", x.to(half), y.to(half))
    add("exp gelu silu", x.to(brain))
    add("bitwise_and bitwise_or bitwise_xor", whole(501), whole(501))
    add("bitwise_not logical_not abs neg", whole(501))
    add("bitwise_left_shift bitwise_right_shift", whole(501, low=0), whole(501, low=0, high=5))
    add("logical_and logical_or logical_xor", whole(501, low=0, high=2), whole(501, low=0, high=2))
    add("floor_divide remainder", whole(501, high=100), whole(501, low=1))
    add("pow", positive, draw(33, 50))
    add("clamp", x, -0.5, 0.5)
    add("lerp", x, y, 0.3)
    add("addcmul addcdiv", x, y, draw(37, 65, low=0.5, high=2.0))
    add("where", x > 0, x, y)
    add("nan_to_num", x)
    add("threshold", x, 0.1, 2.0)
    add("elu celu", x)
    add("sum mean amax max min prod all any argmax argmin", unit)
    add("sum mean amax argmax argmin softmax log_softmax cumsum prod var std", x, 1)
    add("sum mean amax softmax cumsum", x, 0)
    add("max min cummax cummin", x, 1)
    add("std var", x)
    add("count_nonzero", whole(300, low=0, high=3))
    add("mm", draw(33, 48), draw(48, 65))
    add("mm", draw(64, 96).to(half), draw(96, 80).to(half))
    add("bmm", draw(3, 17, 32), draw(3, 32, 40))
    add("addmm", draw(33, 65), draw(33, 48), draw(48, 65))
    add("baddbmm", draw(3, 17, 40), draw(3, 17, 32), draw(3, 32, 40))
    add("mv", draw(33, 48), draw(48))
    add("addmv", draw(33), draw(33, 48), draw(48))
    add("addr", draw(33, 48), draw(33), draw(48))
    add("dot vdot", draw(501), draw(501))
    add("outer", draw(31), draw(45))
    add("kron", draw(5, 6), draw(4, 3))
    add("trace", draw(40, 50))
    add("tril triu", x)
    add("tril triu", x, 2)
    add("diag", draw(33))
    add("diag_embed", draw(5, 9))
    add("flip", x, (1,))
    add("roll", x, (3,), (1,))
    add("repeat", x, (2, 3))
    add("tile", x, (2, 2))
    add("cat", [x, y], 1)
    add("stack", [x, y], 0)
    add("hstack vstack", [x, y])
    add("gather", draw(40, 6), 0, whole(9, 6, low=0, high=40, dtype=torch.int64))
    add("index_select", x, 1, whole(9, low=0, high=65, dtype=torch.int64))
    add("index_add", draw(40, 6), 0, torch.randperm(40)[:9], draw(9, 6))
    add("scatter", draw(40, 6), 0, torch.randperm(40)[:9].view(9, 1).repeat(1, 6), draw(9, 6))
    add("masked_fill", x, y > 0, 1.5)
    add("masked_select", x, y > 0)
    add("select_scatter", x, draw(37), 1, 3)
    add("slice_scatter", x, draw(37, 10), 1, 3, 13)
    add("isin", whole(300), whole(7))
    add("arange", 100)
    add("linspace", 0.0, 5.0, 77)
    add("eye", 33)
    add("full", (5, 77), 2.5)
    add("nonzero", whole(200, low=0, high=2))
    add("sort", draw(5, 100), 1)
    add("topk", draw(5, 100), 7)
    add("unique_consecutive", whole(100, low=0, high=3))
    add("one_hot", whole(50, low=0, high=10, dtype=torch.int64), 10)
    add("upsample_nearest2d", draw(1, 3, 9, 11), (18, 22))
    add("reflection_pad1d replication_pad1d", draw(2, 3, 21), (2, 3))
    add("reflection_pad2d", draw(2, 3, 9, 11), (1, 2, 2, 1))
    add("pixel_unshuffle", draw(1, 2, 8, 10), 2)
    add("mse_loss soft_margin_loss", x, y)
    add("glu", draw(20, 64))
    add("polar", positive, draw(33, 50))
    add("embedding", draw(30, 17), whole(12, low=0, high=30, dtype=torch.int64))
    add("layer_norm", x, (65,), draw(65), draw(65))
    add("group_norm", draw(2, 6, 35), draw(6), draw(6), 2, 6, 35, 3)
    add("conv1d", draw(2, 3, 30), draw(5, 3, 3))
    add("conv2d", draw(1, 4, 12, 11), draw(6, 4, 3, 3))
    add("rms_norm", x, (65,), draw(65))
    add("avg_pool2d max_pool2d_with_indices", draw(1, 3, 12, 14), (2, 2))
    for name, args, more in ops:
        mine = getattr(flag_gems.ops, name, None) or getattr(flag_gems, name, None)
        theirs = next(
            (getattr(home, name) for home in (torch, functional, torch.special, torch.ops.aten) if hasattr(home, name)),
            None,
        )
        if name == "group_norm":
            theirs = lambda x, w, b, *more: (functional.group_norm(x, more[-1], w, b),)  # noqa: E731
        if name in ("log_sigmoid", "repeat", "select_scatter"):
            theirs = {"log_sigmoid": functional.logsigmoid, "repeat": lambda t, n: t.repeat(n)}.get(name, theirs)
        if mine is None or theirs is None:
            continue
        label = f"{name} {'x'.join(str(n) for n in args[0].shape) if isinstance(args[0], torch.Tensor) else ''}"
        kind = str(args[0].dtype).split(".")[1] if isinstance(args[0], torch.Tensor) else ""
        yield (
            f"{label} {kind}",
            lambda mine=mine, args=args, more=more: mine(*copied(args), **more),
            lambda theirs=theirs, args=args, more=more: theirs(*wide(args), **more),
        )


def backward(function: Any, inputs: list[torch.Tensor], *rest: Any) -> list[torch.Tensor]:
    """Return a function's output and the gradients of its inputs, for a weight of the outputs that is drawn from a fixed seed."""
    leaves = [one.clone().requires_grad_() for one in inputs]
    out = function(*leaves, *rest)
    out = out[0] if isinstance(out, tuple) else out
    weight = torch.rand(out.shape, generator=torch.Generator().manual_seed(7)).to(out.dtype)
    (out * weight).sum().backward()
    return [out.detach(), *(one.grad for one in leaves if one.grad is not None)]


def liger() -> Iterator[Case]:
    """Yield calls of Liger's operators with their gradients."""
    from liger_kernel import ops as _  # noqa: F401 - the package chooses its back end when it is first imported
    from liger_kernel.ops import (
        dyt,
        fused_add_rms_norm,
        geglu,
        group_norm,
        layer_norm,
        relu_squared,
        rms_norm,
        softmax,
        swiglu,
        tvd,
    )

    dyt.infer_device = lambda: "cuda"  # it asks for the number of multiprocessors

    def norm(x: torch.Tensor, w: torch.Tensor, eps: float) -> torch.Tensor:
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps) * w

    def pairs(name: str, mine: Any, theirs: Any, inputs: list[torch.Tensor], *rest: Any, also: Any = ()) -> Case:
        shape = "x".join(str(n) for n in inputs[0].shape)
        return (
            f"{name} {shape} {str(inputs[0].dtype).split('.')[1]}",
            lambda: backward(mine, inputs, *rest),
            lambda: backward(theirs, [wide(one) for one in inputs], *(also or rest)),
        )

    for rows, columns, dtype in ((7, 100, torch.float32), (16, 256, torch.float16), (5, 1030, torch.bfloat16)):
        x, y = draw(rows, columns, dtype=dtype), draw(rows, columns, dtype=dtype)
        w, b = draw(columns, dtype=dtype), draw(columns, dtype=dtype)
        yield pairs("rms_norm", rms_norm.LigerRMSNormFunction.apply, norm, [x, w], 1e-6)
        yield pairs(
            "layer_norm",
            layer_norm.LigerLayerNormFunction.apply,
            lambda x, w, b, eps: functional.layer_norm(x, x.shape[-1:], w, b, eps),
            [x, w, b],
            1e-6,
        )
        yield pairs("swiglu", swiglu.LigerSiLUMulFunction.apply, lambda a, b: functional.silu(a) * b, [x, y])
        yield pairs(
            "geglu", geglu.LigerGELUMulFunction.apply, lambda a, b: functional.gelu(a, approximate="tanh") * b, [x, y]
        )
        yield pairs("softmax", softmax.LigerSoftmaxFunction.apply, lambda a: a.softmax(-1), [x])
        yield pairs("relu_squared", relu_squared.LigerReLUSquaredFunction.apply, lambda a: a.relu() ** 2, [x])
        yield pairs(
            "fused_add_rms_norm",
            fused_add_rms_norm.LigerFusedAddRMSNormFunction.apply,
            lambda x, r, w, eps: norm(x + r, w, eps),
            [x, y, w],
            1e-6,
        )
        yield pairs(
            "dyt",
            lambda x, g, b, a: dyt.LigerDyTFunction.apply(x, a, g, b),
            lambda x, g, b, a: g * torch.tanh(a * x) + b,
            [x, w, b, draw(1, dtype=dtype)],
        )
        p = draw(rows, columns).softmax(-1).to(dtype)
        q = torch.where(draw(rows, columns) > 0, p * 1.5, p * 0.5)  # nowhere equal, where the distance has no gradient
        yield pairs("tvd", tvd.LigerTVDLossFunction.apply, lambda p, q: 0.5 * (p - q).abs().sum() / p.shape[0], [p, q])
    yield pairs(
        "group_norm",
        lambda x, w, b: group_norm.LigerGroupNormFunction.apply(x, w, b, 6, 3, 1e-6),
        lambda x, w, b: functional.group_norm(x, 3, w, b, 1e-6),
        [draw(2, 6, 35), draw(6), draw(6)],
    )


def agree(got: Any, wanted: Any) -> tuple[bool, float]:
    """Compare the outputs of a case; the second is the largest error, relative to the largest number of the output."""
    if isinstance(wanted, list | tuple):
        pairs = [agree(one, two) for one, two in zip(got, wanted, strict=False)]
        return all(right for right, _ in pairs), max((error for _, error in pairs), default=0.0)
    if not isinstance(wanted, torch.Tensor):
        return bool(got == wanted), 0.0
    if got.is_complex():
        got, wanted = torch.view_as_real(got), torch.view_as_real(wanted)
    if got.shape != wanted.shape or got.is_floating_point() != wanted.is_floating_point():
        return False, float("inf")
    if not got.is_floating_point():
        return bool((got == wanted).all()), 0.0
    tolerance = TOLERANCE[got.dtype]
    same = torch.allclose(got.double(), wanted.double(), rtol=tolerance, atol=tolerance, equal_nan=True)
    scale = max(1.0, float(wanted.double().nan_to_num().abs().max())) if wanted.numel() else 1.0
    return same, float((got.double() - wanted.double()).nan_to_num().abs().max()) / scale if wanted.numel() else 0.0


def _late(*_: object) -> None:
    raise TimeoutError("longer than it may take")


def row(case: Case, limit_s: int) -> dict[str, Any]:
    """Run one case."""
    name, mine, theirs = case
    told: dict[str, Any] = {"case": name, "target": triton_on_cpu.TARGET}
    first, began = len(triton_on_cpu.RECORD), time.perf_counter()
    signal.alarm(limit_s)
    try:
        got = mine()
        signal.alarm(0)
        right, error = agree(got, theirs())
        told |= {"status": "right" if right else "wrong", "error": error}
    except Exception as error:  # noqa: BLE001 - a package may raise whatever it likes; the row says it
        told |= {"status": "failed", "reason": f"{type(error).__name__}: {error}"[:300]}
    finally:
        signal.alarm(0)
    kernels = triton_on_cpu.RECORD[first:]
    if not kernels and told["status"] == "right":
        told["status"] = "no kernel"
    return {**told, "seconds": round(time.perf_counter() - began, 2), "kernels": kernels}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("packages", nargs="+", choices=["liger", "flaggems"])
    parser.add_argument("--out", type=Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--limit", type=int, default=120, help="seconds of a case at most")
    parser.add_argument("--seconds", type=float, default=3600.0)
    chosen = parser.parse_args()
    signal.signal(signal.SIGALRM, _late)
    triton_on_cpu.install()
    torch.manual_seed(0)
    rows: list[dict[str, Any]] = []
    began = time.monotonic()
    for package in chosen.packages:
        for case in {"liger": liger, "flaggems": flaggems}[package]():
            if chosen.only not in case[0]:
                continue
            if time.monotonic() - began > chosen.seconds:
                print("the seconds are spent before", case[0])
                break
            rows.append({"package": package, **row(case, chosen.limit)})
            last = rows[-1]
            found = [text for one in last["kernels"] for text in one.get("findings", ())]
            if last["status"] != "right" or found:
                print(last["case"], last["status"], last.get("reason", last.get("error")), found[:2], flush=True)
            if chosen.out:
                chosen.out.write_text(json.dumps(rows, indent=1, default=str) + "\n")
    print(Counter(one["status"] for one in rows), flush=True)
    fresh = [(one["status"], kernel) for one in rows for kernel in one["kernels"] if kernel.get("new")]
    print(len(fresh), "compiled kernels:", Counter((status, str(kernel.get("status"))) for status, kernel in fresh))


if __name__ == "__main__":
    main()
