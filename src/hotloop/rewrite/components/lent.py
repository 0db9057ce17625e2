"""Variables that only hold elements for the next assignment, ``float a = s[i]; float b = s[j]; s[i] = a + b``, as the elements themselves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from hotloop.rewrite import tree as t


def returned(body: t.Body, kind_of: Callable[[t.Node], str]) -> t.Body:
    """Return statements without such variables; `kind_of` returns the type of an array's elements, empty where it is not known."""
    inner = [_inner(node, kind_of) for node in body]
    held: dict[str, t.Node] = {}
    made: list[t.Node] = []
    waiting: list[t.Node] = []
    for at, node in enumerate(inner):
        name, element = _holder(node, kind_of)
        if element is not None and not t.names_in(element) & held.keys():
            held[name] = element
            waiting.append(node)
            continue
        if held and _takes(node, held, inner[at + 1 :]):
            made.append(replace(node, value=replace(node.value, value=t.renamed(node.value.value, held))))  # type: ignore[attr-defined, type-var]
        else:
            made += [*waiting, node]
        held, waiting = {}, []
    return (*made, *waiting)


def _inner(node: t.Node, kind_of: Callable[[t.Node], str]) -> t.Node:
    match node:
        case t.If(yes=yes, no=no):
            return replace(node, yes=returned(yes, kind_of), no=returned(no, kind_of))
        case t.For(body=body) | t.Block(body=body):
            return replace(node, body=returned(body, kind_of))
    return node


def _holder(node: t.Node, kind_of: Callable[[t.Node], str]) -> tuple[str, t.Node | None]:
    """Return the variable that a declaration gives an element of its own type, and the element; None of another statement."""
    match node:
        case t.Declare(type=kind, names=(t.Declared(name=name, value=t.Index() as element, extents=()) as one,)):
            plain = " ".join(word for word in kind.split() if word != "const")
            simple = not one.pointer and not any(isinstance(n, t.Call | t.Assign | t.Postfix) for n in t.walk(element))
            return name, element if simple and plain == kind_of(element) else None
    return "", None


def _takes(node: t.Node, held: dict[str, t.Node], later: list[t.Node]) -> bool:
    """Tell an assignment of an element that uses all of the variables in its value, and nothing after it any of them."""
    match node:
        case t.Do(value=t.Assign(op="=", target=t.Index() as target, value=value)):
            others = t.names_in(target, *later) | t.written_in(node)
            return held.keys() <= t.names_in(value) and not held.keys() & others
    return False
