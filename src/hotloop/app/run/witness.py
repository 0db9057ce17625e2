"""What processor time says of a lead on content that was never met: other processes do not lengthen it, but it cannot show everything.

On a crowded machine wall times of short calls are mostly waiting. Kept results show in processor time as well, unless work is done in vain meanwhile on
another processor; then the lead is none of processor time, which is no witness.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hotloop.app.run import busy
from hotloop.app.run.seen import Renewed

if TYPE_CHECKING:
    from hotloop.app.desk import Desk
    from hotloop.model.program import Program
    from hotloop.stats.rounds import Clock

_WITNESSED = 0.8
"""Part of a lead in wall time that processor time must show as well; it cannot show a lead that comes from using more processors at once."""
_WORKED_LEAD = 0.2
"""Smallest lead, as a natural logarithm, from which processor time can put a comparison in doubt when wall times cannot, because other
processes disturb them."""
LARGE_LEAD = 0.2
"""Smallest lead, as a natural logarithm of the ratio of times, that counts where memory is overwritten between samples: the caches are
colder then, which explains smaller leads."""


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


def own(itself: Renewed, beside: Beside) -> Renewed:
    """Return what a candidate's own calls say, by processor time where that was taken for a witness and can be one."""
    spent = itself.seen.worked
    if itself.wrong or spent is None or beside.worked is None or not serves(beside):
        return itself
    return Renewed(seen=spent, lead=min(itself.lead, beside.worked))


def blind(first: Renewed, itself: Renewed, beside: Beside) -> bool:
    """Tell whether nothing that was seen excludes that a large lead is kept."""
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
    return first.seen.worked is not None and not worked(first, beside).owes


def worked(first: Renewed, beside: Beside) -> Renewed:
    """Return what processor time says of the look beside the incumbent; nothing where that is not known."""
    spent = first.seen.worked
    return Renewed() if spent is None or beside.worked is None else Renewed(seen=spent, lead=beside.worked)


def unworked(desk: Desk, first: Renewed, beside: Beside) -> bool:
    """Tell whether only the noise of a crowded machine keeps wall times from showing what processor time shows: that the lead is lost."""
    lead = beside.worked or 0.0
    return lead >= _WORKED_LEAD and busy.crowded(desk) and worked(first, beside).owes
