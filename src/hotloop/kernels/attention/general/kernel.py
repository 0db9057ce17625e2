"""Attention forward in Triton for every head size, with sliding windows and with keys cut into pieces.

O = softmax(Q·Kᵀ·scale + mask)·V for fp16 and bf16, head sizes of any multiple of 8. Operands are read through pointers, so that any
strides between rows, heads and batches serve. Scores are kept in base 2 (``exp2`` is one instruction).

    WIDTH, REST      a head is WIDTH elements, a power of two, and up to REST more: 80 is 64 and 16, not 128
    PACK             rows of a tile are the queries of all heads that share keys: few queries fill a matrix instruction
    SPLIT            pieces of the keys, each a program of its own; `merged` makes one output of theirs
    WINDOW           query i sees keys nearer than WINDOW to i + shift; 0: no window
    WIDEN            multiply in float32, which Triton's interpreter needs for bfloat16
    UNIT             strides are given in so many elements: Triton sees that rows of 88 begin at multiples of 8 only where it is told

Between blocks of keys that every row of a tile sees in full, and whose scores need no mask, lie at its left the ones where a window
begins and at its right those where a mask or the keys end.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, untyped-decorator, misc, no-any-return, attr-defined, assignment"

# ruff: noqa: FBT003 - a language inside Python
from __future__ import annotations

import triton
import triton.language as tl

LOG2E = tl.constexpr(1.4426950408889634)


@triton.jit
def part(
    x,
    rows,
    step,
    known,
    FIRST: tl.constexpr,
    WIDTH: tl.constexpr,
    D: tl.constexpr,
    MASK: tl.constexpr,
    WIDEN: tl.constexpr,
):
    """Return WIDTH elements, from FIRST on, of rows; zeros beyond D and, with MASK, where a row is not known."""
    at = FIRST + tl.arange(0, WIDTH)
    where = x + rows[:, None].to(tl.int64) * step + at[None, :]
    if FIRST + WIDTH > D:
        inside = (at < D)[None, :]
        found = tl.load(where, mask=known[:, None] & inside, other=0.0)
    elif MASK:
        found = tl.load(where, mask=known[:, None], other=0.0)
    else:
        found = tl.load(where)
    return found.to(tl.float32) if WIDEN else found


@triton.jit
def sweep(
    total, more, most, norm, query, second, k, v, step_k, step_v, first, count, left, gap, queries, length_k, scale,
    BN: tl.constexpr, D: tl.constexpr, WIDTH: tl.constexpr, REST: tl.constexpr, MASK: tl.constexpr, CAUSAL: tl.constexpr,
    WINDOW: tl.constexpr, WIDEN: tl.constexpr,
):  # fmt: skip
    """Fold `count` blocks of keys, the first `left` from `first` on, the others `gap` keys farther, into the running sums."""
    inner = tl.arange(0, BN)
    for number in tl.range(0, count):
        columns = first + number * BN + tl.where(number >= left, gap, 0) + inner
        known = columns < length_k
        block = part(k, columns, step_k, known, 0, WIDTH, D, MASK, WIDEN)
        scores = tl.dot(query, block.T, input_precision="ieee")
        if REST > 0:
            block = part(k, columns, step_k, known, WIDTH, REST, D, MASK, WIDEN)
            scores = tl.dot(second, block.T, scores, input_precision="ieee")
        scores = scores * scale
        if MASK:
            seen = known[None, :]
            if CAUSAL:
                seen = seen & (columns[None, :] <= queries[:, None])
            if WINDOW > 0:
                seen = seen & (columns[None, :] > queries[:, None] - WINDOW)
                if not CAUSAL:
                    seen = seen & (columns[None, :] < queries[:, None] + WINDOW)
            scores = tl.where(seen, scores, float("-inf"))
        fresh = tl.maximum(most, tl.max(scores, 1))
        base = tl.where(fresh == float("-inf"), 0.0, fresh) if MASK else fresh
        weights = tl.math.exp2(scores - base[:, None])
        shrink = tl.math.exp2(most - base)
        norm = norm * shrink + tl.sum(weights, 1)
        block = part(v, columns, step_v, known, 0, WIDTH, D, MASK, WIDEN)
        narrow = weights.to(block.dtype)
        total = tl.dot(narrow, block, total * shrink[:, None], input_precision="ieee")
        if REST > 0:
            block = part(v, columns, step_v, known, WIDTH, REST, D, MASK, WIDEN)
            more = tl.dot(narrow, block, more * shrink[:, None], input_precision="ieee")
        most = fresh
    return total, more, most, norm


@triton.jit
def written(o, rows, known, found, FIRST: tl.constexpr, WIDTH: tl.constexpr, D: tl.constexpr):
    """Store WIDTH elements, from FIRST on, of rows that begin at `rows`."""
    at = FIRST + tl.arange(0, WIDTH)
    tl.store(o + rows[:, None] + at[None, :], found.to(o.dtype.element_ty), mask=known[:, None] & (at < D)[None, :])


@triton.jit(do_not_specialize=["length_q", "length_k"])
def attend(
    q, k, v, o, logs, scale, heads, group, length_q, length_k, shift,
    batch_q, head_q, step_q, batch_k, head_k, step_k, batch_v, head_v, step_v, batch_o, head_o, step_o,
    BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr, WIDTH: tl.constexpr, REST: tl.constexpr, CAUSAL: tl.constexpr,
    WINDOW: tl.constexpr, PACK: tl.constexpr, SPLIT: tl.constexpr, WIDEN: tl.constexpr, UNIT: tl.constexpr,
):  # fmt: skip
    """Launch on a grid of row blocks times batch·heads (of keys with PACK), by SPLIT.

    Lengths are no constants of the code, not even 1: for a single key ptxas 12.8 makes code of the folded loop that computes a matrix
    descriptor from a register without a value (see `hotloop.isa.nvidia.unwritten`). Without pieces ``o`` is the output and ``logs``, if any, has a logarithm for each row; with pieces ``o`` is float32
    [batch·heads, SPLIT, length_q, D] and ``logs`` the same without D.
    """
    batch_q, head_q, step_q = batch_q * UNIT, head_q * UNIT, step_q * UNIT
    batch_k, head_k, step_k = batch_k * UNIT, head_k * UNIT, step_k * UNIT
    batch_v, head_v, step_v = batch_v * UNIT, head_v * UNIT, step_v * UNIT
    batch_o, head_o, step_o = batch_o * UNIT, head_o * UNIT, step_o * UNIT
    count = length_q * group if PACK else length_q
    blocks = tl.cdiv(count, BM)
    number, place, piece = tl.program_id(0) % blocks, tl.program_id(0) // blocks, tl.program_id(1)
    rows = number * BM + tl.arange(0, BM)
    known = rows < count
    if PACK:
        batch, source = place // (heads // group), place % (heads // group)
        head, queries = source * group + rows // length_q, rows % length_q
        low, high = 0, length_q - 1
    else:
        batch, source = place // heads, place % heads // group
        head, queries = place % heads + rows * 0, rows
        low, high = number * BM, tl.minimum(number * BM + BM, length_q) - 1
    k += batch.to(tl.int64) * batch_k + source.to(tl.int64) * head_k
    v += batch.to(tl.int64) * batch_v + source.to(tl.int64) * head_v
    own = q + batch.to(tl.int64) * batch_q
    whose = head.to(tl.int64) * head_q + queries.to(tl.int64) * step_q
    query = part(own, whose, 1, known, 0, WIDTH, D, True, WIDEN)
    second = query
    more = tl.zeros((BM, 16), tl.float32)
    if REST > 0:
        second = part(own, whose, 1, known, WIDTH, REST, D, True, WIDEN)
        more = tl.zeros((BM, REST), tl.float32)
    # Keys that some row sees, from the first whole block on, and keys that all rows see.
    begin, end, clear, full = 0, length_k, 0, length_k
    if CAUSAL:
        end, full = (
            tl.minimum(length_k, tl.maximum(high + shift + 1, 0)),
            tl.minimum(length_k, tl.maximum(low + shift + 1, 0)),
        )
    if WINDOW > 0:
        begin = tl.maximum(low + shift - WINDOW + 1, 0) // BN * BN
        clear = (tl.maximum(high + shift - WINDOW + 1, 0) + BN - 1) // BN * BN
        if not CAUSAL:
            end = tl.minimum(length_k, tl.maximum(high + shift + WINDOW, 0))
            full = tl.minimum(length_k, tl.maximum(low + shift + WINDOW, 0))
    full = full // BN * BN
    if SPLIT > 1:
        each = tl.cdiv(tl.cdiv(tl.maximum(end - begin, 0), BN), SPLIT) * BN
        begin += piece * each
        end = tl.minimum(end, begin + each)
    clear = tl.minimum(tl.maximum(clear, begin), tl.maximum(end, begin))
    full = tl.maximum(tl.minimum(full, end), clear)
    left, right = tl.cdiv(clear - begin, BN), tl.cdiv(tl.maximum(end - full, 0), BN)
    total = tl.zeros((BM, WIDTH), tl.float32)
    most = tl.full((BM,), float("-inf"), tl.float32)
    norm = tl.zeros((BM,), tl.float32)
    scale = scale * LOG2E
    moved = queries + shift
    total, more, most, norm = sweep(
        total, more, most, norm, query, second, k, v, step_k, step_v, clear, (full - clear) // BN, 0, 0, moved, length_k, scale,
        BN, D, WIDTH, REST, False, CAUSAL, WINDOW, WIDEN,
    )  # fmt: skip
    total, more, most, norm = sweep(
        total, more, most, norm, query, second, k, v, step_k, step_v, begin, left + right, left, full - begin - left * BN, moved,
        length_k, scale, BN, D, WIDTH, REST, True, CAUSAL, WINDOW, WIDEN,
    )  # fmt: skip
    share = 1.0 / tl.where(norm == 0.0, 1.0, norm)[:, None]
    log = tl.where(norm == 0.0, float("-inf"), (most + tl.math.log2(norm)) / LOG2E)
    row = (batch.to(tl.int64) * heads + head) * length_q + queries
    if SPLIT > 1:
        row = ((batch.to(tl.int64) * heads + head) * SPLIT + piece) * length_q + queries
        at = row * D
    else:
        at = batch.to(tl.int64) * batch_o + head.to(tl.int64) * head_o + queries.to(tl.int64) * step_o
    written(o, at, known, total * share, 0, WIDTH, D)
    if REST > 0:
        written(o, at, known, more * share, WIDTH, REST, D)
    if logs is not None:
        tl.store(logs + row, log, mask=known)


@triton.jit
def merged(
    parts, logs, o, sums, heads, length_q, batch_o, head_o, step_o,
    SPLIT: tl.constexpr, PIECES: tl.constexpr, D: tl.constexpr, WHOLE: tl.constexpr,
):  # fmt: skip
    """Add up the outputs of SPLIT pieces of the keys by their shares; one program for a row of a head.

    PIECES and WHOLE are SPLIT and D as powers of two; the logarithms of whole rows go to ``sums``, if any.
    """
    place, row = tl.program_id(0) // length_q, tl.program_id(0) % length_q
    number, inner = tl.arange(0, PIECES), tl.arange(0, WHOLE)
    at = (place.to(tl.int64) * SPLIT + number) * length_q + row
    log = tl.load(logs + at, mask=number < SPLIT, other=float("-inf"))
    most = tl.max(log, 0)
    most = tl.where(most == float("-inf"), 0.0, most)
    share = tl.math.exp2((log - most) * LOG2E)
    norm = tl.sum(share, 0)
    inside = (number < SPLIT)[:, None] & (inner < D)[None, :]
    found = tl.load(parts + at[:, None] * D + inner[None, :], mask=inside, other=0.0)
    total = tl.sum(found * share[:, None], 0) / tl.where(norm == 0.0, 1.0, norm)
    where = (place // heads).to(tl.int64) * batch_o + (place % heads).to(tl.int64) * head_o + row.to(tl.int64) * step_o
    tl.store(o + where + inner, total.to(o.dtype.element_ty), mask=inner < D)
    if sums is not None:
        tl.store(sums + place.to(tl.int64) * length_q + row, most + tl.math.log2(norm) / LOG2E)
