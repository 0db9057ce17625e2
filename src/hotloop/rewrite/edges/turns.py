"""Places that begin again at the other side: ``(x + 1) % width`` is ``x + 1`` for all results but the last of a row.

Worlds without edges (games of life, periodic grids) take a remainder for every neighbour, which no vector reads evenly. For a block of results
whose neighbours all lie inside, the remainder is the place itself, or the place less one width.
"""

from __future__ import annotations

from collections.abc import Mapping

from hotloop.rewrite import algebra
from hotloop.rewrite import tree as t
from hotloop.rewrite.grid import expression

_UNSIGNED = frozenset(["uint", "unsigned", "unsigned int", "ulong", "unsigned long", "size_t"])


def straight_on(node: t.Binary, kinds: Mapping[str, str]) -> tuple[t.Node, t.Body] | None:
    """Return what a remainder is where its place has not begun again, and the comparisons that say so; None of one that is not understood.

    >>> from hotloop.rewrite.parse import expression as read
    >>> from hotloop.rewrite.write import expression as text
    >>> made, asked = straight_on(read("(x + n - 1) % n"), {"x": "uint", "n": "uint"})
    >>> text(made), [text(one) for one in asked]
    ('x - 1', ['1 <= x', 'x < n + 1'])
    """
    left, right = algebra.polynomial(node.left), algebra.polynomial(node.right)
    names = {name for part in (left, right) for names in part for name in names}
    types = {kinds.get(name, "int") for name in names}
    plain = not any(name.startswith("@") for name in names) and not any(isinstance(one, t.Cast) for one in t.walk(node))
    if not plain or not right or not (types == {"int"} or _without_sign(types)) or not algebra.signed(node):
        return None
    rest = algebra.added(left, right, -_laps(left, right))
    more = {product: value for product, value in rest.items() if value > 0}
    less = {product: -value for product, value in rest.items() if value < 0}
    asked = [t.Binary("<", expression(more), expression(algebra.added(right, less)))]
    if less or types == {"int"}:
        asked.insert(0, t.Binary("<=", expression(less), expression(more)))
    return expression(rest), tuple(asked)


def _without_sign(types: set[str]) -> bool:
    """Tell one type without a sign: of several the sum has another type than its parts."""
    return len(types) == 1 and types <= _UNSIGNED


def _laps(left: algebra.Polynomial, right: algebra.Polynomial) -> int:
    """Return how many widths a place has been moved on so that it is not negative."""
    if (width := algebra.constant(right)) is not None:
        return round(left.get((), 0) / width) if width > 0 else 0
    named = {product: value for product, value in right.items() if product}
    return max(min(left.get(product, 0) // value for product, value in named.items()), 0)
