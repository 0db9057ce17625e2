"""Private memory of work-items (spills, arrays): how much of it the caches keep while its waves are resident.

A wave goes through its private memory again and again. Of what fits, a cache keeps all. Of what does not fit, the one that drops
the line not used for longest keeps nothing, and none can keep more than its size; how AMD's choose is not published. A random
choice lies between and is taken.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp

from hotloop.isa.instruction import Function, MemorySpace
from hotloop.predict.card import Card
from hotloop.predict.reuse import Residency
from hotloop.targets.span import Span

_BITS_PER_BYTE = 8
_STEPS = 60
"""Steps until the share that stays in the cache has settled; where it almost fits, the result is slightly too small."""


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
    memory: Span = Span(0, 0)
    """Bytes to and from device memory with the best choice of what a cache drops, and with the worst."""

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


def private(
    function: Function, counts: Mapping[int, float], card: Card, waves: int, resident: float, beside_bytes: float = 0.0
) -> Private:
    """Return the traffic of private memory.

    Args:
        function: the kernel, with what its compiler says about private memory.
        counts: executions by a wave, by address.
        card: the machine.
        waves: of the launch.
        resident: waves on a compute unit at a time.
        beside_bytes: other device memory that the waves resident on the whole machine touch: it lies in the same caches.
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
    every = unit * card.units * card.unit_simds / card.simds
    whole = every + beside_bytes * bool(every)
    levels = ((card.l1_bytes, unit), (card.l2_bytes * card.dies, whole), (card.mall_bytes, whole))
    best, worst, likely = ([keep(*level) for level in levels] for keep in (_most, _least, kept))

    def past(hits: Sequence[float]) -> float:
        return (read * (1 - hits[0]) + written) * (1 - hits[1]) * (1 - hits[2]) * waves

    return Private(
        read_bytes=read * waves,
        written_bytes=written * waves,
        l1_hit=likely[0],
        l2_hit=likely[1],
        mall_hit=likely[2],
        memory=Span(past(best), past(worst)),
    )


def resident(place: Residency, group_waves: int, card: Card) -> float:
    """Return the waves that a compute unit holds of whole groups, as a mean over the units that take groups together.

    >>> from hotloop.predict.card import card
    >>> resident(Residency(grid=(99, 9, 1), unit_groups=2), 13, card("W7800"))  # 26 waves on a pair, not 6 on each SIMD
    13.0
    """
    groups = min(place.unit_groups, -(-place.groups // card.units))
    return groups * group_waves * card.simds / card.unit_simds


def kept(capacity: float, wanted: float) -> float:
    """Return the share of accesses that a cache serves which drops a random line, going round and round.

    A line survives a round in which m lines are missed, of n in the cache, with the probability (1 - 1/n)^m.

    >>> [round(kept(64, wanted), 2) for wanted in (32, 64, 80, 128, 640)]
    [1.0, 1.0, 0.63, 0.2, 0.0]
    """
    if wanted <= capacity or not capacity:
        return _least(capacity, wanted)
    share = 0.0
    for _ in range(_STEPS):
        share = exp((share - 1) * wanted / capacity)
    return share


def _least(capacity: float, wanted: float) -> float:
    return float(wanted <= capacity)


def _most(capacity: float, wanted: float) -> float:
    return min(1.0, capacity / wanted) if wanted else 1.0
