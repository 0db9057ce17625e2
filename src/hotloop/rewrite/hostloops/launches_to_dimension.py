"""Launches that do not need each other become a dimension of one launch.

What it changes: the parameter that counted the rounds is where a further dimension of the grid begins.
When it applies: every array that is written is found by the round's number, the same way in all accesses, so that rounds keep
to places of their own; the grid is as large in every round.
What it costs: nothing; the host's loop is one launch. Each launch costs some microseconds and ends with waiting.
"""

from __future__ import annotations

from dataclasses import replace

from hotloop.rewrite import algebra
from hotloop.rewrite import tree as t
from hotloop.rewrite.form import Keeps, Posed
from hotloop.rewrite.hostloop import ROUNDS, HostLoop, elements, parameter
from hotloop.rewrite.shape import RefusedError


def apply(posed: Posed, variable: str) -> Posed:
    """Make the rounds a dimension."""
    parameter(posed, variable)
    dimension = len(posed.extents)
    if dimension > 2:
        raise RefusedError("its grid has three dimensions already")
    for name, indices in elements(posed).items():
        if any(written for _, written in indices):
            _apart(name, [one for one, _ in indices], variable)
    item = t.Name(f"{variable}_round")
    number = t.Call("get_global_id", (t.Number(str(dimension)),))
    declared = t.Declare("int", (t.Declared(item.text, t.Binary("+", number, t.Name(variable))),))
    body = tuple(t.renamed(statement, {variable: item}) for statement in posed.function.body)
    return replace(posed.with_body((declared, *body)), extents=(*posed.extents, t.Name(ROUNDS)))


def _apart(name: str, indices: list[algebra.Polynomial], variable: str) -> None:
    """Refuse accesses of a written array by which rounds could meet."""
    strides = [algebra.stride(index, variable) for index in indices]
    first = strides[0]
    if not first or any(stride != first for stride in strides):
        raise RefusedError(f"rounds share places of {name}")
    for one in indices:
        between = algebra.added(one, indices[0], -1)
        if set(between) & set(first) or any(variable in names for names in between):
            raise RefusedError(f"a round uses places of {name} that another one writes")


REWRITE = HostLoop(
    name="launches-to-dimension",
    text=__doc__,
    technique="fuse",
    keeps=Keeps.BITS,
    apply=apply,
    per_kernel=True,
    end=False,
)
