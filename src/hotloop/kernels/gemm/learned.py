"""Which kernel should beat PyTorch at a product that nobody measured: foreseen from 600 shapes that were drawn at random and measured.

A kernel's time is a sum of what its parts take (`parts`: a start, waves of tiles, bytes, operands that are fetched again) with weights fitted for
each configuration, times a correction by how far off that was at products alike (a Gaussian process over the logarithm of the error, whose mean at
a new product is a weighted sum over the measured ones). PyTorch's time is foreseen in the same way; a product and an activation are two passes
there. The numbers in ``learned.json`` are made by benchmarks/gpu/learn.py of results/nvidia-h200-2026-11-29-survey, whose README tells how
far off they are at products that had no part in them, and of results/nvidia-h200-2026-11-29-stream.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import ceil, exp, log, log2
from typing import TYPE_CHECKING

import numpy as np

from hotloop.kernels.gemm.expected import BYTES_PER_S, TILE_BYTES_PER_S, UNITS, Work
from hotloop.model.space import Config

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

PEER = "torch"
PLAIN, FUSED = 1.1, 1.05
"""How many times a kernel's time PyTorch's must be expected to be for the kernel to run unmeasured: a product alone, and with an activation behind
it, where PyTorch reads and writes once more."""
WORTH = 0.97
"""The same for a kernel to be worth a glance at a first call. Of 592 products foreseen by others, a glance at the two likeliest would bring plain ones to
1.034 of PyTorch's speed and at three those with bias and GELU to 1.157 (1.012 and 1.129 without)."""
FEW_ROWS = 512
"""Rows up to which weights that leave the cache must be read by one row of tiles: of others too few were measured to trust what is foreseen."""
_LEAST, _MOST, _MOST_ROWS = 512, 40_000, 32_768
"""Features between which, and rows up to which, products were drawn or lie not far from."""
_BYTES_PER_US, _FETCHED_PER_US, _FLOPS_PER_US = BYTES_PER_S / 1e6, TILE_BYTES_PER_S / 1e6, 780e6
_CACHED_BYTES = 25e6
_PEER_TILES = ((64, 64), (64, 128), (128, 128), (128, 256), (256, 128), (64, 256))
"""Tiles of the vendor's kernels, roughly: the whole waves that they would take."""
_PEER_SPANS = np.array([3.75, 3.75, 3.75, 5.0, 1.25, 1.25, 1.25])
_KERNEL_SPANS = np.array([5.0, 5.0, 5.0, 7.5, 1.25, 1.75, 3.75])
"""How far apart products still tell something of each other, in each of the features of `_place`."""
_SOONEST_US = 0.5


@dataclass(frozen=True, slots=True)
class Learned:
    """What was learned of one configuration, or of PyTorch."""

    weights: NDArray[np.float64]
    places: NDArray[np.float64]
    """Features of the products at which it was measured: [products, 7]."""
    pulls: NDArray[np.float64]
    """Amount that each of them adds to the logarithm of the time."""


def spans(name: str) -> NDArray[np.float64]:
    """Return the distances of features over which products tell of each other."""
    return _PEER_SPANS if name == PEER else _KERNEL_SPANS


def alike(left: NDArray[np.float64], right: NDArray[np.float64], name: str) -> NDArray[np.float64]:
    """Return how much each place of one list tells of each of the other: 1 for the same."""
    apart = (left[:, None, :] - right[None, :, :]) / spans(name)
    return np.asarray(np.exp(-0.5 * (apart * apart).sum(-1)))


def covers(work: Work) -> bool:
    """Tell whether a product is like those that were measured: whole lines of memory, and sizes of models' layers."""
    sized = all(_LEAST <= size <= _MOST for size in (work.n, work.k))
    return sized and work.whole_lines and 1 <= work.m <= _MOST_ROWS


def fastest(names: Iterable[str], work: Work, *, fused: bool) -> Iterator[tuple[str, Config, float]]:
    """Yield implementations, configurations and how many times as long PyTorch should take, those that are worth a glance, the best first.

    `names` are those that a survey would time at the product, implementation and configuration: of others nothing is known there.
    """
    rows = measured()
    peer_us = foreseen_us(PEER, work, fused=fused)
    usable = (name for name in names if name in rows and name != PEER and not _reads_again(name, work))
    gains = ((peer_us / foreseen_us(name, work, fused=fused), name) for name in usable)
    for gain, name in sorted(gains, reverse=True):
        if gain > WORTH:
            yield *_named(name), gain


def sure(gain: float, *, fused: bool) -> bool:
    """Tell whether a kernel should run on what is foreseen alone."""
    return gain > (FUSED if fused else PLAIN)


def _reads_again(name: str, work: Work) -> bool:
    """Tell whether several rows of tiles read weights that are larger than the cache, where there is little else to read."""
    again = ceil(work.m / _tile(name)[0]) > 1 and 2.0 * work.n * work.k > _CACHED_BYTES
    return again and work.m <= FEW_ROWS


def foreseen_us(name: str, work: Work, *, fused: bool) -> float:
    """Return the time that a configuration, by its name, should take, in µs."""
    what = measured()[name]
    place = np.array([_place(name, work, fused=fused)])
    return exp(
        log(base_us(what.weights, name, work, fused=fused)) + float((alike(place, what.places, name) @ what.pulls)[0])
    )


def base_us(weights: NDArray[np.float64], name: str, work: Work, *, fused: bool) -> float:
    """Return the weighted sum of what the parts take, in µs."""
    return max(_SOONEST_US, float(weights @ np.array(parts(name, work, fused=fused))))


def parts(name: str, work: Work, *, fused: bool) -> list[float]:
    """Return what the parts of a product take at the device's rates, or their number."""
    return _peer_parts(work, float(fused)) if name == PEER else _kernel_parts(name, work, float(fused))


def _kernel_parts(name: str, work: Work, fused: float) -> list[float]:
    rows, columns, splits = _tile(name)
    down, tiles = ceil(work.m / rows), _tiles(name, work)
    waves, share, steps = ceil(tiles / UNITS), tiles / UNITS, work.k / splits / 1000
    moved_us = work.bytes / _BYTES_PER_US
    again_us = 2.0 * tiles * (rows + columns) * work.k / splits / _FETCHED_PER_US
    sums_us = 8.0 * work.m * work.n * splits / _FETCHED_PER_US if splits > 1 else 0.0
    weights_us = 2.0 * work.k * work.n * (down - 1) / _BYTES_PER_US
    return [
        1.0, fused, waves, waves * fused, waves * steps, share * steps, share, moved_us, again_us,
        moved_us / max(min(1.0, share), 0.05), steps, sums_us, weights_us,
    ]  # fmt: skip


def _peer_parts(work: Work, fused: float) -> list[float]:
    result, moved_us = 2.0 * work.m * work.n, work.bytes / _BYTES_PER_US
    flops_us = 2.0 * work.m * work.n * work.k / _FLOPS_PER_US
    waves = [
        ceil(work.tiles(rows, columns) / UNITS) * rows * columns * work.k * 2 * UNITS / _FLOPS_PER_US
        for rows, columns in _PEER_TILES
    ]
    uncached = fused * 2 * result / _BYTES_PER_US if result > _CACHED_BYTES else 0.0
    return [
        1.0, fused, fused * result / _BYTES_PER_US, uncached, moved_us, flops_us, max(moved_us, flops_us), work.k / 1000,
        min(waves), min(waves[2:5]), min(waves[:2]),
    ]  # fmt: skip


def places(name: str, works: list[tuple[Work, bool]]) -> NDArray[np.float64]:
    """Return the features of products: [products, 7]."""
    return np.array([_place(name, work, fused=fused) for work, fused in works])


def _place(name: str, work: Work, *, fused: bool) -> list[float]:
    sizes = [log2(work.m), log2(work.n), log2(work.k), float(fused)]
    if name == PEER:
        shares = (work.tiles(rows, columns) for rows, columns in ((64, 64), (128, 128), (128, 256)))
        return sizes + [_busy(tiles) for tiles in shares]
    rows = _tile(name)[0]
    down = ceil(work.m / rows)
    return [*sizes, _busy(_tiles(name, work)), work.m / (down * rows), min(3.0, log2(1 + down))]


def _busy(tiles: int) -> float:
    """Return which share of their waves some tiles fill."""
    return tiles / UNITS / ceil(tiles / UNITS)


def _tiles(name: str, work: Work) -> int:
    rows, columns, splits = _tile(name)
    return work.tiles(rows, columns) * splits


@cache
def _tile(name: str) -> tuple[int, int, int]:
    config = _named(name)[1]
    return config.integer("BM"), config.integer("BN"), int(config.get("SPLITS", 1))


@cache
def _named(name: str) -> tuple[str, Config]:
    """Return the implementation and the configuration that a name is made of."""
    kind, *settings = name.split()
    return kind, Config(**{key: int(value) for key, value in (setting.split("=") for setting in settings)})


@cache
def measured() -> dict[str, Learned]:
    """Return what was learned, by name."""
    content = json.loads((files("hotloop.kernels.gemm") / "learned.json").read_text(encoding="utf-8"))
    works = [(Work(*shape), fused) for shape in content["shapes"] for fused in (False, True)]
    return {
        name: Learned(
            np.array(values["weights"]), places(name, [works[row] for row in values["rows"]]), np.array(values["pulls"])
        )
        for name, values in content["learned"].items()
    }
