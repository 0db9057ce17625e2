"""What a group loads into local memory is read where it came from, and its work-items become those of the whole grid.

What it changes: a tile's element becomes the element of global memory that was put there, barriers go, and groups with places in
them become numbers of the whole grid, from which blocks of results can be made.
When it applies: the size of a group is known; each local array is filled by one statement, element by element, from memory that the
kernel does not write, also behind a condition (what nobody filled is 0), by several statements that agree on what belongs at each place (a
halo behind branches), in loops that the group shares (tiles with a halo, row by row or in one line), in a loop over elements of one's own, or by
one work-item for all; work-items use their places for nothing else, or square groups do
once both places are exchanged (tiles of a transpose).
What it costs: loads that a processor without caches would make again and again. A CPU's runtime pays for every barrier with a loop
over the group, and local memory is memory like all other there.
"""

from __future__ import annotations

import re
from dataclasses import replace

from hotloop.rewrite import grid, staged
from hotloop.rewrite import tree as t
from hotloop.rewrite.components.counters import in_heads
from hotloop.rewrite.conditions import conjuncts
from hotloop.rewrite.form import Keeps, Posed, Rewrite
from hotloop.rewrite.shape import RefusedError, shape

_LOCAL = re.compile(r"\b(?:__)?local\b")


def apply(posed: Posed, _value: int | str) -> Posed:
    """Undo the staging."""
    if not posed.group:
        raise RefusedError("the size of its groups is not known")
    if not _grouped(posed.function.body):
        raise RefusedError("it asks for no place within a group")
    unsigned = {one.name for one in posed.function.arguments if posed.plain(one.type) not in ("int", "short", "char")}
    filled = frozenset(staged.arrays(posed.function))
    reader = grid.Grid(
        posed.group,
        posed.constants,
        posed.extents,
        unsigned=frozenset(unsigned),
        values=posed.values,
        shared=filled,
    )
    body = reader.named(_once(in_heads(posed.function.body)))
    shared = tuple(name for name in staged.arrays(posed.function) if _shared(name, body, reader, posed))
    body = staged.unstaged(body, shared, reader)
    body = tuple(_known(statement, frozenset()) for statement in _whole(body, reader))
    body = _declared(body, len(posed.group), reader)
    made = replace(posed.with_body(body), group=(), regrouped=True)
    shape(made.function, made.types)
    return made


def _once(body: t.Body) -> t.Body:
    """Return statements in which a variable that gets another value among the outermost is another variable from there on."""
    kinds = {
        one.name: node.type for node in body if isinstance(node, t.Declare) for one in node.names if not one.extents
    }
    made: list[t.Node] = []
    for number, node in enumerate(body):
        match node:
            case t.Do(value=t.Assign(op="=", target=t.Name(text=name), value=value)) if name in kinds:
                fresh, rest = f"{name}_then", body[number + 1 :]
                if fresh in t.declared_in(*body) or name in t.written_in(*rest):
                    return body
                declared = t.Declare(kinds[name], (t.Declared(fresh, value),), node.line)
                return _once(
                    (
                        *made,
                        declared,
                        *(t.renamed(one, {name: t.Name(fresh)}) for one in rest),
                    )
                )
        made.append(node)
    return body


def _whole(body: t.Body, reader: grid.Grid) -> t.Body:
    """Return statements by numbers of the whole grid; in square groups those may do it that have exchanged places."""
    try:
        return tuple(reader.whole(statement) for statement in body)
    except RefusedError:
        if len(reader.group) != 2 or reader.group[0] != reader.group[1]:
            raise
    first, second = (grid.PLACE.format(number) for number in range(2))
    turned: dict[str, t.Node] = {first: t.Name(second), second: t.Name(first)}
    reader.known = {name: t.renamed(value, turned) for name, value in reader.known.items()}
    return tuple(reader.whole(t.renamed(statement, turned)) for statement in body)


def _known(node: t.Node, holds: frozenset[t.Node]) -> t.Node:
    """Return a statement without questions whose answer a branch around them has given."""
    match node:
        case t.If(condition=condition, yes=yes, no=no):
            changed = t.written_in(*yes)
            inner = holds | {conjunct for conjunct in conjuncts(condition) if not t.names_in(conjunct) & changed}
            return replace(
                node,
                yes=tuple(_known(one, inner) for one in yes),
                no=tuple(_known(one, holds) for one in no),
            )
        case t.Block(body=body):
            return replace(node, body=tuple(_known(statement, holds) for statement in body))
    return t.changed(node, lambda one: _answered(one, holds))


def _answered(node: t.Node, holds: frozenset[t.Node]) -> t.Node | None:
    if isinstance(node, t.Choice) and holds.issuperset(conjuncts(node.condition)):
        return node.yes
    return None


def _grouped(body: t.Body) -> bool:
    asked = {node.function for node in t.walk(*body) if isinstance(node, t.Call)}
    return bool(asked & {"get_local_id", "get_group_id"})


def _shared(name: str, body: t.Body, reader: grid.Grid, posed: Posed) -> bool:
    """Tell whether an array is the group's: one of local memory, or one that is filled place by place."""
    if posed.function.argument(name) is not None:
        return True
    declared = (node for node in t.walk(*body) if isinstance(node, t.Declare) and _LOCAL.search(node.type))
    if any(variable.name == name for node in declared for variable in node.names):
        return True
    elements = [node for node in t.walk(*body) if isinstance(node, t.Index) and t.names_in(node.base) == {name}]
    return any(reader.moves(element.index) for element in elements)


def _declared(body: t.Body, dimensions: int, reader: grid.Grid) -> t.Body:
    """Return statements with the numbers that they use, without variables that nobody reads any more."""
    kept = body
    for _ in range(len(reader.known) + 1):
        used = t.names_in(*kept)
        rest = tuple(_without(one, used, reader) for one in kept)
        made = tuple(statement for statement in rest if statement is not None)
        if made == kept:
            break
        kept = made
    used = t.names_in(*kept)
    numbers = [(number, grid.NUMBER.format(number)) for number in range(dimensions)]
    heads = (
        t.Declare("int", (t.Declared(name, t.Call("get_global_id", (t.Number(str(one)),))),))
        for one, name in numbers
        if name in used
    )
    return (*heads, *kept)


def _without(node: t.Node, used: set[str], reader: grid.Grid) -> t.Node | None:
    if isinstance(node, t.Declare):
        names = tuple(declared for declared in node.names if declared.name in used or declared.name not in reader.known)
        return replace(node, names=names) if names else None
    if isinstance(node, t.For | t.Block):
        return replace(node, body=_all(node.body, used, reader))
    if isinstance(node, t.If):
        return replace(node, yes=_all(node.yes, used, reader), no=_all(node.no, used, reader))
    return node


def _all(body: t.Body, used: set[str], reader: grid.Grid) -> t.Body:
    return tuple(made for statement in body if (made := _without(statement, used, reader)) is not None)


def lines(posed: Posed) -> tuple[int, ...]:
    """Return the lines that fill local memory, or ask for places."""
    apply(posed, 1)
    return tuple(sorted({line for node in t.walk(*posed.function.body) if (line := _touched(node))}))


def _touched(node: t.Node) -> int:
    """Return the line of a statement that meets, or asks for a place; 0 of another."""
    if not isinstance(node, t.Do | t.Declare):
        return 0
    calls = {inner.function for inner in t.walk(node) if isinstance(inner, t.Call)}
    return node.line if calls & (staged.MEETING | {"get_local_id", "get_group_id"}) else 0


REWRITE = Rewrite(
    name="local-staging",
    text=__doc__,
    technique="bypass-local",
    keeps=Keeps.BITS,
    values=(0, 1),
    apply=apply,
    lines=lines,
    gain=lambda _posed: (1.0, 6.0),
    order=5,
)
