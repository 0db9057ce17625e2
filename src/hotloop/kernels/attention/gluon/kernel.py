"""Attention forward for Hopper in Gluon: a producer warp, two or three consumer warp groups, softmax under the products.

O = softmax(Q·Kᵀ·scale [+ causal mask])·V for fp16 and bf16 with float32 scores. One producer warp copies tiles by tensor
descriptors into a ring of stages; each consumer warp group owns 64 query rows and multiplies with asynchronous
``wgmma``. While the tensor cores add block j to the output, the group computes the softmax of block j+1; the weights
stay in registers and become the left operand of the second product. Key blocks run from right to left, so only the
first ones carry a mask and blocks right of the diagonal are never loaded. Tiles run in bands of heads (their keys stay
in the second-level cache), the longest first, and a program fetches its next tile from a counter.

Rows that see no key give zeros and a logarithm of minus infinity. `scale` is positive. A masked key has weight zero, and
zero times infinity is no number: infinite values spread to the rows of a tile that loads them.
"""

# ruff: noqa: FBT002, FBT003, SIM108, RUF059, C901 - a language inside Python
# mypy: disable-error-code="no-untyped-def, no-untyped-call, untyped-decorator, misc, no-any-return, attr-defined, possibly-undefined"
from __future__ import annotations

from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.hopper import (
    fence_async_shared,
    mbarrier,
    tma,
    warpgroup_mma_wait,
)

from hotloop.kernels.attention.gluon.merge import combine
from hotloop.kernels.attention.gluon.products import lanes, score, soften, widen
from hotloop.kernels.attention.gluon.tiles import extent, piece, place, span

__all__ = ["combine", "forward"]

if hasattr(tma, "async_load"):
    copy_in, copy_out = tma.async_load, tma.async_store
else:  # the names of Triton 3.6
    copy_in, copy_out = tma.async_copy_global_to_shared, tma.async_copy_shared_to_global
LOG2E = gl.constexpr(1.4426950408889634)
LN2 = gl.constexpr(0.6931471805599453)


@gluon.jit
def produce(
    q, k, v, qs, ks, vs, q_full, q_empty, k_full, k_empty, v_full, v_empty, post, post_full, post_empty, counter,
    starts_q, starts_k, tiles, blocks, heads_q, heads, group, length_q, length_k, shift,
    ROWS: gl.constexpr, GROUPS: gl.constexpr, BN: gl.constexpr, D: gl.constexpr, STAGES: gl.constexpr,
    BAND: gl.constexpr, CAUSAL: gl.constexpr, VARLEN: gl.constexpr, DYNAMIC: gl.constexpr, CUT: gl.constexpr, split,
):  # fmt: skip
    """Copy the tiles of Q, K and V; one warp."""
    BM: gl.constexpr = ROWS * GROUPS
    POST: gl.constexpr = gl.BlockedLayout([1], [32], [1], [0])
    count = 0
    turn = 0
    served = 0
    tile = gl.program_id(0)
    while tile < tiles:
        block, head = place(tile, heads, blocks, BAND, CAUSAL)
        batch = head // heads_q
        inner = head % heads_q
        source = inner // split // group
        first_q, rows_q = span(starts_q, batch, length_q, VARLEN)
        first_k, rows_k = span(starts_k, batch, length_k, VARLEN)
        if CUT:
            first_k, rows_k = piece(inner % split, length_k, split, BN)
        total, whole = extent(block, rows_q, rows_k, shift, BM, BN, CAUSAL)
        outer = batch
        if VARLEN:
            outer = 0
        for step in range(total):
            row = first_k + (total - 1 - step) * BN
            slot = count % STAGES
            phase = ((count // STAGES) & 1) ^ 1
            mbarrier.wait(k_empty.index(slot), phase)
            mbarrier.expect(k_full.index(slot), BN * D * 2)
            copy_in(k, [outer, source, row, 0], k_full.index(slot), ks.index(slot))
            if step == 0:
                for who in gl.static_range(GROUPS):
                    mbarrier.wait(q_empty.index(who), (turn & 1) ^ 1)
                    mbarrier.expect(q_full.index(who), ROWS * D * 2)
                    row_q = first_q + block * BM + who * ROWS
                    copy_in(q, [outer, inner // split, row_q, 0], q_full.index(who), qs.index(who))
                turn += 1
            mbarrier.wait(v_empty.index(slot), phase)
            mbarrier.expect(v_full.index(slot), BN * D * 2)
            copy_in(v, [outer, source, row, 0], v_full.index(slot), vs.index(slot))
            count += 1
        if DYNAMIC:  # the consumers still have the blocks in flight to work on while the counter answers
            fetched = gl.atomic_add(counter, 1, sem="relaxed")
            if fetched == tiles - 1:  # every program ends with one fetch too many: this is the last of all
                gl.store(counter, 0)
            tile = gl.num_programs(0) + fetched
            mbarrier.wait(post_empty.index(served % 2), ((served // 2) & 1) ^ 1)
            post.index(served % 2).store(gl.full([1], 0, gl.int32, POST) + tile)
            mbarrier.arrive(post_full.index(served % 2), count=1)
            served += 1
        else:
            tile += gl.num_programs(0)


@gluon.jit
def step(
    qs, ks, vs, weights, out, rest, most, norm, count, number, k_full, k_empty, v_full, v_empty, baton, scale, row0,
    length_k, shift,
    WHO: gl.constexpr, GROUPS: gl.constexpr, BN: gl.constexpr, STAGES: gl.constexpr, OVERLAP: gl.constexpr,
    STAGGER: gl.constexpr, MASK: gl.constexpr, CAUSAL: gl.constexpr, S_LAYOUT: gl.constexpr, O_LAYOUT: gl.constexpr,
    R_LAYOUT: gl.constexpr, D: gl.constexpr, FIRST: gl.constexpr, REST: gl.constexpr,
):  # fmt: skip
    """Scores of this block and output of the block before; return this block's weights."""
    ROWS: gl.constexpr = out.shape[0]
    left = gl.convert_layout(weights.to(vs.dtype), gl.DotOperandLayout(0, O_LAYOUT, 2))
    if REST > 0:
        side = gl.convert_layout(weights.to(vs.dtype), gl.DotOperandLayout(0, R_LAYOUT, 2))
    slot = count % STAGES
    before = (count - 1) % STAGES
    values = vs.index(before).reshape([BN, D])
    if not OVERLAP:
        out = widen(left, values, out, FIRST, 0)
        if REST > 0:
            rest = widen(side, values, rest, REST, FIRST)
            rest, side = warpgroup_mma_wait(0, deps=[rest, side])
        out, left = warpgroup_mma_wait(0, deps=[out, left])
        mbarrier.arrive(v_empty.index(before), count=1)
    mbarrier.wait(k_full.index(slot), (count // STAGES) & 1)
    if STAGGER:
        mbarrier.wait(baton.index(WHO), (count & 1) ^ (WHO == 0))
    zero = gl.zeros([ROWS, BN], gl.float32, S_LAYOUT)
    scores = score(qs, ks.index(slot).reshape([BN, D]), zero, FIRST, REST)
    if OVERLAP:
        out = widen(left, values, out, FIRST, 0)
        if REST > 0:
            rest = widen(side, values, rest, REST, FIRST)
    if STAGGER:
        mbarrier.arrive(baton.index((WHO + 1) % GROUPS), count=1)
    if OVERLAP:
        scores = warpgroup_mma_wait(2 if REST > 0 else 1, deps=[scores])
    else:
        scores = warpgroup_mma_wait(0, deps=[scores])
    mbarrier.arrive(k_empty.index(slot), count=1)
    weights, most, norm, shrink = soften(
        scores, most, norm, scale, row0, number * BN, length_k, shift, MASK, CAUSAL, S_LAYOUT
    )
    # Waiting here for V also ends a basic block: ptxas would else sink the exponentials below the next wait.
    mbarrier.wait(v_full.index(slot), (count // STAGES) & 1)
    if OVERLAP:
        if REST > 0:
            out, left, rest, side = warpgroup_mma_wait(0, deps=[out, left, rest, side])
        else:
            out, left = warpgroup_mma_wait(0, deps=[out, left])
        mbarrier.arrive(v_empty.index(before), count=1)
    out = out * gl.convert_layout(shrink, gl.SliceLayout(1, O_LAYOUT))[:, None]
    if REST > 0:
        rest = rest * gl.convert_layout(shrink, gl.SliceLayout(1, R_LAYOUT))[:, None]
    return weights, out, rest, most, norm


@gluon.jit
def consume(
    WHO: gl.constexpr, o, tail, tail_head, tail_row, lse, lse_head, qs, ks, vs, os, q_full, q_empty, k_full,
    k_empty, v_full,
    v_empty, baton, post, post_full, post_empty, starts_q, starts_k, scale, tiles, blocks, heads_q, heads, length_q,
    length_k,
    shift, ROWS: gl.constexpr, GROUPS: gl.constexpr, BN: gl.constexpr, D: gl.constexpr, STAGES: gl.constexpr,
    BAND: gl.constexpr, OVERLAP: gl.constexpr, STAGGER: gl.constexpr, CAUSAL: gl.constexpr, VARLEN: gl.constexpr,
    LSE: gl.constexpr, SHARE: gl.constexpr, DYNAMIC: gl.constexpr, CUT: gl.constexpr, split,
    FIRST: gl.constexpr, REST: gl.constexpr,
):  # fmt: skip
    """Compute 64 rows of each tile; one warp group."""
    BM: gl.constexpr = ROWS * GROUPS
    WIDE: gl.constexpr = FIRST if FIRST > 0 else D
    S_LAYOUT: gl.constexpr = gl.NVMMADistributedLayout([3, 0], [4, 1], [16, BN, 16])
    O_LAYOUT: gl.constexpr = gl.NVMMADistributedLayout([3, 0], [4, 1], [16, WIDE, 16])
    R_LAYOUT: gl.constexpr = gl.NVMMADistributedLayout([3, 0], [4, 1], [16, REST if REST > 0 else 16, 16])
    READ: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])
    q2 = qs.index(WHO).reshape([ROWS, D])
    o4 = os.index(WHO)
    count = 0
    turn = 0
    served = 0
    tile = gl.program_id(0)
    while tile < tiles:
        block, head = place(tile, heads, blocks, BAND, CAUSAL)
        batch = head // heads_q
        inner = head % heads_q
        first_q, rows_q = span(starts_q, batch, length_q, VARLEN)
        first_k, rows_k = span(starts_k, batch, length_k, VARLEN)
        if CUT:
            first_k, rows_k = piece(inner % split, length_k, split, BN)
        total, whole = extent(block, rows_q, rows_k, shift, BM, BN, CAUSAL)
        row0 = block * BM + WHO * ROWS
        out = gl.zeros([ROWS, WIDE], gl.float32, O_LAYOUT)
        rest = 0
        if REST > 0:
            rest = gl.zeros([ROWS, REST], gl.float32, R_LAYOUT)
        most = gl.full([ROWS], float("-inf"), gl.float32, gl.SliceLayout(1, S_LAYOUT))
        norm = lanes(gl.zeros([ROWS, BN], gl.float32, S_LAYOUT))
        if total > 0:
            slot = count % STAGES
            mbarrier.wait(q_full.index(WHO), turn & 1)
            turn += 1
            mbarrier.wait(k_full.index(slot), (count // STAGES) & 1)
            if STAGGER:
                mbarrier.wait(baton.index(WHO), (count & 1) ^ (WHO == 0))
            zero = gl.zeros([ROWS, BN], gl.float32, S_LAYOUT)
            scores = score(q2, ks.index(slot).reshape([BN, D]), zero, FIRST, REST)
            if STAGGER:
                mbarrier.arrive(baton.index((WHO + 1) % GROUPS), count=1)
            scores = warpgroup_mma_wait(0, deps=[scores])
            mbarrier.arrive(k_empty.index(slot), count=1)
            weights, most, norm, shrink = soften(
                scores, most, norm, scale, row0, (total - 1) * BN, rows_k, shift, True, CAUSAL, S_LAYOUT
            )
            mbarrier.wait(v_full.index(slot), (count // STAGES) & 1)
            count += 1
            edge = total - 1
            if CAUSAL:
                edge = gl.minimum(whole, edge)
                for at in range(edge, total - 1):
                    weights, out, rest, most, norm = step(
                        q2, ks, vs, weights, out, rest, most, norm, count, total - 2 - (at - edge), k_full, k_empty,
                        v_full, v_empty,
                        baton, scale, row0, rows_k, shift, WHO, GROUPS, BN, STAGES, OVERLAP, STAGGER, True, CAUSAL,
                        S_LAYOUT, O_LAYOUT, R_LAYOUT, D, FIRST, REST,
                    )  # fmt: skip
                    count += 1
            for at in range(edge):
                weights, out, rest, most, norm = step(
                    q2, ks, vs, weights, out, rest, most, norm, count, edge - 1 - at, k_full, k_empty, v_full, v_empty,
                    baton, scale, row0, rows_k, shift, WHO, GROUPS, BN, STAGES, OVERLAP, STAGGER, False, CAUSAL,
                    S_LAYOUT, O_LAYOUT, R_LAYOUT, D, FIRST, REST,
                )  # fmt: skip
                count += 1
            if not SHARE:
                mbarrier.arrive(q_empty.index(WHO), count=1)
            last = (count - 1) % STAGES
            values = vs.index(last).reshape([BN, D])
            left = gl.convert_layout(weights.to(vs.dtype), gl.DotOperandLayout(0, O_LAYOUT, 2))
            out = widen(left, values, out, FIRST, 0)
            if REST > 0:
                side = gl.convert_layout(weights.to(vs.dtype), gl.DotOperandLayout(0, R_LAYOUT, 2))
                rest = widen(side, values, rest, REST, FIRST)
                out, left, rest, side = warpgroup_mma_wait(0, deps=[out, left, rest, side])
            else:
                out, left = warpgroup_mma_wait(0, deps=[out, left])
            mbarrier.arrive(v_empty.index(last), count=1)
        norm = gl.convert_layout(gl.sum(norm, 1), gl.SliceLayout(1, S_LAYOUT))
        inverse = gl.where(norm == 0.0, 0.0, 1.0 / norm)
        done = (out * gl.convert_layout(inverse, gl.SliceLayout(1, O_LAYOUT))[:, None]).to(os.dtype)
        complete = True
        if VARLEN:  # a whole tile would run into the next sequence
            complete = row0 + ROWS <= rows_q
            if not complete:
                rows = row0 + gl.arange(0, ROWS, layout=gl.SliceLayout(1, O_LAYOUT))
                columns = gl.arange(0, D, layout=gl.SliceLayout(0, O_LAYOUT))
                where = (first_q + rows).to(gl.int64) * tail_row + inner * tail_head
                gl.store(tail + where[:, None] + columns[None, :], done, mask=(rows < rows_q)[:, None])
        if complete:
            outer = batch
            if VARLEN:
                outer = 0
            tma.store_wait(0)
            if FIRST == 0:
                o4.reshape([ROWS, D]).store(done)
            else:
                o4.reshape([ROWS, D]).slice(0, FIRST, 1).store(done)
            if REST > 0:
                side_done = rest * gl.convert_layout(inverse, gl.SliceLayout(1, R_LAYOUT))[:, None]
                o4.reshape([ROWS, D]).slice(FIRST, REST, 1).store(side_done.to(os.dtype))
            fence_async_shared()
            copy_out(o, [outer, inner, first_q + row0, 0], o4)
        if LSE:
            rows = row0 + gl.arange(0, ROWS, layout=gl.SliceLayout(1, S_LAYOUT))
            log = most * (scale * LN2) + gl.log2(norm) * LN2
            log = gl.where(norm == 0.0, float("-inf"), log)
            offset = head * lse_head
            if VARLEN:
                offset = inner * lse_head + first_q
            gl.store(lse + offset + rows, log, mask=rows < rows_q)
        if SHARE:
            tma.store_wait(0)
            if total > 0:
                mbarrier.arrive(q_empty.index(WHO), count=1)
        if DYNAMIC:
            mbarrier.wait(post_full.index(served % 2), (served // 2) & 1)
            tile = gl.max(post.index(served % 2).load(READ), 0)
            mbarrier.arrive(post_empty.index(served % 2), count=1)
            served += 1
        else:
            tile += gl.num_programs(0)
    tma.store_wait(0)


@gluon.jit
def forward(
    q, k, v, o, tail, tail_head, tail_row, lse, lse_head, counter, starts_q, starts_k,
    scale, batches, heads_q, group, length_q, length_k, shift,
    ROWS: gl.constexpr, GROUPS: gl.constexpr, BN: gl.constexpr, D: gl.constexpr, STAGES: gl.constexpr,
    BAND: gl.constexpr, OVERLAP: gl.constexpr, STAGGER: gl.constexpr, CAUSAL: gl.constexpr, VARLEN: gl.constexpr,
    LSE: gl.constexpr, SHARE: gl.constexpr, DYNAMIC: gl.constexpr, REGISTERS: gl.constexpr, SPARE: gl.constexpr,
    CUT: gl.constexpr = False, split=1, FIRST: gl.constexpr = 0, REST: gl.constexpr = 0,
):  # fmt: skip
    """Launch with any number of programs and four warps; q, k, v, o are descriptors of [batch, heads, length, D].

    Rows may be shorter than D, without VARLEN: what a tile has beyond one is zero, and is not written. FIRST and REST, powers of two
    whose sum is at least a row, then say how much of a tile is multiplied; FIRST of 0: all.

    ``q`` and ``o`` have blocks of ROWS (64) rows, ``k`` and ``v`` of BN. ``lse`` is float32 with one row per head. With
    VARLEN, batch is 1 in the descriptors, ``starts_q`` and ``starts_k`` hold the batches + 1 row numbers in int32,
    lengths are the longest, and rows that are no whole tile go to ``tail``, the output itself. ``counter`` is one zero
    in int32, used when DYNAMIC. Query i sees the keys up to i + shift. SHARE keeps outputs where Q was, for heads that
    else exceed shared memory. REGISTERS and SPARE are the registers of a consumer's and the producer's thread; STAGES
    is at least 2. With CUT (neither CAUSAL nor VARLEN) each head of ``q`` is computed `split` times, with a piece of the keys
    each; ``heads_q``, ``o`` and ``lse`` count the pieces as heads, ``group`` is heads of ``q`` for one of ``k``.
    """
    qs = gl.allocate_shared_memory(q.dtype, [GROUPS, 1, 1, ROWS, D], q.layout)
    ks = gl.allocate_shared_memory(k.dtype, [STAGES, 1, 1, BN, D], k.layout)
    vs = gl.allocate_shared_memory(v.dtype, [STAGES, 1, 1, BN, D], v.layout)
    if SHARE:
        os = qs
    else:
        os = gl.allocate_shared_memory(o.dtype, [GROUPS, 1, 1, ROWS, D], o.layout)
    BARRIER: gl.constexpr = mbarrier.MBarrierLayout()
    q_full = gl.allocate_shared_memory(gl.int64, [GROUPS, 1], BARRIER)
    q_empty = gl.allocate_shared_memory(gl.int64, [GROUPS, 1], BARRIER)
    baton = gl.allocate_shared_memory(gl.int64, [GROUPS, 1], BARRIER)
    k_full = gl.allocate_shared_memory(gl.int64, [STAGES, 1], BARRIER)
    k_empty = gl.allocate_shared_memory(gl.int64, [STAGES, 1], BARRIER)
    v_full = gl.allocate_shared_memory(gl.int64, [STAGES, 1], BARRIER)
    v_empty = gl.allocate_shared_memory(gl.int64, [STAGES, 1], BARRIER)
    post = gl.allocate_shared_memory(gl.int32, [2, 1], gl.SwizzledSharedLayout(1, 1, 1, [0]))
    post_full = gl.allocate_shared_memory(gl.int64, [2, 1], BARRIER)
    post_empty = gl.allocate_shared_memory(gl.int64, [2, 1], BARRIER)
    for i in gl.static_range(2):
        mbarrier.init(post_full.index(i), count=1)
        mbarrier.init(post_empty.index(i), count=GROUPS)
    for i in gl.static_range(GROUPS):
        mbarrier.init(q_full.index(i), count=1)
        mbarrier.init(q_empty.index(i), count=1)
        mbarrier.init(baton.index(i), count=1)
    for i in gl.static_range(STAGES):
        mbarrier.init(k_full.index(i), count=1)
        mbarrier.init(k_empty.index(i), count=GROUPS)
        mbarrier.init(v_full.index(i), count=1)
        mbarrier.init(v_empty.index(i), count=GROUPS)
    blocks = gl.cdiv(length_q, ROWS * GROUPS)
    heads = batches * heads_q
    tiles = blocks * heads
    scale = scale * LOG2E
    # Compile-time values must stand in the literal tuples: a variable in between would make tensors of them.
    if GROUPS == 2:
        gl.warp_specialize([
            (consume, (gl.constexpr(0), o, tail, tail_head, tail_row, lse, lse_head, qs, ks, vs, os, q_full,
                q_empty, k_full,
                k_empty, v_full, v_empty, baton, post, post_full, post_empty, starts_q, starts_k, scale, tiles, blocks,
                heads_q, heads, length_q, length_k, shift, ROWS, GROUPS, BN, D, STAGES, BAND, OVERLAP, STAGGER, CAUSAL,
                VARLEN, LSE, SHARE, DYNAMIC, CUT, split, FIRST, REST)),
            (consume, (gl.constexpr(1), o, tail, tail_head, tail_row, lse, lse_head, qs, ks, vs, os, q_full,
                q_empty, k_full,
                k_empty, v_full, v_empty, baton, post, post_full, post_empty, starts_q, starts_k, scale, tiles, blocks,
                heads_q, heads, length_q, length_k, shift, ROWS, GROUPS, BN, D, STAGES, BAND, OVERLAP, STAGGER, CAUSAL,
                VARLEN, LSE, SHARE, DYNAMIC, CUT, split, FIRST, REST)),
            (produce, (q, k, v, qs, ks, vs, q_full, q_empty, k_full, k_empty, v_full, v_empty, post, post_full,
                post_empty,
                counter, starts_q, starts_k, tiles, blocks, heads_q, heads, group, length_q, length_k, shift, ROWS,
                GROUPS,
                BN, D, STAGES, BAND, CAUSAL, VARLEN, DYNAMIC, CUT, split)),
        ], [4, 1], [REGISTERS, SPARE])  # fmt: skip
    else:
        gl.warp_specialize([
            (consume, (gl.constexpr(0), o, tail, tail_head, tail_row, lse, lse_head, qs, ks, vs, os, q_full,
                q_empty, k_full,
                k_empty, v_full, v_empty, baton, post, post_full, post_empty, starts_q, starts_k, scale, tiles, blocks,
                heads_q, heads, length_q, length_k, shift, ROWS, GROUPS, BN, D, STAGES, BAND, OVERLAP, STAGGER, CAUSAL,
                VARLEN, LSE, SHARE, DYNAMIC, CUT, split, FIRST, REST)),
            (consume, (gl.constexpr(1), o, tail, tail_head, tail_row, lse, lse_head, qs, ks, vs, os, q_full,
                q_empty, k_full,
                k_empty, v_full, v_empty, baton, post, post_full, post_empty, starts_q, starts_k, scale, tiles, blocks,
                heads_q, heads, length_q, length_k, shift, ROWS, GROUPS, BN, D, STAGES, BAND, OVERLAP, STAGGER, CAUSAL,
                VARLEN, LSE, SHARE, DYNAMIC, CUT, split, FIRST, REST)),
            (consume, (gl.constexpr(2), o, tail, tail_head, tail_row, lse, lse_head, qs, ks, vs, os, q_full,
                q_empty, k_full,
                k_empty, v_full, v_empty, baton, post, post_full, post_empty, starts_q, starts_k, scale, tiles, blocks,
                heads_q, heads, length_q, length_k, shift, ROWS, GROUPS, BN, D, STAGES, BAND, OVERLAP, STAGGER, CAUSAL,
                VARLEN, LSE, SHARE, DYNAMIC, CUT, split, FIRST, REST)),
            (produce, (q, k, v, qs, ks, vs, q_full, q_empty, k_full, k_empty, v_full, v_empty, post, post_full,
                post_empty,
                counter, starts_q, starts_k, tiles, blocks, heads_q, heads, group, length_q, length_k, shift, ROWS,
                GROUPS,
                BN, D, STAGES, BAND, CAUSAL, VARLEN, DYNAMIC, CUT, split)),
        ], [4, 4, 1], [REGISTERS, REGISTERS, SPARE])  # fmt: skip
