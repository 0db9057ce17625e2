"""Parameters of the OpenCL row operations."""

from __future__ import annotations

from hotloop.model.space import Config, Parameter, Space

PARAMETERS = (
    Parameter("LX", (1, 2, 4, 8, 16, 32, 64, 128, 256), "workgroup-size", "work-items that share a row"),
    Parameter("RPI", (1, 2, 4, 8, 16, 32, 64), "work-per-item", "rows per work-group, one after the other"),
    Parameter("VW", (1, 2, 4, 8, 16), "vectorize", "elements per vector"),
    Parameter("UNROLL", (1, 2, 4, 8), "unroll", "vectors of partial results that do not wait for each other"),
    Parameter("FAST", (0, 1), "fast-math", "1 takes the device's own exp"),
)

NAIVE = Config(LX=64, RPI=1, VW=1, UNROLL=1, FAST=0)
"""The GPU textbook form: 64 work-items per row meet in local memory."""

SPACE = Space(PARAMETERS)


def simplicity(config: Config) -> float:
    """Return how many features a configuration uses beyond one element at a time."""
    return float(sum(config.integer(name) > 1 for name in ("RPI", "VW", "UNROLL")) + config.integer("FAST"))
