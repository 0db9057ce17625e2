"""The launch of the product with 4-bit weights on checked tensors."""

# mypy: disable-error-code="no-untyped-call"
from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from hotloop.dispatch import counters
from hotloop.kernels.gemm import int4_jit
from hotloop.kernels.gemm.products import ACTIVATIONS

if TYPE_CHECKING:
    from hotloop.kernels.gemm.int4 import Plan

FAST = True
"""Whether weights are widened by machine instructions, which Triton's interpreter lacks."""


def run(
    plan: Plan, a: torch.Tensor, stored: torch.Tensor, scales: torch.Tensor, bias: torch.Tensor | None, function: str,
    c: torch.Tensor | None = None,
) -> torch.Tensor:  # fmt: skip
    """Return act(a · W + bias) for rows of `a` without gaps between elements; written to `c` if given."""
    (m, k), n = a.shape, scales.shape[1]
    c = torch.empty((m, n), dtype=a.dtype, device=a.device) if c is None else c
    tiles = -(-m // plan.rows) * (n // plan.columns)
    work, arrived = c, c
    if plan.splits > 1:
        size = tiles * plan.splits * plan.rows * plan.columns
        work = torch.empty((size,), dtype=torch.float32, device=a.device)
        arrived = counters.zeros(a.device, tiles, "int4")
    with torch.cuda.device(a.device):
        int4_jit.weights4[(tiles, plan.splits)](
            a, stored, scales, c, c if bias is None else bias, work, arrived, m, n, k, a.stride(0) if m > 1 else k,
            BM=plan.rows, BN=plan.columns, SPLITS=plan.splits, BIAS=bias is not None, ACT=ACTIVATIONS.index(function),
            FAST=FAST, num_warps=4, num_stages=plan.stages,
        )  # fmt: skip
    return c
