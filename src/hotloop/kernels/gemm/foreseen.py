"""Products with a fused activation whose shape is like none of the table's: which kernel should beat PyTorch's two, if any.

A kernel takes a fixed time and, for whole tiles, waves and lines (`expected.efficiency`), a multiple of what the device needs at best; the
multiple is the one of its own rows. PyTorch takes a fixed time, the product at its best rate, and reads and writes the result once more
(`expected.peer_s` knows no fixed time, because it bounds what a near row promises from below). The constants were fitted on 28 products of models
(results/nvidia-h200-2026-11-28-ops/fused-fourth.jsonl.gz): 16 of these are chosen, 1.02 to 1.55 times as fast. Of 60 products drawn at random afterwards
12 were chosen by this, 0.94 to 1.96 times as fast, one of them slower than PyTorch (results/nvidia-h200-2026-11-29/fresh-second.jsonl.gz).
"""

from __future__ import annotations

from functools import cache
from statistics import median
from typing import TYPE_CHECKING

from hotloop.kernels.gemm.expected import Work, efficiency, half_empty, reads_again
from hotloop.kernels.gemm.rows import TABLE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hotloop.kernels.gemm.shared.row import Row
    from hotloop.model.space import Config

MARGIN = 1.1
"""How much more PyTorch must be expected to take: the kernels below are foreseen within 11 % on average."""
_FIXED_US = 3.0
"""What each of these kernels takes beside its tiles."""
_PEER_FIXED_US, _SECOND_US = 3.5, 1.0
"""What PyTorch's product takes beside its work, and its activation."""
_PEER_FLOPS_PER_S, _BYTES_PER_S = 780e12, 3.9e12
"""What the vendor's library reaches at its best, and memory."""
_SECOND_BYTES = 6.0
"""Bytes of an element that the activation moves: it is written by the product, read and written."""
_UNITS = 132
"""Multiprocessors of the device on which the rows were measured."""
_REGULAR = ("hopper", "hopper-skinny")
"""Implementations whose time is foreseen best: within 11 and 10 % on average at those 28 products, by their own rows; the others within 12 to 33 %
with multiples of measurements of other shapes, by which these two are within 8 and 6 %."""
_LEAST = 512
"""Features below which no product was measured."""
_SKINNY = "hopper-skinny"
_CACHED_BYTES = 25e6
"""Weights that stay in the second-level cache, of which this is half, while several rows of tiles read them."""


def fastest(work: Work, units: int) -> Iterator[tuple[str, Row]]:
    """Yield kernels that should beat PyTorch at a product with an activation, and a row of each, the fastest one first."""
    if not work.whole_lines or min(work.n, work.k) < _LEAST:
        return
    limit_us = peer_us(work) / MARGIN
    times = [
        (_FIXED_US + times * best_us(name, row.config, work, units), number)
        for number, (name, row, times) in enumerate(_multiples())
        if _takes(name, row, work)
    ]
    for time_us, number in sorted(times):
        if time_us < limit_us:
            name, row, _ = _multiples()[number]
            yield name, row


def peer_us(work: Work) -> float:
    """Return what PyTorch should take for a product and an activation behind it.

    >>> round(peer_us(Work(2048, 6144, 4096)), 1)
    156.0
    """
    product_s = max(2.0 * work.m * work.n * work.k / _PEER_FLOPS_PER_S, work.bytes / _BYTES_PER_S)
    return _PEER_FIXED_US + _SECOND_US + 1e6 * (product_s + _SECOND_BYTES * work.m * work.n / _BYTES_PER_S)


def best_us(name: str, config: Config, work: Work, units: int) -> float:
    """Return the time of a device that wastes nothing but what tiles, waves and lines of a kernel waste."""
    return 1e6 * work.best_s / efficiency(name, config, work, units)


@cache
def _multiples() -> list[tuple[str, Row, float]]:
    """Return each configuration's first row, and what it takes of that time at its own rows: the median."""
    alike: dict[tuple[str, Config], list[Row]] = {}
    for name, row in TABLE:
        if name in _REGULAR and row.config:
            alike.setdefault((name, row.config), []).append(row)
    return [(name, rows[0], median(_multiple(name, row) for row in rows)) for (name, _), rows in alike.items()]


def _multiple(name: str, row: Row) -> float:
    return (row.time_us - _FIXED_US) / best_us(name, row.config, Work(*row.shape), _UNITS)


def _takes(name: str, row: Row, work: Work) -> bool:
    """Tell whether a configuration reads the weights once, if it is made for few rows, and else fills its tiles as where it was measured."""
    if name == _SKINNY:
        return work.m <= row.config.integer("BM")
    there = Work(*row.shape)
    again = reads_again(row.config, there, work) and 2.0 * work.n * work.k > _CACHED_BYTES
    return not again and not half_empty(row.config, there, work)
