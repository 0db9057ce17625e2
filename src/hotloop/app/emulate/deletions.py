"""Which waits and barriers of a kernel are needed: each is taken away in turn, and what is left is executed in every order."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from hotloop.app.emulate.execute import Adversary, Orders, chosen, execute, executed
from hotloop.app.emulate.task import Step, Task
from hotloop.app.events import Counted
from hotloop.emulate.errors import EmulateError
from hotloop.emulate.native.encode import without
from hotloop.emulate.sanitizer.deletion import Deletion, Need
from hotloop.emulate.sanitizer.findings import Met
from hotloop.errors import UsageError
from hotloop.isa.amdgcn.waits import analyse
from hotloop.isa.dialects.amdgcn import DIALECT

if TYPE_CHECKING:
    from hotloop.emulate.answer import Answer
    from hotloop.emulate.instruction import Decoded
    from hotloop.emulate.native.engine import Native
    from hotloop.isa.instruction import Function

_ORDERING = re.compile(r"s_wait(cnt\w*|_\w*cnt\w*|_idle)$|s_barrier(_signal|_wait)?$")
_NOTHING: dict[str, Any] = {
    "mnemonic": "s_nop", "name": "s_nop", "text": "0", "operands": (), "reads": 0, "writes": 0, "touches": 0, "issues": (),
    "step": lambda _: None,
}  # fmt: skip
"""What an instruction becomes that is taken away."""


def deletions(task: Task, budget: int, tell: Callable[[Counted], object] = lambda _: None) -> tuple[Deletion, ...]:
    """Return what every wait and barrier of a task's kernels is good for, and `tell` how many are done.

    Raises:
        UsageError: the kernel is wrong as it is, or cannot be executed.
    """
    how = Adversary(orders=Orders.EVERY, budget=budget)
    whole = execute(task, how)
    if whole.findings:
        raise UsageError(
            f"{task.label} is reported for {whole.findings[0].finding.trouble} as it is; mend that before asking what it needs."
        )
    found, places, backend = list[Deletion](), list(_places(task)), chosen(task, how)
    for number, item in places:
        found.append(_without(task, number, item, whole, backend, replace(how, unused=False, first=True)))
        tell(Counted(len(found), len(places), "waits and barriers"))
    return tuple(found)


def _places(task: Task) -> Iterator[tuple[int, Decoded]]:
    for number, step in enumerate(task.steps):
        for item in step.program.code:
            if _ORDERING.match(item.name) and item.line is not None:
                yield number, item


def _without(task: Task, number: int, item: Decoded, whole: Answer, backend: Native | None, how: Adversary) -> Deletion:
    step = task.steps[number]
    made = Deletion(
        kernel=step.program.name,
        line=item.line,
        instruction=f"{item.mnemonic} {item.text}".rstrip(),
        need=Need.REPORTED,
        why="",
    )
    cut = replace(task, steps=(*task.steps[:number], _cut(step, item), *task.steps[number + 1 :]))
    try:
        answer = _executed(cut, how, backend)
    except EmulateError as reason:
        return replace(made, why=str(reason))
    except Met as met:
        return replace(made, why=f"{met.finding.trouble}: line {met.finding.line} {met.finding.text}")
    if answer.findings:
        first = answer.findings[0].finding
        return replace(made, why=f"{first.trouble}: line {first.line} {first.text}")
    moved = [name for name, value in whole.arrays.items() if value.tobytes() != answer.arrays[name].tobytes()]
    if moved:
        return replace(made, need=Need.CHANGED, why=f"{', '.join(moved)} comes out differently")
    return replace(made, need=Need.REDUNDANT, why=_proof(step, item))


def _executed(cut: Task, how: Adversary, backend: Native | None) -> Answer:
    """Execute what is left until something is found; results that differ between orders are for NumPy, which knows what explains them."""
    answer = executed(cut, how, backend)
    return executed(cut, how, None) if answer.findings or (backend is not None and answer.notes) else answer


def _cut(step: Step, item: Decoded) -> Step:
    """Return a step whose kernel does nothing in the instruction's place."""
    program, quiet = step.program, replace(item, **_NOTHING)
    code = (*program.code[: item.index], quiet, *program.code[item.index + 1 :])
    changed = replace(program, code=code)
    without(program, item.index, changed)
    return replace(step, program=changed)


def _proof(step: Step, item: Decoded) -> str:
    if item.name.startswith("s_barrier"):
        return "other barriers order every two accesses of this launch that must be ordered"
    function = _function(step.listing, step.program.name)
    early = analyse(_without_one(function, item.address)).hazards if function is not None else ()
    if early:
        return (
            "nothing that it covers is used before another wait in this launch; another path of the code would need it"
        )
    return "nothing that it covers is used before another wait, on any path; no access of this launch loses its order"


@lru_cache(maxsize=8)
def _function(listing: str, name: str) -> Function | None:
    return next((f for f in DIALECT.parse(listing) if f.name == name), None)


def _without_one(function: Function, address: int) -> Function:
    """Return a function that does nothing at an address."""
    quiet = DIALECT.parse("k:\n\ts_nop 0\n\ts_endpgm\n")[0].instructions[0]
    code = tuple(
        quiet._replace(address=one.address, line=one.line) if one.address == address else one
        for one in function.instructions
    )
    return replace(function, instructions=code)
