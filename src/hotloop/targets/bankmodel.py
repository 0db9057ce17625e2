"""How local memory serves one access of a wave."""

from __future__ import annotations

from dataclasses import dataclass

BANK_BYTES = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class BankModel:
    """Banks and phases of one access width on one target."""

    target: str
    op: str
    """``read``, ``write`` or ``read_tr``."""
    width_bytes: int
    """Per lane."""
    banks: int
    phases: tuple[tuple[int, ...], ...]
    """Lanes that one cycle serves when nothing conflicts."""
    status: str
    """``documented``, ``measured`` or ``assumed``."""
    source: str

    @property
    def lanes(self) -> int:
        """Lanes of a wave."""
        return sum(len(phase) for phase in self.phases)


def parse_lanes(text: str) -> tuple[int, ...]:
    """Return lanes from a list of ranges.

    >>> parse_lanes("0-3,20-21")
    (0, 1, 2, 3, 20, 21)
    """
    lanes: list[int] = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        lanes.extend(range(int(first), int(last or first) + 1))
    return tuple(lanes)
