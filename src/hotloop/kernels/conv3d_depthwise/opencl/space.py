"""Parameters of the OpenCL conv3d: from one output per work-item to a register tile over a zero-padded copy."""

from __future__ import annotations

from hotloop.model.space import Config, Constraint, Parameter, Space

PARAMETERS = (
    Parameter("LX", (1, 2, 4, 8, 16, 32), "workgroup-size", "work-items of a group along w"),
    Parameter("LY", (1, 2, 4, 8, 16), "workgroup-size", "work-items of a group along h"),
    Parameter("VW", (1, 2, 4, 8, 16), "vectorize", "outputs per vector along w"),
    Parameter(
        "HWI", (1, 2, 3, 4, 5, 6, 8), "register-tile", "output rows per work-item: input rows stream through them"
    ),
    Parameter("NWI", (1, 2, 3, 4, 5), "register-tile", "vectors per work-item along w"),
    Parameter("PLANES", (1, 2, 4, 8, 16), "work-per-item", "output planes per work-item, one after the other"),
    Parameter("PACK", (0, 1), "pack", "1 copies x into a zero-padded float array first, so that no column is checked"),
)

NAIVE = Config(LX=16, LY=4, VW=1, HWI=1, NWI=1, PLANES=1, PACK=0)
"""One output per work-item, every column checked."""

_MOST_VECTORS = 40
"""Vectors of sums per item; beyond the largest register file (AVX-512: 32) unrolled code only spills."""


def _tile_fits(config: Config) -> bool:
    return config.integer("HWI") * config.integer("NWI") <= _MOST_VECTORS


CONSTRAINTS = (Constraint(f"HWI·NWI is at most {_MOST_VECTORS} vectors", _tile_fits, ("HWI", "NWI")),)
SPACE = Space(PARAMETERS, CONSTRAINTS)


def simplicity(config: Config) -> float:
    """Return how many features a configuration uses beyond one output per item."""
    return float(sum(config.integer(name) > 1 for name in ("VW", "HWI", "NWI", "PLANES")) + config.integer("PACK"))
