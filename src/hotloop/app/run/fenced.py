"""Second runs of a check on arrays beside pages without access, and which array a run that ended there went beyond."""

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
"""Every third run has the page before its arrays: most kernels that go beyond do so at the end."""


def place(index: int) -> str:
    """Return where the pages of the run with this number are."""
    return START if index % _FRONT_EVERY == _FRONT_EVERY - 1 else END


def beyond(desk: Desk, case: Case, program: Program, dataset: Dataset, fence: str) -> CaseResult | None:
    """Return the failed case with the array beyond which a program reads or writes; None when it runs beside such pages.

    To be asked of a program that runs without them. The first array alone beside such a page with which it ends is named.
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
