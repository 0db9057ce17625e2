"""Parameters of the pipelined implementation and which combinations are valid; macros of its source have the same names."""

from __future__ import annotations

from hotloop.kernels.gemm.shared.slices import (
    ARRIVE,
    NEEDS_SPLIT,
    SPLIT,
    VECTOR,
)
from hotloop.model.space import Config, Constraint, Parameter, Space

PARAMETERS = (
    Parameter("MDIM", (4, 8, 16, 32), "workgroup-size", "work-items of a group along m"),
    Parameter("NDIM", (4, 8, 16, 32), "workgroup-size", "work-items of a group along n"),
    Parameter("MWI", (4, 8, 16), "register-tile", "rows of C per work-item"),
    Parameter("NWI", (4, 8, 16), "register-tile", "columns of C per work-item"),
    Parameter("KWG", (8, 16, 32, 64), "cache-block", "steps of k staged in local memory at a time"),
    Parameter("KUNROLL", (1, 2, 4, 8, 16, 32, 64), "unroll", "steps of k per iteration of the inner loop"),
    Parameter("WIDE", (1, 4), "wide-local-access", "elements per access to local and global memory"),
    Parameter("BUFFERS", (1, 2), "double-buffer", "tiles of local memory; 2 need one barrier per tile instead of two"),
    Parameter(
        "COPY", (0, 2, 3, 4), "async-copy", "tiles of local memory that copies past the registers fill; 0 is without"
    ),
    Parameter("HOIST", (0, 1), "hoist-addresses", "1 goes from tile to tile by adding to addresses"),
    Parameter(
        "EARLY",
        (0, 1),
        "prefetch",
        "1 sends for the tile after next before the barrier, not for the next one behind it",
    ),
    Parameter("WEAVE", (0, 1), "wide-local-access", "1 makes pairs of neighbours read the same vector of B"),
    Parameter("PAD", (0, 4), "pad", "unused elements after each row in local memory"),
    Parameter(
        "SWZ", (1, 2, 4, 8), "swizzle", "steps, in vectors of k, after which the xor of a transposed row repeats"
    ),
    Parameter("RASTER", (0, 1, 2, 4, 8), "rasterize", "tile rows per band of groups; 1 runs along n first, 0 along m"),
    Parameter(
        "SLICES", (1, 2, 4, 8), "split-k", "parts of a group that share the steps of each tile and add in local memory"
    ),
    SPLIT,
    ARRIVE,
    Parameter(
        "REGISTERS", (0, 128, 168), "lower-registers", "most registers of an item, 0 leaves it open; NVIDIA only"
    ),
)

START = Config(
    MDIM=16, NDIM=16, MWI=4, NWI=4, KWG=16, KUNROLL=1, WIDE=1, BUFFERS=1, COPY=0, HOIST=0, EARLY=0, WEAVE=0, PAD=0, SWZ=1, RASTER=1, SLICES=1,
    SPLIT=1, ARRIVE=0, REGISTERS=0,
)  # fmt: skip
"""The textbook register tile: 16x16 work-items, 4x4 outputs each, one element per access, two barriers per tile."""

_MOST_SUMS = 128
"""Sums of an item: half of the 255 registers that it may have."""


def buffers_of(config: Config) -> int:
    """Return how many tiles of each operand local memory holds."""
    return max(config.integer(name) for name in ("BUFFERS", "COPY") if name in config)


def _sums_fit(config: Config) -> bool:
    mwi, nwi = config.integers("MWI", "NWI")
    return mwi * nwi <= _MOST_SUMS


def _whole_vectors(config: Config) -> bool:
    mdim, ndim, mwi, nwi, kwg = config.integers("MDIM", "NDIM", "MWI", "NWI", "KWG")
    return mwi * kwg % (VECTOR * ndim) == 0 and nwi * kwg % (VECTOR * mdim) == 0


def _unroll_fits(config: Config) -> bool:
    kwg, unroll = config.integers("KWG", "KUNROLL")
    return unroll <= kwg


def _swizzle_injective(config: Config) -> bool:
    mdim, ndim, mwi, nwi, swz, kwg = config.integers("MDIM", "NDIM", "MWI", "NWI", "SWZ", "KWG")
    reach = swz * max(VECTOR, 128 // kwg)
    return swz == 1 or (mdim * mwi % reach == 0 and ndim * nwi % reach == 0)


def _slices_fit(config: Config) -> bool:
    slices, mdim, ndim, mwi, nwi, kwg, unroll = config.integers(
        "SLICES", "MDIM", "NDIM", "MWI", "NWI", "KWG", "KUNROLL"
    )
    divides = mwi * kwg % (VECTOR * ndim * slices) == 0 and nwi * kwg % (VECTOR * mdim * slices) == 0
    return slices == 1 or (divides and mdim <= kwg and unroll * slices <= kwg)


def _copies_alone(config: Config) -> bool:
    copy, buffers, hoist = config.integers("COPY", "BUFFERS", "HOIST")
    return copy == 0 or (buffers == 1 and hoist == 0)


def _early_hoists(config: Config) -> bool:
    early, hoist = config.integers("EARLY", "HOIST")
    return early <= hoist


def _weave_fits(config: Config) -> bool:
    weave, mdim, ndim = config.integers("WEAVE", "MDIM", "NDIM")
    return weave == 0 or (ndim % 8 == 0 and mdim % 4 == 0)


SPACE = Space(
    PARAMETERS,
    (
        Constraint(f"MWI·NWI is at most {_MOST_SUMS} sums", _sums_fit, ("MWI", "NWI")),
        Constraint(
            "every item brings whole vectors of each tile", _whole_vectors, ("MDIM", "NDIM", "MWI", "NWI", "KWG")
        ),
        Constraint("KUNROLL is at most KWG", _unroll_fits, ("KWG", "KUNROLL")),
        Constraint(
            "SWZ·128/KWG, at least SWZ·4, divides both sides of the tile",
            _swizzle_injective,
            ("MDIM", "NDIM", "MWI", "NWI", "SWZ", "KWG"),
        ),
        Constraint(
            "COPY has its own buffers and addresses: BUFFERS 1, HOIST 0", _copies_alone, ("COPY", "BUFFERS", "HOIST")
        ),
        NEEDS_SPLIT,
        Constraint("EARLY needs HOIST", _early_hoists, ("EARLY", "HOIST")),
        Constraint("WEAVE needs NDIM of at least 8", _weave_fits, ("WEAVE", "MDIM", "NDIM")),
        Constraint(
            "SLICES leaves every item whole vectors and KUNROLL steps, and MDIM is at most KWG",
            _slices_fit,
            ("SLICES", "MDIM", "NDIM", "MWI", "NWI", "KWG", "KUNROLL"),
        ),
    ),
)


def simplicity(config: Config) -> float:
    """Return how many features a configuration uses beyond the register tile."""
    names = ("KUNROLL", "WIDE", "BUFFERS", "COPY", "SWZ", "SLICES", "SPLIT", "RASTER")
    return float(
        sum(config.integer(name) > 1 for name in names)
        + sum(config.integer(name) != 0 for name in ("HOIST", "EARLY", "WEAVE", "PAD", "ARRIVE", "REGISTERS"))
    )
