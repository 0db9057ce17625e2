"""Which cases a candidate is checked on: in a search those that few programs serve, as each is compiled; and with which numbers of its own."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, cast

from hotloop.model.language import language
from hotloop.verify.cases import Case, Level, marked
from hotloop.verify.variety import MARKED

if TYPE_CHECKING:
    from hotloop.app.run.inputs.prepared import Prepared
    from hotloop.app.run.inputs.workload import Workload
    from hotloop.model.device import Device
    from hotloop.model.subject import Subject

SEARCHED = 2
"""Number of programs that the check of a search's candidate compiles at most. Where sizes are macros of the source, or numbers
are compiled into it, each awkward problem has a program of its own: compiling it takes a hundred times as long as its case, and
its bugs are not those of the program that is timed. The full check of what is kept meets them all."""


def searched(subject: Subject, every: Sequence[Case], device: Device, programs: int = SEARCHED) -> tuple[Case, ...]:
    """Return those of some cases, the first one of which is asked for, that need at most so many programs; worked out once.

    Where an awkward problem needs a program of its own, as where numbers are compiled into it, candidates take turns with them.
    """
    asked = id(every), programs
    if asked not in subject.chosen:  # what compiles a candidate ahead asks, and what runs it
        few = _few(subject, every, device, programs)
        subject.chosen[asked] = every, tuple(case for place, case in enumerate(every) if place in few)
    return cast("tuple[Case, ...]", subject.chosen[asked][1])


def _few(subject: Subject, every: Sequence[Case], device: Device, programs: int) -> set[int]:
    """Return the positions in `every` of the cases that a candidate is tried on."""
    compiled, chosen = set[tuple[object, ...]](), set[int]()
    turn = int(subject.fingerprint[:8], 16) % max(1, len(every) - 1)
    places = range(len(every))
    for place in (*places[:1], *places[1 + turn :], *places[1 : 1 + turn]):
        case = every[place]
        try:
            planned = subject.plan(case.problem, device)
        except ValueError:
            planned = None  # what that means is said where the case is to run
        if planned is not None:
            own = () if language(planned.language).separable else (case.problem,)
            key = (planned.source, planned.options, *own)
            if key not in compiled and len(compiled) >= programs:
                continue
            compiled.add(key)
        chosen.add(place)
    return chosen


def ready(workload: Workload, subject: Subject, case: Case, level: Level) -> Prepared | None:
    """Return a case made ready, where content is made of numbers of a text with those that only a candidate's has; None where there is none."""
    if not case.added:
        return workload.prepare(case, sure=level == "full")
    if (prepared := workload.attempt(case)) is None or case.distribution not in MARKED:
        return prepared
    with suppress(ValueError):  # not applicable there, which is told elsewhere
        planned = subject.plan(case.problem, workload.device)
        own = marked(case, workload.kernel, planned.source if planned else "")
        return (workload.attempt(own) if own.marks else None) or prepared
    return prepared
