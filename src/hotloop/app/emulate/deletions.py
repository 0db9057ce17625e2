"""Which waits and barriers of a kernel are needed: each is taken away in turn, and what is left is executed in every order."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from hotloop.app.emulate.execute import Adversary, Orders, execute
from hotloop.app.emulate.task import Step, Task
from hotloop.app.events import Counted
from hotloop.emulate import program as executable
from hotloop.emulate.errors import EmulateError
from hotloop.emulate.sanitizer.deletion import Deletion, Need
from hotloop.errors import UsageError
from hotloop.isa.amdgcn.waits import analyse
from hotloop.isa.dialects.amdgcn import DIALECT

if TYPE_CHECKING:
    from hotloop.emulate.answer import Answer
    from hotloop.emulate.instruction import Decoded

_ORDERING = re.compile(r"s_wait(cnt\w*|_\w*cnt\w*|_idle)$|s_barrier(_signal|_wait)?$")


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
    found, places = list[Deletion](), list(_places(task))
    for number, item in places:
        found.append(_without(task, number, item, whole, how))
        tell(Counted(len(found), len(places), "waits and barriers"))
    return tuple(found)


def _places(task: Task) -> Iterator[tuple[int, Decoded]]:
    for number, step in enumerate(task.steps):
        for item in step.program.code:
            if _ORDERING.match(item.name) and item.line is not None:
                yield number, item


def _without(task: Task, number: int, item: Decoded, whole: Answer, how: Adversary) -> Deletion:
    step = task.steps[number]
    made = Deletion(
        kernel=step.program.name,
        line=item.line,
        instruction=f"{item.mnemonic} {item.text}".rstrip(),
        need=Need.REPORTED,
        why="",
    )
    changed = _cut(step, item)
    steps = (*task.steps[:number], changed, *task.steps[number + 1 :])
    cut = replace(task, steps=steps)
    try:
        answer = execute(cut, replace(how, orders=Orders.ONCE))  # mostly enough, and a quarter of the time
        answer = answer if answer.findings else execute(cut, how)
    except EmulateError as reason:
        return replace(made, why=str(reason))
    if answer.findings:
        first = answer.findings[0].finding
        return replace(made, why=f"{first.trouble}: line {first.line} {first.text}")
    moved = [name for name, value in whole.arrays.items() if value.tobytes() != answer.arrays[name].tobytes()]
    if moved:
        return replace(made, need=Need.CHANGED, why=f"{', '.join(moved)} comes out differently")
    return replace(made, need=Need.REDUNDANT, why=_proof(changed, item))


def _cut(step: Step, item: Decoded) -> Step:
    """Return a step whose kernel does nothing in the instruction's place."""
    assert item.line is not None
    lines = step.listing.split("\n")
    lines[item.line - 1] = "\ts_nop 0"
    listing = "\n".join(lines)
    return replace(step, listing=listing, program=executable.load(listing, step.program.name, step.program.target.name))


def _proof(step: Step, item: Decoded) -> str:
    if item.name.startswith("s_barrier"):
        return "other barriers order every two accesses of this launch that must be ordered"
    function = next((f for f in DIALECT.parse(step.listing) if f.name == step.program.name), None)
    early = analyse(function).hazards if function is not None else ()
    if early:
        return (
            "nothing that it covers is used before another wait in this launch; another path of the code would need it"
        )
    return "nothing that it covers is used before another wait, on any path; no access of this launch loses its order"
