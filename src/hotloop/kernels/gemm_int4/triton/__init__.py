"""The Triton implementation: weights widened in the registers from which the matrix instruction takes them."""

from __future__ import annotations

from hotloop.kernels.gemm_int4.triton.plan import plan, traits
from hotloop.kernels.gemm_int4.triton.space import SPACE, START, simplicity
from hotloop.model.kernel import Implementation

TRITON = Implementation("triton", "triton", SPACE, START, plan, simplicity, traits)
