"""Launches that only need the same work-item's earlier ones become a loop in the kernel.

What it changes: the parameter that counted the rounds is where the loop begins; a further parameter is where it ends.
When it applies: the host's loop launches one kernel; in every array that is written a work-item keeps to places that move
with its own number, and its neighbours never come to them.
What it costs: a parameter more. It saves a launch a round, and what a round leaves is still in cache for the next.
"""

from __future__ import annotations

from dataclasses import replace

from hotloop.rewrite import algebra
from hotloop.rewrite import tree as t
from hotloop.rewrite.form import Keeps, Posed
from hotloop.rewrite.hostloop import HostLoop, elements, parameter
from hotloop.rewrite.shape import RefusedError, shape


def apply(posed: Posed, variable: str) -> Posed:
    """Take the host's loop into the kernel."""
    parameter(posed, variable)
    form = shape(posed.function, posed.types)
    if form.otherwise or (form.guard is not None and variable in t.names_in(form.guard)):
        raise RefusedError(f"which work-items do something changes with {variable}")
    if any(item.offset is not None and variable in t.names_in(item.offset) for item in form.items):
        raise RefusedError(f"a work-item has another number in every round of {variable}")
    for name, indices in elements(posed).items():
        if any(written for _, written in indices):
            _own(name, [one for one, _ in indices], [item.name for item in form.items])
    round_, end = t.Name(f"{variable}_round"), t.Name(f"{variable}_end")
    names: dict[str, t.Node] = {variable: round_}
    loop = t.For(
        t.Declare("int", (t.Declared(round_.text, t.Name(variable)),)),
        t.Binary("<", round_, end),
        t.Postfix("++", round_),
        tuple(t.renamed(one, names) for one in form.work),
        posed.function.line,
    )
    kept = [statement for statement in posed.function.body if statement not in _work_of(posed)]
    work: t.Body = (loop,) if form.guard is None else (t.If(form.guard, (loop,)),)
    arguments = (*posed.function.arguments, t.Argument(end.text, "int"))
    function = replace(posed.function, body=(*kept, *work), arguments=arguments)
    return replace(posed, function=function)


def _work_of(posed: Posed) -> t.Body:
    """Return the statements behind the work-items' numbers and what is set up for them."""
    form = shape(posed.function, posed.types)
    lines = {item.line for item in form.items}
    kept = [
        statement
        for statement in posed.function.body
        if statement in form.before or getattr(statement, "line", 0) in lines
    ]
    return tuple(statement for statement in posed.function.body if statement not in kept)


def _own(name: str, indices: list[algebra.Polynomial], items: list[str]) -> None:
    """Refuse accesses of a written array by which neighbours could meet."""
    for item in items:
        strides = [algebra.stride(index, item) for index in indices]
        if not strides[0] or any(stride != strides[0] for stride in strides):
            raise RefusedError(f"work-items share places of {name}")
        for one in indices:
            between = algebra.added(one, indices[0], -1)
            if set(between) & set(strides[0]) or any(item in names for names in between):
                raise RefusedError(f"a work-item uses places of {name} that its neighbour writes")


REWRITE = HostLoop(
    name="launches-to-loop",
    text=__doc__,
    technique="fuse",
    keeps=Keeps.BITS,
    apply=apply,
    per_kernel=False,
    end=True,
)
