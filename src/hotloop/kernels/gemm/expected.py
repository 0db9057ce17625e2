"""How fast a product's configuration should be on a shape that it was not measured on: whole tiles, whole waves, bytes.

A configuration keeps its share of what the device could do at best, except for what the new shape wastes: columns and rows
that fill no tile, a last wave that fills no device, rows in memory that share lines with their neighbours. The peer is taken
to waste nothing more than where both were measured; so a predicted ratio is a careful one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hotloop.targets.machine import multiprocessors

if TYPE_CHECKING:
    from hotloop.model.space import Config

LEAST = 0.9
"""Expected ratio to PyTorch's time below which PyTorch's own function runs."""
UNITS = multiprocessors("sm_90")
"""Multiprocessors of the device on which all of this was measured."""
_UNIT_FLOPS_PER_S = 730e12 / UNITS
BYTES_PER_S = 3.9e12
"""Both as reached on an H200 by the kernels of the table, results/nvidia-h200-2026-11-21."""
TILE_BYTES_PER_S = 12.9e12
"""Bytes of operands that all tiles together fetch, mostly from the second-level cache: the most that any row of the table reaches (64 by
128 tiles at 256x1024x32768; ten rows of three kernels lie between 10.8 and 12.9). Small tiles on wide products are bound by it."""
_FEW_ROWS = 512
"""Rows up to which products are bound by reading weights, roughly: 187 by the rates above, more where tiles are not whole."""
_LEAST_TILE_ROWS = 16
"""Rows of the lowest tile of Triton's products."""
_AGAIN_S = 2e-6
"""From the end of a kernel to the first results of the next one that waits for it."""
_PEER = 0.95
"""Share of the best speed that cuBLAS reaches where it is good: 256x8192x8192 and 8192 cubed of the table."""
_LINE_ELEMENTS = 64
"""Elements of 16 bits in a line of 128 bytes, which the copy engine fetches whole."""
_SPLIT_LINES = 0.8
"""Speed where rows begin within lines: 0.70 to 0.93 beside whole waves, results/nvidia-h200-2026-11-22/untuned.json."""


@dataclass(frozen=True, slots=True)
class Work:
    """Sizes of one matrix product."""

    m: int
    n: int
    k: int

    @property
    def whole_lines(self) -> bool:
        """Tell whether rows of the operands begin where lines of memory begin."""
        return self.n % _LINE_ELEMENTS == 0 and self.k % _LINE_ELEMENTS == 0

    @property
    def best_s(self) -> float:
        """Return the time of a device that wastes nothing."""
        return max(2.0 * self.m * self.n * self.k / (_UNIT_FLOPS_PER_S * UNITS), self.bytes / BYTES_PER_S)

    @property
    def bytes(self) -> float:
        """Return the bytes that must move, for elements of 16 bits."""
        return 2.0 * (self.m * self.k + self.k * self.n + self.m * self.n)

    def tiles(self, rows: int, columns: int) -> int:
        """Return how many tiles cover the result."""
        return -(-self.m // rows) * -(-self.n // columns)


def efficiency(kind: str, config: Config, work: Work, units: int) -> float:
    """Return which share of the best speed whole tiles, waves and lines leave to a kernel of the table."""
    lines = 1.0 if work.whole_lines else _SPLIT_LINES
    if kind == "hopper-skinny":  # every program reads as many bytes
        return lines
    rows, columns = config.integer("BM"), config.integer("BN")
    splits = int(config.get("SPLITS", 1))
    programs = work.tiles(rows, columns) * splits
    resident = units * int(config.get("RESIDENT", 1))
    waves = -(-programs // resident)
    each_s = 2.0 * rows * columns * (work.k / splits) / _UNIT_FLOPS_PER_S * (resident / units)
    busy = programs / (-(-programs // units) * units)
    fetched = 2.0 * programs * (rows + columns) * work.k / splits
    return lines * work.best_s / max(waves * each_s, work.bytes / BYTES_PER_S / busy, fetched / TILE_BYTES_PER_S / busy)


def reads_again(config: Config, there: Work, here: Work) -> bool:
    """Tell whether a product of few rows has other rows of tiles than where a configuration was measured.

    Each row of tiles reads the weights, which are nearly all there is to read then; on an H200 nine kernels whose tiles had one row where
    they were measured, and two or three where they ran, took 1.3 to 2.1 times as long as PyTorch instead of as long.
    """
    rows = int(config.get("BM", here.m))
    return min(there.m, here.m) <= _FEW_ROWS and -(-here.m // rows) != -(-there.m // rows)


def half_empty(config: Config, there: Work, here: Work) -> bool:
    """Tell whether rows fill no half of a tile here but did where it was measured, so that a lower one would do, of which nothing is known.

    Tiles of 64 rows that were measured with 64 took 1.08 to 1.3 times as long as PyTorch with 8 and 16, results/nvidia-h200-2026-11-24.
    """
    rows = int(config.get("BM", 0))
    return rows > _LEAST_TILE_ROWS and 2 * here.m <= rows < 2 * there.m


def sums_us(work: Work, splits: int) -> float:
    """Return what it takes to write and read the float32 sums of slices of k, and to begin once more behind them."""
    return (_AGAIN_S + 8.0 * work.m * work.n * splits / TILE_BYTES_PER_S) * 1e6 if splits > 1 else 0.0


def peer_s(work: Work, units: int, *, fused: bool) -> float:
    """Return what PyTorch takes at a shape that suits it: as the vendor's library at its best, and another pass where an activation follows."""
    again = 6.0 * work.m * work.n / BYTES_PER_S if fused else 0.0
    return (work.best_s / _PEER + again) * max(1.0, UNITS / units)  # a smaller device takes as much longer


def ratio(kind: str, config: Config, measured: tuple[Work, float], asked: Work, units: int) -> float:
    """Return the expected ratio on the asked shape, from the measured one's shape and ratio."""
    there, ratio_there = measured
    if asked == there:
        return ratio_there
    return ratio_there * efficiency(kind, config, asked, units) / efficiency(kind, config, there, units)
