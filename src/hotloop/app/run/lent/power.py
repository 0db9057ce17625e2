"""What a look at a lead says, by the spread of its own rounds: the lead is lost, or it is not, or this look could not have seen it.

A candidate whose groups live on what others left is slower in a look. So equal times speak for it only where that loss would have shown:
where rounds differ by more than the loss, or the limit of the look lies above it, they say nothing. Rounds are compared one by one, for both programs of a
round meet the same neighbours, and only their order counts, for what neighbours add to a time follows no law.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from math import comb, expm1
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_RISK = 0.01
"""Chance of rounds that lie as far on one side of a limit where the usual round lies on it."""
_SHOWN = 0.75
"""Part of what a lead would lose, if memory explained all of it, that must be excluded before equal times speak for it."""
_SPENT = 2.0
"""Multiple of what a look costs others that it may cost the candidate."""
_MOST_LOOKS, _LEAST_LOST = 4, 2
"""Looks that are taken before one is said to see nothing, and those by which a lead is lost: what others do on the machine may spoil one."""


_LARGE = 0.2
"""Lead (ln) from which on few rounds show it. The lead in processor time is taken for at least as large: a candidate that uses more processors at once
has none there, and even two texts that do the same differ by something."""


@dataclass(frozen=True, slots=True)
class Lead:
    """How far a candidate is said to be ahead, as natural logarithms of ratios of times."""

    claimed: float
    worked: float
    """In processor time, by which looks are timed, and at most what is claimed: a busy machine lengthens wall times of both, and not alike."""

    @property
    def large(self) -> bool:
        """Tell whether few rounds show it."""
        return self.claimed >= _LARGE

    @classmethod
    def of(cls, claimed: float, worked: float | None = None) -> Lead:
        """Return a lead; `worked`: what processor time says, None where it is not known."""
        if worked is None or claimed < _LARGE:
            return cls(claimed, claimed)
        return cls(claimed, min(claimed, max(_LARGE, worked)))


class Said(StrEnum):
    """What looks say of a lead."""

    LOST = "lost"
    KEPT = "kept"
    UNSEEN = "unseen"


@dataclass(frozen=True, slots=True)
class Loss:
    """What a candidate loses in one round of a look, in ns of a call."""

    ns: float
    lost_ns: float
    """From here on the lead is lost."""
    kept_ns: float
    """Below this the lead is surely kept; between the two limits the round says nothing."""


def owed_ns(lead: float, call_ns: float) -> float:
    """Return what a candidate loses where memory explains all of its lead (ln): the call takes as long as the incumbent's."""
    return expm1(lead) * call_ns


def loss(
    ns: float, part_ns: float, noise_ns: float, lead_ns: float, *, spent_ns: float = 0.0, spread_ns: float = 0.0
) -> Loss:
    """Return a loss with its limits.

    Args:
        ns: what is lost.
        part_ns: the part of the lead that may be lost.
        noise_ns: what two programs of one text may differ by.
        lead_ns: what is lost where memory explains all of the lead (`owed_ns`). Who loses three quarters of that is not excused by noise.
        spent_ns: what the look itself costs others. It may cost the candidate twice as much: more memory is met, and groups that wrote side by side
            write far apart, which costs a kernel that hardly computes most. But where that is all that could be seen of the lead, it is not seen.
        spread_ns: what rounds differ by, where any loss counts that nearly all of them show.
    """
    shown_ns = _SHOWN * lead_ns
    lost_ns = max(part_ns, min(noise_ns, shown_ns), _SPENT * spent_ns)
    return Loss(ns, lost_ns, min(max(lost_ns, spread_ns), shown_ns + spent_ns))


def said(losses: Sequence[Loss]) -> Said:
    """Return what the rounds of looks say together.

    >>> lost, kept = Loss(9.0, 5.0, 5.0), Loss(1.0, 5.0, 5.0)
    >>> [str(said(rounds)) for rounds in ([lost] * 8, [kept] * 8, [lost] * 4 + [kept] * 4, [kept] * 3)]
    ['lost', 'kept', 'unseen', 'unseen']
    """
    over = sum(each.ns >= each.lost_ns for each in losses)
    under = sum(each.ns < each.kept_ns for each in losses)
    few = _few(len(losses))
    if len(losses) - over <= few:
        return Said.LOST
    return Said.KEPT if len(losses) - under <= few else Said.UNSEEN


def answer(look: Callable[[], Sequence[Loss]], spare: Callable[[], bool] = lambda: True) -> Said | None:
    """Return what looks say, of which more are taken as long as they say nothing; None where no look can be had.

    `spare`: whether there is time for more of them than a lead is lost by.
    """
    losses = list[Loss]()
    found = Said.UNSEEN
    for number in range(1, _MOST_LOOKS + 1):
        if number > _LEAST_LOST and not spare():
            break
        losses += (more := look())
        if not more:
            return Said.UNSEEN if losses else None
        found = said(losses)
        if found is Said.KEPT or (found is Said.LOST and number >= _LEAST_LOST):
            break
    return found


@cache
def _few(rounds: int) -> int:
    """Return how many rounds may lie on the other side of a limit, -1 where there are too few rounds to say anything.

    >>> [_few(rounds) for rounds in (6, 7, 8, 16, 32)]
    [-1, 0, 0, 2, 8]
    """
    chance, few = 0.0, -1
    while (chance := chance + comb(rounds, few + 1) / 2**rounds) <= _RISK:
        few += 1
    return few
