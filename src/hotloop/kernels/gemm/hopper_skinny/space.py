"""Parameters of the stream-K kernel for few rows and which combinations are valid; its constants have the same names."""

from __future__ import annotations

from hotloop.kernels._jit import GROUP_THREADS, SHARED_BYTES
from hotloop.kernels.gemm.shared.tiles import ELEMENT
from hotloop.model.space import Config, Constraint, Parameter, Space

PARAMETERS = (
    Parameter("BM", (8, 16, 32, 64), "larger-tile", "rows of C that a program multiplies, at least all there are"),
    Parameter("BN", (64, 128), "larger-matrix-instruction", "columns of B at a time, the instruction's rows"),
    Parameter("BK", (32, 64, 128, 256), "unroll", "steps of k that are copied and multiplied at a time"),
    Parameter("STAGES", (2, 3, 4, 5, 6, 8, 11, 12, 16), "prefetch", "blocks in the ring that the loading warp fills"),
    Parameter(
        "CHAIN", (0, 1, 2, 3, 4, 5), "prefetch",
        "launch while the kernel before ends: 0 not, 1 lets the next one begin at once, 2 at its end, 3 after the last load; "
        "4 and 5 are 1 and 3 with a first block read before that kernel has ended",
    ),
)  # fmt: skip
START = Config(BM=64, BN=64, BK=32, STAGES=2, CHAIN=0)
"""As many rows as the kernel takes, one small block ahead."""

REGISTERS = 128
"""Most registers of a thread; with them two programs fit on a multiprocessor."""
_MOST_SUMS = 64
"""Most sums that a thread holds: half of its registers."""
_BARRIER_BYTES = 1024
"""Bytes of shared memory set aside for the ring's barriers of 8 B each; they take less."""


def shared_bytes(config: Config) -> int:
    """Return the shared memory of a program: the ring and the barriers."""
    bm, bn, bk, stages = config.integers("BM", "BN", "BK", "STAGES")
    return ELEMENT * (bm + bn) * bk * stages + _BARRIER_BYTES


SPACE = Space(
    PARAMETERS,
    (
        Constraint(
            f"at most {_MOST_SUMS} sums of a thread",
            lambda config: config.integer("BM") * config.integer("BN") <= _MOST_SUMS * GROUP_THREADS,
            ("BM", "BN"),
        ),
        Constraint(
            f"ring and barriers fit into {SHARED_BYTES} B of shared memory",
            lambda config: shared_bytes(config) <= SHARED_BYTES,
            ("BM", "BN", "BK", "STAGES"),
        ),
    ),
)


def simplicity(config: Config) -> float:
    """Return how many features a configuration uses beyond a plain ring."""
    return float(config.integer("CHAIN") > 0)
