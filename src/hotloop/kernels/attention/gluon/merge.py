"""The second launch where keys are cut into pieces: outputs of the pieces become one."""

# ruff: noqa: ANN001, ANN201, N803 - a language inside Python
# mypy: disable-error-code="no-untyped-def, no-untyped-call, untyped-decorator, misc, no-any-return, attr-defined"
from __future__ import annotations

import triton
import triton.language as tl


@triton.jit
def combine(parts, logs, o, sums, rows, split, WIDTH: tl.constexpr, D: tl.constexpr, SUMS: tl.constexpr):
    """Add up the outputs of `split` pieces of the keys by their shares; one program for a row of a head.

    ``parts`` is [heads, split, rows, D], ``logs`` [heads, split, rows] in float32, ``o`` [heads, rows, D]; all dense. WIDTH is
    the least power of two not below `split`; with SUMS the logarithms of whole rows go to ``sums``.
    """
    head, row = tl.program_id(0).to(tl.int64), tl.program_id(1)
    number, inner = tl.arange(0, WIDTH), tl.arange(0, D)
    place = (head * split + number) * rows + row
    log = tl.load(logs + place, mask=number < split, other=float("-inf"))
    most = tl.max(log, 0)
    most = tl.where(most == float("-inf"), 0.0, most)
    share = tl.exp(log - most)
    norm = tl.sum(share, 0)
    part = tl.load(parts + place[:, None] * D + inner[None, :], mask=(number < split)[:, None], other=0.0).to(
        tl.float32
    )
    total = tl.sum(part * share[:, None], 0) / tl.where(norm == 0.0, 1.0, norm)
    tl.store(o + (head * rows + row) * D + inner, total.to(o.dtype.element_ty))
    if SUMS:
        tl.store(sums + head * rows + row, most + tl.log(norm))
