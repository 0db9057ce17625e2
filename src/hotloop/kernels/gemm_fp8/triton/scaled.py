"""Matrix multiplication of 8-bit floats in Triton for Hopper: scales, bias and activation in the epilogue, sums in float32.

C[m, n] = act(scale_a · scale_b · (A[m, k] · W[n, k]ᵀ) + bias) for e4m3 operands, both with k contiguous, which is all that the
8-bit ``wgmma`` takes. That instruction adds with about 14 bits. EXACT therefore starts each block of k at zero and adds
blocks in float32; without it the instruction adds up all of k, as ``use_fast_accum`` of PyTorch's ``_scaled_mm`` does.
`scaled` keeps one program per multiprocessor busy with tiles in grouped order. `scaled_few` is for few rows of A: the roles
change, so that rows of W are the 64 rows of the instruction, and slices of k are added by the program that arrives last.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, untyped-decorator, misc, no-any-return, attr-defined, possibly-undefined"
# ruff: noqa: ANN001, ANN201, N803 - Triton: constants are capital, types are the compiler's
from __future__ import annotations

import triton
import triton.language as tl

from hotloop.kernels.gemm.shared.jit import activate, follow, place
from hotloop.kernels.gemm.shared.slices_jit import gathered, hand_over, shelf


@triton.jit
def widened(x):
    """Return 8-bit floats as float32: Triton's interpreter (seen in 3.9) takes NaN for the number 480."""
    bits = x.to(tl.uint8, bitcast=True)
    return tl.where((bits & 127) == 127, float("nan"), x.to(tl.float32))


@triton.jit
def step(left, right, total, EXACT: tl.constexpr, WIDEN: tl.constexpr):
    """Return `total` and one more block's product; WIDEN: multiply in float32."""
    if WIDEN:
        left, right = widened(left), widened(right)
    if EXACT:
        total += tl.dot(left, right)  # an addition of its own: the compiler joins the two for 16-bit types only
    else:
        total = tl.dot(left, right, total)
    return total


@triton.jit
def factored(
    total, rows, columns, bias, scale_a, scale_b, m, n,
    ROWS: tl.constexpr, COLUMNS: tl.constexpr, BIAS: tl.constexpr,
):  # fmt: skip
    """Return sums times their factors, and the bias added.

    ROWS and COLUMNS tell whether `scale_a` has a factor for each row and `scale_b` for each column, or one for all.
    """
    if ROWS:
        total *= tl.load(scale_a + rows, mask=rows < m, other=0.0)[:, None]
    else:
        total *= tl.load(scale_a)
    if COLUMNS:
        total *= tl.load(scale_b + columns, mask=columns < n, other=0.0)[None, :]
    else:
        total *= tl.load(scale_b)
    if BIAS:
        total += tl.load(bias + columns, mask=columns < n, other=0.0).to(tl.float32)[None, :]
    return total


@triton.jit
def scaled(
    a, w, c, bias, scale_a, scale_b, m, n, k,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr, PROGRAMS: tl.constexpr,
    ROWS: tl.constexpr, COLUMNS: tl.constexpr, EXACT: tl.constexpr, BIAS: tl.constexpr, ACT: tl.constexpr,
    CHAIN: tl.constexpr, WIDEN: tl.constexpr,
):  # fmt: skip
    """Multiply with one resident program per multiprocessor; a, w and c are descriptors of [BM, BK], [BN, BK], [BM, BN]."""
    tiles_m, tiles_n = tl.cdiv(m, BM), tl.cdiv(n, BN)
    steps = tl.cdiv(k, BK)
    if CHAIN:
        follow(CHAIN)
    for tile in tl.range(tl.program_id(0), tiles_m * tiles_n, PROGRAMS, flatten=True):
        row, column = place(tile, tiles_m, tiles_n, GROUP)
        total = tl.zeros((BM, BN), dtype=tl.float32)
        for i in range(steps):
            left = a.load([row * BM, i * BK])
            right = w.load([column * BN, i * BK])
            total = step(left, right.T, total, EXACT, WIDEN)
        rows, columns = row * BM + tl.arange(0, BM), column * BN + tl.arange(0, BN)
        total = factored(total, rows, columns, bias, scale_a, scale_b, m, n, ROWS, COLUMNS, BIAS)
        total = activate(total, ACT)
        c.store([row * BM, column * BN], total.to(c.dtype))


@triton.jit(do_not_specialize=["m"])
def scaled_few(
    a, w, c, bias, scale_a, scale_b, work, arrived, m, n, k,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, SPLITS: tl.constexpr,
    ROWS: tl.constexpr, COLUMNS: tl.constexpr, EXACT: tl.constexpr, BIAS: tl.constexpr, ACT: tl.constexpr,
    CHAIN: tl.constexpr, WIDEN: tl.constexpr,
):  # fmt: skip
    """Multiply one tile's slice of k; a and w are descriptors of [BM, BK] and [BN, BK], c is a row-major pointer.

    Launch on (tiles, SPLITS). `work` holds SPLITS · tiles blocks of BM · BN float32, `arrived` one zero per tile, which is zero
    again afterwards.
    """
    tiles_n = tl.cdiv(n, BN)
    tile, slice_ = tl.program_id(0), tl.program_id(1)
    row, column = tile // tiles_n, tile % tiles_n
    blocks = tl.cdiv(k, BK)
    each = tl.cdiv(blocks, SPLITS)
    if CHAIN:
        follow(CHAIN)
    total = tl.zeros((BN, BM), dtype=tl.float32)
    for i in range(slice_ * each, min((slice_ + 1) * each, blocks)):
        weights = w.load([column * BN, i * BK])
        given = a.load([row * BM, i * BK])
        total = step(weights, given.T, total, EXACT, WIDEN)
    total = tl.trans(total)
    last = True
    if SPLITS > 1:
        space = shelf(work, tile, BM, BN, SPLITS)
        last = hand_over(total, space, arrived, tile, slice_, SPLITS)
    if last:
        if SPLITS > 1:
            total = gathered(space, arrived, tile, BM, BN, SPLITS, AT_ONCE=True)
        rows, columns = row * BM + tl.arange(0, BM), column * BN + tl.arange(0, BN)
        total = factored(total, rows, columns, bias, scale_a, scale_b, m, n, ROWS, COLUMNS, BIAS)
        inside = (rows < m)[:, None] & (columns < n)[None, :]
        target = c + rows[:, None].to(tl.int64) * n + columns[None, :]
        tl.store(target, activate(total, ACT).to(c.dtype.element_ty), mask=inside)
