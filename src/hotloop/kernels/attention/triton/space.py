"""Parameters of the plain Triton kernel: all but the sizes are rungs that the Hopper kernel is built on."""

from __future__ import annotations

from hotloop.model.space import Config, Constraint, Parameter, Space

PARAMETERS = (
    Parameter("rows", (32, 64, 128, 256), "larger-tile", "queries of a program"),
    Parameter("keys", (16, 32, 64, 128), "larger-tile", "keys of a block"),
    Parameter("warps", (1, 2, 4, 8), "workgroup-size", "warps of a program"),
    Parameter("stages", (1, 2, 3, 4), "prefetch", "key blocks in flight"),
    Parameter("keep", (0, 1), "local-memory", "1 loads queries once, 0 with every block of keys"),
    Parameter(
        "exit", (0, 1), "skip-masked-work", "1 ends a causal loop at the diagonal and masks only the blocks on it"
    ),
)
START = Config(rows=64, keys=32, warps=4, stages=1, keep=0, exit=0)
"""Every block of keys, masked or not, with the queries loaded anew for each."""
SIZES = (16, 32, 64, 128, 256)
"""Elements of a head that the kernel takes."""
_MOST_SCORES = 128
"""Scores of one thread; a thread has 255 registers."""


def _scores_fit(config: Config) -> bool:
    return config.integer("rows") * config.integer("keys") <= _MOST_SCORES * 32 * config.integer("warps")


SCORES_FIT = Constraint(f"at most {_MOST_SCORES} scores of a thread", _scores_fit, ("rows", "keys", "warps"))
SPACE = Space(PARAMETERS, (SCORES_FIT,))


def shared_bytes(config: Config, size: int) -> int:
    """Return the shared memory of staged blocks of 2-byte elements."""
    return 2 * size * (config.integer("rows") + 2 * config.integer("stages") * config.integer("keys"))


def simplicity(config: Config) -> float:
    """Return how many features a configuration uses."""
    return float(config.integer("keep") + config.integer("exit") + (config.integer("stages") > 1))
