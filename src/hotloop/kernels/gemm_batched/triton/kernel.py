"""Products of a batch in Triton, of one height or of uneven ones: any strides, with bias, activation and a residual.

C[i] = act(A[i] · B[i] + bias[i]) + R[i]. Uneven products share the rows of A and C, each up to its end; a program finds its own by
adding up the tiles of those before it, so that the host need not know the ends.

    GROUP            rows of tiles that run down before the next column, so that tiles at work share operands
    COUNT, WIDTH     uneven products, and that number as a power of two; 0: all have m rows
    WHOLE            k is a multiple of BK: no mask along k
    PATH             "descriptors": a and b are tensor descriptors; "pointers": addresses with steps, which may be any
    TURNA, TURNB     what lies in memory, row by row, is the transpose of A, of B
    ONE_A, ONE_B     all products share the operand
    EIGHT            every size and step but the unit ones is a multiple of 8, which Triton does not see by itself: it looks for 16, and
                     without either it reads and writes element by element
    WIDEN            multiply in float32, which Triton's interpreter needs for bfloat16
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, untyped-decorator, misc, no-any-return, attr-defined, assignment"
from __future__ import annotations

import triton
import triton.language as tl

from hotloop.kernels.gemm.triton.tile import activate


@triton.jit
def by_descriptors(
    a, b, total, which, row, column, steps,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, UNEVEN: tl.constexpr, TURNA: tl.constexpr, TURNB: tl.constexpr,
    ONE_A: tl.constexpr, ONE_B: tl.constexpr, PRECISION: tl.constexpr, WIDEN: tl.constexpr,
):  # fmt: skip
    """Add the product of a tile's rows and columns; what a descriptor reads beyond a matrix is 0.

    A tile of an uneven product may read rows of the next one, which are not stored.
    """
    mine_a = 0 if ONE_A else which
    mine_b = 0 if ONE_B else which
    for step in range(steps):
        if UNEVEN:
            left = a.load([row, step * BK])
        elif TURNA:
            left = a.load([mine_a, step * BK, row]).reshape(BK, BM).T
        else:
            left = a.load([mine_a, row, step * BK]).reshape(BM, BK)
        if TURNB:
            right = b.load([mine_b, column, step * BK]).reshape(BN, BK).T
        else:
            right = b.load([mine_b, step * BK, column]).reshape(BK, BN)
        if WIDEN:
            left, right = left.to(tl.float32), right.to(tl.float32)
        total = tl.dot(left, right, total, input_precision=PRECISION)
    return total


@triton.jit
def multiply(
    a, b, c, bias, residual, ends, m, n, k, batch_a, row_a, deep_a, batch_b, deep_b, column_b, batch_c, row_c, batch_r, row_r,
    batch_bias,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr, COUNT: tl.constexpr, WIDTH: tl.constexpr,
    ACT: tl.constexpr, PRECISION: tl.constexpr, PATH: tl.constexpr, TURNA: tl.constexpr, TURNB: tl.constexpr,
    ONE_A: tl.constexpr, ONE_B: tl.constexpr, EIGHT: tl.constexpr, WHOLE: tl.constexpr, WIDEN: tl.constexpr,
):  # fmt: skip
    """Compute one tile. The grid has a program for every tile of all products; for uneven ones, for as many as there can be."""
    if EIGHT:
        n, k, batch_a, batch_b, batch_c = n // 8 * 8, k // 8 * 8, batch_a // 8 * 8, batch_b // 8 * 8, batch_c // 8 * 8
        row_c, batch_r, row_r, batch_bias = row_c // 8 * 8, batch_r // 8 * 8, row_r // 8 * 8, batch_bias // 8 * 8
        if TURNA:
            m, deep_a = m // 8 * 8, deep_a // 8 * 8
        else:
            row_a = row_a // 8 * 8
        if TURNB:
            column_b = column_b // 8 * 8
        else:
            deep_b = deep_b // 8 * 8
    tiles_n = tl.cdiv(n, BN)
    number = tl.program_id(0)
    if COUNT > 0:
        at = tl.arange(0, WIDTH)
        stop = tl.load(ends + at, mask=at < COUNT, other=0)
        start = tl.load(ends + at - 1, mask=(at > 0) & (at < COUNT), other=0)
        tiles = (tl.maximum(stop - start, 0) + BM - 1) // BM
        upto = tl.cumsum(tiles, 0)
        down, column = number // tiles_n, number % tiles_n
        which = tl.sum((upto <= down).to(tl.int32), 0)
        mine = at == which
        first = tl.sum(tl.where(mine, start, 0), 0)
        limit = tl.sum(tl.where(mine, stop, 0), 0)
        row = first + (down - tl.sum(tl.where(mine, upto - tiles, 0), 0)) * BM
        row = tl.where(which < COUNT, row, limit)  # no tile is left for this program
    else:
        tiles_m = tl.cdiv(m, BM)
        which, place = number // (tiles_m * tiles_n), number % (tiles_m * tiles_n)
        band = GROUP * tiles_n
        top = place // band * GROUP
        height = tl.minimum(tiles_m - top, GROUP)
        row, column = (top + place % band % height) * BM, place % band // height
        limit = m
    item = which.to(tl.int64)
    rows, columns, depths = row + tl.arange(0, BM), column * BN + tl.arange(0, BN), tl.arange(0, BK)
    in_rows, in_columns = (rows < limit)[:, None], (columns < n)[None, :]
    steps = tl.where(row < limit, tl.cdiv(k, BK), 0)
    total = tl.zeros((BM, BN), dtype=tl.float32)
    if PATH == "descriptors":
        total = by_descriptors(
            a, b, total, which, row, column * BN, steps, BM, BN, BK, COUNT > 0, TURNA, TURNB, ONE_A, ONE_B, PRECISION, WIDEN
        )  # fmt: skip
    else:
        a += item * batch_a + rows.to(tl.int64)[:, None] * row_a + depths[None, :] * deep_a
        b += item * batch_b + depths[:, None] * deep_b + columns.to(tl.int64)[None, :] * column_b
        for step in range(steps):
            if WHOLE:
                left, right = tl.load(a, mask=in_rows, other=0.0), tl.load(b, mask=in_columns, other=0.0)
            else:
                deep = step * BK + depths < k
                left = tl.load(a, mask=in_rows & deep[None, :], other=0.0)
                right = tl.load(b, mask=deep[:, None] & in_columns, other=0.0)
            if WIDEN:
                left, right = left.to(tl.float32), right.to(tl.float32)
            total = tl.dot(left, right, total, input_precision=PRECISION)
            a += BK * deep_a
            b += BK * deep_b
    inside = in_rows & in_columns
    if bias is not None:
        total += tl.load(bias + item * batch_bias + columns, mask=columns < n, other=0.0).to(tl.float32)[None, :]
    total = activate(total, ACT)
    if residual is not None:
        where = item * batch_r + rows.to(tl.int64)[:, None] * row_r + columns[None, :]
        total += tl.load(residual + where, mask=inside, other=0.0).to(tl.float32)
    where = item * batch_c + rows.to(tl.int64)[:, None] * row_c + columns[None, :]
    tl.store(c + where, total.to(c.dtype.element_ty), mask=inside)
