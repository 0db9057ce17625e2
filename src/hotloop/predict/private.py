"""Private memory of work-items (spills, arrays): how much of it the caches keep while its waves are resident."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hotloop.isa.instruction import Function, MemorySpace
from hotloop.predict.card import Card

_BITS_PER_BYTE = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Private:
    """What a launch does with private memory, and where it ends up; bytes of the whole launch."""

    read_bytes: float
    written_bytes: float
    l1_hit: float
    """Share of reads that the first-level cache serves."""
    l2_hit: float
    """Share of what comes to the second-level caches that stays in them."""
    mall_hit: float

    @property
    def l2_bytes(self) -> float:
        """Between the first- and the second-level caches; stores pass the first one."""
        return self.read_bytes * (1 - self.l1_hit) + self.written_bytes

    @property
    def mall_bytes(self) -> float:
        """Beyond the second-level caches."""
        return self.l2_bytes * (1 - self.l2_hit)

    @property
    def memory_bytes(self) -> float:
        """To and from device memory."""
        return self.mall_bytes * (1 - self.mall_hit)


def private(function: Function, counts: Mapping[int, float], card: Card, waves: int, resident: int) -> Private:
    """Return the traffic of private memory.

    Args:
        function: the kernel, with what its compiler says about private memory.
        counts: executions by a wave, by address.
        card: the machine.
        waves: of the launch.
        resident: waves on a compute unit at a time.
    """
    used = function.resources
    lanes = (used.wave_size if used else None) or card.target.wave_size
    read = written = 0.0
    for instruction in function.instructions:
        traits = instruction.traits
        if traits.space is MemorySpace.SCRATCH:
            moved = counts.get(instruction.address, 0.0) * traits.memory_bits / _BITS_PER_BYTE * lanes
            read += moved * traits.reads_memory
            written += moved * traits.writes_memory
    unit = ((used.scratch_bytes if used else None) or 0) * lanes * resident
    units = card.units * card.unit_simds / card.simds
    return Private(
        read_bytes=read * waves,
        written_bytes=written * waves,
        l1_hit=_kept(card.l1_bytes, unit),
        l2_hit=_kept(card.l2_bytes * card.dies, unit * units),
        mall_hit=_kept(card.mall_bytes, unit * units),
    )


def _kept(capacity: float, wanted: float) -> float:
    return min(1.0, capacity / wanted) if wanted else 1.0
