"""Detection of accesses out of bounds: arrays are placed beside inaccessible pages, and the offending array is identified."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from hotloop.model.check import CaseResult, Guard
from hotloop.model.outcome import Crashed
from hotloop.ports import APART, CLOSE, END, START, Run

if TYPE_CHECKING:
    from hotloop.app.desk import Desk
    from hotloop.model.program import Program
    from hotloop.ports import Dataset
    from hotloop.verify.cases import Case

_FRONT_EVERY = 3
"""Every third run has the inaccessible page before its arrays, the others behind: most overruns are at the end."""
_VECTORS = re.compile(
    r"\b(?:u?(?:char|short|int|long)|float|double|half)(?:2|3|4|8|16)\s*(?:(?:const|restrict|volatile)\s*)*\*"
)
"""Pointers to vectors, whose accesses need the alignment that a buffer is promised."""


def place(index: int, source: str) -> str:
    """Return on which side of the arrays the inaccessible pages lie in the run with this number of a program with this text."""
    if index % _FRONT_EVERY == _FRONT_EVERY - 1:
        return START
    return END if _VECTORS.search(source) else CLOSE


def beyond(desk: Desk, case: Case, program: Program, dataset: Dataset, fence: str) -> CaseResult | None:
    """Return a failed case that names the array whose bounds a program exceeds; None if it also runs beside such pages.

    Call it for a program that runs without inaccessible pages. Arrays are fenced one at a time; the first that makes the
    program fail is named.
    """
    if not _crashes(desk, Run(program, dataset, fence)):
        return None
    if fence == CLOSE and _crashes(desk, Run(program, dataset, APART)):  # the alignment, which it may count on
        return beyond(desk, case, program, dataset, END)
    named = next(_ending(desk, program, dataset, fence), "an array")
    return CaseResult(
        problem=case.problem.key,
        distribution=case.distribution,
        seed=case.seed,
        passed=False,
        reason=f"memory beyond {named} is read or written, or it is an input and written: the run is ended by the system where neither is allowed",
        guard=Guard.FENCE,
    )


def _ending(desk: Desk, program: Program, dataset: Dataset, fence: str) -> Iterator[str]:
    for name in (*(slot.name for slot in dataset.slots), *(area.name for area in program.scratch)):
        if _crashes(desk, Run(program, dataset, fence, name)):
            yield name


def _crashes(desk: Desk, run: Run) -> bool:
    return isinstance(desk.engine.execute_all((run,))[0], Crashed)
