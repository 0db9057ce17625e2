"""Parameters of the clustered kernel and which combinations are valid; its macros have the same names, but for BM, which is ROWS there."""

from __future__ import annotations

from hotloop.kernels._jit import SHARED_BYTES
from hotloop.kernels.gemm.shared.tiles import ELEMENT
from hotloop.model.space import Config, Constraint, Parameter, Space

STEP = 64
"""Elements of k that are copied and multiplied at a time: 128 bytes, the widest swizzle of the copy engine."""
INSTRUCTION_ROWS = 64
"""Rows that a matrix instruction of 4 warps has: columns of B here."""
MOST_CLUSTER = 8
"""Blocks of a cluster that every device takes: CUDA C++ Programming Guide, thread block clusters."""
_REST_BYTES = 1024 + 512
"""Bytes beside the ring: up to 1023 until it is aligned, and barriers of 8 bytes."""
_MOST_SUMS = {1: 192, 2: 192, 3: 96}
"""Sums that fit into a thread's registers, by the number of groups."""

_DEPTHS = (2, 3, 4, 5, 6, 8, 10, 12, 16)
PARAMETERS = (
    Parameter(
        "BM", (8, 16, 32, 48, 64, 80, 96, 112, 128, 144, 160, 176, 192, 208, 224, 240, 256), "larger-tile",
        "rows of C that a block multiplies at a time, the instruction's columns: about as many as there are",
    ),
    Parameter("GROUPS", (1, 2, 3), "workgroup-size", "groups of 4 warps that multiply, each with columns of B of its own"),
    Parameter("BLOCKS", (1, 2), "larger-matrix-instruction", "instructions of 64 columns of B that a group has side by side"),
    Parameter("SPLITS", (1, 2, 3, 4, 5, 6, 7, 8), "split-k", "blocks of a cluster that share the steps of k of a tile"),
    Parameter("SHARES", (1, 2, 4), "cluster-multicast", "blocks of a cluster that read rows of A for one another"),
    Parameter("STAGES", _DEPTHS, "prefetch", "blocks in the ring that the loading warp fills"),
    Parameter(
        "CHAIN", (0, 1, 3), "prefetch",
        "launch while the kernel before ends: 0 not, 1 lets the next one begin at once, 3 after the last load",
    ),
)  # fmt: skip
START = Config(BM=64, GROUPS=1, BLOCKS=1, SPLITS=1, SHARES=1, STAGES=2, CHAIN=0)
"""One group, one block ahead, no clusters."""


def columns(config: Config) -> int:
    """Return the columns of C of a tile."""
    groups, blocks = config.integers("GROUPS", "BLOCKS")
    return INSTRUCTION_ROWS * groups * blocks


def ring_bytes(config: Config) -> int:
    """Return the dynamic shared memory of a block: the ring, and what aligns it."""
    return _stage_bytes(config) * config.integer("STAGES") + 1024


def _stage_bytes(config: Config) -> int:
    return ELEMENT * STEP * (config.integer("BM") + columns(config))


def shared_bytes(config: Config) -> int:
    """Return all shared memory of a block."""
    return _stage_bytes(config) * config.integer("STAGES") + _REST_BYTES


def sums(config: Config) -> int:
    """Return how many sums a thread holds."""
    bm, blocks = config.integers("BM", "BLOCKS")
    return bm * blocks // 2


def deepest(config: Config) -> Config:
    """Return the same with as many stages as fit."""
    return next(
        made for depth in reversed(_DEPTHS) if shared_bytes(made := config.replace(STAGES=depth)) <= SHARED_BYTES
    )


def simplicity(config: Config) -> float:
    """Return how many features a configuration uses beyond a plain ring."""
    return float(sum(config.integer(name) > least for name, least in (("CHAIN", 0), ("SPLITS", 1), ("SHARES", 1))))


def _shown(config: Config) -> bool:
    """Tell whether the sums of a tile, which blocks show one another, fit into the ring."""
    return config.integer("SPLITS") == 1 or 4 * config.integer("BM") * columns(config) <= ring_bytes(config) - 1024


SPACE = Space(
    PARAMETERS,
    (
        Constraint(
            "sums fit into a thread's registers",
            lambda config: sums(config) <= _MOST_SUMS[config.integer("GROUPS")],
            ("BM", "GROUPS", "BLOCKS"),
        ),
        Constraint(
            f"at most {MOST_CLUSTER} blocks of a cluster",
            lambda config: config.integer("SPLITS") * config.integer("SHARES") <= MOST_CLUSTER,
            ("SPLITS", "SHARES"),
        ),
        Constraint(
            "each share of the rows is whole swizzled blocks of 8",
            lambda config: config.integer("BM") % (8 * config.integer("SHARES")) == 0,
            ("BM", "SHARES"),
        ),
        Constraint(
            f"ring and barriers fit into {SHARED_BYTES} B of shared memory",
            lambda config: shared_bytes(config) <= SHARED_BYTES,
            ("BM", "GROUPS", "BLOCKS", "STAGES"),
        ),
        Constraint(
            "the sums that blocks show one another fit into the ring",
            _shown,
            ("BM", "GROUPS", "BLOCKS", "SPLITS", "STAGES"),
        ),
    ),
)
