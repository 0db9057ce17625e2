"""How far from float64 a right result may be: the roundings that PyTorch itself does are counted."""

from __future__ import annotations

import torch

HALF_ULP = {torch.float16: 2.0**-11, torch.bfloat16: 2.0**-8, torch.float32: 2.0**-24, torch.float64: 2.0**-53}
_STEEPEST = 1.2
"""No activation's slope is more."""
_TINY = 1e-6
"""Below what float16 has no relative error."""


def summed(parts, size, chain, dtype, activation, residual=None):
    """Return the activation of a sum, and its bound: each part is rounded, each sum too, and `size` is what the chain adds up."""
    functional, total = torch.nn.functional, sum(parts[1:], parts[0])
    applied = {"none": lambda x: x, "relu": functional.relu, "gelu": functional.gelu, "silu": functional.silu,
               "gelu-tanh": lambda x: functional.gelu(x, approximate="tanh")}  # fmt: skip
    wanted, unit = applied[activation](total), HALF_ULP[dtype]
    inside = unit * sum((2 * part.abs() for part in parts), 2 * total.abs())
    chained = (chain + 4) * HALF_ULP[torch.float64 if dtype == torch.float64 else torch.float32] * size
    bound = _STEEPEST * (inside + chained) + 3 * unit * wanted.abs()
    if residual is not None:
        wanted = wanted + residual.double()
        bound = bound + unit * (residual.double().abs() + 2 * wanted.abs())
    return wanted, bound + (1e-14 if dtype == torch.float64 else _TINY)


def attended(q, k, v, scale, seen, dtype):
    """Return attention in float64 and its bound: scores and weights rounded to the type, as PyTorch's unfused one does."""
    scores = q @ k.transpose(-1, -2) * scale
    weights = scores.masked_fill(~seen, float("-inf")).softmax(-1).nan_to_num(0.0)
    wanted, unit = weights @ v, HALF_ULP[dtype]
    largest = (
        scores.masked_fill(~seen, 0.0).abs().amax(-1, keepdim=True)
        if scores.shape[-1]
        else scores.sum(-1, keepdim=True)
    )
    chain = (q.shape[-1] + k.shape[-2]) * HALF_ULP[torch.float64 if dtype == torch.float64 else torch.float32]
    bound = (4 + 3 * largest) * (unit + chain) * (weights @ v.abs()) + 2 * unit * wanted.abs()
    return wanted, bound + (1e-14 if dtype == torch.float64 else _TINY)


def log_sums(q, k, scale, seen, dtype):
    """Return the logarithms of attention's sums in float64, and their bounds: scores summed up in float32, and one exponential each."""
    scores = (q @ k.transpose(-1, -2) * scale).masked_fill(~seen, float("-inf"))
    unit = HALF_ULP[torch.float64 if dtype == torch.float64 else torch.float32]
    size = (q.abs() @ k.abs().transpose(-1, -2)).amax(-1) * abs(scale) if scores.shape[-1] else scores.sum(-1)
    wanted = scores.logsumexp(-1)
    return wanted, (q.shape[-1] + 16) * unit * size + 64 * unit * (
        1 + wanted.abs().nan_to_num(0.0, posinf=0.0)
    ) + 16 * unit * scores.shape[-1]
