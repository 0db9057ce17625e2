"""What the macros of ``attention.hip`` mean, and where its lanes find things in local memory: the same index arithmetic."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

import numpy as np

from hotloop.model.record import Scalar

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]

D = 128
"""Head dimension."""
LANES = 64
CHUNK = 8
"""Halves that a thread moves at once, 16 bytes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tile:
    """One variant of the source; a field is the macro of its name, and the defaults are the source's."""

    bn: int = 16
    waves: int = 4
    side: int = 16
    wide: int = 0
    qfrom: int = 0
    vt: int = 0
    vrows: int = 1
    pad: int = 0
    swizzle: int = 0
    causal: int = 1
    exit: int = 0
    edge: int = 0
    buffers: int = 0
    prefetch: int = 0
    preg: int = 0
    overlap: int = 0
    late: int = 0
    cross: int = 0
    hints: int = 0
    overlay: int = 0
    direct: int = 0
    tr: int = 0
    stagger: int = 0
    ahead: int = 0
    priority: int = 0
    lazy: int = 0
    agpr: int = 0
    resident: int = 0

    @classmethod
    def of(cls, changes: Mapping[str, Scalar]) -> Tile:
        """Return the tile of macros that differ from their defaults."""
        return cls(**{name.lower(): int(value) for name, value in changes.items()})

    @property
    def macros(self) -> tuple[str, ...]:
        """Options of the compiler."""
        return tuple(f"-D{field.name.upper()}={getattr(self, field.name)}" for field in fields(self))

    # -- sizes ----------------------------------------------------------------------------------------------------------

    @property
    def threads(self) -> int:
        """Work-items of a work-group."""
        return LANES * self.waves

    @property
    def rows(self) -> int:
        """Queries of a work-group."""
        return self.side * self.waves

    @property
    def groups(self) -> int:
        """Parts of a wave whose lanes hold different steps of the inner dimension."""
        return LANES // self.side

    @property
    def width(self) -> int:
        """Halves of an operand in one lane."""
        return 8 if self.wide else 4

    @property
    def depth(self) -> int:
        """Inner dimension of a matrix instruction."""
        return self.groups * self.width

    @property
    def registers(self) -> int:
        """Sums of a matrix instruction in one lane."""
        return self.side * self.side // LANES

    @property
    def tiles(self) -> int:
        """Matrix tiles of S along the keys of a step."""
        return self.bn // self.side

    @property
    def steps(self) -> int:
        """Matrix instructions along the head dimension."""
        return D // self.depth

    @property
    def columns(self) -> int:
        """Matrix tiles of O along the head dimension."""
        return D // self.side

    @property
    def packs(self) -> int:
        """Matrix instructions along the keys of a step."""
        return self.bn // self.depth

    @property
    def instruction(self) -> str:
        """The matrix instruction."""
        return f"v_mfma_f32_{self.side}x{self.side}x{self.depth}_f16"

    # -- local memory, in halves ------------------------------------------------------------------------------------------

    @property
    def slots(self) -> int:
        """Places for K, and for V."""
        return 2 if self.buffers == 2 else 1

    @property
    def gap(self) -> int:
        """Halves between rows."""
        return 0 if self.swizzle else self.pad

    @property
    def k_stride(self) -> int:
        """Distance of rows of Q and of K."""
        return D + self.gap

    @property
    def v_stride(self) -> int:
        """Distance of rows of V, or of its columns when it is transposed."""
        return self.bn + self.gap if self.vt else D + self.gap

    @property
    def k_size(self) -> int:
        """One tile of K."""
        return self.bn * self.k_stride

    @property
    def v_size(self) -> int:
        """One tile of V."""
        return (D if self.vt else self.bn) * self.v_stride

    @property
    def k_at(self) -> int:
        """Where K begins, behind Q or in its place."""
        return 0 if self.overlay else self.q_size

    @property
    def q_size(self) -> int:
        """All rows of Q, where they are staged."""
        return 0 if self.qfrom == 2 else self.rows * self.k_stride

    @property
    def v_at(self) -> int:
        """Where V begins: with K where both share a place."""
        return self.k_at if self.buffers == 0 else self.k_at + self.slots * self.k_size

    @property
    def p_at(self) -> int:
        """Where P begins."""
        if self.buffers == 0:
            return self.k_at + max(self.k_size, self.v_size)
        return self.v_at + self.slots * self.v_size

    @property
    def lds_bytes(self) -> int:
        """Local memory of a work-group."""
        return 2 * max(self.q_size, self.p_at + (0 if self.preg else self.rows * self.bn))

    # -- lanes; arrays are [lanes] or [lanes, halves] -----------------------------------------------------------------------

    def lane(self) -> tuple[Ints, Ints]:
        """Return (n, g) of every lane."""
        lanes = np.arange(LANES)
        return lanes % self.side, lanes // self.side

    def row(self, register: int) -> Ints:
        """Return the row of C that a register of each lane holds."""
        return 8 * (register // 4) + 4 * self.lane()[1] + register % 4

    def k_place(self, row: Ints, d: Ints) -> Ints:
        """Return where an element of Q or K lies in its tile."""
        if not self.swizzle:
            return row * self.k_stride + d
        return row * self.k_stride + (d // self.width ^ row % 16) * self.width + d % self.width

    def v_place(self, d: Ints, key: Ints) -> Ints:
        """Return where an element of V lies in its tile."""
        if not self.vt:
            units = d // 8 ^ (key % 4 * 4 + key // 4 % 2 * 2)
            return key * self.v_stride + (units * 8 + d % 8 if self.swizzle else d)
        return d * self.v_stride + (key ^ (d // 8 ^ d // 2) % 8 * 4 if self.swizzle else key)

    def operand(self, row0: int, step: int) -> Ints:
        """Return where an operand of the first product lies in a tile of Q or K: one row per lane, along the head."""
        n, g = self.lane()
        return self.k_place((row0 + n)[:, None], (step * self.depth + self.width * g)[:, None] + np.arange(self.width))

    def keys(self, pack: int) -> Ints:
        """Return the keys of a step that an operand of the second product stands for, [lanes, halves]."""
        parts = self.width // 4
        part, j = np.divmod(np.arange(self.width), 4)
        return 4 * self.groups * (pack * parts + part) + 4 * self.lane()[1][:, None] + j

    def values(self, column: int, pack: int) -> Ints:
        """Return where an operand of the second product lies in a tile of V."""
        if self.tr:
            return np.concatenate(
                [transposed(self.corner(column, pack, part)) for part in range(self.width // 4)], axis=1
            )
        return self.v_place((self.side * column + self.lane()[0])[:, None], self.keys(pack))

    def corner(self, column: int, pack: int, part: int) -> Ints:
        """Return the place of which each lane gives the address when four halves of an operand are transposed in reading."""
        n, g = self.lane()
        key = 4 * self.groups * (pack * (self.width // 4) + part) + 4 * g
        return self.v_place(self.side * column + n // 16 * 16 + n % 4 * 4, key + n % 16 // 4)

    def p_write(self, tile: int, register: int) -> Ints:
        """Return where a lane puts an element of P, in its wave's part."""
        return self.row(register) * self.bn + self.side * tile + self.lane()[0]

    def p_read(self, pack: int) -> Ints:
        """Return where a lane finds an operand of P."""
        n, g = self.lane()
        return (n * self.bn + pack * self.depth + self.width * g)[:, None] + np.arange(self.width)

    def moves(self, rows: int, together: int) -> tuple[Ints, Ints]:
        """Return row and first column, [threads, moves], of the chunks that threads move of a tile of so many rows."""
        thread, move = np.arange(self.threads)[:, None], np.arange(rows * D // CHUNK // self.threads)
        row = (thread + move // together * self.threads) // (D // CHUNK) * together + move % together
        return row, np.broadcast_to(thread % (D // CHUNK) * CHUNK, row.shape)

    def copies(self, place: Callable[[Ints, Ints], Ints]) -> tuple[Ints, Ints, Ints]:
        """Return row, first column and place, [threads, copies], of what lanes copy past the registers into a tile.

        `place` says where (row, column) lies; being its own inverse in a row, it also says what belongs to a place.
        """
        thread, copy = np.arange(self.threads)[:, None], np.arange(self.bn * D // (self.unit * self.threads))
        at = (copy * self.waves + thread // LANES) * LANES * self.unit + thread % LANES * self.unit
        row = at // D
        return row, place(row, at % D) - row * D, at

    @property
    def unit(self) -> int:
        """Halves that a lane copies past the registers at once: 16 bytes on gfx950, 4 elsewhere."""
        return 8 if self.wide else 2

    def put(self, rows: int) -> Ints:
        """Return where the halves of chunks go in a tile of Q or K, or of V as it is, [threads, moves, halves]."""
        row, column = self.moves(rows, 1)
        return self.k_place(row[..., None], column[..., None] + np.arange(CHUNK))

    def put_v(self) -> Ints:
        """Return where the halves of chunks of V go."""
        row, column = self.moves(self.bn, self.vrows if self.vt else 1)
        return self.v_place(column[..., None] + np.arange(CHUNK), row[..., None])


def transposed(corner: Ints) -> Ints:
    """Return the places of the four halves that each lane gets from ``ds_read_b64_tr_b16``, from the lanes' addresses.

    In every group of 16 lanes, lanes 4r to 4r + 3 give the address of row r, 16 halves, and lane i receives half i of the four
    rows (seen in Triton's code for gfx950).
    """
    lanes, row = np.arange(LANES)[:, None], np.arange(4)
    giver = lanes // 16 * 16 + 4 * row + lanes % 16 // 4
    given: Ints = corner[giver] + lanes % 4
    return given
