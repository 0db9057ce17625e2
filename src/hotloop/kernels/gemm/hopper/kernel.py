"""Matrix multiplication in Gluon for Hopper: a warp that loads, warp groups that multiply, an epilogue that overlaps.

C[m, n] = act(A[m, k] · B[k, n] + bias) for bf16 and fp16 operands with sums in float32; A and C are row-major, B by rows or, with
TRANSB, by columns, as ``nn.Linear`` holds weights; each is behind a tensor descriptor. One program per multiprocessor. Its loading warp fills a ring of shared-memory stages through the tensor
memory accelerator and runs ahead over the borders of tiles; one or two warp groups multiply with asynchronous `wgmma` and
hand a stage back once the instructions that read it are done. Two groups either share each tile (`TAKE_TURNS` false: rows
0 .. BM/2 and BM/2 .. BM) or take whole tiles in turns, so that one group's epilogue runs while the other multiplies. A baton
keeps the turns: barriers of the ring know only the parity of a round, so a group may not wait for a round ahead of its own.
Groups that share tiles run their epilogues at the same time, and the tensor cores wait, unless the first is AHEAD by some
steps: then the second has the tensor cores to itself for so many steps while the first finishes, and the other way round.
With SPLITS > 1 the slices of k of a tile are tiles of their own; `c` then is a float32 workspace of [SPLITS · m, n], and
`add_slices` of `shared/jit.py` finishes.

Runs with Triton 3.6 and later: names that changed between the versions are looked up once, below.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, untyped-decorator, misc, no-any-return, attr-defined, possibly-undefined, import-untyped"
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
from triton.language import PropagateNan
from triton.language.extra.cuda import gdc_launch_dependents, gdc_wait

from hotloop.kernels.gemm.shared.jit import add_slices as add_slices  # noqa: PLC0414 - a program's second launch

load_tile = getattr(tma, "async_load", None) or tma.async_copy_global_to_shared
store_tile = getattr(tma, "async_store", None) or tma.async_copy_shared_to_global
threads_meet = getattr(gl, "thread_barrier", None) or gl.barrier
NAN_STAYS = gl.constexpr(PropagateNan.ALL)


@gluon.jit
def activate(x, ACT: gl.constexpr):
    """Apply the fused activation in float32: 0 none, 1 ReLU, 2 GELU by erf, 3 SiLU."""
    if ACT == 1:
        x = gl.maximum(x, 0.0, propagate_nan=NAN_STAYS)
    elif ACT == 2:
        # relu(x) - |x| Phi(-|x|), where log2 of Phi(-a) is this polynomial: nine instructions for each element of a compiled
        # tile, one of them exp2. Phi(-a), so every small result, is right to 2.5e-4 of itself up to a = 5.5, an eighth of a
        # half bfloat16 ulp; beyond, the result is below 1e-7. The limit at 8 keeps infinity times zero away.
        a = gl.minimum(gl.abs(x), 8.0)
        tail = ((((-2.33251296e-4 * a + 4.86977304e-3) * a - 4.45990059e-2) * a - 4.69681110e-1) * a - 1.14626078) * a
        x = gl.maximum(x, 0.0, propagate_nan=NAN_STAYS) - a * gl.exp2(tail - 1.0003591)
    elif ACT == 3:
        x = x / (1.0 + gl.exp(-x))
    return x


@gluon.jit
def place(tile, tiles_m, tiles_n, GROUP: gl.constexpr):
    """Return the row and column of a tile when tiles run down columns of GROUP rows."""
    band = GROUP * tiles_n
    first = (tile // band) * GROUP
    rows = gl.minimum(tiles_m - first, GROUP)
    return first + (tile % band) % rows, (tile % band) // rows


@gluon.jit
def load(
    a, b, left, right, full, empty, tiles_m, tiles_n, steps,
    GROUP: gl.constexpr, PROGRAMS: gl.constexpr, SPLITS: gl.constexpr, STAGES: gl.constexpr, TRANSB: gl.constexpr,
):  # fmt: skip
    """Fill the ring with the operands of this program's tiles, in order; runs in one warp."""
    BM: gl.constexpr = left.type.shape[1]
    BK: gl.constexpr = left.type.shape[2]
    BN: gl.constexpr = right.type.shape[1] if TRANSB else right.type.shape[2]
    slot = 0
    phase = 1
    for work in range(gl.program_id(0), tiles_m * tiles_n * SPLITS, PROGRAMS):
        row, column = place(work // SPLITS, tiles_m, tiles_n, GROUP)
        first = (work % SPLITS) * steps
        for step in range(steps):
            mbarrier.wait(empty.index(slot), phase)
            mbarrier.expect(full.index(slot), (BM + BN) * BK * 2)
            load_tile(a, [row * BM, (first + step) * BK], full.index(slot), left.index(slot))
            if TRANSB:
                load_tile(b, [column * BN, (first + step) * BK], full.index(slot), right.index(slot))
            else:
                load_tile(b, [(first + step) * BK, column * BN], full.index(slot), right.index(slot))
            slot += 1
            if slot == STAGES:
                slot = 0
                phase ^= 1


@gluon.jit
def halves(xs):
    """Cut each of some blocks into its left and right half."""
    made = ()
    for i in gl.static_range(len(xs)):
        x = xs[i]
        made += x.reshape([x.shape[0], 2, x.shape[1] // 2]).permute(0, 2, 1).split()
    return made


@gluon.jit
def finish(
    total, c, staged, row, column, BN: gl.constexpr, WIDTH: gl.constexpr, BUFFERS: gl.constexpr, ACT: gl.constexpr
):
    """Write a block of C in strips of WIDTH columns through shared memory; the stores finish in the background."""
    LAYOUT: gl.constexpr = gl.NVMMADistributedLayout([3, 0], [gl.num_warps(), 1], [16, WIDTH, 16])
    strips = (total,)
    for _ in gl.static_range((BN // WIDTH).bit_length() - 1):
        strips = halves(strips)
    for i in gl.static_range(BN // WIDTH):
        x = activate(gl.convert_layout(strips[i], LAYOUT), ACT).to(c.dtype)
        buffer = staged.index(i % BUFFERS)
        tma.store_wait(BUFFERS - 1)
        threads_meet()
        buffer.store(x)
        fence_async_shared()
        threads_meet()
        store_tile(c, [row, column + i * WIDTH], buffer)


@gluon.jit
def multiply(
    left, right, full, empty, baton, c, staged, bias, tiles_m, tiles_n, steps, m, n,
    ME: gl.constexpr, TURNS: gl.constexpr, PARTS: gl.constexpr, GROUP: gl.constexpr, PROGRAMS: gl.constexpr,
    SPLITS: gl.constexpr, STAGES: gl.constexpr, WIDTH: gl.constexpr, BUFFERS: gl.constexpr,
    BIAS: gl.constexpr, ACT: gl.constexpr, AHEAD: gl.constexpr, TRANSB: gl.constexpr,
):  # fmt: skip
    """Multiply every tile (TURNS 1), or every second one, that the ring delivers; PARTS groups share a tile's rows."""
    BM: gl.constexpr = left.type.shape[1]
    BN: gl.constexpr = right.type.shape[1] if TRANSB else right.type.shape[2]
    ROWS: gl.constexpr = BM // PARTS
    FIRST: gl.constexpr = (ME % PARTS) * ROWS
    SUMS: gl.constexpr = gl.NVMMADistributedLayout([3, 0], [gl.num_warps(), 1], [16, BN, 16])
    mine: gl.constexpr = ME if TURNS == 2 else 0
    position = mine * steps
    mine_next = 1 - mine  # parity of the baton: the first group has it from the start
    if AHEAD > 0 and ME == 1:
        mbarrier.wait(baton.index(1), 0)
    for work in range(gl.program_id(0) + mine * PROGRAMS, tiles_m * tiles_n * SPLITS, PROGRAMS * TURNS):
        row, column = place(work // SPLITS, tiles_m, tiles_n, GROUP)
        total = gl.zeros((ROWS, BN), gl.float32, SUMS)
        if BIAS:  # read before the products, which hide its latency
            columns = column * BN + gl.arange(0, BN, layout=gl.SliceLayout(0, SUMS))
            added = gl.load(bias + columns, mask=columns < n, other=0.0)
        slot = position % STAGES
        phase = (position // STAGES) & 1
        before = STAGES - 1  # not `slot`: of two names for one value, Triton 3.6 carries none through the loop
        if TURNS == 2:
            mbarrier.wait(baton.index(mine), mine_next)
            mine_next ^= 1
        for step in range(steps):
            mbarrier.wait(full.index(slot), phase)
            rows = left.index(slot).slice(FIRST, ROWS, dim=0)
            columns_of_b = right.index(slot).permute((1, 0)) if TRANSB else right.index(slot)
            total = warpgroup_mma(rows, columns_of_b, total, use_acc=step > 0, is_async=True)
            total = warpgroup_mma_wait(1, deps=(total,))
            mbarrier.arrive(empty.index(before), pred=step > 0)
            if AHEAD > 0 and ME == 0:
                mbarrier.arrive(baton.index(1), pred=(work < PROGRAMS) & (step == gl.minimum(AHEAD, steps) - 1))
            before = slot
            slot += 1
            if slot == STAGES:
                slot = 0
                phase ^= 1
        if TURNS == 2:  # every stage but the last is handed back, so the other group may look at the ring
            mbarrier.arrive(baton.index(1 - mine))
        total = warpgroup_mma_wait(0, deps=(total,))
        mbarrier.arrive(empty.index(before))
        position += steps * TURNS
        if BIAS:
            total += added.to(gl.float32)[None, :]
        target = (work % SPLITS) * m + row * BM + FIRST
        finish(total, c, staged, target, column * BN, BN, WIDTH, BUFFERS, ACT)
    tma.store_wait(0)


@gluon.jit
def hopper(
    a, b, c, bias, m, n, k,
    GROUP: gl.constexpr, PROGRAMS: gl.constexpr, SPLITS: gl.constexpr, STAGES: gl.constexpr, BUFFERS: gl.constexpr,
    GROUPS: gl.constexpr, TAKE_TURNS: gl.constexpr, BIAS: gl.constexpr, ACT: gl.constexpr, CHAIN: gl.constexpr,
    AHEAD: gl.constexpr = 0, TRANSB: gl.constexpr = 0,
):  # fmt: skip
    """Multiply; a, b and c are descriptors, of blocks [BM, BK], [BK, BN] ([BN, BK] with TRANSB) and [rows of a group, strip].

    GROUPS warp groups of 4 warps multiply (`num_warps` must be 4). With SPLITS > 1, m must be a multiple of the block, and
    bias and activation are left to `add_slices`. AHEAD
    is for two groups that share tiles: fewer steps than STAGES, by which the second starts later. CHAIN as in `shared/jit.py`.
    """
    BM: gl.constexpr = a.block_type.shape[0]
    BK: gl.constexpr = a.block_type.shape[1]
    BN: gl.constexpr = b.block_type.shape[0] if TRANSB else b.block_type.shape[1]
    ROWS: gl.constexpr = c.block_type.shape[0]
    WIDTH: gl.constexpr = c.block_type.shape[1]
    PARTS: gl.constexpr = BM // ROWS
    TURNS: gl.constexpr = 2 if TAKE_TURNS else 1
    ADDS: gl.constexpr = BIAS and SPLITS == 1
    FINISHES: gl.constexpr = ACT if SPLITS == 1 else 0
    left = gl.allocate_shared_memory(a.dtype, [STAGES, BM, BK], a.layout)
    right = gl.allocate_shared_memory(b.dtype, [STAGES, b.block_type.shape[0], b.block_type.shape[1]], b.layout)
    staged = gl.allocate_shared_memory(c.dtype, [BUFFERS, ROWS, WIDTH], c.layout)
    full = gl.allocate_shared_memory(gl.int64, [STAGES, 1], mbarrier.MBarrierLayout())
    empty = gl.allocate_shared_memory(gl.int64, [STAGES, 1], mbarrier.MBarrierLayout())
    for i in gl.static_range(STAGES):
        mbarrier.init(full.index(i), count=1)
        mbarrier.init(empty.index(i), count=PARTS)
    baton = gl.allocate_shared_memory(gl.int64, [2, 1], mbarrier.MBarrierLayout())
    for i in gl.static_range(2):
        mbarrier.init(baton.index(i), count=1)
    fence_async_shared()
    if CHAIN:  # launched with `launch_pdl`: the kernel before may still run
        gdc_wait()
        if CHAIN == 1:
            gdc_launch_dependents()
    tiles_m = gl.cdiv(m, BM)
    tiles_n = gl.cdiv(n, BN)
    steps = gl.cdiv(gl.cdiv(k, BK), SPLITS)
    if GROUPS == 2:
        other = gl.allocate_shared_memory(c.dtype, [BUFFERS, ROWS, WIDTH], c.layout)
        gl.warp_specialize(
            [
                (multiply, (
                    left, right, full, empty, baton, c, staged, bias, tiles_m, tiles_n, steps, m, n,
                    0, TURNS, PARTS, GROUP, PROGRAMS, SPLITS, STAGES, WIDTH, BUFFERS, ADDS, FINISHES, AHEAD, TRANSB,
                )),
                (multiply, (
                    left, right, full, empty, baton, c, other, bias, tiles_m, tiles_n, steps, m, n,
                    1, TURNS, PARTS, GROUP, PROGRAMS, SPLITS, STAGES, WIDTH, BUFFERS, ADDS, FINISHES, AHEAD, TRANSB,
                )),
                (load, (a, b, left, right, full, empty, tiles_m, tiles_n, steps, GROUP, PROGRAMS, SPLITS, STAGES, TRANSB)),
            ],
            [4, 1],
            [232, 24],
        )  # fmt: skip
    else:
        gl.warp_specialize(
            [
                (multiply, (
                    left, right, full, empty, baton, c, staged, bias, tiles_m, tiles_n, steps, m, n,
                    0, TURNS, PARTS, GROUP, PROGRAMS, SPLITS, STAGES, WIDTH, BUFFERS, ADDS, FINISHES, AHEAD, TRANSB,
                )),
                (load, (a, b, left, right, full, empty, tiles_m, tiles_n, steps, GROUP, PROGRAMS, SPLITS, STAGES, TRANSB)),
            ],
            [1],
            [24],
        )  # fmt: skip
