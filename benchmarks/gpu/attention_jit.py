"""Attention forward in Triton for Hopper: online softmax over key blocks, operands through tensor descriptors.

O = softmax(Q·Kᵀ·scale [+ causal mask])·V for fp16 and bf16, head sizes 64, 128 and 256, grouped queries, and optionally
the logarithm of the row sums. Scores are kept in base 2 (``exp2`` is one instruction). With a causal mask the key blocks
left of the diagonal run without mask arithmetic, blocks right of it are never loaded, and the longest rows start first.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, untyped-decorator, misc, no-any-return, attr-defined"
from __future__ import annotations

import triton
import triton.language as tl

LOG2E = tl.constexpr(1.4426950408889634)


@triton.jit
def sweep(
    total, most, norm, query, keys, values, row, begin, end, places, queries, length, scale,
    BN: tl.constexpr, MASK: tl.constexpr, CAUSAL: tl.constexpr, SPECIALIZE: tl.constexpr,
):  # fmt: skip
    """Fold the key blocks from `begin` to `end` into the running output, row maximum and row sum."""
    for place in tl.range(begin, end, BN, warp_specialize=SPECIALIZE):
        start = tl.multiple_of(place, BN)
        block = keys.load([row + start, 0])
        scores = tl.dot(query, block.T)
        if MASK:
            columns = start + places
            seen = columns[None, :] < length
            if CAUSAL:
                seen = seen & (queries[:, None] >= columns[None, :])
            scores = scores * scale + tl.where(seen, 0.0, -1.0e30)
            fresh = tl.maximum(most, tl.max(scores, 1))
            scores = scores - fresh[:, None]
        else:
            fresh = tl.maximum(most, tl.max(scores, 1) * scale)
            scores = scores * scale - fresh[:, None]
        weights = tl.math.exp2(scores)
        shrink = tl.math.exp2(most - fresh)
        norm = norm * shrink + tl.sum(weights, 1)
        total = total * shrink[:, None]
        block = values.load([row + start, 0])
        total = tl.dot(weights.to(block.dtype), block, total)
        most = fresh
    return total, most, norm


@triton.jit
def forward(
    q, k, v, o, lse, scale, heads, group, length_q, length_k,
    BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr, CAUSAL: tl.constexpr, LSE: tl.constexpr,
    SPECIALIZE: tl.constexpr,
):  # fmt: skip
    """One program per query block; q and o are descriptors of [batch·heads·length_q, D], k and v of their own heads.

    Lengths are multiples of nothing in particular, but a descriptor's rows run on into the next head, so the caller pads
    `length_q` to BM and `length_k` to BN when there is more than one head.
    """
    blocks = tl.num_programs(0)
    number = blocks - 1 - tl.program_id(0) if CAUSAL else tl.program_id(0)
    head = tl.program_id(1)
    batch = head // heads
    source = batch * (heads // group) + (head % heads) // group
    first = number * BM
    queries = first + tl.arange(0, BM)
    places = tl.arange(0, BN)
    total = tl.zeros((BM, D), dtype=tl.float32)
    most = tl.full((BM,), -1.0e30, dtype=tl.float32)
    norm = tl.zeros((BM,), dtype=tl.float32)
    query = q.load([head * length_q + first, 0])
    row = source * length_k
    scale = scale * LOG2E
    if CAUSAL:
        whole = (first // BN) * BN
        last = tl.minimum(first + BM, length_k)
    else:
        whole = (length_k // BN) * BN
        last = length_k
    total, most, norm = sweep(
        total, most, norm, query, k, v, row, 0, whole, places, queries, length_k, scale, BN, False, CAUSAL, SPECIALIZE
    )
    total, most, norm = sweep(
        total, most, norm, query, k, v, row, whole, last, places, queries, length_k, scale, BN, True, CAUSAL, False
    )
    total = total / norm[:, None]
    o.store([head * length_q + first, 0], total.to(o.dtype))
    if LSE:
        tl.store(lse + head * length_q + queries, (most + tl.math.log2(norm)) / LOG2E, mask=queries < length_q)
