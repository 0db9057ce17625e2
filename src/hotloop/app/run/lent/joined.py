"""Whether the lead of a program is lost when no group finds anything of another one: neither in local nor in private memory nor in the results.

A table that is kept in two of these places outlives every look at one of them.
"""

from __future__ import annotations

from functools import partial
from math import expm1
from typing import TYPE_CHECKING

from hotloop.app.run.lent import parting
from hotloop.app.run.lent.power import Lead, Loss, Said, loss, owed_ns, said
from hotloop.model.outcome import Artifact
from hotloop.verify.remnants.cleared import cleared
from hotloop.verify.remnants.parted import How, parted
from hotloop.verify.remnants.wrapped import Where, wrapped

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hotloop.app.desk import Desk
    from hotloop.app.run.inputs.workload import Workload
    from hotloop.model.program import Program
    from hotloop.ports import Slot

    Times = Callable[[Sequence[Program]], list[tuple[float, ...]]]

_LOST, _NOISE, _SMALL_NOISE = 0.25, 0.2, 0.06
"""Part of a lead (ln) that must be lost, and part of the time of a call that does as much elsewhere by which it must be longer to say anything, also of a
lead that is not large."""
_PLACES = 2
"""Where groups may leave something, at least, of which a look at one alone says too little."""
REASON = (
    "with local and private memory overwritten and a copy of the results for each group the lead is lost: groups may use what others left there, "
    "in one place or another"
)


def lost(
    desk: Desk, workload: Workload, candidate: Program, needed_bytes: int, lead: Lead, times_ns: Times
) -> list[Loss]:
    """Return what a candidate loses by round; none where there are no two places to look at together.

    Args:
        desk: where it runs.
        workload: the problem.
        candidate: that is looked at.
        needed_bytes: what its variables take of a thread's stack.
        lead: how far it is ahead of the incumbent.
        times_ns: times programs together and returns the times of a call by round.
    """
    slots = workload.sets()[0].slots
    if not _pair(desk, candidate, slots, needed_bytes, 0):
        return []
    plain_ns = min((row[0] for row in times_ns([candidate])), default=0.0)
    most_bytes = int(parting.COPIED_BYTES_PER_NS * plain_ns)
    pair = _pair(desk, candidate, slots, needed_bytes, most_bytes)
    alone = [_loss(row, lead, plain_ns) for row in times_ns(pair)]
    if said(alone) is Said.KEPT:
        return alone
    others = parting.writing(desk, workload, candidate, most_bytes)
    rows = times_ns([*pair, *others])
    spent_ns = parting.spent([row[2:] for row in rows])[1]
    return [_loss(row, lead, plain_ns, spent_ns) for row in rows]


def _loss(row: Sequence[float], lead: Lead, plain_ns: float, spent_ns: float = 0.0) -> Loss:
    before, there = row[:2]
    noise_ns = (_NOISE if lead.large else _SMALL_NOISE) * before
    part_ns = expm1(_LOST * lead.worked) * plain_ns
    return loss(there - before, part_ns, noise_ns, owed_ns(lead.claimed, plain_ns), spent_ns=spent_ns)


def _pair(
    desk: Desk, candidate: Program, slots: Sequence[Slot], needed_bytes: int, most_bytes: int
) -> tuple[Program, ...]:
    """Return the program that overwrites as much where it changes nothing and whose groups have one copy, and the one in which groups find nothing.

    Where stacks cannot be overwritten in a text, local memory and results are looked at.
    """
    for stack in (True, False):
        before = _closed(candidate, slots, "together", "elsewhere" if stack else None, needed_bytes, most_bytes)
        there = _closed(candidate, slots, "parted", "here" if stack else None, needed_bytes, most_bytes)
        if before and there and isinstance(desk.engine.build(there), Artifact):
            return before, there
    return ()


def _closed(
    program: Program, slots: Sequence[Slot], how: How, where: Where | None, needed_bytes: int, most_bytes: int
) -> Program | None:
    """Return a program with all that can be done in its text; None where that is one thing or nothing."""
    changes: tuple[Callable[[Program], Program | None], ...] = (
        partial(cleared, other=how == "parted"),
        *((partial(wrapped, where=where, needed_bytes=needed_bytes),) if where else ()),
        partial(parted, slots=slots, how=how, most_bytes=most_bytes),
    )
    done = 0
    for change in changes:
        if (changed := change(program)) is not None:
            program, done = changed, done + 1
    return program if done >= _PLACES else None
