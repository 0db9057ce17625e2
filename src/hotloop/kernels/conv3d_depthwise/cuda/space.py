"""Parameters of the CUDA C++ and HIP C++ convolutions: the rungs of `rungs` as one space.

A parameter that the chosen rung does not have keeps its starting value, so that every kernel has one configuration.
"""

from __future__ import annotations

from functools import partial

from hotloop.model.space import Config, Constraint, Parameter, Space

PARAMETERS = (
    Parameter("RUNG", ("direct", "tile", "strip", "toeplitz"), "cache-block", "where the window's inputs are kept"),
    Parameter("PLANES", (1, 5, 10, 20, 30, 60), "work-per-item", "output planes that a block walks through"),
    Parameter("WIDTH", (4, 8), "register-tile", "strip: outputs per thread along w"),
    Parameter("WIDE", (0, 1), "convert-once", "strip: 1 keeps float32 in shared memory"),
    Parameter("QUADS", (2, 3, 4, 6), "register-tile", "toeplitz: output rows of a segment, in fours"),
    Parameter("LOADER", ("registers", "async", "bulk"), "async-copy", "toeplitz: how planes come to shared memory"),
    Parameter("STAGES", (2, 3, 4, 6, 8), "prefetch", "toeplitz: planes in shared memory at once"),
    Parameter(
        "BLOCKS", (1, 2, 3, 4), "lower-registers", "toeplitz: blocks per multiprocessor that registers are left for"
    ),
    Parameter(
        "VERTICAL",
        (0, 1, 2, 3, 4),
        "workgroup-size",
        "toeplitz: waves of a block on top of each other; 0 has the plane's",
    ),
)
NAIVE = Config(RUNG="direct", PLANES=20, WIDTH=8, WIDE=0, QUADS=3, LOADER="async", STAGES=4, BLOCKS=2, VERTICAL=0)
"""One thread per output, everything from global memory."""
NAIVE_HIP = NAIVE.replace(LOADER="registers")
"""The plainest configuration where no instruction copies from global to shared memory past the registers."""
_USED = {
    "direct": frozenset[str](),
    "tile": frozenset[str](),
    "strip": frozenset({"PLANES", "WIDTH", "WIDE"}),
    "toeplitz": frozenset({"PLANES", "QUADS", "LOADER", "STAGES", "BLOCKS", "VERTICAL"}),
}


def _only_used(name: str, start: Config, config: Config) -> bool:
    return name in _USED[str(config["RUNG"])] or config[name] == start[name]


def _staged(start: Config, config: Config) -> bool:
    return config["LOADER"] != "registers" or config["STAGES"] == start["STAGES"]


def _space(start: Config) -> Space:
    names = [p.name for p in PARAMETERS if p.name != "RUNG"]
    rules = tuple(
        Constraint(f"{name} belongs to another rung", partial(_only_used, name, start), ("RUNG", name))
        for name in names
    )
    staged = Constraint("through registers there are two stages", partial(_staged, start), ("LOADER", "STAGES"))
    return Space(PARAMETERS, (*rules, staged))


SPACE, SPACE_HIP = _space(NAIVE), _space(NAIVE_HIP)


def simplicity(config: Config) -> float:
    """Return how far a rung is from the plain loop."""
    return float(PARAMETERS[0].index(config["RUNG"]) + config.integer("WIDE"))
