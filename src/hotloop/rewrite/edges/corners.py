"""Where in a block of results a condition is hardest to meet: asked there, it holds for the whole block."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from hotloop.rewrite import algebra
from hotloop.rewrite import tree as t
from hotloop.rewrite.branches.evened import unsigned
from hotloop.rewrite.form import Posed
from hotloop.rewrite.shape import RefusedError, Shape

_COMPARED = ("<", "<=", ">", ">=", "==")


@dataclass(frozen=True, slots=True)
class Signs:
    """What is known of the signs of numbers in a kernel's conditions."""

    without: Collection[str] = ()
    """Names whose numbers are not known to have a sign: they begin again at their greatest below zero."""
    below: Collection[str] = ()
    """Work-items' numbers that may begin below zero, because something is added to them that is not known to be positive."""


def signs(posed: Posed, form: Shape) -> Signs:
    """Return what is known of the signs of numbers."""
    signed = {item.name for item in form.items if item.type in ("int", "long", "short")}
    without = unsigned(posed) - signed | {item.name for item in form.items} - signed
    below = {one.name for one in form.items if one.offset is not None and lessens(one.offset, without)}
    return Signs(without, below)


def corners(condition: t.Node, width: Mapping[str, int], signs: Signs) -> list[t.Node]:
    """Return a comparison at the ends of a block where it is hardest to meet: it is even in the work-item's numbers.

    Numbers without a sign begin again at their greatest below zero, ``i - 1 < n`` does not hold for the first of them: where something is
    subtracted, or added that may be below zero, both ends are asked. Raises RefusedError of another condition.

    >>> from hotloop.rewrite.write import expression
    >>> less = t.Binary("<", t.Binary("-", t.Name("i"), t.Number("1")), t.Name("n"))
    >>> [[expression(one) for one in corners(less, {"i": 16}, known)] for known in (Signs(), Signs(["i"]))]
    [['i + 15 - 1 < n'], ['i - 1 < n', 'i + 15 - 1 < n']]
    """
    names = [name for name in width if name in t.names_in(condition) and width[name] > 1]
    if not names:
        return [condition]
    if not isinstance(condition, t.Binary) or condition.op not in _COMPARED:
        raise RefusedError("the condition around its work is no comparison")
    wraps = _subtracts(condition, names, signs) and (t.names_in(condition) & {*signs.without} or _marked(condition))
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


def _subtracts(condition: t.Binary, names: Collection[str], signs: Signs) -> bool:
    """Tell whether a side that moves may be below zero for the first of the work-items' numbers."""
    sides = [side for side in (condition.left, condition.right) if t.names_in(side) & set(names)]
    positive = {*signs.without, *names} - {*signs.below}
    return any(lessens(side, positive) for side in sides)


def lessens(node: t.Node, positive: Collection[str]) -> bool:
    """Tell an expression that is not a sum of products of numbers known to be positive."""
    match node:
        case t.Number():
            return False
        case t.Name(text=text):
            return text not in positive
        case t.Binary(op="+" | "*" | "/" | "%" | ">>" | "<<", left=left, right=right):
            return lessens(left, positive) or lessens(right, positive)
    return not (isinstance(node, t.Call) and node.function.startswith("get_"))


def _marked(condition: t.Node) -> bool:
    """Tell a number that is written as one without a sign, or a conversion, of which it is not known."""
    return any(
        isinstance(one, t.Cast | t.Call) or (isinstance(one, t.Number) and "u" in one.text.lower())
        for one in t.walk(condition)
    )
