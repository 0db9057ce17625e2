"""Where in a block of results a condition is hardest to meet: asked there, it holds for the whole block."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from hotloop.rewrite import algebra
from hotloop.rewrite import tree as t
from hotloop.rewrite.branches.evened import unsigned
from hotloop.rewrite.form import Posed
from hotloop.rewrite.shape import RefusedError, Shape

_COMPARED = ("<", "<=", ">", ">=", "==")


def without_sign(posed: Posed, form: Shape) -> set[str]:
    """Return the names whose numbers are not known to have a sign."""
    signed = {item.name for item in form.items if item.type in ("int", "long", "short")}
    return unsigned(posed) - signed | {item.name for item in form.items} - signed


def corners(condition: t.Node, width: Mapping[str, int], unsigned: Collection[str]) -> list[t.Node]:
    """Return a comparison at the ends of a block where it is hardest to meet: it is even in the work-item's numbers.

    Numbers without a sign begin again at their greatest below zero, ``i - 1 < n`` does not hold for the first of them: where something is
    subtracted, both ends are asked. Raises RefusedError of another condition.

    >>> from hotloop.rewrite.write import expression
    >>> less = t.Binary("<", t.Binary("-", t.Name("i"), t.Number("1")), t.Name("n"))
    >>> [expression(one) for one in corners(less, {"i": 16}, [])], [expression(one) for one in corners(less, {"i": 16}, ["i"])]
    (['i + 15 - 1 < n'], ['i - 1 < n', 'i + 15 - 1 < n'])
    """
    names = [name for name in width if name in t.names_in(condition) and width[name] > 1]
    if not names:
        return [condition]
    if not isinstance(condition, t.Binary) or condition.op not in _COMPARED:
        raise RefusedError("the condition around its work is no comparison")
    wraps = _subtracts(condition, names) and (t.names_in(condition) & set(unsigned) or _marked(condition))
    if wraps and condition.op in (">", ">="):
        raise RefusedError("numbers without a sign begin again below zero")
    difference = algebra.added(algebra.polynomial(condition.left), algebra.polynomial(condition.right), -1)
    ends: list[dict[str, t.Node]] = [{}]
    for name in names:
        stride = algebra.stride(difference, name)
        if stride is None:
            raise RefusedError("the condition around its work is not even in the work-item's number")
        last = t.Binary("+", t.Name(name), t.Number(str(width[name] - 1)))
        value = algebra.constant(stride)
        upper = [{**end, name: last} for end in ends]
        if value is None or condition.op == "==" or wraps:
            ends = [*ends, *upper]
        elif (value > 0) == (condition.op in ("<", "<=")):
            ends = upper
    return [t.renamed(condition, end) for end in ends]


def _subtracts(condition: t.Binary, names: Collection[str]) -> bool:
    """Tell whether something is subtracted on a side that moves, or the number itself."""
    sides = [side for side in (condition.left, condition.right) if t.names_in(side) & set(names)]
    return any(isinstance(one, t.Binary | t.Unary) and one.op == "-" for side in sides for one in t.walk(side))


def _marked(condition: t.Node) -> bool:
    """Tell a number that is written as one without a sign, or a conversion, of which it is not known."""
    return any(
        isinstance(one, t.Cast | t.Call) or (isinstance(one, t.Number) and "u" in one.text.lower())
        for one in t.walk(condition)
    )
