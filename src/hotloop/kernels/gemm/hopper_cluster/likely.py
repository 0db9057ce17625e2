"""Which configurations of the clustered kernel should take least time at a product: all that are sensible, by an estimate of their time.

The estimate is of whole waves of clusters, each with so many steps of k, and of what begins and ends them.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil
from typing import TYPE_CHECKING

from hotloop.kernels.gemm.hopper_cluster.space import MOST_CLUSTER, SPACE, STEP, columns, deepest
from hotloop.model.space import Config

if TYPE_CHECKING:
    from hotloop.kernels.gemm.expected import Work

MOST = 12
"""Configurations of a product that are timed."""
MOST_ROWS = 1024
"""Rows up to which tiles with as many rows as there are gain anything: of more rows a part of a tile is little."""
SEATS = {1: 132, 2: 132, 3: 117, 4: 120, 5: 110, 6: 102, 7: 105, 8: 120}
"""Blocks that run at a time, by the size of their clusters: a cluster's blocks lie in one group of multiprocessors, and groups have unlike
numbers. As grids on one H200 took one wave or two; other devices of the kind may differ by some."""
_CREWS = ((1, 1, 256), (2, 1, 256), (3, 1, 224), (2, 2, 192))
"""Groups, blocks, and rows for which their sums fit into registers."""
_LEAST_STEPS = 4
"""Steps of k of a block below which starting it takes longer."""
_GRAIN = 16
"""Rows of a tile come in multiples of this, so that few kernels are compiled for many numbers of rows."""
_FEW_ROWS = 64
_SECOND_WAVE = 0.8
"""Share of the last wave that must be busy where more waves than one are made by clusters."""
_TILE_US = 0.36 / (128 * 128)
"""Time of a step of k for each element of a tile, at the speed of the matrix units."""
_BYTES_PER_US = 80e3
"""Bytes that one multiprocessor gets of the second-level cache in a µs."""
_START_US, _SUMS_US_PER_BYTE = 3.0, 1.0 / 256e3


def clusters(work: Work) -> Iterator[Config]:
    """Yield the configurations that should take least time, the best first."""
    if work.m > MOST_ROWS:
        return
    priced = {config: expected_us(config, work) for config in _sensible(work)}
    yield from sorted(priced, key=lambda config: priced[config])


def _sensible(work: Work) -> Iterator[Config]:
    for groups, blocks, most in _CREWS:
        least = ceil(work.m / most)
        for down in (least,) if work.m <= _FEW_ROWS else (least, least + 1):
            rows = _rounded(ceil(work.m / down))
            if rows > most:
                continue
            for splits in range(1, MOST_CLUSTER + 1):
                if splits > 1 and work.k < _LEAST_STEPS * STEP * splits:
                    break
                for shares in (1, 2):
                    config = Config(
                        BM=rows, GROUPS=groups, BLOCKS=blocks, SPLITS=splits, SHARES=shares, STAGES=2, CHAIN=1
                    )
                    if splits * shares <= MOST_CLUSTER and rows % (8 * shares) == 0:
                        config = deepest(config)
                        if SPACE.valid(config) and _filled(config, work):
                            yield config


def _rounded(rows: int) -> int:
    return 8 if rows <= 8 else ceil(rows / _GRAIN) * _GRAIN  # noqa: PLR2004 - the least that the instruction has


def blocks_of(config: Config, work: Work) -> int:
    """Return how many blocks multiply."""
    splits, shares = config.integers("SPLITS", "SHARES")
    across = ceil(work.n / (columns(config) * shares)) * shares
    return across * ceil(work.m / config.integer("BM")) * splits


def waves(config: Config, work: Work) -> float:
    """Return how many times all seats are taken."""
    return blocks_of(config, work) / SEATS[config.integer("SPLITS") * config.integer("SHARES")]


def _filled(config: Config, work: Work) -> bool:
    taken = waves(config, work)
    return config.integer("SPLITS") == 1 or taken <= 1 or taken / ceil(taken) >= _SECOND_WAVE


def expected_us(config: Config, work: Work) -> float:
    """Return the time that a configuration should take, in µs."""
    rows, wide, splits = config.integer("BM"), columns(config), config.integer("SPLITS")
    steps = ceil(ceil(work.k / STEP) / splits)
    step_us = max(wide * rows * _TILE_US, 2 * STEP * (wide + rows) / _BYTES_PER_US)
    shown_us = 4 * wide * rows * _SUMS_US_PER_BYTE if splits > 1 else 0.0
    return ceil(waves(config, work)) * (steps * step_us + _START_US + shown_us)
