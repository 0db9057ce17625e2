"""Learning how far predictions are off: what techniques promised against what was measured."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, log
from typing import TYPE_CHECKING

from hotloop.model.finding import Gain

if TYPE_CHECKING:
    from collections.abc import Iterable

PRIOR_RECORDS = 3.0
"""Weight of the belief that a prediction is right, in records: one surprise moves a factor by a quarter of its log."""
ELSEWHERE = 0.25
"""Weight of a record from another target."""
LARGEST = 4.0
"""Factors stay within 1/4 … 4: beyond it the technique's model should be mended, not corrected."""


@dataclass(frozen=True, slots=True)
class Record:
    """One finished step."""

    technique: str
    target: str
    """Instruction set target of the device, e.g. ``x86-64-avx512``."""
    predicted: Gain
    speedup: float
    """Measured time before over time after; must be positive."""

    @property
    def surprise(self) -> float:
        """Log of measured over expected speedup: below 0 it promised too much."""
        return log(self.speedup / self.predicted.expected)

    @property
    def hit(self) -> bool:
        """Tell whether the measurement fell into the predicted interval."""
        return self.predicted.contains(self.speedup)


@dataclass(frozen=True, slots=True)
class Calibration:
    """Correction factors from all records of the past; without records every factor is 1."""

    records: tuple[Record, ...] = ()

    def factor(self, technique: str, target: str) -> float:
        """Return what to multiply an expected gain with: the geometric mean of measured / expected, shrunk towards 1.

        ``exp(Σ w·surprise / (Σ w + 3))`` with w = 1 for the same target and 1/4 for another one.
        """
        weighted = [(1.0 if r.target == target else ELSEWHERE, r.surprise) for r in self._of(technique)]
        total = sum(weight for weight, _ in weighted)
        mean = sum(weight * surprise for weight, surprise in weighted) / (total + PRIOR_RECORDS)
        return min(LARGEST, max(1 / LARGEST, exp(mean)))

    def expected(self, technique: str, target: str, gain: Gain) -> float:
        """Return the corrected expected speedup of a prediction."""
        return gain.expected * self.factor(technique, target)

    def techniques(self) -> tuple[str, ...]:
        """Return the techniques that have records, in name order."""
        return tuple(sorted({record.technique for record in self.records}))

    def _of(self, technique: str) -> Iterable[Record]:
        return (record for record in self.records if record.technique == technique)
