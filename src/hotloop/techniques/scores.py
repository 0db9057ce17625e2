"""Predictions against measurements: what each technique promised for a rule on a target, and what came of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import exp, log
from typing import Protocol

from hotloop.model.finding import Gain
from hotloop.techniques.calibration import Calibration, Record


class Outcome(Protocol):
    """One prediction and what came of it, as a store keeps it."""

    @property
    def technique(self) -> str:
        """Its name."""

    @property
    def rule(self) -> str:
        """The rule that it answered; empty: a move of the search, without a finding."""

    @property
    def target(self) -> str:
        """Instruction set target of the device."""

    @property
    def predicted(self) -> Gain:
        """Interval of the speedup that was promised."""

    @property
    def measured(self) -> float | None:
        """Speedup; None when the candidate was never timed."""

    @property
    def verdict(self) -> str:
        """Of the comparison, or ``REFUSED``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """Predictions of one technique for one rule on one target, against what was measured."""

    technique: str
    rule: str
    """Empty: moves of the search, without a finding."""
    target: str
    steps: int
    timed: int
    """Number of candidates that were correct and timed; the others were refused."""
    predicted: Gain
    """Geometric means of the intervals' ends, over all steps."""
    measured: float | None
    """Geometric mean of the speedups; None: none was timed."""
    hits: int
    """Timed steps whose speedup lay in the predicted interval."""
    kept: int
    factor: float
    """Factor for the next expected gain of this technique on this target."""


def scores(rows: Iterable[Outcome]) -> tuple[Score, ...]:
    """Return predicted against measured for each technique, rule and target, in this order."""
    listed = list(rows)
    records = (Record(r.technique, r.target, r.predicted, r.measured) for r in listed if r.measured)
    learned = Calibration(tuple(records))
    groups: dict[tuple[str, str, str], list[Outcome]] = {}
    for row in listed:
        groups.setdefault((row.technique, row.rule, row.target), []).append(row)
    return tuple(_score(key, group, learned) for key, group in sorted(groups.items()))


def _score(key: tuple[str, str, str], rows: Sequence[Outcome], learned: Calibration) -> Score:
    technique, rule, target = key
    timed = [(row.predicted, row.measured) for row in rows if row.measured]
    return Score(
        technique=technique,
        rule=rule,
        target=target,
        steps=len(rows),
        timed=len(timed),
        predicted=Gain(_middle(r.predicted.low for r in rows), _middle(r.predicted.high for r in rows)),
        measured=_middle(speedup for _, speedup in timed) if timed else None,
        hits=sum(gain.contains(speedup) for gain, speedup in timed),
        kept=sum(row.verdict == "FASTER" for row in rows),
        factor=learned.factor(technique, target),
    )


def _middle(values: Iterable[float]) -> float:
    """Return the geometric mean of positive numbers."""
    logs = [log(value) for value in values]
    return exp(sum(logs) / len(logs))
