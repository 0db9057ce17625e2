# ruff: noqa: ANN001, ANN201, N803
# mypy: ignore-errors
"""Matrix multiplication in Triton for every problem of the family: any strides, offsets, transposes, alpha, beta, epilogue.

Read as text by `hotloop.kernels.gemm.triton.plan`; the module itself is only imported where Triton is.
"""

import triton
import triton.language as tl


@triton.jit
def erf(x):
    """Return the error function through what both the compiler and the interpreter have (Abramowitz and Stegun 7.1.26, 1.5e-7)."""
    t = 1.0 / (1.0 + 0.3275911 * tl.abs(x))
    tail = ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t
    value = 1.0 - tail * tl.exp(-x * x)
    return tl.where(x < 0, -value, value)


@triton.jit
def activate(x, ACT: tl.constexpr):
    """Apply the activation: the family's numbers."""
    if ACT == 1:
        x = tl.where(x > 0.0, x, tl.where(x == x, 0.0, x))
    elif ACT == 2:
        inner = 0.7978845608028654 * (x + 0.044715 * x * x * x)
        x = x / (1.0 + tl.exp(-2.0 * inner))
    elif ACT == 3:
        x = 0.5 * x * (1.0 + erf(x * 0.7071067811865476))
    elif ACT == 4:
        x = x / (1.0 + tl.exp(-x))
    return x


@triton.jit
def finished(
    total, c, bias, rows, columns, m, n, ldc, alpha, beta, BETA: tl.constexpr, BIAS: tl.constexpr, ACT: tl.constexpr
):
    """Store one tile of C: scale, add what was there and the bias, apply the activation."""
    inside = (rows[:, None] < m) & (columns[None, :] < n)
    where = rows[:, None].to(tl.int64) * ldc + columns[None, :]
    total = total * alpha
    if BETA:
        total += beta * tl.load(c + where, mask=inside, other=0.0).to(tl.float32)
    if BIAS == 1:
        total += tl.load(bias + columns, mask=columns < n, other=0.0).to(tl.float32)[None, :]
    elif BIAS == 2:
        total += tl.load(bias + rows, mask=rows < m, other=0.0).to(tl.float32)[:, None]
    tl.store(c + where, activate(total, ACT).to(c.dtype.element_ty), mask=inside)


@triton.jit
def summed(
    a, b, row, column, first, last, m, n, k, lda, ldb,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, TRANSA: tl.constexpr, TRANSB: tl.constexpr,
    PATH: tl.constexpr, PRECISION: tl.constexpr, WIDEN: tl.constexpr,
):  # fmt: skip
    """Return the tile of A·B that steps first to last of k contribute; WIDEN: multiply in float32."""
    total = tl.zeros((BM, BN), dtype=tl.float32)
    rows, columns, depths = row * BM + tl.arange(0, BM), column * BN + tl.arange(0, BN), tl.arange(0, BK)
    for step in range(first, last):
        if PATH == "descriptors":
            left = a.load([step * BK, row * BM]).T if TRANSA else a.load([row * BM, step * BK])
            right = b.load([column * BN, step * BK]).T if TRANSB else b.load([step * BK, column * BN])
        else:
            at = step * BK + depths
            in_a = (rows[:, None] < m) & (at[None, :] < k)
            in_b = (at[:, None] < k) & (columns[None, :] < n)
            wide = at.to(tl.int64)
            if TRANSA:
                left = tl.load(a + wide[None, :] * lda + rows[:, None], mask=in_a, other=0.0)
            else:
                left = tl.load(a + rows[:, None].to(tl.int64) * lda + at[None, :], mask=in_a, other=0.0)
            if TRANSB:
                right = tl.load(b + columns[None, :].to(tl.int64) * ldb + at[:, None], mask=in_b, other=0.0)
            else:
                right = tl.load(b + wide[:, None] * ldb + columns[None, :], mask=in_b, other=0.0)
        if WIDEN:
            left, right = left.to(tl.float32), right.to(tl.float32)
        total = tl.dot(left, right, total, input_precision=PRECISION)
    return total


@triton.jit
def tile(
    a, b, c, bias, work, m, n, k, lda, ldb, ldc, offset_a, offset_b, offset_c, alpha, beta,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr, SPLITS: tl.constexpr,
    PROGRAMS: tl.constexpr, TRANSA: tl.constexpr, TRANSB: tl.constexpr, BETA: tl.constexpr, BIAS: tl.constexpr,
    ACT: tl.constexpr, PATH: tl.constexpr, PRECISION: tl.constexpr, WIDEN: tl.constexpr,
):  # fmt: skip
    """Compute tiles of C, or of SPLITS partial sums of it, in grouped order; PROGRAMS > 0: each program takes tile after tile."""
    if PATH != "descriptors":
        a += offset_a
        b += offset_b
    tiles_m, tiles_n = tl.cdiv(m, BM), tl.cdiv(n, BN)
    slice_ = tl.program_id(1)
    steps = tl.cdiv(tl.cdiv(k, BK), SPLITS)
    first, last = slice_ * steps, min((slice_ + 1) * steps, tl.cdiv(k, BK))
    band = GROUP * tiles_n
    stop = tiles_m * tiles_n if PROGRAMS > 0 else tl.program_id(0) + 1
    for number in range(tl.program_id(0), stop, PROGRAMS if PROGRAMS > 0 else 1):
        top = (number // band) * GROUP
        height = min(tiles_m - top, GROUP)
        row, column = top + (number % band) % height, (number % band) // height
        total = summed(
            a, b, row, column, first, last, m, n, k, lda, ldb, BM, BN, BK, TRANSA, TRANSB, PATH, PRECISION, WIDEN,
        )  # fmt: skip
        rows, columns = row * BM + tl.arange(0, BM), column * BN + tl.arange(0, BN)
        if SPLITS == 1:
            finished(total, c + offset_c, bias, rows, columns, m, n, ldc, alpha, beta, BETA, BIAS, ACT)
        else:
            inside = (rows[:, None] < m) & (columns[None, :] < n)
            where = slice_.to(tl.int64) * m * n + rows[:, None].to(tl.int64) * n + columns[None, :]
            tl.store(work + where, total, mask=inside)


@triton.jit
def add_slices(
    c, bias, work, m, n, ldc, offset_c, alpha, beta,
    SPLITS: tl.constexpr, ROWS: tl.constexpr, COLUMNS: tl.constexpr, BETA: tl.constexpr, BIAS: tl.constexpr, ACT: tl.constexpr,
):  # fmt: skip
    """Add the partial sums of one block of C, always in the same order, and store it."""
    rows, columns = tl.program_id(0) * ROWS + tl.arange(0, ROWS), tl.program_id(1) * COLUMNS + tl.arange(0, COLUMNS)
    inside = (rows[:, None] < m) & (columns[None, :] < n)
    where = rows[:, None].to(tl.int64) * n + columns[None, :]
    total = tl.zeros((ROWS, COLUMNS), dtype=tl.float32)
    for other in range(SPLITS):
        total += tl.load(work + tl.cast(other, tl.int64) * m * n + where, mask=inside, other=0.0)
    finished(total, c + offset_c, bias, rows, columns, m, n, ldc, alpha, beta, BETA, BIAS, ACT)
