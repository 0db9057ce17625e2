"""Small kernels in Triton whose limits are known beforehand: a copy, the same copy by columns, softmax, and RMS norm.

A profile of them is a test of the profile's reader: the copy must be limited by device memory, the copy by columns by
sectors of which it uses a fraction. Tensors are contiguous, row after row; `width` is the length of a row.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, untyped-decorator, misc, no-any-return, attr-defined"
from __future__ import annotations

import triton
import triton.language as tl


@triton.jit
def copy(x, y, length, BLOCK: tl.constexpr):
    """Copy BLOCK neighbouring values in each program."""
    where = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    inside = where < length
    tl.store(y + where, tl.load(x + where, mask=inside), mask=inside)


@triton.jit
def columns(x, y, height, width, BLOCK: tl.constexpr):
    """Copy BLOCK values of one column in each program: neighbouring threads touch different rows."""
    rows = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    where = rows.to(tl.int64) * width + tl.program_id(0)
    inside = rows < height
    tl.store(y + where, tl.load(x + where, mask=inside), mask=inside)


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
