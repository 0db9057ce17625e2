"""Parameters of the Gluon kernel for 8-bit floats and which combinations are valid."""

from __future__ import annotations

from hotloop.kernels._jit import GROUP_THREADS, SHARED_BYTES
from hotloop.model.space import Config, Constraint, Parameter, Space

STRIP = 64
"""Columns of 16 bits in the widest row that the copy engine swizzles: a tile of C is stored strip by strip."""
_MOST_SUMS = 128
"""Sums of a thread of one warp group, beside which operands' addresses and the epilogue have room in 232 registers."""

PARAMETERS = (
    Parameter("BM", (128, 256), "larger-tile", "rows of A of a tile: half of them to each warp group"),
    Parameter("BN", (64, 128, 256), "larger-matrix-instruction", "columns of C of a tile, and of one instruction"),
    Parameter("BK", (64, 128), "unroll", "columns of k of one step"),
    Parameter("STAGES", (2, 3, 4, 5, 6, 7, 8), "prefetch", "steps of k in the ring"),
    Parameter(
        "BLOCKS", (1, 2), "interleave", "steps that the instruction adds up before float32 does, unless it may add all"
    ),
    Parameter("BUFFERS", (1, 2), "double-buffer", "strips of C of a warp group that are stored at a time"),
    Parameter("GROUP", (1, 4, 8, 16), "rasterize", "tiles of a column before the next begins"),
    Parameter("PERSISTENT", (0, 1), "persistent", "one program for each multiprocessor, which takes tile after tile"),
    Parameter("CHAIN", (0, 1), doc="begin while the kernel before ends, and wait before the first read"),
)


def _sums_fit(config: Config) -> bool:
    return config.integer("BM") // 2 * config.integer("BN") <= _MOST_SUMS * GROUP_THREADS


def shared_bytes(config: Config) -> int:
    """Return the shared memory of the ring and of the strips of C of both groups; barriers add less than 256 bytes."""
    bm, bn, bk, stages, buffers = config.integers("BM", "BN", "BK", "STAGES", "BUFFERS")
    return stages * bk * (bm + bn) + 2 * buffers * (bm // 2) * 2 * STRIP


def _tiles_fit(config: Config) -> bool:
    return shared_bytes(config) + 256 <= SHARED_BYTES


SPACE = Space(
    PARAMETERS,
    (
        Constraint(f"at most {_MOST_SUMS} sums of a thread", _sums_fit, ("BM", "BN")),
        Constraint(
            "the ring and the strips of C fit into shared memory",
            _tiles_fit,
            ("BM", "BN", "BK", "STAGES", "BUFFERS"),
        ),
    ),
)
START = Config(BM=128, BN=64, BK=64, STAGES=2, BLOCKS=1, BUFFERS=1, GROUP=1, PERSISTENT=0, CHAIN=0)


def simplicity(config: Config) -> float:
    """Return how many features a configuration uses beyond a plain ring."""
    switched = sum(config.integers("PERSISTENT", "CHAIN"))
    return float(switched + sum(config.integer(name) > 1 for name in ("BLOCKS", "BUFFERS", "GROUP")))
