"""Which tile is done first on a shape that nobody measured: the groups of a launch take turns on the multiprocessors.

Distance between shapes cannot tell: 1500 lies nearest to 2048, whose tiles of 128x128 are 144 there, so that 12 of 132
multiprocessors have twice the work of the others; tiles of 64x64 take five rounds, of which the last is over a third full.
Where even small tiles are too few, slices of k make more of them. The constants were fitted to 460 times of nine tiles with 1 to
128 slices on an H200 (2026-11-22), which they meet within 9 % (one standard deviation), and to the resident groups that a second
run showed. On 30 shapes outside the table of which the choice had been timed, it took 1.008 times the best that was tried there in
geometric mean, at most 1.11 (700).
"""

from __future__ import annotations

from collections.abc import Sequence

from hotloop.kernels.gemm.pipelined.plan import aligned, column_along_k, shape
from hotloop.kernels.gemm.pipelined.rows import Row
from hotloop.kernels.gemm.pipelined.space import SPACE
from hotloop.kernels.gemm.problem import ELEMENT_BYTES, Gemm
from hotloop.kernels.gemm.shared.geometry import Geometry
from hotloop.kernels.gemm.shared.slices import VECTOR
from hotloop.model.space import Config
from hotloop.targets.machine import nvidia

NARROW = 1.2
"""Factor on the time where a side is shorter than a tile: on an H200 the test of each element cost as much at 1000 and 2000."""
FILL_STEPS = 45
"""Number of steps of k that take as long as a group's beginning and end: its first reads and last stores."""
APART = 6.0
"""Factor on the time for each element that a step reads singly for each of its products, where rows are not aligned."""
PADDED = 1.08
"""Factor on the time with padding where a permutation was measured to be faster, see `_padded`."""
SUM_NS = 3000.0
"""Time in ns between the last group's own sums and the addition of slices: stores, a counter, reads."""
SUM_BYTES_PER_NS = 140.0
"""Rate in bytes per ns at which one group reads the slices of its tile."""
MOVED_BYTES_PER_NS = 4000.0
"""Rate in bytes per ns at which all groups together write and read the slices of all tiles."""
SLICED_ROUNDS = 2
"""Number of rounds of whole tiles from which a problem is not cut into slices of k: at 3001, two slices of each tile took 1.16 times as long
as none."""
LOCAL_BYTES = nvidia("sm_90").shared_static_bytes
"""Local memory that a group may have in OpenCL C on NVIDIA's GPUs; tiles are float32's, other types may need more."""


def quickest(form: Gemm, rows: Sequence[Row], compute_units: int) -> tuple[Row, Config]:
    """Return the row whose configuration should be done first, and that configuration with slices where they pay."""
    form = column_along_k(form)
    fitting = [(row, tile) for row in rows if (tile := shape(form, row.config)).local_bytes <= LOCAL_BYTES]
    few = [row for row, tile in fitting if tile.groups <= SLICED_ROUNDS * compute_units]
    ways = [(row, 1) for row, _ in fitting]
    ways += [(row, int(slices)) for row in few for slices in SPACE["SPLIT"].values if slices != 1]
    row, slices = min(ways, key=lambda way: expected_ns(form, way[0], way[1], compute_units))
    config = row.config.replace(SPLIT=slices, ARRIVE=int(slices > 1))
    return row, config if aligned(form.a) and aligned(form.b) else _padded(config)


def expected_ns(form: Gemm, row: Row, slices: int, compute_units: int) -> float:
    """Return the expected time in ns of a configuration on a problem, without the launch itself.

    Tiles are computed in rounds of one tile per multiprocessor. Several rounds run at once as far as groups are resident, and hide
    each other's waits: so a round alone takes `row.alone_ns` for a step of k, one among several only `row.round_ns`.
    """
    tile = shape(form, row.config)
    rounds = -(-tile.groups * slices // max(1, compute_units))
    step_ns = _turns_ns(row, rounds) * _slower(form, row, tile)
    steps = -(-max(1, form.k) // (tile.stage_k * slices)) * tile.stage_k
    steps_ns = step_ns * (steps + FILL_STEPS)
    if slices == 1:
        return steps_ns
    element_bytes = ELEMENT_BYTES[form.accumulate]
    read_ns = slices * tile.tile_m * tile.tile_n * element_bytes / SUM_BYTES_PER_NS
    moved_ns = 2 * slices * form.m * form.n * element_bytes / MOVED_BYTES_PER_NS
    return steps_ns + SUM_NS + read_ns + moved_ns


def _turns_ns(row: Row, rounds: int) -> float:
    """Return the time of a step of k of all rounds, of which a multiprocessor holds a few at once."""
    turns, rest = divmod(rounds, row.resident)
    last_ns = max(row.alone_ns, rest * row.round_ns) if rest else 0.0
    return turns * max(row.alone_ns, row.resident * row.round_ns) + last_ns


def _slower(form: Gemm, row: Row, tile: Geometry) -> float:
    """Return how much longer a step takes than on sides that hold a tile, with rows that are aligned."""
    narrow = NARROW if form.m < tile.tile_m or form.n < tile.tile_n else 1.0
    elements = (not aligned(form.a)) / tile.tile_n + (not aligned(form.b)) / tile.tile_m
    padded = PADDED if elements and row.config.integer("SWZ") > 1 else 1.0
    return narrow * padded * (1.0 + APART * elements)


def _padded(config: Config) -> Config:
    """Return the configuration with padding for a permutation: what lies apart goes to neighbouring rows of one column."""
    return config if config.integer("SWZ") == 1 else config.replace(SWZ=1, PAD=VECTOR)
