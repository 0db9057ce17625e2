"""Row operations in Triton: a program has some rows, held in registers or read in pieces, once for each pass.

The CUDA C++ form in ``cuda/rows.cuh`` is the tuned one; this one needs no compiler but Triton's. OP counts `OPERATIONS` of
`hotloop.kernels.reduction.geometry`. Arrays lie without gaps; arithmetic is float32. With CHAIN a launch with ``launch_pdl`` begins
while the kernel before it ends, and waits before it reads or writes anything; at 1 it lets the next one begin at once, at 2 after
its own last read.
"""

# ruff: noqa: SIM109 - Triton has no membership in tuples of constants
# mypy: disable-error-code="no-untyped-def, no-untyped-call, untyped-decorator, misc, no-any-return, attr-defined"
from __future__ import annotations

import triton
import triton.language as tl

SUM, MAX, SOFTMAX, RMSNORM = tl.constexpr(0), tl.constexpr(1), tl.constexpr(2), tl.constexpr(3)


@triton.jit
def piece(x, first, inside, places, columns, OTHER: tl.constexpr):
    """Load some columns of each row as float32; columns and rows that there are not give OTHER."""
    seen = inside[:, None] & (places < columns)[None, :]
    return tl.load(x + first[:, None] + places[None, :], mask=seen, other=OTHER).to(tl.float32)


@triton.jit
def finished(values, least, factor, scale, shift, places, columns, OP: tl.constexpr):
    """Return the results of some columns: `least` is taken off, `factor` multiplies."""
    if OP == SOFTMAX:
        return tl.exp(values - least[:, None]) * factor[:, None]
    inside = places < columns
    values = (values - least[:, None]) * factor[:, None]
    values = values * tl.load(scale + places, mask=inside, other=0.0).to(tl.float32)[None, :]
    if OP > RMSNORM:
        values = values + tl.load(shift + places, mask=inside, other=0.0).to(tl.float32)[None, :]
    return values


@triton.jit
def squares(values, mean, places, columns):
    """Return the sums of squared distances from the mean."""
    far = tl.where((places < columns)[None, :], values - mean[:, None], 0.0)
    return tl.sum(far * far, 1)


@triton.jit
def held(
    x, scale, shift, y, row, first, inside, columns, epsilon, OP: tl.constexpr, BLOCK: tl.constexpr, CHAIN: tl.constexpr
):
    """Read each row once."""
    places = tl.arange(0, BLOCK)
    OTHER: tl.constexpr = float("-inf") if OP == MAX or OP == SOFTMAX else 0.0
    values = piece(x, first, inside, places, columns, OTHER)
    if CHAIN == 2:
        tl.extra.cuda.gdc_launch_dependents()
    least = tl.zeros_like(first).to(tl.float32)
    if OP == SUM:
        tl.store(y + row, tl.sum(values, 1).to(y.dtype.element_ty), mask=inside)
    elif OP == MAX:
        tl.store(y + row, tl.max(values, 1).to(y.dtype.element_ty), mask=inside)
    else:
        if OP == SOFTMAX:
            least = tl.max(values, 1)
            factor = 1.0 / tl.sum(tl.exp(values - least[:, None]), 1)
        else:
            if OP > RMSNORM:
                least = tl.sum(values, 1) / columns
            factor = tl.rsqrt(squares(values, least, places, columns) / columns + epsilon)
        made = finished(values, least, factor, scale, shift, places, columns, OP)
        seen = inside[:, None] & (places < columns)[None, :]
        tl.store(y + first[:, None] + places[None, :], made.to(y.dtype.element_ty), mask=seen)


@triton.jit
def streamed(x, scale, shift, y, row, first, inside, columns, epsilon, OP: tl.constexpr, BLOCK: tl.constexpr):
    """Read each row once for each pass, BLOCK columns at a time."""
    around = tl.arange(0, BLOCK)
    nothing = tl.zeros_like(first).to(tl.float32)
    if OP == MAX or OP == SOFTMAX:
        total = nothing + float("-inf")
        for start in tl.range(0, columns, BLOCK):
            values = piece(x, first, inside, start + around, columns, float("-inf"))
            total = tl.maximum(total, tl.max(values, 1))
    else:
        total = nothing
        for start in tl.range(0, columns, BLOCK):
            values = piece(x, first, inside, start + around, columns, 0.0)
            if OP == RMSNORM:
                total += tl.sum(values * values, 1)
            else:
                total += tl.sum(values, 1)
    if OP == SUM or OP == MAX:
        tl.store(y + row, total.to(y.dtype.element_ty), mask=inside)
    else:
        least, factor = nothing, nothing
        if OP == SOFTMAX:
            least = total
            for start in tl.range(0, columns, BLOCK):
                values = piece(x, first, inside, start + around, columns, float("-inf"))
                factor += tl.sum(tl.exp(values - least[:, None]), 1)
            factor = 1.0 / factor
        elif OP == RMSNORM:
            factor = tl.rsqrt(total / columns + epsilon)
        else:
            least = total / columns
            for start in tl.range(0, columns, BLOCK):
                values = piece(x, first, inside, start + around, columns, 0.0)
                factor += squares(values, least, start + around, columns)
            factor = tl.rsqrt(factor / columns + epsilon)
        for start in tl.range(0, columns, BLOCK):
            places = start + around
            values = piece(x, first, inside, places, columns, 0.0)
            made = finished(values, least, factor, scale, shift, places, columns, OP)
            seen = inside[:, None] & (places < columns)[None, :]
            tl.store(y + first[:, None] + places[None, :], made.to(y.dtype.element_ty), mask=seen)


@triton.jit
def rows_reduce(
    x, scale, shift, y, rows, columns, epsilon,
    OP: tl.constexpr, BLOCK: tl.constexpr, ROWS: tl.constexpr, HELD: tl.constexpr, CHAIN: tl.constexpr,
):  # fmt: skip
    """Compute ROWS rows in each program; with HELD a row has BLOCK columns at most."""
    if CHAIN:
        tl.extra.cuda.gdc_wait()
        if CHAIN == 1:
            tl.extra.cuda.gdc_launch_dependents()
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    first, inside = row.to(tl.int64) * columns, row < rows
    if HELD:
        held(x, scale, shift, y, row, first, inside, columns, epsilon, OP, BLOCK, CHAIN)
    else:
        streamed(x, scale, shift, y, row, first, inside, columns, epsilon, OP, BLOCK)
        if CHAIN == 2:
            tl.extra.cuda.gdc_launch_dependents()
