"""What times on new content say: whether a program's lead may be results that it kept, and when that is sure.

On a crowded machine wall times of short calls are mostly waiting, and processor time is a witness: others do not lengthen it. Kept results show in it as
well, unless work is done in vain meanwhile on another processor; then the lead is none of processor time, which says nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import log, sqrt
from statistics import fmean, median, stdev
from typing import TYPE_CHECKING

from hotloop.app.run import busy
from hotloop.stats.rounds import log_ratios

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hotloop.app.desk import Desk
    from hotloop.model.check import CaseResult
    from hotloop.model.program import Program
    from hotloop.ports import Round
    from hotloop.stats.rounds import Clock

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
_LOST = 0.3
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


_WITNESSED = 0.8
"""Part of a lead in wall time that processor time must show as well; it cannot show a lead that comes from using more processors at once."""
_WORKED_LEAD = 0.2
"""Smallest lead, as a natural logarithm, from which processor time can put a comparison in doubt when wall times cannot, because other
processes disturb them."""
LARGE_LEAD = 0.2
"""Smallest lead, as a natural logarithm of the ratio of times, that counts where memory is overwritten between samples: the caches are
colder then, which explains smaller leads."""


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
        """Tell whether these times would show a lead (ln) that rests on kept results, and do not show it.

        Where there are too few rounds for a mean with its error, the shortest samples are compared.
        """
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
        return agreed and self.seen.shortest > self.seen.least(_LOST * self.lead)


def worked_lead(rounds: Sequence[Round]) -> float | None:
    """Return by how much (ln) the incumbent needs more processor time of all threads; None where samples do not tell it."""
    try:
        return median(log_ratios(rounds, clock="cpu"))
    except ValueError:
        return None


@dataclass(frozen=True, slots=True)
class Beside:
    """The incumbent of a duel that was won."""

    program: Program
    lead: float
    """Natural logarithm of the incumbent's time over the candidate's."""
    least: float
    """Lower end of the interval of `lead`."""
    call_ns: float
    """Time of one call of the incumbent."""
    clock: Clock
    worked: float | None = None
    """Natural logarithm of the incumbent's processor time, of all threads, over the candidate's; None where it is not known."""


def serves(beside: Beside) -> bool:
    """Tell whether a lead shows in processor time, which others do not lengthen: not where more processors are used at once."""
    return beside.worked is not None and beside.worked >= _WITNESSED * beside.least


def itself_by_work(itself: Renewed, beside: Beside) -> Renewed:
    """Return what a candidate's own calls say, by processor time where that was taken for a witness and can be one."""
    spent = itself.seen.worked
    if itself.wrong or spent is None or beside.worked is None or not serves(beside):
        return itself
    return Renewed(seen=spent, lead=min(itself.lead, beside.worked))


def blind(first: Renewed, itself: Renewed, beside: Beside) -> bool:
    """Tell whether a large lead may rest on kept results for all that was seen."""
    if beside.least < LARGE_LEAD or not (first.seen.rounds and itself.seen.rounds):
        return False
    spent = first.seen.worked if serves(beside) else None
    shown = first.seen.excludes(beside.least) or itself.seen.excludes(itself.lead)
    return not shown and not (spent and spent.excludes(beside.worked or 0.0))


def waited(desk: Desk, first: Renewed, itself: Renewed, beside: Beside) -> bool:
    """Tell whether new content took longer beside the incumbent only because others had the processors.

    Single short calls wait for a processor each, and long ones in part. So on a crowded machine two other witnesses decide: the candidate's
    own calls on known content, which wait as much, and processor time beside the incumbent. Kept results would show in both, unless work
    is done in vain meanwhile on another processor: then the lead is none of processor time, which is no witness.
    """
    if not busy.crowded(desk) or itself.owes or not serves(beside):
        return False
    return first.seen.worked is not None and not by_work(first, beside).owes


def by_work(first: Renewed, beside: Beside) -> Renewed:
    """Return what processor time says of the look beside the incumbent; nothing where that is not known."""
    spent = first.seen.worked
    return Renewed() if spent is None or beside.worked is None else Renewed(seen=spent, lead=beside.worked)


def unworked(desk: Desk, first: Renewed, beside: Beside) -> bool:
    """Tell whether only the noise of a crowded machine keeps wall times from showing what processor time shows: that the lead is lost."""
    lead = beside.worked or 0.0
    return lead >= _WORKED_LEAD and busy.crowded(desk) and by_work(first, beside).owes
