"""Parameters of the Triton row operations."""

from __future__ import annotations

from hotloop.model.space import Config, Constraint, Parameter, Space

PARAMETERS = (
    Parameter("HELD", (0, 1), "cache-block", "1 keeps rows in registers, 0 reads them anew for each pass"),
    Parameter(
        "BLOCK", (128, 256, 512, 1024, 2048, 4096), "vectorize", "columns read at a time where rows are not held"
    ),
    Parameter("ROWS", (1, 2, 4, 8), "work-per-item", "rows of a program, side by side"),
    Parameter(
        "CHAIN",
        (0, 1, 2),
        "",
        "the launch begins while the one before ends: 1 lets the next begin at once, 2 after its reads",
    ),
    Parameter("num_warps", (1, 2, 4, 8, 16), "workgroup-size"),
)
START = Config(HELD=0, BLOCK=128, ROWS=1, CHAIN=0, num_warps=4)
"""A row of each program, read in short pieces once for each pass."""


def _used(config: Config) -> bool:
    return not config.integer("HELD") or config["BLOCK"] == START["BLOCK"]


SPACE = Space(
    PARAMETERS, (Constraint("BLOCK belongs to rows that are not held", _used, ("HELD", "BLOCK")),)
)  # fmt: skip


def simplicity(config: Config) -> float:
    """Return how many features a configuration uses beyond a row of each program."""
    return float(config.integer("HELD") + (config.integer("ROWS") > 1) + (config.integer("CHAIN") > 0))
