"""Where A lies in local memory in ``preshuffled.cuh``, which lane touches what of it, and how many of which instruction a step has."""

from __future__ import annotations

from dataclasses import dataclass

from hotloop.kernels.gemm_preshuffled.hip.space import SEGMENT_BYTES, THREADS, UNIT_BYTES, WAVES
from hotloop.kernels.gemm_preshuffled.problem import BLOCK_N, Form
from hotloop.model.ladder import Local
from hotloop.model.space import Config

LANES = 64
_SIDE, _GROUPS = 16, 4
_MASK_MOST = 15
_BITS = 128


@dataclass(frozen=True, slots=True)
class Layout:
    """A work-group's tile in one configuration."""

    form: Form
    config: Config

    def of(self, name: str) -> int:
        """Return a parameter."""
        return self.config.integer(name)

    @property
    def units(self) -> int:
        """Units of 16 bytes in a row of A."""
        return self.of("BKB") // UNIT_BYTES

    @property
    def segments(self) -> int:
        """Return the number of 64-byte segments in a row of A."""
        return self.of("BKB") // SEGMENT_BYTES

    @property
    def row_tiles(self) -> int:
        """Matrix instructions beside each other along the rows, all of them each wave's."""
        return self.of("BM") // _SIDE

    @property
    def column_tiles(self) -> int:
        """Return the tiles along the columns of one wave."""
        return self.of("BN") // BLOCK_N // WAVES

    @property
    def moves(self) -> int:
        """Units of A that a thread moves in a step."""
        return self.of("BM") * self.units // THREADS

    @property
    def packs(self) -> int:
        """Packs of a wave along k in a step."""
        return self.segments // self.form.segments

    @property
    def deep(self) -> bool:
        """Whether one matrix instruction consumes two segments of k at once."""
        return self.form.blocks or (self.form.number == 1 and self.of("WIDE") == 1)

    @property
    def products(self) -> int:
        """Matrix instructions of a wave in a step."""
        tiles = self.row_tiles * self.column_tiles * self.segments
        return tiles // 2 if self.deep else tiles * (1 if self.of("WIDE") else 2)

    @property
    def stores(self) -> int:
        """Stores to local memory of a wave in a step."""
        staged = self.of("BN") // BLOCK_N * self.packs * LANES // THREADS if self.of("STAGE_B") else 0
        return self.moves + staged

    @property
    def words(self) -> int:
        """Words of eight 4-bit weights that a wave unpacks in a step."""
        return self.column_tiles * self.packs * 4 if self.form.weight_bits == 4 else 0

    def unit(self, row: int, unit: int) -> int:
        """Return the place of a unit, in units of the tile."""
        swap = row & min(self.units - 1, _MASK_MOST) if self.of("SWIZZLE") else 0
        return row * self.units + (unit ^ swap)

    def read(self, lane: int, tile: int, segment: int) -> int:
        """Return the unit of A that a lane reads for a tile of rows and a segment."""
        return self.unit(_SIDE * tile + lane % _SIDE, _GROUPS * segment + lane // _SIDE)

    def written(self, thread: int, move: int) -> tuple[int, int]:
        """Return row and unit of what a thread moves."""
        at = thread + move * THREADS
        return at // self.units, at % self.units

    def accesses(self) -> tuple[Local, ...]:
        """Return the first access of every kind of the first wave."""
        reads = tuple(UNIT_BYTES * self.read(lane, 0, 0) for lane in range(LANES))
        writes = tuple(UNIT_BYTES * self.unit(*self.written(lane, 0)) for lane in range(LANES))
        return (Local("read A", "read", _BITS, reads), Local("write A", "write", _BITS, writes))
