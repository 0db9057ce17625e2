# ruff: noqa: ANN001, ANN201, D103, N803, PIE808 - Triton has a style of its own
"""Running sums along rows in blocks with a carry, and the place where each row first passes a limit."""

import triton
import triton.language as tl


@triton.jit
def running(x, y, passed, limit, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    carry = 0.0
    first = columns
    for k in range(0, tl.cdiv(columns, BLOCK)):
        at = k * BLOCK + tl.arange(0, BLOCK)
        inside = at < columns
        v = tl.load(x + row * columns + at, mask=inside, other=0.0)
        s = tl.cumsum(v, 0) + carry
        tl.store(y + row * columns + at, s, mask=inside)
        carry += tl.sum(v)
        first = tl.minimum(first, tl.min(tl.where(inside & (s > limit), at, columns)))
    tl.store(passed + row, first)
