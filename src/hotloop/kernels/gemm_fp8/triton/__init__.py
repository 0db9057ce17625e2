"""The Triton implementation: whole tiles in grouped order, or, for few rows of A, swapped operands and slices of k."""

from __future__ import annotations

from hotloop.kernels.gemm_fp8.triton.plan import plan, traits
from hotloop.kernels.gemm_fp8.triton.space import SPACE, START, simplicity
from hotloop.model.kernel import Implementation

TRITON = Implementation("triton", "triton", SPACE, START, plan, simplicity, traits)
