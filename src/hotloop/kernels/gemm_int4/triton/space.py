"""Parameters of the Triton kernel for 4-bit weights and which combinations are valid."""

from __future__ import annotations

from hotloop.kernels._jit import SHARED_BYTES
from hotloop.kernels.gemm_int4.storage import BLOCK_BYTES, COLUMNS, GROUP
from hotloop.model.space import Config, Constraint, Parameter, Space

WARPS = 4
"""Warps of a program: one warp group, whose registers the stored order of weights fits."""
_MOST_SUMS = 64
"""Sums of a thread, twice: those of a group of k beside those of all k; weights and activations need the rest of 255 registers."""
_ACTIVATION_BYTES = 2

PARAMETERS = (
    Parameter("BM", (16, 32, 64), "larger-tile", "rows of A of a program"),
    Parameter(
        "BN",
        (64, 128, 256),
        "larger-matrix-instruction",
        "columns of W of a program; problems that they do not divide take 64",
    ),
    Parameter("SPLITS", (1, 2, 4, 8, 16), "split-k", "slices of k; the program that arrives last adds them in order"),
    Parameter("PACKED", (0, 1), "packed-math", "four weights are widened by six instructions on pairs, not one by one"),
    Parameter("num_stages", (1, 2, 3, 4, 5, 6), "prefetch", "blocks of W in flight"),
)


def _sums_fit(config: Config) -> bool:
    return config.integer("BM") * config.integer("BN") <= _MOST_SUMS * 32 * WARPS


def shared_bytes(config: Config) -> int:
    """Return the shared memory of the stored weights and activations of all blocks of k in flight."""
    bm, bn = config.integers("BM", "BN")
    return config.integer("num_stages") * (bn // COLUMNS * BLOCK_BYTES + bm * GROUP * _ACTIVATION_BYTES)


def _blocks_fit(config: Config) -> bool:
    return shared_bytes(config) <= SHARED_BYTES


SPACE = Space(
    PARAMETERS,
    (
        Constraint(f"at most {_MOST_SUMS} sums of a thread", _sums_fit, ("BM", "BN")),
        Constraint("blocks in flight fit into shared memory", _blocks_fit, ("BM", "BN", "num_stages")),
    ),
)
START = Config(BM=16, BN=64, SPLITS=1, PACKED=0, num_stages=1)


def simplicity(config: Config) -> float:
    """Return how many features a configuration uses beyond a plain tile."""
    return float(config.integer("PACKED") + sum(config.integer(name) > 1 for name in ("SPLITS", "num_stages")))
