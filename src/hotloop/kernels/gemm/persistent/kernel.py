"""Matrix multiplication in Triton with one resident program per multiprocessor, on tensor-memory-access descriptors.

C[m, n] = act(A[m, k] · B[k, n] + bias) for bf16 and fp16 operands with sums in float32. Each program is kept busy with tiles in
grouped order, so that a wave of programs shares rows of A and columns of B in the second-level cache. CHAIN as in
`hotloop.kernels.gemm.shared.jit`.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, untyped-decorator, misc, no-any-return, attr-defined, possibly-undefined"
from __future__ import annotations

import triton
import triton.language as tl

from hotloop.kernels.gemm.shared.jit import activate, follow, place


@triton.jit
def persistent(
    a, b, c, bias, m, n, k,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr, PROGRAMS: tl.constexpr,
    BIAS: tl.constexpr, ACT: tl.constexpr, HALVES: tl.constexpr, FLATTEN: tl.constexpr, SPECIALIZE: tl.constexpr,
    CHAIN: tl.constexpr, TRANSA: tl.constexpr = 0, TRANSB: tl.constexpr = 0,
):  # fmt: skip
    """Multiply with one resident program per multiprocessor; a, b and c are tensor descriptors.

    TRANSA, TRANSB: what lies in memory, row by row, is the transpose of A, of B.
    """
    tiles_m, tiles_n = tl.cdiv(m, BM), tl.cdiv(n, BN)
    steps = tl.cdiv(k, BK)
    if CHAIN:
        follow(CHAIN)
    for tile in tl.range(tl.program_id(0), tiles_m * tiles_n, PROGRAMS, flatten=FLATTEN, warp_specialize=SPECIALIZE):
        row, column = place(tile, tiles_m, tiles_n, GROUP)
        columns = column * BN + tl.arange(0, BN)
        if BIAS and BN <= 128:  # before the products, which hide its latency; beside wider tiles there is no room
            added = tl.load(bias + columns, mask=columns < n, other=0.0)
        total = tl.zeros((BM, BN), dtype=tl.float32)
        for step in range(steps):
            left = a.load([step * BK, row * BM]).T if TRANSA else a.load([row * BM, step * BK])
            right = b.load([column * BN, step * BK]).T if TRANSB else b.load([step * BK, column * BN])
            total = tl.dot(left, right, total)
        if BIAS:
            if BN > 128:
                added = tl.load(bias + columns, mask=columns < n, other=0.0)
            total += added.to(tl.float32)[None, :]
        if CHAIN == 3:  # noqa: SIM102 - of these two only this one is a constant
            if tile + PROGRAMS >= tiles_m * tiles_n:
                tl.extra.cuda.gdc_launch_dependents()
        total = activate(total, ACT)
        if HALVES:  # two stores of half the width need half the shared memory, which buys a pipeline stage
            parts = tl.permute(tl.reshape(total, (BM, 2, BN // 2)), (0, 2, 1))
            one, two = tl.split(parts)
            c.store([row * BM, column * BN], one.to(c.dtype))
            c.store([row * BM, column * BN + BN // 2], two.to(c.dtype))
        else:
            c.store([row * BM, column * BN], total.to(c.dtype))
