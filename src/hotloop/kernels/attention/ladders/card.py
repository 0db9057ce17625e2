"""Inputs and judgement of the attention ladder on a card; arrays are PyTorch's, which only such machines have."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from typing import Any

from hotloop.kernels.attention.ladders.tile import D

_SLICE = 512
"""Queries that are compared at once: a full matrix of scores in float64 would not fit."""


def inputs(torch: Any, problem: Mapping[str, Any], seed: int) -> tuple[Any, ...]:  # noqa: ANN401
    """Return Q, K, V [heads, rows, 128] in float16, normal, their sizes as the kernel reads them, and O full of NaN."""
    heads, queries, keys = (int(problem[name]) for name in ("heads", "queries", "keys"))
    maker = torch.Generator(device="cuda").manual_seed(seed)
    shapes = ((heads, queries, D), (heads, keys, D), (heads, keys, D))
    q, k, v = (torch.randn(s, generator=maker, device="cuda", dtype=torch.float16) for s in shapes)
    (scale,) = struct.unpack("<i", struct.pack("<f", D**-0.5))
    sizes = torch.tensor([queries, keys, scale], device="cuda", dtype=torch.int32)
    return q, k, v, sizes, torch.full_like(q, float("nan"))


def error(torch: Any, problem: Mapping[str, Any], arguments: tuple[Any, ...]) -> float:  # noqa: ANN401
    """Return the largest error over its bound, that of `execute.worst`, of the first and the last head."""
    q, k, v, _, out = arguments
    eps, keys = torch.finfo(torch.float32).eps, int(problem["keys"])
    found = 0.0
    for head in {0, len(q) - 1}:
        right, values = k[head].double(), v[head].double()
        for first in range(0, q.shape[1], _SLICE):
            left = q[head, first : first + _SLICE].double()
            rows = torch.arange(first, first + len(left), device="cuda")[:, None]
            hidden = torch.arange(keys, device="cuda") > rows
            p = torch.softmax((left @ right.T * D**-0.5).masked_fill(hidden, float("-inf")), dim=1)
            size = (left.abs() @ right.abs().T * D**-0.5).amax(dim=1, keepdim=True)
            bound = (2.0**-10 + 2 * D * eps * size) * (p @ values.abs()) + (keys + 1) * 2.0**-25 * values.abs().max()
            ratio = float(((out[head, first : first + _SLICE].double() - p @ values).abs() / bound).max())
            found = max(found, ratio if ratio == ratio else float("inf"))
    return found
