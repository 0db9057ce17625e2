"""Which configurations are looked at where nobody has measured: the table's, its slices of k, and tiles that no row has, the likeliest ones.

A survey times these (benchmarks/gpu/survey.py), and what is learned of surveys is asked of these only: of a configuration that was never
timed at products alike, a fit says nothing.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from hotloop.kernels.gemm.expected import Work, efficiency, sums_us
from hotloop.kernels.gemm.hopper_cluster import likely
from hotloop.kernels.gemm.rows import TABLE
from hotloop.model.space import Config

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

MOST = 14
"""Configurations of a product that are timed."""
SLICES = {"hopper": (1, 2, 4), "meet": (2, 4, 8)}
"""Numbers of slices of k that are looked at beside a row's own: few tiles of a long k leave multiprocessors idle."""
_SKINNY = "hopper-skinny"
_HOPPER = {"BK": 64, "GROUP": 8, "SPLITS": 1, "AHEAD": 0, "CHAIN": 1}
_TILES = (
    {"BM": 64, "BN": 128, "STAGES": 8, "GROUPS": 2, "TAKE_TURNS": 1, "BUFFERS": 1},
    {"BM": 128, "BN": 64, "STAGES": 8, "GROUPS": 2, "TAKE_TURNS": 0, "BUFFERS": 1},
    {"BM": 64, "BN": 256, "STAGES": 5, "GROUPS": 2, "TAKE_TURNS": 1, "BUFFERS": 1},
    {"BM": 128, "BN": 256, "STAGES": 4, "GROUPS": 2, "TAKE_TURNS": 0, "BUFFERS": 2},
    {"BM": 64, "BN": 64, "STAGES": 8, "GROUPS": 2, "TAKE_TURNS": 1, "BUFFERS": 1},
)
"""Tiles of the warp-specialized kernel that no row of the table has."""
CLUSTER = "hopper-cluster"
STREAM = "hopper-stream"


class Stream(NamedTuple):
    """A tile of the kernel that shares steps of k evenly, and the rows from which and up to which it is tried."""

    least: int
    most: int
    tile: Mapping[str, int]


STREAMS = (
    Stream(9, 32, {"BM": 32, "BN": 64, "BK": 128, "GROUPS": 1, "STAGES": 8}),
    Stream(9, 32, {"BM": 32, "BN": 64, "BK": 256, "GROUPS": 1, "STAGES": 4}),
    Stream(33, 64, {"BM": 64, "BN": 64, "BK": 128, "GROUPS": 1, "STAGES": 6}),
    Stream(33, 64, {"BM": 64, "BN": 128, "BK": 128, "GROUPS": 1, "STAGES": 4}),
)
"""Tiles of the kernel that shares steps of k evenly. From 65 rows on it was nowhere faster than the other kernels:
each program then reads as much of A as of B, and parts of tiles are large."""


def in_slices(name: str, config: Config) -> Iterator[Config]:
    """Yield a configuration of the table, and those that cut k into more or fewer slices."""
    yield config
    for splits in SLICES.get(name, ()):
        if splits != config.integer("SPLITS"):
            single = (
                {"CHAIN": 0} if name == "hopper" and splits > 1 else {}
            )  # its second kernel does not wait by itself
            yield config.replace(SPLITS=splits, **single)


def likeliest(
    work: Work, units: int, fits: Callable[[str, Config], bool], clusters: int = likely.MOST
) -> Iterator[tuple[str, Config]]:
    """Yield implementations and configurations that should take least time by whole tiles, waves and bytes alone, of those that fit."""
    pairs = [(name, config) for name, row in TABLE if row.config for config in in_slices(name, row.config)]
    unlike = dict.fromkeys((*pairs, *(("hopper", Config(**tile, **_HOPPER)) for tile in _TILES)))
    count = 0
    for name, config in sorted(unlike, key=lambda pair: _cost_us(pair[0], pair[1], work, units)):
        if (name != _SKINNY or work.m <= config.integer("BM")) and fits(name, config):
            yield name, config
            count += 1
            if count == MOST:
                break
    yield from shared(work, fits, clusters)


def shared(work: Work, fits: Callable[[str, Config], bool], most: int = likely.MOST) -> Iterator[tuple[str, Config]]:
    """Yield the kernels outside of the table that are worth a try, at most so many of the clustered ones."""
    yield from (pair for pair in streams(work) if fits(*pair))
    made = ((CLUSTER, config) for config, _ in likely.clusters(work))
    yield from islice((pair for pair in made if fits(*pair)), most)


def streams(work: Work) -> Iterator[tuple[str, Config]]:
    """Yield the tiles that share steps of k evenly which are worth a try with so many rows."""
    for least, most, tile in STREAMS:
        if least <= work.m <= most:
            yield STREAM, Config(**tile, CHAIN=1)


def _cost_us(name: str, config: Config, work: Work, units: int) -> float:
    return 1e6 * work.best_s / efficiency(name, config, work, units) + sums_us(work, int(config.get("SPLITS", 1)))
