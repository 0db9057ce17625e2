"""Counting conflicts: in each phase a bank serves one word per cycle, so the fullest bank decides.

Lanes that ask for the same word share it (broadcast on reads). For writes to the same word the figure is the same: which
lane's value survives is undefined anyway, and whether the hardware serialises is not published.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hotloop.targets.bankmodel import BANK_BYTES, BankModel


@dataclass(frozen=True, slots=True)
class Phase:
    """Lanes served together and what they ask of the banks."""

    lanes: tuple[int, ...]
    words: tuple[int, ...]
    """Different words asked of each bank."""

    @property
    def degree(self) -> int:
        """Cycles that the phase takes: 1 without conflicts."""
        return max(1, *self.words)

    @property
    def ideal(self) -> int:
        """Cycles if the same words lay in the best banks."""
        return max(1, -(-sum(self.words) // len(self.words)))


@dataclass(frozen=True, slots=True)
class Conflicts:
    """One access of a wave."""

    addresses: tuple[int, ...]
    """Byte address per lane."""
    phases: tuple[Phase, ...]
    misaligned: tuple[int, ...]
    """Lanes whose address is not a multiple of the width."""

    @property
    def cycles(self) -> int:
        """Cycles of all phases."""
        return sum(phase.degree for phase in self.phases)

    @property
    def ideal_cycles(self) -> int:
        """Cycles without conflicts."""
        return sum(phase.ideal for phase in self.phases)

    @property
    def degree(self) -> int:
        """The worst phase: 2 means two-way conflicts."""
        return max(phase.degree for phase in self.phases)

    @property
    def free(self) -> bool:
        """True when no phase takes longer than it must."""
        return self.cycles == self.ideal_cycles


def conflicts(model: BankModel, addresses: Sequence[int]) -> Conflicts:
    """Return what an access costs.

    Args:
        model: banks and phases of its width.
        addresses: byte address of each lane of the wave, not negative.
    """
    phases = tuple(_phase(model, lanes, addresses) for lanes in model.phases)
    misaligned = tuple(lane for lane, address in enumerate(addresses) if address % model.width_bytes)
    return Conflicts(tuple(addresses), phases, misaligned)


def words_of(address: int, width_bytes: int) -> range:
    """Return the 4-byte words that an access touches.

    >>> list(words_of(8, 8)), list(words_of(6, 4))
    ([2, 3], [1, 2])
    """
    return range(address // BANK_BYTES, (address + width_bytes - 1) // BANK_BYTES + 1)


def _phase(model: BankModel, lanes: tuple[int, ...], addresses: Sequence[int]) -> Phase:
    counts = [0] * model.banks
    for word in {word for lane in lanes for word in words_of(addresses[lane], model.width_bytes)}:
        counts[word % model.banks] += 1
    return Phase(lanes, tuple(counts))


@dataclass(frozen=True, slots=True)
class Worth:
    """What removing the conflicts can bring at most."""

    saving: float
    """Share of the loop's time."""
    verdict: str


def worth(cycles: float, ideal_cycles: float, lds_share: float) -> Worth:
    """Return the upper bound of the gain when local memory takes `lds_share` of a loop's time.

    Amdahl on the accesses alone: their time shrinks to ideal over actual cycles. It is an upper bound because accesses hide
    behind arithmetic: a reported kernel with counters of "107 % conflicts" lost under 0.1 % of its time to them.
    """
    saving = lds_share * (1 - ideal_cycles / cycles)
    if saving < 0.02:
        return Worth(saving, "below what a comparison can show; leave it")
    if saving < 0.1:
        return Worth(saving, "worth one comparison, after the larger findings")
    return Worth(saving, "likely worth a change; compare, since the bound ignores overlap with arithmetic")
