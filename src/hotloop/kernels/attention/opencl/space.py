"""Parameters of the OpenCL attention: a work-item owns a query row."""

from __future__ import annotations

from hotloop.model.space import Config, Parameter, Space

PARAMETERS = (
    Parameter("LX", (1, 2, 4, 8, 16, 32, 64), "workgroup-size", "query rows per work-group"),
    Parameter("SPLIT", (1, 2, 4, 8), "unroll", "partial sums of a score that do not wait for each other"),
    Parameter("FAST", (0, 1), "fast-math", "1 takes the device's own exp"),
)
SPACE = Space(PARAMETERS)
NAIVE = Config(LX=16, SPLIT=1, FAST=0)
"""One row per work-item, one sum."""


def simplicity(config: Config) -> float:
    """Return how many features a configuration uses."""
    return float((config.integer("SPLIT") > 1) + config.integer("FAST"))
