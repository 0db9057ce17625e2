"""Conditions taken apart and put together."""

from __future__ import annotations

from collections.abc import Iterator

from hotloop.rewrite import tree as t


def conjuncts(node: t.Node) -> Iterator[t.Node]:
    """Yield the parts of ``a && b && c``."""
    if isinstance(node, t.Binary) and node.op == "&&":
        yield from conjuncts(node.left)
        yield from conjuncts(node.right)
    else:
        yield node


def joined(parts: list[t.Node]) -> t.Node | None:
    """Return parts joined by ``&&``; None of none."""
    made: t.Node | None = None
    for one in parts:
        made = one if made is None else t.Binary("&&", made, one)
    return made


_OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}


def negated(node: t.Node) -> t.Node | None:
    """Return the opposite of a condition, None where it is no conjunction or disjunction of comparisons."""
    if isinstance(node, t.Binary):
        if node.op in _OPPOSITE:
            return t.Binary(_OPPOSITE[node.op], node.left, node.right)
        if node.op in ("||", "&&"):
            left, right = negated(node.left), negated(node.right)
            if left is not None and right is not None:
                return t.Binary("&&" if node.op == "||" else "||", left, right)
    return None
