# ruff: noqa: ANN001, ANN201, D103, N803 - Triton has a style of its own
"""Layer norm of rows with scale and shift; what the gradient of the scale gets from blocks of rows."""

import triton
import triton.language as tl


@triton.jit
def forward(x, gain, shift, y, mean, rstd, columns, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    inside = at < columns
    v = tl.load(x + row * columns + at, mask=inside, other=0.0).to(tl.float32)
    m = tl.sum(v) / columns
    d = tl.where(inside, v - m, 0.0)
    r = 1 / tl.sqrt(tl.sum(d * d) / columns + eps)
    g = tl.load(gain + at, mask=inside, other=0.0)
    s = tl.load(shift + at, mask=inside, other=0.0)
    tl.store(y + row * columns + at, d * r * g + s, mask=inside)
    tl.store(mean + row, m)
    tl.store(rstd + row, r)


@triton.jit
def scale(dy, x, mean, rstd, part, rows, columns, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    block = tl.program_id(0)
    at = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    inside = at < columns
    total = tl.zeros((BLOCK,), tl.float32)
    for i in range(ROWS):
        row = block * ROWS + i
        if row < rows:
            g = tl.load(dy + row * columns + at, mask=inside, other=0.0)
            v = tl.load(x + row * columns + at, mask=inside, other=0.0)
            total += g * (v - tl.load(mean + row)) * tl.load(rstd + row)
    tl.store(part + block * columns + at, total, mask=inside)
