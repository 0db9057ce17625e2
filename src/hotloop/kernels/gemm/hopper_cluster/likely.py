"""Which configurations of the clustered kernel should take least time at a product: all that are sensible, by an estimate of their time.

The estimate is of whole waves of clusters, each with so many steps of k, and of what begins and ends them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from math import ceil
from typing import TYPE_CHECKING, NamedTuple

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


class _Crew(NamedTuple):
    """Warp groups that multiply, instructions of 64 columns that each has side by side, and the most rows whose sums fit into registers."""

    groups: int
    blocks: int
    rows: int


_CREWS = (_Crew(1, 1, rows=256), _Crew(2, 1, rows=256), _Crew(3, 1, rows=224), _Crew(2, 2, rows=192))
_LEAST_STEPS = 4
"""Steps of k of a block below which starting it takes longer."""
_GRAIN = 16
"""Rows of a tile come in multiples of this, so that few kernels are compiled for many numbers of rows."""
_FEW_ROWS = 64
_SECOND_WAVE = 0.8
"""Share of the last wave that must be busy where more waves than one are made by clusters."""
_TILE_US = 0.33 / (128 * 128)
"""Time of a step of k for each element of a tile, at the speed of the matrix units."""
_INGRESS_BYTES_PER_US, _CACHE_BYTES_PER_US, _MEMORY_BYTES_PER_US = 80e3, 5.5e6, 4.2e6
"""What one multiprocessor gets of the second-level cache, what all get, and what memory gives."""
_CACHED_BYTES = 25e6


def clusters(work: Work, *, fused: bool = False) -> Iterator[tuple[Config, float]]:
    """Yield the configurations that should take least time, and their times in µs, the best first."""
    if work.m > MOST_ROWS:
        return
    priced = {config: expected_us(config, work, fused=fused) for config in _sensible(work)}
    yield from sorted(priced.items(), key=lambda pair: pair[1])


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
    return 8 if rows <= 8 else ceil(rows / _GRAIN) * _GRAIN


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


def expected_us(config: Config, work: Work, *, fused: bool) -> float:
    """Return the time that a configuration should take, in µs: a sum of what its parts take, with weights fitted to a survey.

    Of 4,704 timings of 402 products on an H200, each foreseen by products that had no part in the fit, half are less than 5.6 % away, and the
    configuration that is foreseen to be fastest takes 3.5 % longer than the fastest in the geometric mean, the better of two 1.7 %
    (benchmarks/gpu/learn_clusters.py, results/nvidia-h200-2026-11-30-cluster).
    """
    return sum(weight * part for weight, part in zip(_weights(), parts(config, work, fused=fused), strict=True))


@cache
def _weights() -> tuple[float, ...]:
    told = json.loads((files(__package__ or "") / "learned.json").read_text(encoding="utf-8"))
    return tuple(map(float, told["weights"]))


def parts(config: Config, work: Work, *, fused: bool) -> list[float]:
    """Return what the parts of a product take at the device's rates in µs, or their number."""
    rows, splits, shares = config.integers("BM", "SPLITS", "SHARES")
    wide, times, many = columns(config), ceil(waves(config, work)), splits * shares
    steps, tile = ceil(ceil(work.k / STEP) / splits), wide * rows / (128 * 128)
    main_us = times * steps * max(wide * rows * _TILE_US, 2 * STEP * (wide + rows) / _INGRESS_BYTES_PER_US)
    moved_us = work.bytes / _MEMORY_BYTES_PER_US
    memory_us = moved_us if work.bytes > _CACHED_BYTES else 0.0
    cache_us = 2 * STEP * blocks_of(config, work) * (wide + rows / shares) * steps / _CACHE_BYTES_PER_US
    written, apart, many_blocks = times * tile / splits, times * (splits > 1), config.integer("BLOCKS") > 1
    return [
        1.0, times, times * steps / 100, main_us, max(main_us, memory_us, cache_us), memory_us, cache_us, apart, apart * tile,
        float(fused), fused * written, written, moved_us, (shares > 1) * 1.0, times * steps * (shares > 1) / 100,
        times * many / 8, times * steps * many_blocks / 100,
    ]  # fmt: skip
