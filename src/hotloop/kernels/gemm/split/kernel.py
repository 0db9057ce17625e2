"""Matrix multiplication in Triton that cuts k among programs, where m·n alone has too few tiles (skinny and tall-K problems).

C[m, n] = act(A[m, k] · B[k, n] + bias) for bf16 and fp16 operands with sums in float32. Partial sums go to a float32 workspace and
are added in a fixed order, so results do not vary between runs. CHAIN as in `hotloop.kernels.gemm.shared.jit`; TRANSA, TRANSB:
what lies in memory, row by row, is the transpose of A, of B.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, untyped-decorator, misc, no-any-return, attr-defined, possibly-undefined"
from __future__ import annotations

import triton
import triton.language as tl

from hotloop.kernels.gemm.shared.jit import activate, follow, place


@triton.jit
def split(
    a, b, c, bias, work, arrived, m, n, k,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr, SPLITS: tl.constexpr,
    BIAS: tl.constexpr, ACT: tl.constexpr, CHAIN: tl.constexpr, TRANSA: tl.constexpr = 0, TRANSB: tl.constexpr = 0,
):  # fmt: skip
    """Add up one slice of k for one tile; whoever arrives last at a tile adds its slices in order and writes C.

    `work` holds [SPLITS, m, n] in float32 and `arrived` one zero per tile, which is zero again afterwards: one launch
    instead of two, and still the same order of additions in every run.
    """
    tiles_m, tiles_n = tl.cdiv(m, BM), tl.cdiv(n, BN)
    tile, slice_ = tl.program_id(0), tl.program_id(1)
    row, column = place(tile, tiles_m, tiles_n, GROUP)
    steps = tl.cdiv(tl.cdiv(k, BK), SPLITS)
    columns = column * BN + tl.arange(0, BN)
    if CHAIN:
        follow(CHAIN)
    if BIAS:  # read before the products, which hide its latency
        added = tl.load(bias + columns, mask=columns < n, other=0.0)
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for step in range(slice_ * steps, min((slice_ + 1) * steps, tl.cdiv(k, BK))):
        left = a.load([step * BK, row * BM]).T if TRANSA else a.load([row * BM, step * BK])
        right = b.load([column * BN, step * BK]).T if TRANSB else b.load([step * BK, column * BN])
        total = tl.dot(left, right, total)
    if CHAIN == 3:
        tl.extra.cuda.gdc_launch_dependents()
    rows = row * BM + tl.arange(0, BM)
    inside = (rows[:, None] < m) & (columns[None, :] < n)
    where = rows[:, None].to(tl.int64) * n + columns[None, :]
    last = True
    if SPLITS > 1:
        tl.store(work + slice_.to(tl.int64) * m * n + where, total, mask=inside)
        tl.debug_barrier()  # every thread's part is written before one of them announces it
        last = tl.atomic_add(arrived + tile, 1, sem="acq_rel") == SPLITS - 1
    if last:
        if SPLITS > 1:
            total = tl.zeros((BM, BN), dtype=tl.float32)
            for other in range(SPLITS):
                total += tl.load(work + tl.cast(other, tl.int64) * m * n + where, mask=inside, other=0.0)
            tl.store(arrived + tile, 0)
        if BIAS:
            total += added.to(tl.float32)[None, :]
        tl.store(c + where, activate(total, ACT).to(c.dtype.element_ty), mask=inside)


@triton.jit
def await_all(arrived, SPLITS: tl.constexpr):
    """Announce what this program has written, and wait until all of a tile have; `arrived` is that tile's counter."""
    tl.debug_barrier()  # every thread's part is written before one of them announces it
    before = tl.atomic_add(arrived, 1, sem="acq_rel")
    complete = before - (before & (SPLITS - 1)) + SPLITS
    while tl.atomic_add(arrived, 0, sem="acquire") - complete < 0:
        pass
    tl.debug_barrier()


@triton.jit
def meet(
    a, b, c, bias, work, arrived, m, n, k,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr, SPLITS: tl.constexpr,
    BIAS: tl.constexpr, ACT: tl.constexpr, CHAIN: tl.constexpr, TRANSA: tl.constexpr = 0, TRANSB: tl.constexpr = 0,
):  # fmt: skip
    """Do as `split`, but let all programs of a tile wait for one another and each add its share of all slices.

    The last to arrive no longer adds alone. The share is BM / SPLITS rows; of two slices each program keeps one half of the
    columns in registers and hands over the other, which is half as much to write and to read. Every program must be resident:
    launch with ``launch_cooperative_grid``. SPLITS is a power of two. `arrived` counts on from launch to launch (modulo 2^32)
    and must be zero before the first.
    """
    tiles_m, tiles_n = tl.cdiv(m, BM), tl.cdiv(n, BN)
    tile, slice_ = tl.program_id(0), tl.program_id(1)
    row, column = place(tile, tiles_m, tiles_n, GROUP)
    steps = tl.cdiv(tl.cdiv(k, BK), SPLITS)
    ROWS: tl.constexpr = BM if SPLITS == 2 else BM // SPLITS
    COLUMNS: tl.constexpr = BN // 2 if SPLITS == 2 else BN
    rows, across = tl.arange(0, ROWS), tl.arange(0, COLUMNS)
    columns = column * BN + across
    if SPLITS == 2:
        columns += slice_ * COLUMNS
    else:
        rows += slice_ * ROWS
    if CHAIN:
        follow(CHAIN)
    if BIAS:  # read before the products, which hide its latency
        added = tl.load(bias + columns, mask=columns < n, other=0.0)
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for step in range(slice_ * steps, min((slice_ + 1) * steps, tl.cdiv(k, BK))):
        left = a.load([step * BK, row * BM]).T if TRANSA else a.load([row * BM, step * BK])
        right = b.load([column * BN, step * BK]).T if TRANSB else b.load([step * BK, column * BN])
        total = tl.dot(left, right, total)
    if CHAIN == 3:
        tl.extra.cuda.gdc_launch_dependents()
    block = work + (tile * SPLITS).to(tl.int64) * BM * BN
    inner = rows[:, None] * COLUMNS + across[None, :]
    if SPLITS == 2:
        one, two = tl.split(tl.permute(tl.reshape(total, (BM, 2, COLUMNS)), (0, 2, 1)))
        tl.store(block + slice_ * (BM * COLUMNS) + inner, tl.where(slice_ == 0, two, one))
        await_all(arrived + tile, SPLITS)
        part = tl.where(slice_ == 0, one, two)
        part += tl.load(block + (1 - slice_) * (BM * COLUMNS) + inner, cache_modifier=".cg")
    else:
        whole = tl.arange(0, BM)[:, None] * BN + across[None, :]
        tl.store(block + slice_ * (BM * BN) + whole, total)
        await_all(arrived + tile, SPLITS)
        part = tl.zeros((ROWS, COLUMNS), dtype=tl.float32)
        for other in tl.static_range(SPLITS):
            part += tl.load(block + other * BM * BN + inner, cache_modifier=".cg")
    rows += row * BM
    inside = (rows[:, None] < m) & (columns[None, :] < n)
    if BIAS:
        part += added.to(tl.float32)[None, :]
    tl.store(
        c + rows[:, None].to(tl.int64) * n + columns[None, :], activate(part, ACT).to(c.dtype.element_ty), mask=inside
    )
