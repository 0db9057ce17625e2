"""Parameters of the CUDA C++ and HIP C++ row operations: the macros of ``rows.cuh``."""

from __future__ import annotations

from hotloop.model.space import Config, Constraint, Parameter, Space

PARAMETERS = (
    Parameter("LANES", (32, 64, 128, 256, 512, 1024), "workgroup-size", "threads that share a row"),
    Parameter("ROWS", (1, 2, 4, 8), "work-per-item", "rows of a block, side by side"),
    Parameter("VEC", (1, 2, 4, 8), "vectorize", "elements of one access"),
    Parameter(
        "HELD", (0, 1, 2), "cache-block", "1 keeps a row in registers between its passes, 2 in the form it came in"
    ),
    Parameter("STREAM", (0, 1), "non-temporal", "1 tells the caches which lines are read again"),
    Parameter("EARLY", (0, 1), "prefetch", "1 loads scale and shift with the row, before the sums"),
    Parameter("CROWD", (0, 1), "lower-registers", "1 leaves registers for 2048 threads of a multiprocessor"),
)
EXCHANGE = Parameter(
    "EXCHANGE",
    (0, 1, 2, 3),
    "lane-reduction",
    "lanes meet by 0 shuffles, 1 ds_swizzle, 2 DPP, 3 DPP and row swaps (gfx950)",
)
NAIVE = Config(LANES=256, ROWS=1, VEC=1, HELD=0, STREAM=0, EARLY=0, CROWD=0)
"""A block per row, one element at a time, the row read once per pass."""
_THREADS_MOST = 1024


def _block_fits(config: Config) -> bool:
    return config.integer("LANES") * config.integer("ROWS") <= _THREADS_MOST


_FITS = Constraint(f"LANES·ROWS is at most {_THREADS_MOST} threads", _block_fits, ("LANES", "ROWS"))
SPACE = Space(PARAMETERS, (_FITS,))
AMD_SPACE = Space((*PARAMETERS, EXCHANGE), (_FITS,))
AMD_NAIVE = NAIVE.replace(EXCHANGE=0)


def simplicity(config: Config) -> float:
    """Return how many features a configuration uses beyond one element at a time."""
    ones = sum(config.integer(name) for name in ("HELD", "STREAM", "EARLY", "CROWD"))
    ones += "EXCHANGE" in config and config.integer("EXCHANGE") > 0
    return float(ones + sum(config.integer(name) > 1 for name in ("ROWS", "VEC")))
