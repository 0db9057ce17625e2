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
    """Time (or energy, see `objective`) of the incumbent divided by that of the candidate; above 1 the candidate is better."""
    low: float
    high: float
    """Confidence interval of the speedup."""
    confidence: float
    """Coverage of the deciding interval, 0..1, corrected for testing repeatedly as rounds accumulate."""
    margin: float
    """Relative difference below which two variants count as the same."""
    log_ratios: tuple[float, ...]
    """Per round: ln(incumbent / candidate), of times or of the objective."""
    noise: float | None = None
    """Relative half width of the interval when a program is compared with itself in as many rounds; None: not measured."""
    reason: str = ""
    """Why it is UNCLEAR, or what limits trust (a loaded machine)."""
    times_ns: tuple[float, float] | None = None
    """Time of one call of incumbent and candidate, taken from two rounds so that the quotient equals `speedup`; None in records of
    older versions, and when the objective is not time."""
    objective: Objective = Objective.TIME
    """Quantity that FASTER and SLOWER refer to."""

    @property
    def rounds(self) -> int:
        """Number of interleaved rounds."""
        return len(self.log_ratios)

    @property
    def word(self) -> str:
        """The verdict in the vocabulary of the objective: LEANER for less energy, FASTER for less time."""
        say = WORDS[self.objective]
        return {Verdict.FASTER: say.better, Verdict.SLOWER: say.worse}.get(self.verdict, self.verdict.value)
