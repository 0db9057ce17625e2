"""The answer of a paired comparison."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from hotloop.model.energy import WORDS, Objective


class Verdict(StrEnum):
    """The candidate against the incumbent; SAME and UNCLEAR are real answers."""

    FASTER = "FASTER"
    SLOWER = "SLOWER"
    SAME = "SAME"
    UNCLEAR = "UNCLEAR"


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Interleaved rounds of two contenders and what follows from them."""

    verdict: Verdict
    speedup: float
    """Time of the incumbent over time of the candidate, or whatever the objective is; above 1 the candidate is better."""
    low: float
    high: float
    """Confidence interval of the speedup."""
    confidence: float
    """Coverage of the interval that decided, 0..1, after correction for repeated looks."""
    margin: float
    """Relative difference below which two variants count as the same."""
    log_ratios: tuple[float, ...]
    """Per round: ln(incumbent time / candidate time), or of the objective."""
    noise: float | None = None
    """Half width of the interval that the same number of A/A rounds gives on this machine, relative; None: not measured."""
    reason: str = ""
    """Why it is UNCLEAR, or what limits trust (a loaded machine)."""
    times_ns: tuple[float, float] | None = None
    """Time of one call of incumbent and candidate in two of these very rounds that together have the speedup, so that their
    quotient is it; None in records of older versions, and where the objective is another."""
    objective: Objective = Objective.TIME
    """What FASTER and SLOWER are about."""

    @property
    def rounds(self) -> int:
        """Number of interleaved rounds."""
        return len(self.log_ratios)

    @property
    def word(self) -> str:
        """The verdict in the word for what it is about: LEANER where less energy is what of time is FASTER."""
        say = WORDS[self.objective]
        return {Verdict.FASTER: say.better, Verdict.SLOWER: say.worse}.get(self.verdict, self.verdict.value)
