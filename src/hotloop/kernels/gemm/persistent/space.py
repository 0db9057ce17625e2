"""Parameters of the persistent kernel and which combinations are valid; its constants have the same names."""

from __future__ import annotations

from hotloop.kernels._jit import SHARED_BYTES
from hotloop.kernels.gemm.shared.tiles import ELEMENT
from hotloop.model.space import Config, Constraint, Parameter, Space

MOST_SUMS = 256
"""Sums of one thread; a thread has 255 registers, but Hopper's matrix instructions may hold two tiles in four warps."""
PARAMETERS = (
    # Matrix instructions of a warp group take 64 rows: below that Triton falls back to those of a warp.
    Parameter("BM", (16, 32, 64, 128, 256), "larger-matrix-instruction", "rows of C in a tile"),
    Parameter("BN", (16, 32, 64, 128, 256), "larger-tile", "columns of C in a tile"),
    Parameter("BK", (32, 64, 128, 256), "unroll", "steps of k that are copied and multiplied at a time"),
    Parameter("GROUP", (1, 2, 4, 8, 16), "rasterize", "rows of tiles down which programs run before the next column"),
    Parameter("RESIDENT", (1, 2, 3, 4), "persistent", "programs on each multiprocessor"),
    Parameter("HALVES", (0, 1), "", "1 stores a tile in two halves, through half as much shared memory"),
    Parameter("FLATTEN", (0, 1), "overlap-vector-work", "1 runs loads ahead over the borders of tiles"),
    Parameter(
        "CHAIN", (0, 1, 2, 3), "",
        "launch while the kernel before ends: 0 not, 1 lets the next one begin at once, 2 at its end, 3 after the products",
    ),
    Parameter("num_warps", (4, 8), "workgroup-size", "warps of a program"),
    Parameter("num_stages", (1, 2, 3, 4, 5, 6, 7, 8), "prefetch", "blocks of the operands in shared memory"),
)  # fmt: skip
START = Config(
    BM=64, BN=64, BK=32, GROUP=1, RESIDENT=1, HALVES=0, FLATTEN=0, CHAIN=0, num_warps=4, num_stages=1
)  # fmt: skip
"""A small tile, copied and multiplied in turn."""


def sums_fit(config: Config) -> bool:
    """Tell whether the sums of a tile fit into the registers of its warps."""
    bm, bn, warps = config.integers("BM", "BN", "num_warps")
    return bm * bn <= MOST_SUMS * 32 * warps


def operand_bytes(config: Config) -> int:
    """Return the shared memory of the blocks of both operands."""
    bm, bn, bk, stages = config.integers("BM", "BN", "BK", "num_stages")
    return ELEMENT * (bm + bn) * bk * stages


def shared_bytes(config: Config) -> int:
    """Return the least shared memory of a program: flattened loops store a tile while the next one's operands come."""
    bm, bn, halves, flatten = config.integers("BM", "BN", "HALVES", "FLATTEN")
    stored = ELEMENT * bm * bn // (1 + halves)
    return operand_bytes(config) + stored if flatten else max(operand_bytes(config), stored)


SPACE = Space(
    PARAMETERS,
    (
        Constraint(f"at most {MOST_SUMS} sums of a thread", sums_fit, ("BM", "BN", "num_warps")),
        Constraint(
            f"operands and the stored tile fit into {SHARED_BYTES} B of shared memory",
            lambda config: shared_bytes(config) <= SHARED_BYTES,
            ("BM", "BN", "BK", "HALVES", "FLATTEN", "num_stages"),
        ),
    ),
)


def simplicity(config: Config) -> float:
    """Return how many features a configuration uses beyond a plain tile."""
    switched = sum(config.integer(name) > 0 for name in ("HALVES", "FLATTEN", "CHAIN"))
    return float(switched + sum(config.integer(name) > 1 for name in ("GROUP", "RESIDENT", "num_stages")))
