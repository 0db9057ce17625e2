"""Products in Gluon for Hopper whose programs share steps of k evenly, in stream-K where tiles do not divide.

The ring, the loading warp and the epilogue are as in `hotloop.kernels.gemm.hopper.kernel`; so is TRANSB. Tiles of one column of C follow one
another, so that programs which read the same part of B do it at about the same time.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, untyped-decorator, misc, no-any-return, attr-defined, possibly-undefined"
from __future__ import annotations

from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.hopper import (
    fence_async_shared,
    mbarrier,
    warpgroup_mma,
    warpgroup_mma_wait,
)
from triton.language.extra.cuda import gdc_launch_dependents, gdc_wait

from hotloop.kernels.gemm.hopper.kernel import activate, load_tile, threads_meet


@gluon.jit
def sharers(tiles, PROGRAMS: gl.constexpr):
    """Return how many programs share the units: as many for each tile, if that leaves at most a fifth of them idle.

    Such programs are at the same step of k all the time, so that what they read lies in the same rows of B.
    """
    even = PROGRAMS // tiles * tiles
    return gl.where(even * 5 >= PROGRAMS * 4, even, PROGRAMS)


@gluon.jit
def first_unit(program, units, programs):
    """Return where a program's equal share of the units begins; that of one too many is empty."""
    return gl.minimum(program * (units // programs) + gl.minimum(program, units % programs), units)


@gluon.jit
def owner(unit, units, programs):
    """Return the program whose share holds a unit; the inverse of `first_unit`. There are at least so many units."""
    each = units // programs
    longer = (units % programs) * (each + 1)
    return gl.where(unit < longer, unit // (each + 1), units % programs + (unit - longer) // each)


@gluon.jit
def load_weights(b, step, column, BK: gl.constexpr, BN: gl.constexpr, TRANSB: gl.constexpr, landed, target):
    """Read one block of B, whichever way B lies."""
    if TRANSB:
        load_tile(b, [column * BN, step * BK], landed, target)
    else:
        load_tile(b, [step * BK, column * BN], landed, target)


@gluon.jit
def warm(a, b, left, right, landed, step, row, column, CHAIN: gl.constexpr, TRANSB: gl.constexpr):
    """Read the first block of each operand into the second-level cache, and wait for the kernel before.

    That kernel may still write these blocks. What is read here is thrown away, and what is read afterwards comes from that
    cache, where everything is written, so it is as fresh as without.
    """
    BK: gl.constexpr = left.type.shape[2]
    BN: gl.constexpr = right.type.shape[1] if TRANSB else right.type.shape[2]
    mbarrier.expect(landed, (left.type.shape[1] + BN) * BK * 2)
    load_weights(b, step, column, BK, BN, TRANSB, landed, right.index(0))
    load_tile(a, [row * left.type.shape[1], step * BK], landed, left.index(0))
    gdc_wait()
    mbarrier.wait(landed, 0)  # or a late one would overwrite a stage
    if CHAIN == 4:
        gdc_launch_dependents()


@gluon.jit
def stream(
    a, b, left, right, full, empty, landed, units, steps, down, programs,
    STAGES: gl.constexpr, CHAIN: gl.constexpr, TRANSB: gl.constexpr,
):  # fmt: skip
    """Fill the ring with this program's share of the units, whatever tiles they belong to; runs in one warp."""
    MT: gl.constexpr = left.type.shape[1]
    BK: gl.constexpr = left.type.shape[2]
    BN: gl.constexpr = right.type.shape[1] if TRANSB else right.type.shape[2]
    slot = 0
    phase = 1
    program = gl.program_id(0)
    begin = first_unit(program, units, programs)
    end = first_unit(program + 1, units, programs)
    if CHAIN >= 4:
        first = begin // steps
        warm(a, b, left, right, landed, begin % steps, first % down, first // down, CHAIN, TRANSB)
    for unit in range(begin, end):
        step = unit % steps
        tile = unit // steps
        mbarrier.wait(empty.index(slot), phase)
        mbarrier.expect(full.index(slot), (MT + BN) * BK * 2)
        load_weights(b, step, tile // down, BK, BN, TRANSB, full.index(slot), right.index(slot))
        load_tile(a, [tile % down * MT, step * BK], full.index(slot), left.index(slot))
        slot += 1
        if slot == STAGES:
            slot = 0
            phase ^= 1
    if CHAIN == 3 or CHAIN == 5:  # the next kernel's first blocks then come while the last ones here are on their way
        gdc_launch_dependents()


@gluon.jit
def multiply_stream(
    left, right, full, empty, c, bias, work, arrived, units, steps, down, programs, m, n,
    STAGES: gl.constexpr, BIAS: gl.constexpr, ACT: gl.constexpr, CHAIN: gl.constexpr, TRANSB: gl.constexpr,
):  # fmt: skip
    """Multiply a share of the units; whoever arrives last at a tile that was cut adds its parts in order."""
    MT: gl.constexpr = left.type.shape[1]
    BN: gl.constexpr = right.type.shape[1] if TRANSB else right.type.shape[2]
    SUMS: gl.constexpr = gl.NVMMADistributedLayout([3, 0], [gl.num_warps(), 1], [16, MT, 16])
    rows = gl.arange(0, BN, layout=gl.SliceLayout(1, SUMS))
    columns = gl.arange(0, MT, layout=gl.SliceLayout(0, SUMS))
    inner = rows[:, None] * MT + columns[None, :]
    program = gl.program_id(0)
    at = first_unit(program, units, programs)
    stop = first_unit(program + 1, units, programs)
    slot = 0
    phase = 0
    if CHAIN >= 4:
        gdc_wait()
    while at < stop:
        tile = at // steps
        begin = at - tile * steps
        end = gl.minimum(steps, begin + stop - at)
        target = tile // down * BN + rows
        if BIAS:  # read before the products, which hide its latency
            added = gl.load(bias + target, mask=target < n, other=0.0)
        total = gl.zeros((BN, MT), gl.float32, SUMS)
        before = STAGES - 1  # not `slot`, see `multiply`
        for step in range(begin, end):
            mbarrier.wait(full.index(slot), phase)
            # the roles change: columns of B are the rows of the instruction, which has 64 of them but as few as 8 columns
            weights = right.index(slot) if TRANSB else right.index(slot).permute((1, 0))
            total = warpgroup_mma(weights, left.index(slot).permute((1, 0)), total, is_async=True)
            total = warpgroup_mma_wait(1, deps=(total,))
            mbarrier.arrive(empty.index(before), pred=step > begin)
            before = slot
            slot += 1
            if slot == STAGES:
                slot = 0
                phase ^= 1
        total = warpgroup_mma_wait(0, deps=(total,))
        mbarrier.arrive(empty.index(before))
        at += end - begin
        last = True
        if end - begin < steps:
            part = program * 2 + (begin == 0).to(gl.int32)  # a program cuts at most two tiles, and begins at most one
            gl.store(work + part * (BN * MT) + inner, total)
            threads_meet()  # every thread's part is written before one of them announces it
            lowest = owner(tile * steps, units, programs)
            highest = owner(tile * steps + steps - 1, units, programs)
            last = gl.atomic_add(arrived + tile, 1, sem="acq_rel") == highest - lowest
            if last:
                total = gl.load(work + (lowest * 2 + 1) * (BN * MT) + inner)
                for other in range(lowest + 1, highest + 1):
                    total += gl.load(work + other * 2 * (BN * MT) + inner)
                gl.store(arrived + tile, 0)
        if last:
            x = total
            if BIAS:
                x += added.to(gl.float32)[:, None]
            x = activate(x, ACT).to(c.dtype.element_ty)
            to = tile % down * MT + columns
            inside = (target[:, None] < n) & (to[None, :] < m)
            gl.store(c + to[None, :].to(gl.int64) * n + target[:, None], x, mask=inside)


@gluon.jit
def skinny(
    a, b, c, bias, work, arrived, m, n, k,
    PROGRAMS: gl.constexpr, STAGES: gl.constexpr, BIAS: gl.constexpr, ACT: gl.constexpr, CHAIN: gl.constexpr,
    TRANSB: gl.constexpr = 0,
):  # fmt: skip
    """Multiply: every program takes as many steps of k of some tiles, by stream-K if need be.

    a and b are descriptors of blocks [MT, BK] and [BK, BN], c a row-major pointer. `work` holds 2 · PROGRAMS blocks of
    BN · MT float32, `arrived` one zero per tile, which is zero again afterwards. `num_warps` must be 4 for each 64 or 128 columns of a
    tile, and there must be at least PROGRAMS steps of tiles. CHAIN as in `shared/jit.py`; 4 and 5 are as 1 and 3 with a first block read
    ahead (`warm`).
    """
    MT: gl.constexpr = a.block_type.shape[0]
    BK: gl.constexpr = a.block_type.shape[1]
    BN: gl.constexpr = b.block_type.shape[0] if TRANSB else b.block_type.shape[1]
    left = gl.allocate_shared_memory(a.dtype, [STAGES, MT, BK], a.layout)
    right = gl.allocate_shared_memory(b.dtype, [STAGES, b.block_type.shape[0], b.block_type.shape[1]], b.layout)
    full = gl.allocate_shared_memory(gl.int64, [STAGES, 1], mbarrier.MBarrierLayout())
    empty = gl.allocate_shared_memory(gl.int64, [STAGES, 1], mbarrier.MBarrierLayout())
    for i in gl.static_range(STAGES):
        mbarrier.init(full.index(i), count=1)
        mbarrier.init(empty.index(i), count=1)
    landed = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(landed, count=1)
    fence_async_shared()
    if CHAIN == 1 or CHAIN == 2 or CHAIN == 3:
        gdc_wait()
        if CHAIN == 1:
            gdc_launch_dependents()
    steps = gl.cdiv(k, BK)
    down = gl.cdiv(m, MT)
    tiles = gl.cdiv(n, BN) * down
    units = tiles * steps
    programs = sharers(tiles, PROGRAMS)
    gl.warp_specialize(
        [
            (multiply_stream, (
                left, right, full, empty, c, bias, work, arrived, units, steps, down, programs, m, n,
                STAGES, BIAS, ACT, CHAIN, TRANSB,
            )),
            (stream, (a, b, left, right, full, empty, landed, units, steps, down, programs, STAGES, CHAIN, TRANSB)),
        ],
        [1],
        [24],
    )  # fmt: skip
