# ruff: noqa: ANN001, ANN201, D103, N803, PIE808 - Triton has a style of its own
"""Rows gathered by expert times that expert's matrix, scattered back to their places."""

import triton
import triton.language as tl


@triton.jit
def routed(x, w, rows, expert, y, tokens, width, depth, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    block = tl.program_id(0)
    slot = block * BM + tl.arange(0, BM)
    row = tl.load(rows + slot)
    real = row < tokens
    which = tl.load(expert + block)
    col = tl.program_id(1) * BN + tl.arange(0, BN)
    total = tl.zeros((BM, BN), tl.float32)
    for k in range(0, tl.cdiv(depth, BK)):
        at = k * BK + tl.arange(0, BK)
        a = tl.load(x + row[:, None] * depth + at[None, :], mask=real[:, None] & (at[None, :] < depth), other=0.0)
        b = tl.load(
            w + which * depth * width + at[:, None] * width + col[None, :],
            mask=(at[:, None] < depth) & (col[None, :] < width),
            other=0.0,
        )
        total += tl.dot(a, b, input_precision="ieee")
    tl.store(y + row[:, None] * width + col[None, :], total, mask=real[:, None] & (col[None, :] < width))
