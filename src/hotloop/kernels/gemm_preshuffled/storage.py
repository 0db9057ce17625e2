"""The order in which weights are stored: that in which the lanes of a matrix instruction take them, 16 bytes each.

Lane 16 g + c of a wave has column c of 16, and of every segment (64 bytes of a row of A) the weights that meet bytes 16 g to 16 g + 15
of it: the instruction's k is the same other order of k for both operands. Weights of 4 bits lie in words of eight, in the order in
which two masks take them apart: byte j has weight j in its lower and weight 4 + j in its upper half.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hotloop.kernels.gemm_preshuffled.problem import BLOCK_K, BLOCK_N, MX_BLOCK

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from hotloop.kernels.gemm_preshuffled.problem import Form

    Numbers = NDArray[np.generic[Any]]

GROUPS, LANES = 4, 64
"""Groups of 16 lanes that share columns; lanes of a wave."""
_WORD = 8
"""Weights of 4 bits that a word of 32 bits holds."""
_BIAS = 8


def shape(form: Form, n: int, k: int) -> tuple[int, int, int, int]:
    """Return the shape of the stored weights: blocks of columns, packs along k, lanes, numbers (bytes of two for 4 bits)."""
    items = form.pack // GROUPS
    return n // BLOCK_N, k // form.pack, LANES, items // 2 if form.weight_bits == _WORD // 2 else items


def unshuffle(form: Form, stored: Numbers) -> Numbers:
    """Return W [n, k] of stored weights; those of 4 bits come as integers from -8 to 7."""
    import numpy as np

    blocks, packs = stored.shape[:2]
    if form.weight_bits == _WORD // 2:
        words = stored.astype(np.uint8).reshape(blocks, packs, LANES, -1, 1, 4)
        halves = np.concatenate((words & 15, words >> 4), axis=4).astype(np.int8)
        stored = np.where(halves >= _BIAS, halves - 2 * _BIAS, halves).astype(np.int8)
    sizes = (blocks, packs, GROUPS, BLOCK_N, form.segments, form.segment // GROUPS)
    return stored.reshape(sizes).transpose(0, 3, 1, 4, 2, 5).reshape(blocks * BLOCK_N, packs * form.pack)


def unshuffle_factors(stored: Numbers) -> Numbers:
    """Return powers of two [n, k / 32] of W from those stored as [n / 16, k / 128, 64]: lane 16 g + c has block g of column c."""
    blocks, steps = stored.shape[:2]
    each = BLOCK_K // MX_BLOCK
    return stored.reshape(blocks, steps, each, BLOCK_N).transpose(0, 3, 1, 2).reshape(blocks * BLOCK_N, steps * each)
