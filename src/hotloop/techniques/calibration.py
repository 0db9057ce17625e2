"""Learning how far predictions are off: what techniques promised against what was measured."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, log
from typing import TYPE_CHECKING

from hotloop.model.finding import Gain
from hotloop.targets.target import Target
from hotloop.techniques import surprises
from hotloop.techniques.gain import LARGEST as MOST_GAIN

if TYPE_CHECKING:
    from collections.abc import Iterable

PRIOR_RECORDS = 3.0
"""Weight of the belief that a prediction is right, in records: one surprise moves a factor by a quarter of its log."""
ELSEWHERE = 0.25
"""Weight of a record from another target, and of a recorded run on another kind of processor."""
OTHERS = 0.1
"""Weight of another technique's record where outcomes are foretold: how far predictions of any kind are off."""
RECORDED = 5.0
"""Most weight of all recorded runs together (`surprises`), in records."""
MISSED = 0.075
"""Part of outcomes that may lie below, and part that may lie above, a promised interval: 85 % shall lie in it."""
BEHIND = 0.1
"""Weight of an outcome below 1 where a quick look has seen a move ahead: looks err, but rarely so far."""
MISSED_AHEAD = 0.05, 0.03
"""Parts of the outcomes below and above a promised interval there: large gains are rare and differ most from kernel to kernel."""
SEEN = 0.15
"""Part by which a comparison may differ from what a quick look showed: an estimate for looks by the host's clock."""
LARGEST = 4.0
"""Factors stay within 1/4 … 4: beyond it the technique's model should be mended, not corrected."""


@dataclass(frozen=True, slots=True)
class Record:
    """A finished step: its prediction and the measured gain."""

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

    def promised(self, technique: str, target: str, gain: Gain, *, ahead: float | None = None) -> Gain:
        """Return the interval that most outcomes of such predictions lay in, never narrower than the prediction itself.

        Its ends are quantiles of ``measured / expected`` over earlier steps: this technique's on this target first, and less
        of others and of recorded runs.

        Args:
            technique: whose prediction it is.
            target: where it will be measured.
            gain: what the mechanism promises.
            ahead: speedup that a quick look showed, above 1: outcomes below 1 count for little then, and what was seen is not excluded.
                None: nothing was seen, or a search proposed it.
        """
        pool, (below, above) = self._pool(technique, target), (MISSED, MISSED)
        if ahead is not None:
            even, (below, above) = -log(gain.expected), MISSED_AHEAD
            pool = [(surprise, weight * (1.0 if surprise > even else BEHIND)) for surprise, weight in pool]
        low, high = (gain.expected * exp(_quantile(pool, part)) for part in (below, 1 - above))
        ends = (low, high) if ahead is None else (low, high, ahead * (1 - SEEN), ahead * (1 + SEEN))
        return Gain(min(gain.low, *ends), min(MOST_GAIN, max(gain.high, *ends)))

    def chance(self, technique: str, target: str, gain: Gain, margin: float) -> float:
        """Return how likely a prediction's outcome is FASTER: the part of such outcomes by which this one would be.

        Args:
            technique: whose prediction it is.
            target: where it will be measured.
            gain: what the mechanism promises.
            margin: relative difference below which two variants are the same.
        """
        pool = self._pool(technique, target)
        needed = log((1 + margin) / gain.expected)
        return sum(weight for surprise, weight in pool if surprise > needed) / sum(weight for _, weight in pool)

    def _pool(self, technique: str, target: str) -> list[tuple[float, float]]:
        """Return surprises with their weights, as far as they say something about a technique on a target."""
        if technique == SEARCH:  # whose steps are no predictions of a mechanism
            return [(surprise, RECORDED / len(surprises.SEARCH)) for surprise in surprises.SEARCH]
        processor = Target.of(target)
        gpu = processor.amd or processor.nvidia
        alike = [
            (entry.log, (1.0 if entry.technique == technique else OTHERS) * (1.0 if entry.gpu == gpu else ELSEWHERE))
            for entry in surprises.MENU
        ]
        scale = min(1.0, RECORDED / sum(weight for _, weight in alike))
        own = [(record.surprise, _weight(record, technique, target)) for record in self.records]
        return [*((surprise, scale * weight) for surprise, weight in alike), *own]

    def techniques(self) -> tuple[str, ...]:
        """Return the techniques that have records, in name order."""
        return tuple(sorted({record.technique for record in self.records}))

    def _of(self, technique: str) -> Iterable[Record]:
        return (record for record in self.records if record.technique == technique)


SEARCH = "search"
"""Name of the technique of steps that a search proposed."""


def _weight(record: Record, technique: str, target: str) -> float:
    return (1.0 if record.target == target else ELSEWHERE) * (1.0 if record.technique == technique else OTHERS)


def _quantile(pool: Iterable[tuple[float, float]], part: float) -> float:
    """Return the value below which `part` of the weight lies.

    >>> _quantile([(3.0, 1.0), (1.0, 1.0), (2.0, 1.0)], 0.5)
    2.0
    """
    ordered = sorted(pool)
    left = part * sum(weight for _, weight in ordered)
    for value, weight in ordered:
        left -= weight
        if left <= 0:
            return value
    return ordered[-1][0]
