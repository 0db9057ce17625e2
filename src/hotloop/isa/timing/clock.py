"""The timing of a region: one wave alone, what each unit is taken for, and what follows for several waves.

A SIMD with W waves needs at least what one wave alone needs divided by W (perfect hiding), and at least what its busiest unit
is taken for by one wave's iteration, per wave: the larger of the two is the bound. Real waves collide: measured times lie
above it (docs/predict.md has by how much).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

from hotloop.isa.timing.chain import Chain, chain
from hotloop.isa.timing.price import Unit
from hotloop.isa.timing.timeline import Register, Slot, Timeline

WAITING = "latency"
"""Name of the bound of a region in which no unit is occupied all the time."""


@dataclass(frozen=True, slots=True)
class UnitLoad:
    """What one wave asks of a unit in one iteration."""

    unit: Unit
    cycles: float
    instructions: int


@dataclass(frozen=True, slots=True)
class Bound:
    """The least time of one iteration of one wave, at a number of waves on the SIMD."""

    waves: int
    cycles: float
    """Per wave: divide an iteration of all waves by their number."""
    by: str
    """The limit: a unit, or ``latency``."""


@dataclass(frozen=True, slots=True)
class Clock:
    """The timing of one region."""

    alone_cycles: int
    """One iteration, or the straight-line code, of one wave alone on the SIMD, stalls included."""
    stall_cycles: int
    """Cycles among them in which the wave stands still."""
    units: tuple[UnitLoad, ...]
    """The busiest first."""
    critical: Chain

    @property
    def enough_waves(self) -> int | None:
        """Waves on a SIMD from which on the busiest unit bounds, not latency; None without any work."""
        longest = self.units[0].cycles if self.units else 0
        return max(1, ceil(self.alone_cycles / longest)) if longest else None


def bound(alone_cycles: float, units: Sequence[UnitLoad], waves: int) -> Bound:
    """Return the bound with so many waves on a SIMD; `units` begins with the busiest."""
    hidden = alone_cycles / waves
    if units and units[0].cycles >= hidden:
        return Bound(waves, units[0].cycles, units[0].unit.value)
    return Bound(waves, hidden, WAITING)


def clock(timeline: Timeline, loads: Sequence[tuple[Register, ...]], *, straight: bool = False) -> Clock:
    """Return the timing of a region.

    Args:
        timeline: one wave alone.
        loads: registers that each line's data arrive in, where its slot leaves them to waits.
        straight: True for code that is passed once.
    """
    slots = [line.slot for line in timeline.lines]
    return Clock(
        alone_cycles=timeline.cycles,
        stall_cycles=sum(line.stall_cycles for line in timeline.lines),
        units=pressure(slots),
        critical=chain(slots, loads, rounds=1) if straight else chain(slots, loads),
    )


def pressure(slots: Sequence[Slot]) -> tuple[UnitLoad, ...]:
    """Return what each unit is taken for, the busiest first."""
    cycles: dict[Unit, float] = defaultdict(float)
    counts: dict[Unit, int] = defaultdict(int)
    for slot in slots:
        if slot.price.unit is not None:
            cycles[slot.price.unit] += slot.price.busy_cycles
            counts[slot.price.unit] += 1
    loads = (UnitLoad(unit, cycles[unit], counts[unit]) for unit in cycles)
    return tuple(sorted(loads, key=lambda load: (-load.cycles, load.unit.value)))
