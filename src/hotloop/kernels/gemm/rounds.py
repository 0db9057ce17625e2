"""Which tile is done first on a shape that nobody measured: the groups of a launch take turns on the multiprocessors.

Distance between shapes cannot tell: 1500 lies nearest to 2048, whose tiles of 128x128 are 144 there, so that 12 of 132
multiprocessors have twice the work of the others; tiles of 64x64 take five rounds, of which the last is over a third full.
Where even small tiles are too few, slices of k make more of them.
"""

from __future__ import annotations

from collections.abc import Sequence

from hotloop.kernels.gemm.known_opencl import Known
from hotloop.kernels.gemm.pipelined import SPACE, shape
from hotloop.kernels.gemm.problem import ELEMENT_BYTES, Gemm
from hotloop.model.space import Config

NARROW = 1.2
"""Times longer where a side is shorter than a tile: what the look at each element cost at 1000 and 2000 on an H200."""
SUM_NS = 5000.0
"""Of the second launch, which adds the slices of k, on an H200 at 1000 to 2000."""
SUM_BYTES_PER_NS = 2500.0
"""At which slices are written and read again there, mostly in the second-level cache."""


def quickest(form: Gemm, rows: Sequence[Known], compute_units: int) -> tuple[Known, Config]:
    """Return the row whose configuration should be done first, and that configuration with slices where they pay."""
    ways = [(row, int(slices)) for row in rows for slices in SPACE["SPLIT"].values]
    row, slices = min(ways, key=lambda way: expected_ns(form, way[0], way[1], compute_units))
    return row, row.config.replace(SPLIT=slices)


def expected_ns(form: Gemm, row: Known, slices: int, compute_units: int) -> float:
    """Return the expected time of a configuration on a problem, without the first launch itself.

    As many tiles as there are multiprocessors are a round. A round alone takes longer than one of many, because then no other
    group has something to multiply while one waits.
    """
    tile = shape(form, row.config)
    rounds = -(-tile.groups * slices // max(1, compute_units))
    step_ns = max(row.alone_ns, rounds * row.round_ns) * (NARROW if _narrow(form, tile.tile_m, tile.tile_n) else 1.0)
    steps_ns = step_ns * max(1, -(-form.k // slices))
    if slices == 1:
        return steps_ns
    moved_bytes = (2 * slices + 1) * form.m * form.n * ELEMENT_BYTES[form.accumulate]
    return steps_ns + SUM_NS + moved_bytes / SUM_BYTES_PER_NS


def _narrow(form: Gemm, tile_m: int, tile_n: int) -> bool:
    return form.m < tile_m or form.n < tile_n
