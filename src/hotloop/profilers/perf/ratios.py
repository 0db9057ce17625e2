"""What counts of ``perf stat`` say together: instructions per cycle, misses, cores in use, and counts of one launch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from hotloop.profilers.profile import Reading

HARDWARE: Final = frozenset(
    {"cycles", "instructions", "branches", "branch-misses", "cache-references", "cache-misses", "cpu-cycles"}
)
_QUOTIENTS: Final = (
    ("instructions per cycle", "instructions", "cycles", "of all cores that ran; below 1 the cores mostly wait"),
    ("branch misses", "branch-misses", "branches", "share of branches that were predicted wrongly"),
    ("cache misses", "cache-misses", "cache-references", "share of last-level accesses that went to memory"),
    ("first-level misses", "L1-dcache-load-misses", "L1-dcache-loads", "share of loads that left the first-level cache"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Ratio:
    """One quotient of two counts."""

    name: str
    value: float
    formula: str
    meaning: str


def ratios(readings: Sequence[Reading]) -> tuple[Ratio, ...]:
    """Return the quotients whose counts are known and whose divisor is not zero."""
    known = {reading.event.partition(":")[0]: reading.value for reading in readings if reading.value is not None}
    return tuple(
        Ratio(name, known[above] / known[below], f"{above} / {below}", meaning)
        for name, above, below, meaning in _QUOTIENTS
        if above in known and known.get(below)
    )


def blind(readings: Sequence[Reading]) -> bool:
    """Tell whether hardware events were asked for and not one of them was counted."""
    hardware = [reading for reading in readings if reading.event.partition(":")[0] in HARDWARE]
    return bool(hardware) and all(reading.value is None for reading in hardware)
