"""Parameters of the OpenCL GEMM and which combinations are valid: from a GPU-style local tile to a CPU register tile.

A work-group of MDIM x NDIM items owns MPI x NPI tiles of (MDIM·MWI) x (NDIM·NWI) outputs. Everything is a macro of the
source under the same name. Values cover what AVX2 (16 registers), AVX-512 (32) and GPUs need; constraints give
parameters without effect their neutral value, so that no two configurations mean the same program.
"""

from __future__ import annotations

from hotloop.model.space import Config, Constraint, Parameter, Space

PARAMETERS = (
    Parameter("MDIM", (1, 2, 4, 8, 16, 32), "workgroup-size", "work-items of a group along m"),
    Parameter("NDIM", (1, 2, 4, 8, 16, 32), "workgroup-size", "work-items of a group along n"),
    Parameter("MWI", (1, 2, 4, 5, 6, 8, 10, 12, 13, 14), "register-tile", "rows of C per work-item and tile"),
    Parameter("NWI", (1, 2, 4, 8, 16, 24, 32, 48, 64), "register-tile", "columns of C per work-item and tile"),
    Parameter("VW", (1, 2, 4, 8, 16), "vectorize", "elements per vector along n"),
    Parameter("KWG", (8, 16, 32), "cache-block", "steps of k staged in local memory between two barriers"),
    Parameter("KUNROLL", (1, 2, 4, 8, 16), "unroll", "steps of k per iteration of the inner loop"),
    Parameter(
        "SA", (0, 1, 2), "local-memory", "A in local memory: 0 not, 1 per KWG steps, 2 per k block for all tiles"
    ),
    Parameter(
        "SB", (0, 1, 2), "local-memory", "B in local memory: 0 not, 1 per KWG steps, 2 per k block for all tiles"
    ),
    Parameter("PAD", (0, 1, 4), "pad", "unused elements after each row in local memory"),
    Parameter("SWZ", (1, 4, 8), "swizzle", "rows of local memory after which the xor of the index repeats; 1 is none"),
    Parameter("PACK", (0, 1, 2), "pack", "operands copied into panels first: 0 none, 1 B, 2 A and B"),
    Parameter("KC", (0, 128, 192, 256, 384, 512, 1024), "cache-block", "steps of k per cache block; 0 is all of k"),
    Parameter("MPI", (1, 2, 4, 8, 11, 16, 22, 32, 43, 64), "work-per-item", "tiles along m per work-group"),
    Parameter("NPI", (1, 2, 4, 8, 16, 32), "work-per-item", "tiles along n per work-group"),
    Parameter("RASTER", (0, 1, 2, 4, 8), "rasterize", "block rows per band of groups; 1 runs along n first, 0 along m"),
    Parameter("PREFETCH", (0, 1), "prefetch", "1 fetches the tile of C before its k loop"),
)

NAIVE = Config(
    MDIM=16, NDIM=16, MWI=1, NWI=1, VW=1, KWG=16, KUNROLL=1, SA=1, SB=1, PAD=0, SWZ=1, PACK=0, KC=0, MPI=1, NPI=1,
    RASTER=1, PREFETCH=0,
)  # fmt: skip
"""The GPU textbook tile: 16x16 work-items, one output each, both operands in local memory between barriers."""

_MOST_ACCUMULATORS = 64
"""Vectors per item; twice the largest register file (AVX-512: 32), beyond which unrolled code only spills."""


def _vectors_fit(config: Config) -> bool:
    nwi, vw = config.integers("NWI", "VW")
    return nwi % vw == 0


def _tile_fits(config: Config) -> bool:
    mwi, nwi, vw = config.integers("MWI", "NWI", "VW")
    return mwi * nwi <= _MOST_ACCUMULATORS * vw


def _one_way_of_staging(config: Config) -> bool:
    return {*config.integers("SA", "SB")} != {1, 2}


def _staged_in_place(config: Config) -> bool:
    sa, sb, pack = config.integers("SA", "SB", "PACK")
    return not (sb == 2 and pack > 0) and not (sa == 2 and pack == 2)


def _tile_depth_used(config: Config) -> bool:
    sa, sb, kwg = config.integers("SA", "SB", "KWG")
    return 1 in (sa, sb) or kwg == NAIVE.KWG


def _unroll_fits(config: Config) -> bool:
    sa, sb, kwg, unroll = config.integers("SA", "SB", "KWG", "KUNROLL")
    return 1 not in (sa, sb) or unroll <= kwg


def _pad_used(config: Config) -> bool:
    sa, sb, pad = config.integers("SA", "SB", "PAD")
    return pad == 0 or sa > 0 or sb > 0


def _swizzle_used(config: Config) -> bool:
    sa, sb, swz = config.integers("SA", "SB", "SWZ")
    return swz == 1 or 1 in (sa, sb)


def _swizzle_injective_a(config: Config) -> bool:
    sa, swz, mdim, mwi = config.integers("SA", "SWZ", "MDIM", "MWI")
    return sa != 1 or mdim * mwi % swz == 0


def _swizzle_injective_b(config: Config) -> bool:
    sb, swz, ndim, nwi, vw = config.integers("SB", "SWZ", "NDIM", "NWI", "VW")
    return sb != 1 or ndim * nwi // vw % swz == 0


CONSTRAINTS = (
    Constraint("NWI is a multiple of VW", _vectors_fit, ("NWI", "VW")),
    Constraint(f"MWI·NWI/VW is at most {_MOST_ACCUMULATORS} vectors", _tile_fits, ("MWI", "NWI", "VW")),
    Constraint("SA and SB do not mix staging per tile (1) and per block (2)", _one_way_of_staging, ("SA", "SB")),
    Constraint("an operand is packed or staged per block, not both", _staged_in_place, ("SA", "SB", "PACK")),
    Constraint("KWG is 16 unless an operand is staged per tile", _tile_depth_used, ("SA", "SB", "KWG")),
    Constraint("KUNROLL is at most KWG when staging per tile", _unroll_fits, ("SA", "SB", "KWG", "KUNROLL")),
    Constraint("PAD is 0 without local memory", _pad_used, ("SA", "SB", "PAD")),
    Constraint("SWZ is 1 unless an operand is staged per tile", _swizzle_used, ("SA", "SB", "SWZ")),
    Constraint("SWZ divides the rows of a staged A tile", _swizzle_injective_a, ("SA", "SWZ", "MDIM", "MWI")),
    Constraint("SWZ divides the vectors of a staged B row", _swizzle_injective_b, ("SB", "SWZ", "NDIM", "NWI", "VW")),
)

SPACE = Space(PARAMETERS, CONSTRAINTS)


def simplicity(config: Config) -> float:
    """Return how many features a configuration uses beyond one item per output: staging, packing, blocking, ..."""
    features = ("SA", "SB", "PAD", "PACK", "KC", "PREFETCH")
    used = sum(config.integer(name) > 0 for name in features)
    larger = sum(config.integer(name) > 1 for name in ("MWI", "NWI", "VW", "KUNROLL", "MPI", "NPI", "SWZ"))
    return float(used + larger + (config.integer("RASTER") != NAIVE.RASTER))
