"""The registers of waves that execute in lockstep: one array axis for waves, one for lanes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from hotloop.isa.amdgcn.registers import AGPR, EXEC, SGPR, VCC

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from hotloop.emulate.arrays import Array

    Bits = NDArray[np.uint32]
    Lanes = NDArray[np.bool_]

SCALARS = 136
"""Rows of the scalar file: registers, VCC, trap registers, M0, EXEC."""
VCC_ROW, EXEC_ROW = VCC - SGPR, EXEC - SGPR


@dataclass(frozen=True, slots=True)
class Layout:
    """Rows of the vector file: vector registers, then accumulation registers."""

    vgprs: int
    agprs: int
    lanes: int

    def row(self, register: int) -> int:
        """Return the row of a vector or accumulation register."""
        return register if register < AGPR else self.vgprs + register - AGPR

    @property
    def rows(self) -> int:
        """Rows of the file."""
        return self.vgprs + self.agprs


class Registers:
    """Register files of some waves; `v`, `i`, `f`, `h` are views of the same memory.

    Shapes: vector files [rows, waves, lanes], halves [rows, waves, lanes, 2], scalar files [rows, waves].
    """

    __slots__ = ("exec", "f", "full", "h", "hf", "hi", "i", "layout", "s", "scc", "sf", "si", "v")

    def __init__(self, layout: Layout, vector: Bits, scalar: Bits, scc: Lanes) -> None:
        """Take the files; EXEC is read from the scalar file."""
        self.layout = layout
        self.v, self.s, self.scc = vector, scalar, scc
        self.i, self.f = vector.view(np.int32), vector.view(np.float32)
        halves = vector.view(np.uint16).reshape(*vector.shape, 2)
        self.h, self.hi, self.hf = halves, halves.view(np.int16), halves.view(np.float16)
        self.si, self.sf = scalar.view(np.int32), scalar.view(np.float32)
        self.exec: Lanes = np.zeros((0, 0), bool)
        self.full = False
        self.refresh()

    @classmethod
    def fresh(cls, layout: Layout, waves: int) -> Registers:
        """Return zeroed registers with all lanes active."""
        vector = np.zeros((max(1, layout.rows), waves, layout.lanes), np.uint32)
        scalar = np.zeros((SCALARS, waves), np.uint32)
        scalar[EXEC_ROW] = 0xFFFFFFFF
        scalar[EXEC_ROW + 1] = 0xFFFFFFFF if layout.lanes == 64 else 0
        return cls(layout, vector, scalar, np.zeros(waves, bool))

    @property
    def waves(self) -> int:
        """How many waves there are."""
        return int(self.s.shape[1])

    def refresh(self) -> None:
        """Take EXEC over from its registers."""
        self.exec = self.mask(EXEC_ROW)
        self.full = bool(self.exec.all())

    def mask(self, row: int) -> Lanes:
        """Return the lanes whose bit is set in the scalar register (pair) at a row, [waves, lanes]."""
        words = 2 if self.layout.lanes == 64 else 1
        pair = np.ascontiguousarray(self.s[row : row + words].T)
        return np.unpackbits(pair.view(np.uint8), axis=1, bitorder="little").view(bool)

    def put_mask(self, row: int, lanes: Lanes) -> None:
        """Write lanes as bits into the scalar register (pair) at a row."""
        words = np.packbits(lanes, axis=1, bitorder="little").view(np.uint32)
        self.s[row] = words[:, 0]
        if words.shape[1] == 2:
            self.s[row + 1] = words[:, 1]

    def put(self, row: int, bits: Array) -> None:
        """Write 32-bit values into a vector register, in active lanes."""
        if self.full:
            self.v[row] = bits
        else:
            np.copyto(self.v[row], bits, where=self.exec)

    def pair(self, row: int) -> Array:
        """Return the 64-bit values of a vector register and the next."""
        return self.v[row].astype(np.uint64) | self.v[row + 1].astype(np.uint64) << np.uint64(32)

    def scalar_pair(self, row: int) -> Array:
        """Return the 64-bit values of a scalar register and the next."""
        return self.s[row].astype(np.uint64) | self.s[row + 1].astype(np.uint64) << np.uint64(32)

    def put_scalar_pair(self, row: int, value: Array) -> None:
        """Write 64-bit values into a scalar register and the next."""
        bits = np.asarray(value).astype(np.uint64)
        self.s[row] = (bits & np.uint64(0xFFFFFFFF)).astype(np.uint32)
        self.s[row + 1] = (bits >> np.uint64(32)).astype(np.uint32)

    def select(self, waves: Array) -> Registers:
        """Return a copy of some waves' registers."""
        return Registers(self.layout, self.v[:, waves].copy(), self.s[:, waves].copy(), self.scc[waves].copy())

    def join(self, other: Registers) -> Registers:
        """Return the registers of both."""
        return Registers(
            self.layout,
            np.concatenate((self.v, other.v), axis=1),
            np.concatenate((self.s, other.s), axis=1),
            np.concatenate((self.scc, other.scc)),
        )


def runs(values: Array) -> Iterator[tuple[Any, Array]]:
    """Yield each distinct value with the indices that have it."""
    for value in np.unique(values):
        yield value, np.flatnonzero(values == value)
