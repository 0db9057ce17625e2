"""Detection of accesses out of bounds: arrays are placed beside inaccessible pages, and the offending array is identified."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hotloop.model.check import CaseResult, Guard
from hotloop.model.outcome import Crashed
from hotloop.ports import END, START, Run

if TYPE_CHECKING:
    from hotloop.app.desk import Desk
    from hotloop.model.program import Program
    from hotloop.ports import Dataset
    from hotloop.verify.cases import Case

_FRONT_EVERY = 3
"""Every third run has the inaccessible page before its arrays, the others behind: most overruns are at the end."""


def place(index: int) -> str:
    """Return on which side of the arrays the inaccessible pages lie in the run with this number."""
    return START if index % _FRONT_EVERY == _FRONT_EVERY - 1 else END


def beyond(desk: Desk, case: Case, program: Program, dataset: Dataset, fence: str) -> CaseResult | None:
    """Return a failed case that names the array whose bounds a program exceeds; None if it also runs beside such pages.

    Call it for a program that runs without inaccessible pages. Arrays are fenced one at a time; the first that makes the
    program fail is named.
    """
    whole = desk.engine.execute_all((Run(program, dataset, fence),))[0]
    if not isinstance(whole, Crashed):
        return None
    named = next(_ending(desk, program, dataset, fence), "an array")
    signal = f" by signal {whole.signal}" if whole.signal else ""
    return CaseResult(
        problem=case.problem.key,
        distribution=case.distribution,
        seed=case.seed,
        passed=False,
        reason=f"memory beyond {named} is read or written: beside a page without access the run was ended{signal}",
        guard=Guard.FENCE,
    )


def _ending(desk: Desk, program: Program, dataset: Dataset, fence: str) -> Iterator[str]:
    for name in (*(slot.name for slot in dataset.slots), *(area.name for area in program.scratch)):
        if isinstance(desk.engine.execute_all((Run(program, dataset, fence, name),))[0], Crashed):
            yield name
