"""Matrix multiplication of 8-bit floats in Gluon for Hopper: a warp that loads, two warp groups that multiply and share tiles.

C[m, n] = act(scale_a · scale_b · (A[m, k] · W[n, k]ᵀ) + bias), e4m3 operands with k contiguous behind tensor descriptors, as in
`hotloop.kernels.gemm_fp8.triton.scaled`; the rest as in `hotloop.kernels.gemm.hopper.kernel`. With EXACT so many blocks of k, 1 or 2, start at
zero and are added in float32 while the other warp group keeps the tensor cores busy; 0 lets the instruction add up all of k.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, untyped-decorator, misc, no-any-return, attr-defined, possibly-undefined, import-untyped"
# ruff: noqa: ANN001, ANN201, N803, N806 - Triton: constants are capital, types are the compiler's
from __future__ import annotations

from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.hopper import (
    fence_async_shared,
    mbarrier,
    tma,
    warpgroup_mma,
    warpgroup_mma_wait,
)
from triton.language.extra.cuda import gdc_launch_dependents, gdc_wait

from hotloop.kernels.gemm.hopper.kernel import finish, load_tile, place


@gluon.jit
def load(
    a, w, left, right, full, empty, tiles_m, tiles_n, steps,
    GROUP: gl.constexpr, PROGRAMS: gl.constexpr, STAGES: gl.constexpr,
):  # fmt: skip
    """Fill the ring with the operands of this program's tiles, in order; runs in one warp."""
    BM: gl.constexpr = left.type.shape[1]
    BK: gl.constexpr = left.type.shape[2]
    BN: gl.constexpr = right.type.shape[1]
    slot = 0
    phase = 1
    for tile in range(gl.program_id(0), tiles_m * tiles_n, PROGRAMS):
        row, column = place(tile, tiles_m, tiles_n, GROUP)
        for step in range(steps):
            mbarrier.wait(empty.index(slot), phase)
            mbarrier.expect(full.index(slot), (BM + BN) * BK)
            load_tile(a, [row * BM, step * BK], full.index(slot), left.index(slot))
            load_tile(w, [column * BN, step * BK], full.index(slot), right.index(slot))
            slot += 1
            if slot == STAGES:
                slot = 0
                phase ^= 1


@gluon.jit
def scale(
    total, scale_a, scale_b, bias, row, column, m, n, ROWS: gl.constexpr, COLUMNS: gl.constexpr, BIAS: gl.constexpr
):
    """Return sums times factors plus bias."""
    SUMS: gl.constexpr = total.type.layout
    rows = row + gl.arange(0, total.shape[0], layout=gl.SliceLayout(1, SUMS))
    columns = column + gl.arange(0, total.shape[1], layout=gl.SliceLayout(0, SUMS))
    if ROWS:
        total *= gl.load(scale_a + rows, mask=rows < m, other=0.0)[:, None]
    else:
        total *= gl.load(scale_a)
    if COLUMNS:
        total *= gl.load(scale_b + columns, mask=columns < n, other=0.0)[None, :]
    else:
        total *= gl.load(scale_b)
    if BIAS:
        total += gl.load(bias + columns, mask=columns < n, other=0.0).to(gl.float32)[None, :]
    return total


@gluon.jit
def multiply(
    left, right, full, empty, c, staged, bias, scale_a, scale_b, tiles_m, tiles_n, steps, m, n,
    ME: gl.constexpr, GROUP: gl.constexpr, PROGRAMS: gl.constexpr, STAGES: gl.constexpr, BUFFERS: gl.constexpr,
    ROWS: gl.constexpr, COLUMNS: gl.constexpr, EXACT: gl.constexpr, BIAS: gl.constexpr, ACT: gl.constexpr,
):  # fmt: skip
    """Multiply the upper or the lower half of the rows of every tile that the ring delivers."""
    BM: gl.constexpr = left.type.shape[1]
    BN: gl.constexpr = right.type.shape[1]
    HALF: gl.constexpr = BM // 2
    WIDTH: gl.constexpr = staged.type.shape[2]
    SUMS: gl.constexpr = gl.NVMMADistributedLayout([3, 0], [gl.num_warps(), 1], [16, BN, 32])
    slot = 0
    phase = 0
    for tile in range(gl.program_id(0), tiles_m * tiles_n, PROGRAMS):
        row, column = place(tile, tiles_m, tiles_n, GROUP)
        total = gl.zeros((HALF, BN), gl.float32, SUMS)
        before = STAGES - 1  # not `slot`: of two names for one value, Triton 3.6 carries none through the loop
        if EXACT > 0:
            for _ in range(steps // EXACT):
                part = gl.zeros((HALF, BN), gl.float32, SUMS)
                first = slot
                for i in gl.static_range(EXACT):
                    mbarrier.wait(full.index(slot), phase)
                    rows = left.index(slot).slice(ME * HALF, HALF, dim=0)
                    weights = right.index(slot).permute((1, 0))
                    part = warpgroup_mma(rows, weights, part, use_acc=i > 0, is_async=True)
                    before = slot
                    slot += 1
                    if slot == STAGES:
                        slot = 0
                        phase ^= 1
                part = warpgroup_mma_wait(0, deps=(part,))
                if EXACT == 2:
                    mbarrier.arrive(empty.index(first))
                mbarrier.arrive(empty.index(before))
                total += part
        else:
            for step in range(steps):
                mbarrier.wait(full.index(slot), phase)
                rows = left.index(slot).slice(ME * HALF, HALF, dim=0)
                weights = right.index(slot).permute((1, 0))
                total = warpgroup_mma(rows, weights, total, use_acc=step > 0, is_async=True)
                total = warpgroup_mma_wait(1, deps=(total,))
                mbarrier.arrive(empty.index(before), pred=step > 0)
                before = slot
                slot += 1
                if slot == STAGES:
                    slot = 0
                    phase ^= 1
            total = warpgroup_mma_wait(0, deps=(total,))
            mbarrier.arrive(empty.index(before))
        target = row * BM + ME * HALF
        total = scale(total, scale_a, scale_b, bias, target, column * BN, m, n, ROWS, COLUMNS, BIAS)
        finish(total, c, staged, target, column * BN, BN, WIDTH, BUFFERS, ACT)
    tma.store_wait(0)


@gluon.jit
def scaled_hopper(
    a, w, c, bias, scale_a, scale_b, m, n, k,
    GROUP: gl.constexpr, PROGRAMS: gl.constexpr, STAGES: gl.constexpr, BUFFERS: gl.constexpr, ROWS: gl.constexpr,
    COLUMNS: gl.constexpr, EXACT: gl.constexpr, BIAS: gl.constexpr, ACT: gl.constexpr, CHAIN: gl.constexpr,
):  # fmt: skip
    """Multiply; a, w and c are descriptors of blocks [BM, BK], [BN, BK] and [BM / 2, strip]. `num_warps` must be 4."""
    BM: gl.constexpr = a.block_type.shape[0]
    BK: gl.constexpr = a.block_type.shape[1]
    BN: gl.constexpr = w.block_type.shape[0]
    WIDTH: gl.constexpr = c.block_type.shape[1]
    left = gl.allocate_shared_memory(a.dtype, [STAGES, BM, BK], a.layout)
    right = gl.allocate_shared_memory(w.dtype, [STAGES, BN, BK], w.layout)
    one = gl.allocate_shared_memory(c.dtype, [BUFFERS, BM // 2, WIDTH], c.layout)
    other = gl.allocate_shared_memory(c.dtype, [BUFFERS, BM // 2, WIDTH], c.layout)
    full = gl.allocate_shared_memory(gl.int64, [STAGES, 1], mbarrier.MBarrierLayout())
    empty = gl.allocate_shared_memory(gl.int64, [STAGES, 1], mbarrier.MBarrierLayout())
    for i in gl.static_range(STAGES):
        mbarrier.init(full.index(i), count=1)
        mbarrier.init(empty.index(i), count=2)
    fence_async_shared()
    if CHAIN:
        gdc_wait()
        if CHAIN == 1:
            gdc_launch_dependents()
    tiles_m = gl.cdiv(m, BM)
    tiles_n = gl.cdiv(n, BN)
    steps = gl.cdiv(k, BK)
    if EXACT == 2:
        steps += steps % 2  # a block beyond k is zeros
    gl.warp_specialize(
        [
            (multiply, (
                left, right, full, empty, c, one, bias, scale_a, scale_b, tiles_m, tiles_n, steps, m, n,
                0, GROUP, PROGRAMS, STAGES, BUFFERS, ROWS, COLUMNS, EXACT, BIAS, ACT,
            )),
            (multiply, (
                left, right, full, empty, c, other, bias, scale_a, scale_b, tiles_m, tiles_n, steps, m, n,
                1, GROUP, PROGRAMS, STAGES, BUFFERS, ROWS, COLUMNS, EXACT, BIAS, ACT,
            )),
            (load, (a, w, left, right, full, empty, tiles_m, tiles_n, steps, GROUP, PROGRAMS, STAGES)),
        ],
        [4, 1],
        [232, 24],
    )  # fmt: skip
