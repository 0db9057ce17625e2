# ruff: noqa: ANN001, ANN201, D103, N803 - Triton has a style of its own
"""Sums of an embedding's rows for bags of different lengths, and how often each row was taken."""

import triton
import triton.language as tl


@triton.jit
def bags(table, index, begin, out, taken, width, BLOCK: tl.constexpr):
    bag = tl.program_id(0)
    at = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    inside = at < width
    first = tl.load(begin + bag)
    last = tl.load(begin + bag + 1)
    total = tl.zeros((BLOCK,), tl.float32)
    for i in range(first, last):
        row = tl.load(index + i)
        total += tl.load(table + row * width + at, mask=inside, other=0.0)
        if tl.program_id(1) == 0:
            tl.atomic_add(taken + row, 1)
    tl.store(out + bag * width + at, total, mask=inside)
