"""Whether the lead of a program is lost when no group of a launch finds what another one left in the results."""

from __future__ import annotations

from dataclasses import replace
from math import expm1
from statistics import median
from typing import TYPE_CHECKING

from hotloop.app.run.lent.power import Lead, Loss, Said, loss, owed_ns, said
from hotloop.model.outcome import Artifact
from hotloop.verify.remnants.parted import How, copied, parted, unlooked, written

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hotloop.app.desk import Desk
    from hotloop.app.run.inputs.workload import Workload
    from hotloop.model.program import Program

_HOWS: tuple[How, ...] = ("whole", "never", "together", "parted")
_LOST, _NOISE, _SMALL_NOISE = 0.25, 0.15, 0.06
"""Part of a lead (ln) that must be lost, and part of a call that makes copies by which it must be longer to say anything, also of a lead that is not large."""
COPIED_BYTES_PER_NS = 4.0
"""Bytes of copies for each ns of a call: making them takes less time than the call, so that it does not hide what is looked for."""
_MOST_LOOKS = 2
"""Beginnings of a call that are looked at, most: each takes as long as a look at all of it."""
REASON = (
    "with a copy of the results for each group the lead is lost: groups may use what others of the same call left there, in no order that anything "
    "guarantees"
)
WAITING = (
    "groups of the candidate may wait for one another, in loops with atomics or volatile, by arrays that are read and written: nobody can tell what "
    "else they leave there for others; write loops that wait for nobody with for, or leave out volatile"
)
UNSEEN = (
    "the candidate's kernels are not written so that anybody can tell whether groups use what others left in the results; write "
    "__kernel void NAME(...) without macros"
)


def unseen(desk: Desk, workload: Workload, programs: tuple[Program, Program]) -> bool:
    """Tell whether groups of the candidate could have copies by its launches, and not by its text, where the incumbent's can."""
    slots = workload.sets()[0].slots
    if not copied(programs[1], slots) or _versions(desk, workload, programs[1]):
        return False
    return bool(_versions(desk, workload, programs[0]))


def waits(workload: Workload, programs: tuple[Program, Program]) -> bool:
    """Tell whether groups of the candidate may wait for one another where the incumbent's do not."""
    slots = workload.sets()[0].slots
    return unlooked(programs[1], slots) and not unlooked(programs[0], slots)


def looks(workload: Workload, candidate: Program) -> tuple[Program, ...]:
    """Return what is looked at of a candidate: all of it, and its beginnings, up to launches whose results later ones have, too.

    What follows such a launch is left out, for it would meet nothing of what the groups left in copies of their own.
    """
    slots = workload.sets()[0].slots
    met = set[str]()
    beginnings: list[Program] = []
    whole = copied(candidate, slots) or [{}] * len(candidate.launches)
    for place, launch in enumerate(candidate.launches[:-1]):
        beginning = replace(candidate, launches=candidate.launches[: place + 1])
        if (
            launch.entry not in met
            and (found := copied(beginning, slots))
            and not found[-1].keys() <= whole[place].keys()
        ):
            beginnings.append(beginning)
        met.add(launch.entry)
    return (candidate, *beginnings[:_MOST_LOOKS])


def lost_results(
    desk: Desk,
    workload: Workload,
    programs: tuple[Program, Program],
    part: Program,
    lead: Lead,
    times_ns: Callable[[Sequence[Program]], list[tuple[float, ...]]],
) -> list[Loss]:
    """Return what a candidate loses by round where each group has copies of the results; none where that is not known.

    Args:
        desk: where it runs.
        workload: the problem.
        programs: the incumbent and the candidate.
        part: of the candidate, that is looked at (see `looks`).
        lead: how far the candidate is ahead of the incumbent.
        times_ns: times programs together and returns the times of a call by round.
    """
    if not _versions(desk, workload, part):
        return []
    plain_ns = min((row[0] for row in times_ns([programs[1]])), default=0.0)
    most_bytes = int(COPIED_BYTES_PER_NS * plain_ns)
    mine, whole = _versions(desk, workload, part, most_bytes), part is programs[1]
    alone = [_beyond(row, lead, plain_ns, whole=whole) for row in times_ns(mine)]
    if said(alone) is Said.KEPT:  # what copies cost others could only excuse more
        return alone
    theirs = _versions(desk, workload, programs[0], most_bytes)
    rows = times_ns([*mine, *theirs, *writing(desk, workload, part, most_bytes)])
    lost_ns = spent([row[4:] for row in rows])
    return [_beyond(row[:4], lead, plain_ns, lost_ns, whole=whole) for row in rows]


def writing(desk: Desk, workload: Workload, program: Program, most_bytes: int) -> list[Program]:
    """Return the versions of a program that only writes what a program's groups have copies of."""
    made = written(program, workload.sets()[0].slots)
    return _versions(desk, workload, made, most_bytes) if made else []


def spent(rows: Sequence[Sequence[float]]) -> tuple[float, float]:
    """Return what copies cost the others, the one that they cost most: in the middle of all rounds, for the noise of one excuses nothing."""
    each = [[_losses(row[first : first + 4]) for row in rows] for first in range(0, min(map(len, rows), default=0), 4)]
    middle = [tuple(median(loss[which] for loss in losses) for which in (0, 1)) for losses in each]
    return max((0.0, *(one[0] for one in middle))), max((0.0, *(one[1] for one in middle)))


def _beyond(
    row: Sequence[float], lead: Lead, plain_ns: float, others_ns: tuple[float, float] = (0.0, 0.0), *, whole: bool
) -> Loss:
    """Return what is lost beside the version whose kernels have the arrays themselves, or beside the one with one copy for all, whichever is the more.

    A kernel that finds out that it is looked at, and does the work then, loses in the first way only. What a kernel takes as it is counts,
    `plain_ns`: calling it as a function may change its code, and so does what copies cost others (`others_ns`). Of a beginning of a call (not `whole`) the lead of the whole call may be lost.
    """
    itself, never, together, _ = row
    noise_ns = (_NOISE if lead.large else _SMALL_NOISE) * together
    owned = (min(plain_ns, itself), min(plain_ns, max(0.0, together - never))) if whole else (plain_ns, plain_ns)
    every = [
        loss(lost, expm1(_LOST * lead.worked) * own, noise_ns, owed_ns(lead.claimed, plain_ns), spent_ns=spent_ns)
        for lost, own, spent_ns in zip(_losses(row), owned, others_ns, strict=True)
    ]  # fmt: skip
    return max(every, key=lambda one: (one.ns >= one.lost_ns, one.ns - one.kept_ns))


def _losses(row: Sequence[float]) -> tuple[float, float]:
    whole, never, together, apart = row
    return apart - never - whole, apart - together


def _versions(desk: Desk, workload: Workload, program: Program, most_bytes: int = 0) -> list[Program]:
    """Return the versions of a program, none where its text has none or they do not compile, which says nothing."""
    slots = workload.sets()[0].slots
    made = [version for how in _HOWS if (version := parted(program, slots, how, most_bytes))]
    return made if made and isinstance(desk.engine.build(made[0]), Artifact) else []
