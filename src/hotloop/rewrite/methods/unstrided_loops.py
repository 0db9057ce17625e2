"""A loop over the grid becomes a grid as large as the loop is long: one work-item for each round.

What it changes: ``for (i = get_global_id(0); i < n; i += get_global_size(0))`` becomes ``if (i < n)``, launched with n work-items.
When it applies: the loop is the last statement, the grid has one dimension, its end is known from parameters, and nothing else asks for the
grid's size or for places in a group.
What it costs: more work-items, of which other rewrites make blocks.
"""

from __future__ import annotations

import re
from dataclasses import replace

from hotloop.rewrite import tree as t
from hotloop.rewrite.form import Keeps, Posed, Rewrite
from hotloop.rewrite.items import unstrided, whole_grid
from hotloop.rewrite.shape import RefusedError

_PLACES = re.compile(r"^(get_(?!global_id$)\w+|barrier|work_group_\w+|sub_group_\w+|atom\w+)$")


def apply(posed: Posed, _value: int | str) -> Posed:
    """Take the loop away."""
    loop, made = _last(posed), unstrided(posed.function)
    if made is posed.function or not isinstance(loop, t.For) or not isinstance(loop.condition, t.Binary):
        raise RefusedError("its last statement is no loop over the grid")
    values = {one.name: one.value for _, one in t.set_once(*posed.function.body) if one.value is not None}
    body = _needed(made.body)
    if any(isinstance(inner, t.Call) and _PLACES.match(inner.function) for inner in t.walk(*body)):
        raise RefusedError("it asks for its grid or its groups elsewhere, too")
    numbers = {one.arguments for one in t.walk(*body) if isinstance(one, t.Call) and one.function == "get_global_id"}
    if numbers != {(t.Number("0"),)}:
        raise RefusedError("its grid has several dimensions")
    end = loop.condition.right
    for _ in range(4):
        end = t.renamed(end, values)
    known = {argument.name for argument in posed.function.arguments if not argument.pointer} | posed.constants.keys()
    if not t.names_in(end) <= known or any(isinstance(inner, t.Index | t.Call | t.Text) for inner in t.walk(end)):
        raise RefusedError("the end of its loop over the grid is not known from its parameters")
    changed = replace(
        posed,
        function=replace(made, body=body),
        extents=(end,),
        per_item=(1,),
        regrouped=True,
    )
    return replace(changed, group=())


def _last(posed: Posed) -> t.Node | None:
    real = [node for node in posed.function.body if not t.is_comment(node)]
    return real[-1] if real else None


def _needed(body: t.Body) -> t.Body:
    """Return statements without variables of the grid that nothing reads any more."""
    read = t.names_in(*body)
    made = []
    for node in body:
        if isinstance(node, t.Declare):
            kept = tuple(variable for variable in node.names if variable.name in read or not whole_grid(variable.value))
            node = replace(node, names=kept)  # noqa: PLW2901
            if not node.names:
                continue
        made.append(node)
    return tuple(made)


def lines(posed: Posed) -> tuple[int, ...]:
    """Return the line of the loop."""
    apply(posed, 1)
    return (getattr(_last(posed), "line", 0),)


REWRITE = Rewrite(
    name="unstrided-loops",
    text=__doc__,
    technique="work-per-item",
    keeps=Keeps.BITS,
    values=(0, 1),
    apply=apply,
    lines=lines,
    gain=lambda _posed: (0.8, 4.0),
    order=-2,
)
