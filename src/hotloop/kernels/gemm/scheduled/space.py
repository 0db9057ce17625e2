"""Parameters of the scheduled implementation: those of the pipelined tile, and who computes what."""

from __future__ import annotations

from hotloop.kernels.gemm.pipelined.space import PARAMETERS as PIPELINED_PARAMETERS
from hotloop.kernels.gemm.pipelined.space import SPACE as PIPELINED_SPACE
from hotloop.kernels.gemm.pipelined.space import START as PIPELINED_START
from hotloop.kernels.gemm.pipelined.space import simplicity as pipelined_simplicity
from hotloop.model.space import Config, Constraint, Parameter, Space

LEFT_OUT = ("SPLIT", "ARRIVE", "SLICES", "COPY", "HOIST", "EARLY", "WEAVE")
"""Parameters of the pipelined implementation that belong to its own loop over k."""

PLAIN = {name: PIPELINED_START[name] for name in LEFT_OUT}

_GROUPS = (0, 1, 2, 4, 6, 8, 12, 16)

PARAMETERS = (
    *(parameter for parameter in PIPELINED_PARAMETERS if parameter.name not in LEFT_OUT),
    Parameter("ORDER", (0, 1), "rasterize", "1 numbers the tiles along the Z-order curve"),
    Parameter("PERSISTENT", _GROUPS, "persistent", "groups per compute unit that take tile after tile; 0 is one per tile"),
    Parameter("STREAM_K", _GROUPS, "stream-k", "groups per compute unit that share the steps of all tiles; 0 is whole tiles"),
    Parameter("LANES", (0, 16, 32), "lane-broadcast", "neighbours that read one element of A each and pass it on"),
    Parameter("FUSED", (0, 1), "lane-broadcast", "1 multiplies by the neighbour's element in one instruction; AMD only"),
)  # fmt: skip

START = Config(
    **{name: value for name, value in PIPELINED_START.items() if name not in LEFT_OUT},
    ORDER=0, PERSISTENT=0, STREAM_K=0, LANES=0, FUSED=0,
)  # fmt: skip
"""The textbook register tile, one group per tile in rows of tiles."""

_ROW = 16
"""Lanes of a row of AMD's data-parallel primitives."""


def _one_order(config: Config) -> bool:
    order, raster = config.integers("ORDER", "RASTER")
    return order == 0 or raster == 1


def _one_share(config: Config) -> bool:
    persistent, stream_k = config.integers("PERSISTENT", "STREAM_K")
    return persistent == 0 or stream_k == 0


def _fused_rows(config: Config) -> bool:
    lanes, fused = config.integers("LANES", "FUSED")
    return fused == 0 or lanes == _ROW


def _lanes_share_rows(config: Config) -> bool:
    lanes, ndim, mwi = config.integers("LANES", "NDIM", "MWI")
    return lanes == 0 or (ndim % lanes == 0 and lanes % mwi == 0)


def _lanes_cover_steps(config: Config) -> bool:
    lanes, mwi, unroll = config.integers("LANES", "MWI", "KUNROLL")
    return lanes == 0 or unroll * mwi % lanes == 0


SPACE = Space(
    PARAMETERS,
    (
        *(rule for rule in PIPELINED_SPACE.constraints if not set(rule.names) & set(LEFT_OUT)),
        Constraint("ORDER 1 leaves RASTER at 1", _one_order, ("ORDER", "RASTER")),
        Constraint("PERSISTENT or STREAM_K, not both", _one_share, ("PERSISTENT", "STREAM_K")),
        Constraint(f"FUSED needs LANES of {_ROW}", _fused_rows, ("LANES", "FUSED")),
        Constraint("LANES divides NDIM and is a multiple of MWI", _lanes_share_rows, ("LANES", "NDIM", "MWI")),
        Constraint("KUNROLL·MWI is a multiple of LANES", _lanes_cover_steps, ("LANES", "MWI", "KUNROLL")),
    ),
)


def simplicity(config: Config) -> float:
    """Return how many features a configuration uses beyond the register tile."""
    own = sum(config.integer(name) > 0 for name in ("ORDER", "PERSISTENT", "LANES", "FUSED"))
    return pipelined_simplicity(config.replace(**PLAIN)) + own + 2 * (config.integer("STREAM_K") > 0)
