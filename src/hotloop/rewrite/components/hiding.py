"""Variables that hide others of their name, under names of their own: ``int at = 1; if (c) { int at = 2; f(at); }`` has ``at_2`` within."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from itertools import count

from hotloop.rewrite import tree as t


def unhidden(body: t.Body, outer: Collection[str]) -> t.Body:
    """Return statements in which no variable hides another one; `outer` are names that are visible around them."""
    if not t.hidden_in(body, set(outer)):
        return body
    called = {one.function for one in t.walk(*body) if isinstance(one, t.Call)}
    taken = {*outer, *called, *t.names_in(*body), *t.declared_in(*body)}
    return _body(body, set(outer), taken)


def _body(body: t.Body, visible: set[str], taken: set[str]) -> t.Body:
    made: list[t.Node] = []
    seen, left = set(visible), list(body)
    while left:
        node = left.pop(0)
        for name in sorted(_declared(node) & visible):  # of a block around; twice in one block is no C
            other: dict[str, t.Node] = {name: t.Name(_fresh(name, taken))}
            node, *left = (t.renamed(one, other) for one in (node, *left))
        seen |= _declared(node)
        made.append(_inner(node, seen, taken))
    return tuple(made)


def _inner(node: t.Node, visible: set[str], taken: set[str]) -> t.Node:
    match node:
        case t.If():
            return replace(node, yes=_body(node.yes, visible, taken), no=_body(node.no, visible, taken))
        case t.Block():
            return replace(node, body=_body(node.body, visible, taken))
        case t.For(first=first):
            own = _declared(first) if first is not None else set()
            other: dict[str, t.Node] = {name: t.Name(_fresh(name, taken)) for name in sorted(own & visible)}
            loop = t.renamed(node, other) if other else node
            assert isinstance(loop, t.For)
            return replace(
                loop, body=_body(loop.body, visible | own - other.keys() | t.names_in(*other.values()), taken)
            )
    return node


def _declared(node: t.Node) -> set[str]:
    return {one.name for one in node.names} if isinstance(node, t.Declare) else set()


def _fresh(name: str, taken: set[str]) -> str:
    """Return a name that nothing has yet, and note it."""
    made = next(other for number in count(2) if (other := f"{name}_{number}") not in taken)
    taken.add(made)
    return made
