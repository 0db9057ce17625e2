"""Parameters of the Triton kernel for every head size."""

from __future__ import annotations

from hotloop.kernels.attention.triton.space import SCORES_FIT
from hotloop.model.space import Config, Parameter, Space

PARAMETERS = (
    Parameter("rows", (16, 32, 64, 128), "larger-tile", "query rows of a program"),
    Parameter("keys", (16, 32, 64, 128), "larger-tile", "keys of a block"),
    Parameter("warps", (1, 2, 4, 8), "workgroup-size", "warps of a program"),
    Parameter("stages", (1, 2, 3, 4), "prefetch", "key blocks in flight"),
    Parameter("pack", (0, 1), "coalesce", "1: heads that share keys share a tile"),
    Parameter("split", (1, 2, 4, 8, 16, 32, 64), "split-k", "pieces of the keys, merged by a second launch"),
)
START = Config(rows=64, keys=32, warps=4, stages=1, pack=0, split=1)
STEP, LEAST, MOST = 8, 8, 256
"""Head sizes are multiples of the first, from the second to the third."""
NARROWEST = 16
"""Depth of a matrix instruction of 16-bit operands."""
SPACE = Space(PARAMETERS, (SCORES_FIT,))


def widths(size: int) -> tuple[int, int]:
    """Return a head as two powers of two, of which the second may be 0, with as few elements too many as possible.

    >>> widths(64), widths(80), widths(96), widths(112), widths(8)
    ((64, 0), (64, 16), (64, 32), (128, 0), (16, 0))
    """
    below = 1 << (size.bit_length() - 1)
    rest = size - below
    whole = max(NARROWEST, below if not rest else 2 * below)
    second = max(NARROWEST, 1 << (rest - 1).bit_length()) if rest else 0
    return (below, second) if second and below >= NARROWEST and below + second < whole else (whole, 0)


def shared_bytes(config: Config, size: int) -> int:
    """Return the shared memory of staged blocks of 2-byte elements."""
    return 2 * sum(widths(size)) * (config.integer("rows") + 2 * config.integer("stages") * config.integer("keys"))


def simplicity(config: Config) -> float:
    """Return how many features a configuration uses."""
    return float(config.integer("pack") + (config.integer("split") > 1) + (config.integer("stages") > 1))
