"""A figure that is known as a range only."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Span:
    """From the least to the most that is plausible, in the unit of the fact."""

    low: float
    high: float

    @property
    def middle(self) -> float:
        """What is used where one number is needed.

        >>> Span(2.0, 4.0).middle
        3.0
        """
        return (self.low + self.high) / 2

    def __str__(self) -> str:
        """Write both ends, or the one number."""
        return f"{self.low:g}" if self.low == self.high else f"{self.low:g}–{self.high:g}"
