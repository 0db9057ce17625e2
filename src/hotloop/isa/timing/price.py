"""What one instruction costs on one processor: its unit, how long that is taken, and when its result may be used."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Unit(StrEnum):
    """Parts of a compute unit that instructions compete for."""

    VECTOR = "vector"
    MATRIX = "matrix"
    SPECIAL = "special"
    """Transcendental functions, where they have a unit of their own."""
    DOUBLE = "double"
    """Double precision, where it has a unit of its own (NVIDIA)."""
    INTEGER = "integer"
    """Integer and logic work, where it has a unit of its own (NVIDIA)."""
    SCALAR = "scalar"
    LOCAL = "local memory"
    MEMORY = "vector memory"
    CONSTANT = "scalar memory"
    BRANCH = "branch"
    ISSUE = "issue"
    """Slots in which a wave's next instruction is taken, whatever it is."""


@dataclass(frozen=True, slots=True)
class Price:
    """Cycles of one instruction of one wave."""

    unit: Unit | None
    """Unit that executes it; None: the sequencer alone, as for waits and hints."""
    issue_cycles: int
    """Cycles until the wave's next instruction may issue."""
    busy_cycles: float
    """Cycles for which its unit takes no other wave of the same SIMD; a unit that several SIMDs share counts as many times."""
    latency_cycles: int
    """Cycles until a dependent instruction may issue; of a load, until its data are there (nominal)."""
    beside: bool = False
    """True when the wave goes on beside it until it is told to wait for the matrix unit (warp-group instructions)."""
