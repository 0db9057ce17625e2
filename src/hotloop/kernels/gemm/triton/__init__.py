"""The Triton implementation: one source from a masked tile to persistent programs on tensor descriptors and split k.

It takes every problem of the family in float16, bfloat16 and float32; sums are float32. Triton's interpreter (seen in 3.9)
multiplies the bits of bfloat16 as integers, so there the operands are widened first, which is exact.
"""

from __future__ import annotations

from hotloop.kernels.gemm.triton.plan import plan, traits
from hotloop.kernels.gemm.triton.space import SPACE, START, simplicity
from hotloop.model.kernel import Implementation

TRITON = Implementation("triton", "triton", SPACE, START, plan, simplicity, traits)
