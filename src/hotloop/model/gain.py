"""What a change is expected to bring."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Gain:
    """Predicted speedup interval of a move: time before over time after."""

    low: float
    high: float

    @property
    def expected(self) -> float:
        """Geometric middle of the interval.

        >>> Gain(1.0, 4.0).expected
        2.0
        """
        return float((self.low * self.high) ** 0.5)

    def contains(self, speedup: float) -> bool:
        """Tell whether a measured speedup fell into the interval."""
        return self.low <= speedup <= self.high
