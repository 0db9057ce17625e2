"""Parameters of the Triton kernels for 8-bit floats and which combinations are valid."""

from __future__ import annotations

from hotloop.kernels._jit import SHARED_BYTES
from hotloop.kernels.gemm.triton.space import SUMS_FIT
from hotloop.model.space import Config, Constraint, Parameter, Space

PARAMETERS = (
    Parameter("SWAP", (0, 1), "swap-operands", "rows of W are the 64 rows of the matrix instruction, not rows of A"),
    Parameter("BM", (16, 32, 64, 128, 256), "larger-tile", "rows of A of a tile"),
    # Matrix instructions of a warp group take 64 rows: below that Triton falls back to those of a warp.
    Parameter("BN", (32, 64, 128, 256), "larger-matrix-instruction", "columns of C of a tile: rows of W"),
    Parameter("BK", (32, 64, 128, 256), "unroll", "columns of k of one step"),
    Parameter("GROUP", (1, 4, 8, 16), "rasterize", "tiles of a column before the next begins"),
    Parameter("SPLITS", (1, 2, 4, 8), "split-k", "slices of k; the program that arrives last adds them in order"),
    Parameter("PERSISTENT", (0, 1), "persistent", "one program for each multiprocessor, which takes tile after tile"),
    Parameter("CHAIN", (0, 1), doc="begin while the kernel before ends, and wait before the first read"),
    Parameter("num_warps", (4, 8), "workgroup-size"),
    Parameter("num_stages", (1, 2, 3, 4, 5, 6), "prefetch", "steps of k in flight"),
)


def shared_bytes(config: Config) -> int:
    """Return the shared memory of the operands of all steps in flight, and of a tile of C that is stored by descriptor."""
    bm, bn, bk = (config.integer(name) for name in ("BM", "BN", "BK"))
    return bk * (bm + bn) * config.integer("num_stages") + (0 if config.integer("SWAP") else 2 * bm * bn)


def _tiles_fit(config: Config) -> bool:
    return shared_bytes(config) <= SHARED_BYTES


def _sliced(config: Config) -> bool:
    return config.integer("SWAP") == 1 or config.integer("SPLITS") == 1


def _ordered(config: Config) -> bool:
    return config.integer("SWAP") == 0 or (config.integer("GROUP") == 1 and config.integer("PERSISTENT") == 0)


SPACE = Space(
    PARAMETERS,
    (
        SUMS_FIT,
        Constraint(
            "operands in flight and a tile of C fit into shared memory",
            _tiles_fit,
            ("SWAP", "BM", "BN", "BK", "num_stages"),
        ),
        Constraint("slices of k only with swapped operands", _sliced, ("SWAP", "SPLITS")),
        Constraint(
            "swapped operands have a program for each tile, in plain order", _ordered, ("SWAP", "GROUP", "PERSISTENT")
        ),
    ),
)
START = Config(
    SWAP=0, BM=32, BN=32, BK=64, GROUP=1, SPLITS=1, PERSISTENT=0, CHAIN=0, num_warps=4, num_stages=1
)  # fmt: skip


def simplicity(config: Config) -> float:
    """Return how many features a configuration uses beyond a plain tile."""
    switched = sum(config.integers("SWAP", "PERSISTENT", "CHAIN"))
    return float(switched + sum(config.integer(name) > 1 for name in ("GROUP", "SPLITS", "num_stages")))
