"""Parameters of the kernels that split k and which combinations are valid; their constants have the same names."""

from __future__ import annotations

from hotloop.kernels._jit import SHARED_BYTES
from hotloop.kernels.gemm.persistent.space import MOST_SUMS, operand_bytes, sums_fit
from hotloop.model.space import Config, Constraint, Parameter, Space


def _parameters(splits: tuple[int, ...]) -> tuple[Parameter, ...]:
    return (
        # Matrix instructions of a warp group take 64 rows: below that Triton falls back to those of a warp.
        Parameter("BM", (16, 32, 64, 128, 256), "larger-matrix-instruction", "rows of C in a tile"),
        Parameter("BN", (16, 32, 64, 128, 256), "larger-tile", "columns of C in a tile"),
        Parameter("BK", (32, 64, 128, 256), "unroll", "steps of k that are copied and multiplied at a time"),
        Parameter("GROUP", (1, 2, 4, 8, 16), "rasterize", "rows of tiles down which programs run before the next column"),
        Parameter("SPLITS", splits, "split-k", "slices of k, one program each per tile"),
        Parameter(
            "CHAIN", (0, 1, 2, 3), "",
            "launch while the kernel before ends: 0 not, 1 lets the next one begin at once, 2 at its end, 3 after the products",
        ),
        Parameter("num_warps", (4, 8), "workgroup-size", "warps of a program"),
        Parameter("num_stages", (1, 2, 3, 4, 5, 6, 7, 8), "prefetch", "blocks of the operands in shared memory"),
    )  # fmt: skip


START = Config(BM=64, BN=64, BK=32, GROUP=1, SPLITS=1, CHAIN=0, num_warps=4, num_stages=1)
"""A small tile of the whole of k, copied and multiplied in turn."""
MEET_START = START.replace(SPLITS=2)
"""The start of `meet`: two programs each add up half of k."""

_FITS = (
    Constraint(f"at most {MOST_SUMS} sums of a thread", sums_fit, ("BM", "BN", "num_warps")),
    Constraint(
        f"staged operands fit into {SHARED_BYTES} B of shared memory",
        lambda config: operand_bytes(config) <= SHARED_BYTES,
        ("BM", "BN", "BK", "num_stages"),
    ),
)
SPACE = Space(_parameters((1, 2, 3, 4, 6, 8, 12, 16)), _FITS)
MEET_SPACE = Space(
    _parameters((2, 4, 8, 16)),
    (
        *_FITS,
        Constraint(
            "each of SPLITS programs finishes rows of its own: SPLITS is at most BM",
            lambda config: config.integer("SPLITS") <= config.integer("BM"),
            ("BM", "SPLITS"),
        ),
    ),
)


def simplicity(config: Config) -> float:
    """Return how many features a configuration uses beyond a plain tile."""
    larger = sum(config.integer(name) > 1 for name in ("GROUP", "SPLITS", "num_stages"))
    return float(larger + (config.integer("CHAIN") > 0))
