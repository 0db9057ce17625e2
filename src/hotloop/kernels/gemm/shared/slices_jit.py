"""Slices of k in Triton: each program hands its sums over, and whoever arrives last at a tile adds all of them in order."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, untyped-decorator, misc, no-any-return, attr-defined"
# ruff: noqa: ANN001, ANN201, N803 - Triton: constants are capital, types are the compiler's
from __future__ import annotations

import triton
import triton.language as tl


@triton.jit
def shelf(work, tile, BM: tl.constexpr, BN: tl.constexpr, SPLITS: tl.constexpr):
    """Return where a tile's first slice lies; the others follow at distances of BM · BN float32."""
    return work + tile.to(tl.int64) * (SPLITS * BM * BN) + tl.arange(0, BM)[:, None] * BN + tl.arange(0, BN)[None, :]


@triton.jit
def hand_over(total, space, arrived, tile, slice_, SPLITS: tl.constexpr):
    """Store a slice's sums; tell whether those of all other slices are there."""
    tl.store(space + slice_ * (total.shape[0] * total.shape[1]), total)
    tl.debug_barrier()  # every thread's part is written before one of them announces it
    return tl.atomic_add(arrived + tile, 1, sem="acq_rel") == SPLITS - 1


@triton.jit
def gathered(
    space, arrived, tile, BM: tl.constexpr, BN: tl.constexpr, SPLITS: tl.constexpr, AT_ONCE: tl.constexpr,
):  # fmt: skip
    """Return the sum of all slices and let the next launch count from zero; AT_ONCE has all loads under way together."""
    total = tl.zeros((BM, BN), dtype=tl.float32)
    if AT_ONCE:
        for other in tl.static_range(SPLITS):
            total += tl.load(space + other * (BM * BN))
    else:
        for other in range(SPLITS):
            total += tl.load(space + other * (BM * BN))
    tl.store(arrived + tile, 0)
    return total
