"""Which arrays say where the loops of a kernel begin and end: rows of a sparse matrix, cells of a grid, edges of a graph."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from hotloop.rewrite import tree as t
from hotloop.rewrite.conditions import conjuncts

_DEEP = 6
"""Longest chain of variables that are replaced by their values."""


@dataclass(slots=True)
class Rows:
    """Arrays of whole numbers by what they are for loops."""

    rising: set[str] = field(default_factory=set)
    """An element is where a row begins, and where the one before it ends."""
    pairs: set[tuple[str, str]] = field(default_factory=set)
    """One array says where rows begin, another where they end."""
    counted: set[tuple[str, str]] = field(default_factory=set)
    """One array says where rows begin, another how long they are; both may be parts of one array's elements."""
    counts: set[str] = field(default_factory=set)
    """How many rounds there are."""


def rows(function: t.Function) -> Rows:
    """Return what the arrays of a kernel are for its loops.

    >>> from hotloop.rewrite.parse import functions
    >>> text = "kernel void f(global int *p, global int *n) { int i = get_global_id(0); for (int k = p[i]; k < p[i + 1]; k++) n[k] = 0; }"
    >>> rows(functions(text)[0]).rising
    {'p'}
    """
    bounds, given = Rows(), _given(function)
    for loop in (node for node in t.walk(*function.body) if isinstance(node, t.For)):
        for name, limit in _bounds(loop):
            _sort(bounds, list(_elements(t.Name(name), given, loop)), list(_elements(limit, given, loop)))
    return bounds


def _sort(bounds: Rows, begins: list[t.Node], ends: list[t.Node]) -> None:
    first, last = {_array(begin) for begin in begins}, {_array(end) for end in ends}
    same = first & last
    for one in same:
        own = {node for node in begins if _array(node) == one}
        if set(ends) - own and own & set(ends) and all(isinstance(node, t.Member) for node in own):
            bounds.counted.add((one, one))
        elif {node for node in ends if _array(node) == one} - own:
            bounds.rising.add(one)
    if len(first) == 1 and len(last) == 1 and not same:
        bounds.pairs.add((min(first), min(last)))
    if len(first) == 1 and same and last - same:
        bounds.counted |= {(min(first), one) for one in last - same}
    if not first:
        bounds.counts |= last


def _array(node: t.Node) -> str:
    while isinstance(node, t.Member):
        node = node.base
    assert isinstance(node, t.Index)
    assert isinstance(node.base, t.Name)
    return node.base.text


def _bounds(loop: t.For) -> Iterator[tuple[str, t.Node]]:
    for one in conjuncts(loop.condition) if loop.condition is not None else ():
        match one:
            case t.Binary(op="<" | "<=" | "!=", left=t.Name(text=name), right=right):
                yield name, right
            case t.Binary(op=">" | ">=", left=left, right=t.Name(text=name)):
                yield name, left


def _given(function: t.Function) -> dict[str, list[tuple[t.Node, t.Node | None]]]:
    """Return the values that are assigned to variables, each with the loop whose body has the assignment."""
    given: dict[str, list[tuple[t.Node, t.Node | None]]] = {}

    def visit(nodes: t.Body, loops: tuple[t.Node, ...]) -> None:
        for node in nodes:
            if isinstance(node, t.Declared) and node.value is not None:
                given.setdefault(node.name, []).append((node.value, loops[-1] if loops else None))
            elif isinstance(node, t.Assign) and node.op == "=" and isinstance(node.target, t.Name):
                given.setdefault(node.target.text, []).append((node.value, loops[-1] if loops else None))
            if isinstance(node, t.For):
                visit(tuple(one for one in (node.first,) if one is not None), loops)
                visit(node.body, (*loops, node))
            else:
                visit(tuple(t.children(node)), loops)

    visit(function.body, ())
    return given


def _elements(
    node: t.Node, given: dict[str, list[tuple[t.Node, t.Node | None]]], loop: t.For, deep: int = 0
) -> Iterator[t.Node]:
    """Yield the elements of arrays of which an expression is made, looked at through variables."""
    element = node.base if isinstance(node, t.Member) else node
    if isinstance(element, t.Index) and isinstance(element.base, t.Name):
        yield node
    elif isinstance(node, t.Name):
        for value, within in given.get(node.text, ()) if deep < _DEEP else ():
            if within is not loop:
                yield from _elements(value, given, loop, deep + 1)
    else:
        for inner in t.children(node):
            yield from _elements(inner, given, loop, deep)
