"""Counting what memory accesses cost: cache lines of device memory, cycles of local memory's banks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hotloop.emulate.sanitizer.access import Access, Kind
from hotloop.errors import UsageError
from hotloop.isa.banks.conflict import conflicts
from hotloop.targets.banks import model

if TYPE_CHECKING:
    from hotloop.emulate.arrays import Array
    from hotloop.emulate.cohort import Cohort
    from hotloop.emulate.instruction import Decoded
    from hotloop.emulate.program import Program

LINE_BYTES = 128
"""Bytes of a line of the second-level cache: CDNA 2 to 4 and RDNA 1 to 4 (AMD's ISA and tuning guides)."""
_LOOKED_AT = 16
"""Accesses of an instruction whose bank conflicts are worked out."""


@dataclass(slots=True)
class Row:
    """What the accesses of one instruction cost so far."""

    accesses: int = 0
    """Memory accesses, summed over waves."""
    lines: int = 0
    """Distinct cache lines, summed over accesses."""
    cycles: int = 0
    """Cycles that local memory took for the accesses that were looked at."""
    ideal: int = 0
    looked_at: int = 0


class Tracer:
    """An observer that counts executions, accesses and the memory that they touch."""

    def __init__(self, program: Program) -> None:
        """Take the program that will run."""
        self.rows: dict[int, Row] = {}
        self._target, self._lanes = program.target.name, program.layout.lanes

    def memory(self, c: Cohort, ins: Decoded, offsets: Array, lanes: Array, access: Access) -> None:
        """Count the distinct lines of each wave."""
        del c
        row = self.rows.setdefault(ins.index, Row())
        row.accesses += int(lanes.any(axis=1).sum())
        parts = [np.where(lanes, (offsets + shift) // LINE_BYTES, -1) for shift in {0, access.bytes - 1}]
        ordered = np.sort(np.concatenate(parts, axis=1), axis=1)
        row.lines += int((np.diff(ordered, axis=1) > 0).sum() + (ordered[:, 0] >= 0).sum())

    def went(self, waves: Array, instructions: int) -> None:
        """Nothing is counted by wave."""

    def local(self, c: Cohort, ins: Decoded, offsets: Array, lanes: Array, access: Access) -> None:
        """Work the bank conflicts of the first accesses out, in the first wave whose lanes are all active."""
        del c
        row = self.rows.setdefault(ins.index, Row())
        row.accesses += int(lanes.any(axis=1).sum())
        whole = np.flatnonzero(lanes.all(axis=1))
        if row.looked_at >= _LOOKED_AT or not len(whole):
            return
        row.looked_at += 1
        try:
            banks = model(self._target, "read" if access.kind is Kind.READ else "write", 8 * access.bytes, self._lanes)
        except UsageError:
            return
        if banks.lanes == self._lanes:
            cost = conflicts(banks, tuple(offsets[whole[0]].tolist()))
            row.cycles += cost.cycles
            row.ideal += cost.ideal_cycles
