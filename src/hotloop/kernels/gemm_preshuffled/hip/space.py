"""Parameters of the HIP kernel: the macros of ``preshuffled.cuh``."""

from __future__ import annotations

from hotloop.model.space import Config, Constraint, Parameter, Space

THREADS, WAVES, UNIT_BYTES, SEGMENT_BYTES = 256, 4, 16, 64
PARAMETERS = (
    Parameter("BM", (16, 32, 64, 128, 256), "cache-block", "rows of C of a work-group"),
    Parameter("BN", (64, 128, 256), "cache-block", "columns of C of a work-group, a quarter for each wave"),
    Parameter("BKB", (64, 128, 256, 512), "cache-block", "bytes of a row of A in one step"),
    Parameter(
        "STAGE_B",
        (0, 1),
        "operands-in-registers",
        "1 takes weights through local memory instead of straight to registers",
    ),
    Parameter("BUFFERS", (1, 2), "double-buffer", "places in local memory for a step"),
    Parameter("SWIZZLE", (0, 1), "swizzle", "1 lets units of 16 bytes change places in their row"),
    Parameter("AHEAD", (0, 1), "prefetch", "1 loads the weights of the next step during this one"),
    Parameter("WIDE", (0, 1), "larger-matrix-instruction", "1 takes gfx950's deeper instructions"),
    Parameter("SWAP", (0, 1), "swap-operands", "1 makes W the left operand, so that stores are 8 bytes wide"),
    Parameter(
        "UNPACK",
        (0, 1),
        "static-conversions",
        "how 4-bit weights are unpacked; 0 with sign by multiplication or in float32",
    ),
    Parameter(
        "HINTS", (0, 1, 2), "schedule-hints", "1 spreads loads between matrix instructions, 2 reads a segment ahead"
    ),
)
NAIVE = Config(
    BM=64, BN=128, BKB=128, STAGE_B=1, BUFFERS=1, SWIZZLE=0, AHEAD=0, WIDE=0, SWAP=0, UNPACK=0, HINTS=0
)  # fmt: skip
"""Both operands through one place in local memory, rows unchanged."""


def _moves_whole(config: Config) -> bool:
    bm, step_bytes = config.integers("BM", "BKB")
    return bm * step_bytes % (THREADS * UNIT_BYTES) == 0


def _ahead_in_registers(config: Config) -> bool:
    ahead, stage = config.integers("AHEAD", "STAGE_B")
    return not (ahead and stage)


SPACE = Space(
    PARAMETERS,
    (
        Constraint("every thread moves whole units of A", _moves_whole, ("BM", "BKB")),
        Constraint("weights come ahead to registers only", _ahead_in_registers, ("AHEAD", "STAGE_B")),
    ),
)


def simplicity(config: Config) -> float:
    """Return how many features a configuration uses beyond operands in one place in local memory."""
    ones = sum(config.integer(name) > 0 for name in ("SWIZZLE", "AHEAD", "WIDE", "SWAP", "UNPACK", "HINTS"))
    return float(ones + (config.integer("BUFFERS") == 2) + (config.integer("STAGE_B") == 0))
