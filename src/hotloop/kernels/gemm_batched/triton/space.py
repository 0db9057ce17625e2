"""Parameters of the kernel for products of a batch."""

from __future__ import annotations

from hotloop.kernels._jit import SHARED_BYTES
from hotloop.kernels.gemm.triton.space import SUMS_FIT
from hotloop.model.space import Config, Constraint, Parameter, Space

PARAMETERS = (
    Parameter("BM", (16, 32, 64, 128, 256), "larger-matrix-instruction"),
    Parameter("BN", (16, 32, 64, 128, 256), "larger-tile"),
    Parameter("BK", (16, 32, 64, 128), "unroll"),
    Parameter("GROUP", (1, 4, 8, 16), "rasterize"),
    Parameter("PATH", ("pointers", "descriptors"), "async-copy"),
    Parameter("PRECISION", ("ieee", "tf32", "tf32x3"), "matrix-instructions", ordinal=False),
    Parameter("num_warps", (1, 2, 4, 8), "workgroup-size"),
    Parameter("num_stages", (1, 2, 3, 4, 5), "prefetch"),
)
START = Config(BM=32, BN=32, BK=32, GROUP=1, PATH="pointers", PRECISION="ieee", num_warps=4, num_stages=1)


def _operands_fit(config: Config) -> bool:
    return shared_bytes(config, 2) <= SHARED_BYTES


SPACE = Space(
    PARAMETERS,
    (
        SUMS_FIT,
        Constraint(
            "staged operands of 16 bits fit into shared memory", _operands_fit, ("BM", "BN", "BK", "num_stages")
        ),
    ),
)


def shared_bytes(config: Config, element: int) -> int:
    """Return the shared memory of staged operands of `element` bytes."""
    width = config.integer("BM") + config.integer("BN")
    return element * width * config.integer("BK") * config.integer("num_stages")


def simplicity(config: Config) -> float:
    """Return how many features a configuration uses beyond a plain tile."""
    switched = (config.PRECISION != "ieee") + (config.PATH != "pointers")
    return float(switched + sum(config.integer(name) > 1 for name in ("GROUP", "num_stages")))
