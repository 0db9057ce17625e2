"""Parameters of the Triton tile and which combinations are valid."""

from __future__ import annotations

from hotloop.kernels._jit import SHARED_BYTES
from hotloop.model.space import Config, Constraint, Parameter, Space

PARAMETERS = (
    # Matrix instructions of a warp group take 64 rows: below that Triton falls back to those of a warp.
    Parameter("BM", (16, 32, 64, 128, 256), "larger-matrix-instruction"),
    Parameter("BN", (16, 32, 64, 128, 256), "larger-tile"),
    Parameter("BK", (16, 32, 64, 128), "unroll"),
    Parameter("GROUP", (1, 4, 8, 16), "rasterize"),
    Parameter("SPLITS", (1, 2, 4, 8, 16), "split-k"),
    Parameter("PERSISTENT", (0, 1, 2), "persistent"),
    Parameter("PATH", ("pointers", "descriptors"), "async-copy"),
    Parameter("PRECISION", ("ieee", "tf32x3", "tf32"), "matrix-instructions", ordinal=False),
    Parameter("num_warps", (1, 2, 4, 8), "workgroup-size"),
    Parameter("num_stages", (1, 2, 3, 4, 5), "prefetch"),
)

_MOST_SUMS = 256
"""Sums of one thread; a thread has 255 registers, but Hopper's matrix instructions may hold two tiles in four warps."""
SUMS_FIT = Constraint(
    f"at most {_MOST_SUMS} sums of a thread",
    lambda config: config.integer("BM") * config.integer("BN") <= _MOST_SUMS * 32 * config.integer("num_warps"),
    ("BM", "BN", "num_warps"),
)


def _operands_fit(config: Config) -> bool:
    width, depth = config.integer("BM") + config.integer("BN"), config.integer("BK")
    return 2 * width * depth * max(1, config.integer("num_stages")) <= SHARED_BYTES


SPACE = Space(
    PARAMETERS,
    (
        SUMS_FIT,
        Constraint(
            "staged operands of 16 bits fit into shared memory", _operands_fit, ("BM", "BN", "BK", "num_stages")
        ),
    ),
)

START = Config(
    BM=32, BN=32, BK=32, GROUP=1, SPLITS=1, PERSISTENT=0, PATH="pointers", PRECISION="ieee", num_warps=4, num_stages=1
)  # fmt: skip


def simplicity(config: Config) -> float:
    """Return how many features a configuration uses beyond a plain tile."""
    switched = (config.PATH != "pointers") + (config.PRECISION != "ieee") + (config.integer("PERSISTENT") > 0)
    return float(switched + sum(config.integer(name) > 1 for name in ("GROUP", "SPLITS", "num_stages")))
