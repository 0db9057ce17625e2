"""What the kernels in Triton share: how a launch follows the one before, activations, the order of tiles, slices of k.

With CHAIN a launch with ``launch_pdl`` begins while the kernel before it ends, and waits before it reads or writes anything. At 1
it lets the next one begin wherever there is room, at 2 not before its own programs end: early ones can lie badly. At 3 the next
one may begin once the products are done.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, untyped-decorator, misc, no-any-return, attr-defined, possibly-undefined"
from __future__ import annotations

import triton
import triton.language as tl


@triton.jit
def follow(CHAIN: tl.constexpr):
    """Wait until the kernel before has written everything; at 1 let the next one begin."""
    tl.extra.cuda.gdc_wait()
    if CHAIN == 1:
        tl.extra.cuda.gdc_launch_dependents()


@triton.jit
def activate(x, ACT: tl.constexpr):
    """Apply the fused activation in float32: 0 none, 1 ReLU, 2 GELU by erf, 3 SiLU."""
    if ACT == 1:
        x = tl.maximum(x, 0.0, propagate_nan=tl.PropagateNan.ALL)
    elif ACT == 2:
        # relu(x) - |x| Phi(-|x|), where log2 of Phi(-a) is this polynomial: nine instructions for each element of a compiled
        # tile, one of them exp2. Phi(-a), so every small result, is right to 2.5e-4 of itself up to a = 5.5, an eighth of a
        # half bfloat16 ulp; beyond, the result is below 1e-7. The limit at 8 keeps infinity times zero away.
        a = tl.minimum(tl.abs(x), 8.0)
        tail = ((((-2.33251296e-4 * a + 4.86977304e-3) * a - 4.45990059e-2) * a - 4.69681110e-1) * a - 1.14626078) * a
        x = tl.maximum(x, 0.0, propagate_nan=tl.PropagateNan.ALL) - a * tl.exp2(tail - 1.0003591)
    elif ACT == 3:
        x = x / (1.0 + tl.exp(-x))
    return x


@triton.jit
def place(tile, tiles_m, tiles_n, GROUP: tl.constexpr):
    """Return the row and column of a tile when tiles run down columns of GROUP rows."""
    band = GROUP * tiles_n
    first = (tile // band) * GROUP
    rows = min(tiles_m - first, GROUP)
    return first + (tile % band) % rows, (tile % band) // rows


@triton.jit
def add_slices(work, c, bias, m, n, SPLITS: tl.constexpr, BLOCK: tl.constexpr, BIAS: tl.constexpr, ACT: tl.constexpr):
    """Add SPLITS float32 matrices of [m, n] in order into C, BLOCK elements in each program."""
    where = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    inside = where < m * n
    total = tl.zeros((BLOCK,), dtype=tl.float32)
    for other in tl.static_range(SPLITS):
        total += tl.load(work + tl.cast(other, tl.int64) * m * n + where, mask=inside, other=0.0)
    if BIAS:
        total += tl.load(bias + where % n, mask=inside, other=0.0).to(tl.float32)
    tl.store(c + where, activate(total, ACT).to(c.dtype.element_ty), mask=inside)
