"""Attention forward in plain Triton: online softmax over key blocks, operands through tensor descriptors.

O = softmax(Q·Kᵀ·scale [+ causal mask])·V for fp16 and bf16, head sizes 64, 128 and 256, grouped queries, and optionally the
logarithm of the row sums. Scores are kept in base 2 (``exp2`` is one instruction). This kernel runs wherever Triton does;
`hotloop.kernels.attention.gluon.kernel` is the fast one on Hopper. Its compile-time switches are the lower rungs of the ladder.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, untyped-decorator, misc, no-any-return, attr-defined"
from __future__ import annotations

import triton
import triton.language as tl

LOG2E = tl.constexpr(1.4426950408889634)


@triton.jit
def sweep(
    total, most, norm, query, q, k, v, batch, head, source, first, begin, end, length_k, scale,
    BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr, MASK: tl.constexpr, CAUSAL: tl.constexpr, KEEP: tl.constexpr,
):  # fmt: skip
    """Fold the key blocks from `begin` to `end` into the running output, row maximum and row sum."""
    queries = first + tl.arange(0, BM)
    places = tl.arange(0, BN)
    for place in tl.range(begin, end, BN):
        start = tl.multiple_of(place, BN)
        if not KEEP:
            query = q.load([batch, head, first, 0]).reshape(BM, D)
        block = k.load([batch, source, start, 0]).reshape(BN, D)
        scores = tl.dot(query, block.T)
        if MASK:
            columns = start + places
            seen = columns[None, :] < length_k
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
        block = v.load([batch, source, start, 0]).reshape(BN, D)
        total = tl.dot(weights.to(block.dtype), block, total)
        most = fresh
    return total, most, norm


@triton.jit
def forward(
    q, k, v, o, lse, scale, heads, group, length_q, length_k,
    BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr, CAUSAL: tl.constexpr, LSE: tl.constexpr,
    KEEP: tl.constexpr, EXIT: tl.constexpr,
):  # fmt: skip
    """Launch on a grid of query blocks by batch·heads; q, k, v, o are descriptors of [batch, heads, length, D].

    KEEP loads the queries once instead of with every key block. EXIT leaves out the key blocks right of the diagonal, masks
    only those on it, and starts the longest rows first. ``lse`` is float32 with one row per head.
    """
    number = tl.program_id(0)
    if CAUSAL and EXIT:
        number = tl.num_programs(0) - 1 - number
    batch = tl.program_id(1) // heads
    head = tl.program_id(1) % heads
    source = head // group
    first = number * BM
    total = tl.zeros((BM, D), dtype=tl.float32)
    most = tl.full((BM,), -1.0e30, dtype=tl.float32)
    norm = tl.zeros((BM,), dtype=tl.float32)
    query = q.load([batch, head, first, 0]).reshape(BM, D)
    scale = scale * LOG2E
    whole = (length_k // BN) * BN
    last = length_k
    if CAUSAL:
        if EXIT:
            whole = tl.minimum(whole, (first // BN) * BN)
            last = tl.minimum(first + BM, length_k)
        else:
            whole = 0
    total, most, norm = sweep(
        total, most, norm, query, q, k, v, batch, head, source, first, 0, whole, length_k, scale,
        BM=BM, BN=BN, D=D, MASK=False, CAUSAL=CAUSAL, KEEP=KEEP,
    )  # fmt: skip
    total, most, norm = sweep(
        total, most, norm, query, q, k, v, batch, head, source, first, whole, last, length_k, scale,
        BM=BM, BN=BN, D=D, MASK=True, CAUSAL=CAUSAL, KEEP=KEEP,
    )  # fmt: skip
    total = (total / norm[:, None]).to(o.dtype)
    o.store([batch, head, first, 0], total.reshape(1, 1, BM, D))
    if LSE:
        queries = first + tl.arange(0, BM)
        row = tl.program_id(1).to(tl.int64) * length_q
        tl.store(lse + row + queries, (most + tl.math.log2(norm)) / LOG2E, mask=queries < length_q)
