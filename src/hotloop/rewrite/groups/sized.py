"""Parameters that say how large a group is, ``tile`` in groups of ``tile`` by ``tile``, as the number that was named for both.

A host that launches such a kernel passes the size that it chose for its groups: the text numbers its work-items by it,
``get_group_id(0) * tile + get_local_id(0)``, and asks no work-item whether its place is below it. Another parameter that happens to be as
large (rounds, neighbours, columns of a row that a group goes through) is none. What is rewritten holds for that size, as does all that follows
from the size of a group.
"""

from __future__ import annotations

from collections.abc import Iterator

from hotloop.rewrite import algebra
from hotloop.rewrite import tree as t
from hotloop.rewrite.components.literals import whole
from hotloop.rewrite.form import Posed

_PLACES = {"get_group_id": "@group", "get_local_id": "@local", "get_global_id": "@global"}
_COMPARED = frozenset(["<", "<=", ">", ">=", "==", "!="])


def sized(posed: Posed) -> Posed:
    """Return a kernel with numbers for parameters that are as large as its groups; the same object where it has none."""
    body = posed.function.body
    changing = t.written_in(*body) | t.declared_in(*body)
    lengths = t.names_in(
        *posed.extents
    )  # how many work-items there are is another size, however many that may be today
    names: dict[str, t.Node] = {}
    for one in posed.function.arguments:
        value, kind = posed.values.get(one.name, 0), posed.plain(one.type)
        if one.pointer or not algebra.is_whole(kind) or value <= 1 or value not in posed.group:
            continue
        if one.name not in changing | lengths:
            names[one.name] = whole(value, kind)
    used = t.names_in(*body) & set(names)
    if not used or not (numbering := {name for name in used if _numbers(posed, name)}):
        return posed
    names = {name: names[name] for name in numbering}
    return posed.with_body(tuple(t.renamed(node, names) for node in body))


def _numbers(posed: Posed, name: str) -> bool:
    """Tell whether a parameter says how work-items are numbered in groups of its size: group times parameter, plus place."""
    dimensions = [at for at, size in enumerate(posed.group) if size == posed.values[name]]
    body = tuple(t.changed(node, _place) for node in posed.function.body)
    numbered = any(
        total.get(tuple(sorted((name, f"@group{at}")))) == total.get((f"@local{at}",)) == 1
        for total in _totals(body)
        for at in dimensions
    )
    return numbered and not _bounds(body, name)


def _totals(body: t.Body) -> Iterator[algebra.Polynomial]:
    """Yield the sums of a text in terms of places and parameters."""
    once = {one.name: one.value for kind, one in t.set_once(*body) if one.value is not None and algebra.is_whole(kind)}
    for node in t.walk(*body):
        if isinstance(node, t.Binary) and node.op == "+":
            yield algebra.polynomial(node, once)


def _bounds(body: t.Body, name: str) -> bool:
    """Tell whether a place is compared with a parameter: no place of a group is beyond the group's size."""
    moving = _following(body, {one.text for one in t.walk(*body) if isinstance(one, t.Name) and one.text[0] == "@"})
    sizes = _following(body, {name}) - moving
    for node in t.walk(*body):
        if isinstance(node, t.Binary) and node.op in _COMPARED:
            left, right = t.names_in(node.left), t.names_in(node.right)
            if (left & moving and right & {name, *sizes}) or (right & moving and left & {name, *sizes}):
                return True
    return False


def _following(body: t.Body, names: set[str]) -> set[str]:
    """Return names with those of variables that are calculated from them."""
    found = set(names)
    while more := {to for to, value in t.assignments(*body) if t.names_in(value) & found} - found:
        found |= more
    return found


def _place(node: t.Node) -> t.Node | None:
    """Return a name for what a work-item asks of its place along a dimension."""
    match node:
        case t.Call(function=function, arguments=(t.Number(text=at),)) if function in _PLACES:
            return t.Name(f"{_PLACES[function]}{at}")
    return None
