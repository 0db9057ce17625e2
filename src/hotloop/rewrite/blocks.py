"""What ``vloadN`` and ``vstoreN`` touch: so many neighbours, named by the last of them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from hotloop.rewrite import tree as t

_BLOCK = re.compile(r"^v(load|store)(?:a?_half)?(2|3|4|8|16)$")


@dataclass(frozen=True, slots=True)
class Block:
    """The last element of a block, what else the call computes, and whether the block is written."""

    last: t.Index
    rest: tuple[t.Node, ...]
    written: bool


def block(call: t.Call) -> Block | None:
    """Return what a call loads or stores, None of other calls and of places that are not to be seen.

    >>> from hotloop.rewrite.write import expression
    >>> from hotloop.rewrite.parse import expression as read
    >>> expression(block(read("vload4(i, x + k)")).last)
    'x[k + i * 4 + 3]'
    """
    match = _BLOCK.match(call.function)
    stores = match is not None and match.group(1) == "store"
    if match is None or len(call.arguments) != 2 + stores:
        return None
    offset, place = call.arguments[-2:]
    element = pointed(place)
    if element is None:
        return None
    lanes = int(match.group(2))
    index: t.Node = t.Binary("+", element.index, t.Binary("*", offset, t.Number(str(lanes))))
    last = t.Index(element.base, t.Binary("+", index, t.Number(str(lanes - 1))))
    return Block(last, (element.index, offset, *call.arguments[:stores]), stores)


def pointed(place: t.Node) -> t.Index | None:
    """Return the element that a pointer points to, None where its array is not to be seen."""
    match place:
        case t.Unary(op="&", value=t.Index() as element):
            return element
        case t.Name() as array:
            return t.Index(array, t.Number("0"))
        case t.Binary(op="+", left=left, right=right):
            for base, by in ((left, right), (right, left)):
                inner = pointed(base) if isinstance(base, t.Name | t.Binary) else None
                if inner is not None and isinstance(inner.base, t.Name) and _array(base):
                    return t.Index(inner.base, by if inner.index == t.Number("0") else t.Binary("+", inner.index, by))
        case t.Cast(value=value):
            return pointed(value)
    return None


def _array(node: t.Node) -> bool:
    """Tell whether the leftmost name of a sum may be the array: sums are read from the left."""
    return isinstance(node, t.Name) or (isinstance(node, t.Binary) and node.op == "+" and _array(node.left))
