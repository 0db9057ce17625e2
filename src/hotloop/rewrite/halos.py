"""Tiles with a halo that several statements fill: where all of them put the same element of global memory at a place, one of them says it for all.

``tile[x + 1] = a[i]; if (x == 0) tile[0] = a[i - 1];`` fills by one rule. Who fills what behind which condition is the program's own affair: an
element that nobody fills has no value, so that no program reads it. In a loop it has that of the round before, so that all rounds must fill alike.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from hotloop.rewrite import algebra
from hotloop.rewrite import tree as t

Places = Callable[[t.Node], t.Body | None]
"""Gives the indices of an element of the array, None of another expression."""
Rule = Callable[[t.Body], t.Node]
"""Gives what stands at a place by the first statement's rule; raises RefusedError."""
Terms = Callable[[t.Node], algebra.Polynomial]
"""Gives an index as a polynomial of places and numbers."""


def others(body: t.Body, main: t.Node, places: Places) -> Iterator[tuple[t.Body, t.Node]]:
    """Yield where statements beside the first one fill the array, with what; loops are not looked into."""
    for node in body:
        match node:
            case t.Do(value=t.Assign(op="=", target=target, value=value)) if (at := places(target)) is not None:
                if node is not main:
                    yield at, value
            case t.If(yes=yes, no=no):
                yield from others((*yes, *no), main, places)
            case t.Block(body=inner):
                yield from others(inner, main, places)


def deciding(body: t.Body, places: Places) -> Iterator[t.Node]:
    """Yield what decides which elements statements fill: the indices and the conditions around them."""
    for node in body:
        match node:
            case t.Do(value=t.Assign(target=target)) if (at := places(target)) is not None:
                yield from at
            case t.If(condition=condition, yes=yes, no=no):
                inner = tuple(deciding((*yes, *no), places))
                yield from (condition, *inner) if inner else ()
            case t.Block(body=inside):
                yield from deciding(inside, places)


def steady(body: t.Body, places: Places, inlined: Callable[[t.Node], t.Node], moving: frozenset[str]) -> bool:
    """Tell whether statements fill the same elements in all rounds of a loop, in which some variables move on."""
    for node in deciding(body, places):
        inner = inlined(node)
        reads = any(isinstance(one, t.Index | t.Call | t.Member) for one in t.walk(inner))
        if reads or t.names_in(inner) & moving:
            return False
    return True


def without(body: t.Body, main: t.Node, places: Places) -> t.Body:
    """Return statements of which only the first one fills the array."""
    made: list[t.Node] = []
    for node in body:
        match node:
            case t.Do(value=t.Assign(op="=", target=target)) if node is not main and places(target) is not None:
                continue
            case t.If(yes=yes, no=no):
                kept = replace(node, yes=without(yes, main, places), no=without(no, main, places))
                if kept.yes or kept.no:
                    made.append(kept)
            case t.Block(body=inner):
                if rest := without(inner, main, places):
                    made.append(replace(node, body=rest))
            case _:
                made.append(node)
    return tuple(made)


def same(left: t.Node, right: t.Node, terms: Terms) -> bool:
    """Tell whether two expressions are the same, indices by their polynomials.

    >>> from hotloop.rewrite.parse import expression
    >>> same(expression("a[i + 1]"), expression("a[1 + i]"), algebra.polynomial)
    True
    """
    if type(left) is not type(right):
        return False
    if isinstance(left, t.Index) and isinstance(right, t.Index):
        return left.base == right.base and terms(left.index) == terms(right.index)
    pairs = list(zip(t.children(left), t.children(right), strict=False))
    if not pairs:
        return left == right
    return _hull(left) == _hull(right) and all(same(a, b, terms) for a, b in pairs)


def _hull(node: t.Node) -> t.Node:
    """Return a node with nothing in its parts."""
    return t.changed(node, lambda one: None if one is node else t.Name(""))
