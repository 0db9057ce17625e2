"""The Triton implementation: a tile of any of the products for each program."""

from __future__ import annotations

from hotloop.kernels.gemm_batched.triton import plan
from hotloop.kernels.gemm_batched.triton.space import SPACE, START, simplicity
from hotloop.model.kernel import Implementation

TRITON = Implementation("triton", "triton", SPACE, START, plan.plan, simplicity, plan.traits)
