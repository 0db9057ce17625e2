"""One value that several elements get, ``a[i] = a[j] = v``, as one assignment for each: ``T both = v; a[j] = both; a[i] = both``."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from hotloop.rewrite import tree as t
from hotloop.rewrite.conditions import acts, fresh


def unchained(body: t.Body, kind_of: Callable[[t.Node], str]) -> t.Body:
    """Return statements without such chains; those between elements of unlike types stay, as each of them rounds.

    `kind_of` returns the type of an element that is assigned, empty where it is not known.
    """
    return tuple(made for node in body for made in _statement(node, kind_of))


def _statement(node: t.Node, kind_of: Callable[[t.Node], str]) -> Iterator[t.Node]:
    match node:
        case t.Do(value=t.Assign(op="=", value=t.Assign(op="=")) as first):
            yield from _apart(node, first, kind_of)
        case t.If(yes=yes, no=no):
            yield replace(node, yes=unchained(yes, kind_of), no=unchained(no, kind_of))
        case t.For(body=body) | t.Block(body=body):
            yield replace(node, body=unchained(body, kind_of))
        case _:
            yield node


def _apart(node: t.Do, first: t.Assign, kind_of: Callable[[t.Node], str]) -> Iterator[t.Node]:
    targets: list[t.Node] = []
    value: t.Node = first
    while isinstance(value, t.Assign) and value.op == "=":
        targets.append(value.target)
        value = value.value
    kinds = {kind_of(target) for target in targets}
    if len(kinds) > 1 or "" in kinds or any(map(acts, t.walk(value, *targets))):
        yield node
        return
    both = t.Name(fresh("both", node))
    declared = t.Declare(kinds.pop(), (t.Declared(both.text, value),), node.line)
    yield t.Block((declared, *(t.Do(t.Assign("=", target, both), node.line) for target in reversed(targets))))
