"""Row reductions in Triton: one program holds a row in registers. Tensors are contiguous, row after row.

The CUDA C++ form in ``cuda/rows.cuh`` is the tuned one; this one needs no compiler but Triton's.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, untyped-decorator, misc, no-any-return, attr-defined"
from __future__ import annotations

import triton
import triton.language as tl


@triton.jit
def softmax(x, y, width, BLOCK: tl.constexpr):
    """Normalise one row in each program, held in registers: one read, one write."""
    places = tl.arange(0, BLOCK)
    inside = places < width
    first = tl.program_id(0).to(tl.int64) * width
    row = tl.load(x + first + places, mask=inside, other=-float("inf")).to(tl.float32)
    weights = tl.exp(row - tl.max(row, 0))
    tl.store(y + first + places, (weights / tl.sum(weights, 0)).to(y.dtype.element_ty), mask=inside)


@triton.jit
def rmsnorm(x, gain, y, width, floor, BLOCK: tl.constexpr):
    """Divide one row in each program by its root mean square and multiply it by `gain`."""
    places = tl.arange(0, BLOCK)
    inside = places < width
    first = tl.program_id(0).to(tl.int64) * width
    row = tl.load(x + first + places, mask=inside, other=0.0).to(tl.float32)
    scale = tl.rsqrt(tl.sum(row * row, 0) / width + floor)
    weights = tl.load(gain + places, mask=inside, other=0.0).to(tl.float32)
    tl.store(y + first + places, (row * scale * weights).to(y.dtype.element_ty), mask=inside)
