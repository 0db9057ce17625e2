"""Run the Triton kernels in Triton's interpreter and print each case's error over its bound as JSON.

A process of its own, for which `interpreter` in tests/unit is importable.
"""

from __future__ import annotations

import json
from dataclasses import replace

import interpreter
import torch
from interpreter import WRONG

from hotloop import ops
from hotloop.dispatch import place, remembered
from hotloop.kernels.conv3d_depthwise.shape import Shape
from hotloop.kernels.conv3d_depthwise.triton import kernel as jit
from hotloop.kernels.conv3d_depthwise.triton.plan import best, can_join, constants, programs
from hotloop.kernels.conv3d_depthwise.triton.space import NAIVE, SPACE

PATCHES = NAIVE.replace(FORM="patches", PATCHES=32, PLANES=5)
ONE = Shape(1, 1, (1, 1, 1), (1, 1, 1))
PRIMES = Shape(1, 2, (3, 7, 11), (2, 3, 5), (0, 1, 2))
STRIDED = Shape(2, 3, (6, 11, 13), (3, 3, 2), (1, 2, 0), (2, 2, 3), bias=True)
DILATED = Shape(1, 2, (7, 9, 8), (3, 2, 3), (0, 3, 1), (1, 1, 1), (2, 3, 2))
TWICE = Shape(1, 3, (4, 5, 6), (3, 3, 3), (2, 2, 2), multiplier=2, bias=True)
ROLLED = Shape(1, 2, (2, 6, 7), (3, 7, 7), (1, 3, 3))
ROLLED_DILATED = Shape(1, 3, (9, 7, 7), (7, 4, 5), (2, 3, 1), (3, 1, 2), (2, 1, 2), bias=True)
THIN = Shape(2, 2, (5, 1, 9), (3, 1, 3), (2, 0, 1), (1, 1, 2))
FOUND: dict[str, float] = {}


def biased(shape: Shape) -> torch.Tensor | None:
    made = shape.c * shape.multiplier
    return torch.linspace(-3, 5, made).to(getattr(torch, shape.dtype)) if shape.bias else None


def drawn(shape: Shape) -> tuple[torch.Tensor, torch.Tensor]:
    torch.manual_seed(7)
    dtype = getattr(torch, shape.dtype)
    x = torch.randn((shape.n, shape.c, *shape.size)).to(dtype)
    return x, torch.randn((shape.c * shape.multiplier, 1, *shape.kernel)).to(dtype)


def exact(shape: Shape, x: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    bias = biased(shape)
    return torch.nn.functional.conv3d(
        x.double(), weight.double(), None if bias is None else bias.double(), shape.stride, shape.padding, shape.dilation, groups=shape.c
    )  # fmt: skip


def error(shape: Shape, found: torch.Tensor, x: torch.Tensor, weight: torch.Tensor) -> float:
    wanted, size = exact(shape, x, weight), exact(replace(shape, bias=False), x.abs(), weight.abs()) + 5
    return interpreter.error(found, wanted, 4e-6 * size)


def ran(shape: Shape, config: object, x: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    assert SPACE.valid(config)
    y = torch.full((shape.n, weight.shape[0], *shape.output), float("nan"), dtype=x.dtype)
    if shape.channels_last:
        x, y = x.movedim(1, -1).contiguous(), y.movedim(1, -1).contiguous()
    values = dict(constants(shape, config))
    if "WIDEN" in values:
        values["WIDEN"] = shape.dtype == "bfloat16"
    values.setdefault("bias", biased(shape))
    getattr(jit, config["FORM"])[(programs(shape, config),)](x, weight, y, **values)
    return y.movedim(-1, 1) if shape.channels_last else y


def numbers() -> None:
    cases = {
        "one": (ONE, NAIVE),
        "primes": (PRIMES, NAIVE),
        "strided": (STRIDED, NAIVE.replace(PLANES=5, BLOCK=64)),
        "dilated": (DILATED, NAIVE.replace(PLANES=1, HOLD=1)),
        "twice": (TWICE, NAIVE.replace(PLANES=5, BLOCK=64, HOLD=1)),
        "thin": (THIN, best(replace(THIN, dtype="float32"))),
        "last": (replace(TWICE, channels_last=True), NAIVE.replace(CHANNELS=8, BLOCK=64, PLANES=5)),
        "rolled": (ROLLED, NAIVE.replace(BLOCK=64, PLANES=5)),
        "rolled dilated last": (replace(ROLLED_DILATED, channels_last=True), NAIVE.replace(CHANNELS=8, BLOCK=64)),
        "last strided": (replace(STRIDED, channels_last=True), NAIVE.replace(CHANNELS=8, BLOCK=64, PLANES=20)),
    }
    for number, (name, (shape, config)) in enumerate(cases.items()):
        typed = replace(shape, dtype=("float32", "float16", "bfloat16")[number % 3])
        FOUND[f"taps {name}"] = error(typed, ran(typed, config, *drawn(typed)), *drawn(typed))
    for dtype in ("float16", "bfloat16"):
        for name, shape, height, width in (
            ("one", ONE, 4, 4), ("primes", PRIMES, 4, 4), ("strided", STRIDED, 2, 6), ("dilated", DILATED, 1, 8),
            ("twice", TWICE, 8, 2), ("thin", THIN, 1, 1),
        ):  # fmt: skip
            typed, config = replace(shape, dtype=dtype), PATCHES.replace(TILE_H=height, TILE_W=width)
            if can_join(typed) and dtype == "bfloat16":
                joined = config.replace(JOIN=1)
                FOUND[f"patches {name} joined"] = error(typed, ran(typed, joined, *drawn(typed)), *drawn(typed))
            FOUND[f"patches {name} {dtype}"] = error(typed, ran(typed, config, *drawn(typed)), *drawn(typed))
            if dtype == "float16":
                FOUND[f"patches {name} by rule"] = error(typed, ran(typed, best(typed), *drawn(typed)), *drawn(typed))


def strange() -> None:
    """Judge where NaN and infinity went, with and without strides."""
    for name, shape in (("dense", PRIMES), ("strided", STRIDED)):
        typed = replace(shape, dtype="float16")
        x, weight = drawn(typed)
        x[0, 0, 1, 3, 5], x[0, 1, 2, 0, 0], weight[1, 0, 0, 0, 0] = float("nan"), float("inf"), 0.0
        found, wanted = ran(typed, PATCHES, x, weight), exact(typed, x, weight)
        same = torch.equal(found.isnan(), wanted.isnan()) and torch.equal(found.isinf(), wanted.isinf())
        assert 0 < int(wanted.isfinite().sum()) < wanted.numel()
        FOUND[f"strange {name}"] = 0.0 if same else WRONG


def operators() -> None:
    """Judge `hotloop.ops` where CUDA C++ cannot be compiled."""
    interpreter.on(interpreter.gpu("sm_90"))
    place.winners = lambda _family, _device: place.Winners()
    for dtype, form in (("float16", "patches"), ("float32", "taps")):
        shape = replace(PRIMES, dtype=dtype)
        x, weight = drawn(shape)
        choice = ops.explain_choice("depthwise_conv3d", x, weight, padding=shape.padding)
        assert (choice.implementation, choice.config["FORM"]) == ("triton", form)
        FOUND[f"operator {dtype}"] = error(shape, ops.depthwise_conv3d(x, weight, padding=shape.padding), x, weight)
        added = replace(shape, bias=True)
        more = ops.depthwise_conv3d(x, weight, biased(added), padding=shape.padding)
        FOUND[f"operator {dtype} bias"] = error(added, more, x, weight)  # rounded once


def lying() -> None:
    """Judge an operand whose channels lie last, and in which strides the result comes, with a kernel and without."""
    shape = replace(TWICE, dtype="float16")
    x, weight = drawn(shape)
    last = x.to(memory_format=torch.channels_last_3d)
    found = ops.depthwise_conv3d(last, weight, biased(shape), padding=shape.padding)
    choice = ops.explain_choice("depthwise_conv3d", last, weight, biased(shape), padding=shape.padding)
    assert (choice.implementation, choice.config["FORM"], choice.problem.layout) == ("triton", "taps", "ndhwc")
    FOUND["lying last"] = error(shape, found, x, weight)
    place.facts = lambda _tensor, _backend: place.Place(interpreter.gpu(""), "no GPU")
    remembered.forget()
    for name, one, form in (("last", last, torch.channels_last_3d), ("first", x, torch.contiguous_format)):
        own = ops.depthwise_conv3d(one, weight, biased(shape), padding=shape.padding)
        fake = torch.empty_like(found, memory_format=form)
        FOUND[f"lying {name}, PyTorch's"] = 0.0 if own.stride() == fake.stride() else WRONG
    FOUND["lying last, strides"] = (
        0.0 if found.stride() == torch.empty_like(found, memory_format=torch.channels_last_3d).stride() else WRONG
    )


if __name__ == "__main__":
    numbers()
    strange()
    operators()
    lying()
    print(json.dumps(FOUND))
