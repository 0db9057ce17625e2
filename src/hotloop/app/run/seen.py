"""What times on new content say: whether a program's lead may be results that it kept, and when that is sure."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import log, sqrt
from statistics import fmean, median, stdev
from typing import TYPE_CHECKING

from hotloop.stats.rounds import log_ratios

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hotloop.model.check import CaseResult
    from hotloop.ports import Round

LOOKS = {8: (0.7, 0), 16: (0.4, 1), 24: (0.3, 2)}
"""Rounds after which times on new content are looked at; by how much longer (ln) they must be in the middle to prove that
results are kept; how many rounds may show the opposite. Of equals that would happen once in 250, 4,000 and 50,000 looks by
the signs alone, and noise would have to be as large, too. Estimates: chosen because smaller ones refused clean products of 50 µs."""
_MOST = 1.0
"""Largest effect (ln) that one round may have on the result: otherwise a disturbed round would decide alone."""
_OWED = 0.2
"""Part of a lead (ln) from which what new content takes longer puts the lead in doubt; with a half, one planted cheat won."""
_ERRORS = 2.5
"""Standard errors by which it must exceed zero: of equals, 1 in 160 does."""
_SHORTEST_OWED, _SHORTEST_LEAST = 0.5, {1: 0.3, 3: 0.1}
"""The same of the shortest samples of both, which other processes disturb least; and, by rounds, the least excess (ln)."""
LOST = 0.3
"""The same where nothing that was left of earlier calls is there; a table that a call can make for itself is no cheat."""
_STEADY_LEAST = 0.05
"""Least excess (ln) where all rounds of a look were taken."""
_SHOWN = 0.75
"""Part of a lead (ln) that what was seen must exclude to have been able to see that it is kept."""
_LEAST = 0.02
"""A lead (ln) below this is no win, so it is not examined further."""

BLIND = (
    "times on inputs that the candidate had not met differ by more than its lead, so that nobody could have seen whether it keeps results; compare "
    "again where the machine is quieter"
)


@dataclass(slots=True)
class Seen:
    """Times (ns) of samples on known and on new content, by round."""

    known: list[float] = field(default_factory=list)
    new: list[float] = field(default_factory=list)
    worked_known: list[float] = field(default_factory=list)
    worked_new: list[float] = field(default_factory=list)
    """The same in processor time of all threads, of rounds that tell it."""

    @property
    def worked(self) -> Seen | None:
        """Return what the processor time says, which other processes do not lengthen; None where rounds do not tell it."""
        if not self.rounds or len(self.worked_new) != self.rounds:
            return None
        return Seen(self.worked_known, self.worked_new)

    @property
    def rounds(self) -> int:
        """How many there were."""
        return len(self.known)

    @property
    def logs(self) -> list[float]:
        """By how much longer (ln) new content took; a single round that was disturbed does not decide."""
        return [max(-_MOST, min(_MOST, log(new / known))) for known, new in zip(self.known, self.new, strict=True)]

    @property
    def mean(self) -> float:
        """By how much longer (ln) on average: some content may be kept, and other content not."""
        return fmean(self.logs) if self.known else 0.0

    @property
    def error(self) -> float:
        """Standard error of the mean."""
        return stdev(self.logs) / sqrt(self.rounds)

    @property
    def shortest(self) -> float:
        """By how much longer (ln) the shortest sample on new content is than the shortest one on known content."""
        return log(min(self.new) / min(self.known)) if self.known else 0.0

    def least(self, part: float) -> float:
        """Return what the shortest must differ by (ln) to say anything, at least `part`."""
        return max(part, _SHORTEST_LEAST.get(self.rounds, _STEADY_LEAST))

    def promises(self, lead: float) -> bool:
        """Tell whether another look may show that a lead (ln) owes to kept results; alone, whether any proof is near."""
        near = min(longer for longer, _ in LOOKS.values())
        least = min(_OWED * lead / 2, near)
        return self.mean > max(_LEAST, least) or self.shortest > self.least(least)

    def excludes(self, lead: float) -> bool:
        """Tell whether these times could have shown that a lead (ln) is kept, and do not: of few rounds the shortest say it."""
        if self.rounds < min(LOOKS):
            return self.shortest < _SHOWN * lead
        return self.mean + _ERRORS * self.error < _SHOWN * min(_MOST, lead)

    def proves(self) -> bool:
        """Tell whether new content surely takes longer: nearly every round shows it, in the middle it is much, and it takes more work.

        Other processes lengthen samples, and not always those of both kinds alike; processor time is this one's own.
        """
        if self.rounds not in LOOKS:
            return False
        longer, most = LOOKS[self.rounds]
        agreed = median(self.logs) > longer and sum(value <= 0 for value in self.logs) <= most
        worked = self.worked
        own = worked is None or median(worked.logs) > longer / 2
        return agreed and own and self.shortest > longer / 2


@dataclass(frozen=True, slots=True)
class Renewed:
    """What new content in timed buffers showed."""

    wrong: CaseResult | None = None
    """The judgement that refuses the program, None when there is none."""
    seen: Seen = field(default_factory=Seen)
    """The times, where they prove nothing by themselves."""
    lead: float = 0.0
    """Lead that these times were compared with, as a natural logarithm."""
    blind: bool = False
    """Whether rounds differ by so much that nothing would have shown a lead that is kept."""

    @property
    def owes(self) -> bool:
        """Tell whether a good part of the lead may be results that were kept."""
        if not self.seen.rounds:
            return False
        return self.seen.shortest > self.seen.least(_SHORTEST_OWED * self.lead) or (
            self.seen.rounds >= min(LOOKS) and self.seen.mean > max(_OWED * self.lead, _ERRORS * self.seen.error)
        )

    @property
    def lost(self) -> bool:
        """Tell whether the shortest samples show that a good part of the lead is lost, and the average agrees."""
        agreed = self.seen.mean > _OWED * min(_MOST, self.lead)
        return agreed and self.seen.shortest > self.seen.least(LOST * self.lead)


def worked_lead(rounds: Sequence[Round]) -> float | None:
    """Return by how much (ln) the incumbent needs more processor time of all threads; None where samples do not tell it."""
    try:
        return median(log_ratios(rounds, clock="cpu"))
    except ValueError:
        return None
