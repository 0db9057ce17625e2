"""Parameters of the implementation for few rows or columns, and which combinations are valid."""

from __future__ import annotations

from hotloop.kernels.gemm.shared.slices import (
    ARRIVE,
    NEEDS_SPLIT,
    SPLIT,
)
from hotloop.model.space import Config, Constraint, Parameter, Space

PARAMETERS = (
    Parameter("ODIM", (1, 2, 4, 8, 16, 32, 64, 128, 256), "workgroup-size", "work-items of a group along the long side"),
    Parameter("KDIM", (1, 2, 4, 8, 16, 32, 64, 128, 256), "workgroup-size", "work-items of a group along k"),
    Parameter("OWI", (1, 2, 4, 8), "work-per-item", "rows of the long operand per work-item, or vectors across them"),
    Parameter("FEW", (1, 2, 4, 8, 16), "register-tile", "rows or columns of the short side per work-item"),
    Parameter("VW", (1, 2, 4, 8, 16), "vectorize", "elements of the long operand per access to global memory"),
    Parameter("KUNROLL", (1, 2, 4, 8, 16), "unroll", "vectors of each row, or across rows, on their way at once"),
    SPLIT,
    ARRIVE,
)  # fmt: skip

START = Config(ODIM=8, KDIM=32, OWI=1, FEW=1, VW=1, KUNROLL=1, SPLIT=1, ARRIVE=0)
"""The textbook dot product: 32 items share an output, one element per access."""

_MOST_ITEMS = 1024

_MOST_ELEMENTS = 256
"""Elements that an item adds up or has on their way: as many registers has an item of a GPU; AVX-512 has room for twice as many."""

_MOST_LOCAL = 8192
"""Sums of a group: 32 KiB of float32 in local memory."""


def _group_fits(config: Config) -> bool:
    odim, kdim = config.integers("ODIM", "KDIM")
    return odim * kdim <= _MOST_ITEMS


def _registers_fit(config: Config) -> bool:
    owi, few, vw, unroll = config.integers("OWI", "FEW", "VW", "KUNROLL")
    return owi * (few + unroll) * vw <= _MOST_ELEMENTS


def _sums_fit(config: Config) -> bool:
    odim, kdim, owi, few, vw = config.integers("ODIM", "KDIM", "OWI", "FEW", "VW")
    return odim * kdim * owi * few * vw <= _MOST_LOCAL


SPACE = Space(
    PARAMETERS,
    (
        Constraint(f"ODIM·KDIM is at most {_MOST_ITEMS} work-items", _group_fits, ("ODIM", "KDIM")),
        Constraint(
            f"OWI·(FEW + KUNROLL)·VW is at most {_MOST_ELEMENTS} elements",
            _registers_fit,
            ("OWI", "FEW", "VW", "KUNROLL"),
        ),
        Constraint(
            f"ODIM·KDIM·OWI·FEW·VW is at most {_MOST_LOCAL} sums of a group",
            _sums_fit,
            ("ODIM", "KDIM", "OWI", "FEW", "VW"),
        ),
        NEEDS_SPLIT,
    ),
)


def simplicity(config: Config) -> float:
    """Return how many features a configuration uses beyond the dot product."""
    names = ("OWI", "FEW", "VW", "KUNROLL", "SPLIT")
    return float(sum(config.integer(name) > 1 for name in names) + config.integer("ARRIVE"))
