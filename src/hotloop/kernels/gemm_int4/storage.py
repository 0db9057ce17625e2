"""Weights of 4 bits for 16-bit activations: the order in which they are stored.

C[m, n] = act(A[m, k] · W[k, n] + bias) with W = (q - 8) · scale, q of 0 to 15, one scale for each column and GROUP rows of k.
The stored order is the one in which lanes consume weights (see `pack`), so a program reads whole lines and no weight changes
its lane. Needs NumPy at most for tests; nothing here touches a device.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

GROUP = 128
"""Rows of k with one scale; also the depth of a stored block."""
COLUMNS = 64
"""Columns of a stored block: the rows of a warp group's matrix instruction, which weights are, since it computes Cᵀ."""
BLOCK_BYTES = GROUP * COLUMNS // 2
ZERO = 8
MOST = 7
"""Largest magnitude that scales are made for: -8 has no counterpart."""
BITS = (2, 2, 2, 2, 4, 2)
"""k within a group: which nibble, three bits of the lane's registers, the lane of a group of four, one bit of a pair."""
LANES = (4, 2, 8)
"""n within a block: warp, upper or lower eight rows, lane group."""
ORDER = (1, 0, 7, 2, 8, 10, 5, 3, 4, 9, 6)
"""Permutation from [groups of k, *BITS, blocks of n, *LANES] to [nibble, group, block, then byte address from slowest to fastest]."""


def pack(q: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the stored bytes [k / GROUP, n / COLUMNS, BLOCK_BYTES] of q [k, n].

    A byte holds rows i and i + 64 of its group. Sixteen bytes in a row are one lane's left operands of two ``wgmma`` (m64k16:
    rows g and g + 8, columns 2t, 2t + 1, 2t + 8, 2t + 9 of lane 4g + t: PTX ISA, register fragments of wgmma).

    Raises:
        ValueError: k or n is no multiple of a block.
    """
    k, n = q.shape
    import numpy as np

    if k % GROUP or n % COLUMNS:
        raise ValueError(f"k={k} must be a multiple of {GROUP} and n={n} of {COLUMNS}")
    parts = q.reshape(k // GROUP, *BITS, n // COLUMNS, *LANES).transpose(ORDER)
    low, high = parts.reshape(2, k // GROUP, n // COLUMNS, BLOCK_BYTES)
    return np.bitwise_or(low, np.left_shift(high, 4)).astype(np.uint8)


def unpack(stored: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return q [k, n] of stored bytes; the inverse of `pack`."""
    import numpy as np

    groups, blocks, _ = stored.shape
    both = np.stack([stored & 15, stored >> 4])
    sizes = (groups, *BITS, blocks, *LANES)
    parts = both.reshape([sizes[axis] for axis in ORDER]).transpose(np.argsort(ORDER))
    return parts.reshape(groups * GROUP, blocks * COLUMNS)


def dequantized(q: NDArray[np.uint8], scales: NDArray[np.floating[Any]]) -> NDArray[np.float64]:
    """Return W [k, n] in float64."""
    import numpy as np

    return (q.astype(np.float64) - ZERO) * np.repeat(scales.astype(np.float64), GROUP, axis=0)
