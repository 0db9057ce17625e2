"""Parameters of the warp-specialized kernel and which combinations are valid; its constants have the same names."""

from __future__ import annotations

from hotloop.kernels._jit import GROUP_THREADS, SHARED_BYTES
from hotloop.kernels.gemm.shared.tiles import ELEMENT
from hotloop.model.space import Config, Constraint, Parameter, Space

PARAMETERS = (
    Parameter("BM", (64, 128, 256), "larger-matrix-instruction", "rows of C in a tile"),
    Parameter("BN", (64, 128, 256), "larger-tile", "columns of C in a tile"),
    Parameter("BK", (32, 64, 128), "unroll", "steps of k that are copied and multiplied at a time"),
    Parameter("GROUP", (1, 2, 4, 8, 16), "rasterize", "rows of tiles down which programs run before the next column"),
    Parameter("SPLITS", (1, 2, 4, 8), "split-k", "slices of k, tiles of their own that a second kernel adds"),
    Parameter("STAGES", (2, 3, 4, 5, 6, 7, 8), "prefetch", "blocks of the operands in the ring that the loading warp fills"),
    Parameter("GROUPS", (1, 2), "workgroup-size", "warp groups of 4 warps that multiply"),
    Parameter("TAKE_TURNS", (0, 1), "overlap-vector-work", "1 gives both groups whole tiles in turns, 0 the halves of each"),
    Parameter("AHEAD", (0, 1, 2, 3, 4), "stagger-waves", "steps of k that the first of two sharing groups is ahead"),
    Parameter("BUFFERS", (1, 2), "double-buffer", "strips of C in shared memory for each group, on their way out"),
    Parameter("CHAIN", (0, 1, 2), "", "launch while the kernel before ends: 0 not, 1 lets the next one begin at once, 2 at its end"),
)  # fmt: skip
START = Config(
    BM=64, BN=64, BK=32, GROUP=1, SPLITS=1, STAGES=2, GROUPS=1, TAKE_TURNS=0, AHEAD=0, BUFFERS=1, CHAIN=0
)  # fmt: skip
"""One group that multiplies one small block while the next one comes."""

GROUP_ROWS = 64
"""Rows of the matrix instruction of a warp group."""
ALONE_REGISTERS = 128
"""Registers of a thread where one group multiplies, so that two programs fit on a multiprocessor."""
_MOST_SUMS = {1: 64, 2: 128}
"""Sums of a thread by GROUPS: half of its 128 registers, or of the 232 that two groups leave each other, rounded up."""
_STRIP_BYTES = 128
"""Widest row of a block that the tensor memory accelerator swizzles: CUDA driver API, cuTensorMapEncodeTiled."""
_BARRIER_BYTES = 1024
"""Bytes of shared memory set aside for the ring's barriers of 8 B each; they take less."""


def group_rows(config: Config) -> int:
    """Return the rows of a tile that one group multiplies."""
    bm, groups, turns = config.integers("BM", "GROUPS", "TAKE_TURNS")
    return bm if groups == 1 or turns else bm // 2


def strip(config: Config, element: int = ELEMENT) -> int:
    """Return the columns that one group stores at a time."""
    return min(config.integer("BN"), _STRIP_BYTES // element)


def shared_bytes(config: Config) -> int:
    """Return the shared memory of a program: the ring, the strips of C, the barriers."""
    bm, bn, bk, stages, groups, buffers = config.integers("BM", "BN", "BK", "STAGES", "GROUPS", "BUFFERS")
    strips = groups * buffers * group_rows(config) * strip(config) * ELEMENT
    return ELEMENT * (bm + bn) * bk * stages + strips + _BARRIER_BYTES


def _whole_instructions(config: Config) -> bool:
    return group_rows(config) >= GROUP_ROWS


def _sums_fit(config: Config) -> bool:
    groups = config.integer("GROUPS")
    return group_rows(config) * config.integer("BN") <= _MOST_SUMS[groups] * GROUP_THREADS


def _turns_need_two(config: Config) -> bool:
    groups, turns = config.integers("GROUPS", "TAKE_TURNS")
    return turns < groups


def _ahead_fits(config: Config) -> bool:
    groups, turns, ahead, stages = config.integers("GROUPS", "TAKE_TURNS", "AHEAD", "STAGES")
    return ahead == 0 or (groups == 2 and turns == 0 and ahead < stages)


def _strips_suffice(config: Config) -> bool:
    bn, buffers = config.integers("BN", "BUFFERS")
    return buffers * strip(config) <= bn


def _alone(config: Config) -> bool:
    splits, chain = config.integers("SPLITS", "CHAIN")
    return splits == 1 or chain == 0


SPACE = Space(
    PARAMETERS,
    (
        Constraint("each group multiplies at least 64 rows", _whole_instructions, ("BM", "GROUPS", "TAKE_TURNS")),
        Constraint(
            "at most 64 sums of a thread in one group, 128 in each of two",
            _sums_fit,
            ("BM", "BN", "GROUPS", "TAKE_TURNS"),
        ),
        Constraint("TAKE_TURNS needs two GROUPS", _turns_need_two, ("GROUPS", "TAKE_TURNS")),
        Constraint(
            "AHEAD needs two GROUPS that share tiles, and is less than STAGES",
            _ahead_fits,
            ("GROUPS", "TAKE_TURNS", "AHEAD", "STAGES"),
        ),
        Constraint("no more BUFFERS than strips of a tile", _strips_suffice, ("BN", "BUFFERS")),
        Constraint("CHAIN is 0 with SPLITS, whose second kernel does not wait by itself", _alone, ("SPLITS", "CHAIN")),
        Constraint(
            f"ring, strips and barriers fit into {SHARED_BYTES} B of shared memory",
            lambda config: shared_bytes(config) <= SHARED_BYTES,
            ("BM", "BN", "BK", "STAGES", "GROUPS", "TAKE_TURNS", "BUFFERS"),
        ),
    ),
)


def simplicity(config: Config) -> float:
    """Return how many features a configuration uses beyond one group that multiplies."""
    switched = sum(config.integer(name) > 0 for name in ("TAKE_TURNS", "AHEAD", "CHAIN"))
    return float(switched + sum(config.integer(name) > 1 for name in ("GROUP", "SPLITS", "GROUPS", "BUFFERS")))
