"""Elements whose place is calculated or read by each work-item itself, such as a pixel kept inside an image, or what an index array says."""

from __future__ import annotations

from collections.abc import Mapping

from hotloop.rewrite import tree as t

_DEEP = 4
"""Variables one behind another that an index is followed through."""


def followed(index: t.Node, known: Mapping[str, t.Node]) -> t.Node:
    """Return an index with what variables of one value stand for."""
    for _ in range(_DEEP):
        index = t.renamed(index, dict(known))
    return index


def reads(node: t.Node) -> bool:
    """Tell whether an expression reads memory."""
    return any(isinstance(inner, t.Index) for inner in t.walk(node))


def given(assign: t.Assign, element: t.Index, body: t.Body) -> bool:
    """Tell whether an element is only given a value, of an array that a function never reads: the order of lanes is that of work-items."""
    places = [inner for inner in t.walk(*body) if isinstance(inner, t.Index) and inner.base == element.base]
    targets = [inner.target for inner in t.walk(*body) if isinstance(inner, t.Assign) and inner.op == "="]
    return assign.op == "=" and all(any(place is target for target in targets) for place in places)


def component(vector: t.Node, lane: int) -> t.Node:
    """Return one lane of a vector."""
    return t.Member(vector, ".", "s" + "0123456789abcdef"[lane])
