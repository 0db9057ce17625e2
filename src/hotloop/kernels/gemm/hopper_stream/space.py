"""Parameters of the stream-K kernel for any number of rows and which combinations are valid; its constants have the same names."""

from __future__ import annotations

from hotloop.kernels._jit import GROUP_THREADS, SHARED_BYTES
from hotloop.kernels.gemm.hopper_skinny.space import shared_bytes
from hotloop.model.space import Config, Constraint, Parameter, Space

PARAMETERS = (
    Parameter("BM", (32, 64, 128, 256), "larger-tile", "rows of C that a program multiplies at a time, the instruction's columns"),
    Parameter("BN", (64, 128, 256), "larger-matrix-instruction", "columns of B at a time, the instruction's rows"),
    Parameter("BK", (32, 64, 128, 256), "unroll", "steps of k that are copied and multiplied at a time"),
    Parameter("GROUPS", (1, 2), "workgroup-size", "groups of 4 warps that share the columns of a tile"),
    Parameter("STAGES", (2, 3, 4, 5, 6, 7, 8, 9, 11, 12), "prefetch", "blocks in the ring that the loading warp fills"),
    Parameter(
        "CHAIN", (0, 1, 2, 3), "prefetch",
        "launch while the kernel before ends: 0 not, 1 lets the next one begin at once, 2 at its end, 3 after the last load",
    ),
)  # fmt: skip
START = Config(BM=64, BN=64, BK=32, GROUPS=1, STAGES=2, CHAIN=0)
"""As few warps and blocks ahead as there can be."""

_MOST_SUMS = 128
"""Most sums that a thread holds beside what else it keeps in registers."""
_FEW_SUMS = 64
_INSTRUCTION_ROWS = 64
"""Rows that a group's matrix instruction has: columns of B here."""


def warps(config: Config) -> int:
    """Return how many warps multiply."""
    return 4 * config.integer("GROUPS")


def sums(config: Config) -> int:
    """Return how many sums a thread holds."""
    return config.integer("BM") * config.integer("BN") // (GROUP_THREADS * config.integer("GROUPS"))


def registers(config: Config) -> int:
    """Return how many registers a thread may have: with few sums as many as leave room for a program of the launch behind."""
    return 128 if sums(config) <= _FEW_SUMS else 168


SPACE = Space(
    PARAMETERS,
    (
        Constraint(
            f"at most {_MOST_SUMS} sums of a thread", lambda config: sums(config) <= _MOST_SUMS, ("BM", "BN", "GROUPS")
        ),
        Constraint(
            "each group has an instruction's columns of B",
            lambda config: config.integer("BN") >= _INSTRUCTION_ROWS * config.integer("GROUPS"),
            ("BN", "GROUPS"),
        ),
        Constraint(
            f"ring and barriers fit into {SHARED_BYTES} B of shared memory",
            lambda config: shared_bytes(config) <= SHARED_BYTES,
            ("BM", "BN", "BK", "STAGES"),
        ),
    ),
)
