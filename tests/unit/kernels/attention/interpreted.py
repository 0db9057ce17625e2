"""Run the kernel for every head size in Triton's interpreter and print each case's error over its bound as JSON.

A process of its own, for which `interpreter` in tests/unit is importable.
"""

from __future__ import annotations

import json
from dataclasses import replace

import interpreter
import numpy as np
import torch

from hotloop.dispatch import launch
from hotloop.kernels.attention.general import plan
from hotloop.kernels.attention.general.rows import config_for
from hotloop.kernels.attention.general.space import START
from hotloop.kernels.attention.problem import Shape
from hotloop.kernels.attention.reference import attend
from hotloop.model.space import Config

DEVICE = replace(interpreter.gpu("sm_90"), runtime_key="interpreter")
SMALL = START.replace(rows=16, keys=16)
CASES = {
    "two widths": (Shape(1, 2, 1, 19, 37, 80, "float16", lse=True), SMALL),
    "bfloat16, odd width": (Shape(2, 1, 1, 5, 21, 40, "bfloat16", causal=True), SMALL),
    "window under a mask": (Shape(1, 2, 2, 35, 50, 32, "float16", causal=True, shift=15, window=9, lse=True), SMALL),
    "window on both sides": (Shape(1, 1, 1, 35, 50, 24, "float16", window=7), SMALL),
    "rows that see no key": (Shape(1, 1, 1, 9, 20, 16, "float16", causal=True, shift=-4, lse=True), SMALL),
    "pieces, heads together": (Shape(2, 6, 2, 3, 100, 72, "float16", lse=True), SMALL.replace(pack=1, split=4)),
    "more pieces than keys": (
        Shape(1, 2, 1, 2, 20, 96, "float16", causal=True, shift=18),
        SMALL.replace(pack=1, split=8),
    ),
    "pieces of a window": (
        Shape(1, 2, 1, 1, 90, 112, "float16", causal=True, shift=89, window=40),
        SMALL.replace(split=2),
    ),
    "as chosen": (Shape(1, 4, 1, 1, 300, 128, "float16", scale=0.2), config_for(Shape(1, 4, 1, 1, 300, 128), 4)),
}


def drawn(heads: int, length: int, shape: Shape) -> torch.Tensor:
    """Return an operand whose heads lie between its rows, with gaps."""
    x = torch.randn(shape.batch, length, heads, shape.size + 8).to(getattr(torch, shape.dtype))
    return x[..., : shape.size].transpose(1, 2)


def case(shape: Shape, config: Config) -> float:
    q, k, v = (drawn(*size, shape) for size in ((shape.heads, shape.length_q), *[(shape.kv_heads, shape.length_k)] * 2))
    o, lse = torch.full_like(q, float("nan")), torch.full(q.shape[:3], float("nan"))
    arrays = {"q": q, "k": k, "v": v, "o": o}
    program = plan.program(shape, {name: tuple(x.stride()) for name, x in arrays.items()}, config, DEVICE)
    launch.run(program, DEVICE, {**arrays, "lse": lse} if shape.lse else arrays)
    options = {"causal": shape.causal, "shift": shape.shift, "scale": shape.factor, "window": shape.window}
    wanted, sums, size = (torch.from_numpy(x) for x in attend(*(x.double().numpy() for x in (q, k, v)), **options))
    worst = interpreter.error(o, wanted, 2 * interpreter.ROUNDING[o.dtype] * size)
    if not shape.lse:
        return worst
    same = torch.equal(lse.isinf(), sums.isinf())
    gap = np.nan_to_num((lse.double() - sums).numpy(), nan=0.0, posinf=0.0, neginf=0.0)
    return max(worst, float(np.abs(gap).max()) / 1e-4) if same else interpreter.WRONG


def main() -> None:
    torch.manual_seed(5)
    print(json.dumps({name: case(*one) for name, one in CASES.items()}))


if __name__ == "__main__":
    main()
