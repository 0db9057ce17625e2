"""Trees of sums in local memory: half of the places add what the other half has, until the first one has all of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hotloop.rewrite import algebra
from hotloop.rewrite import tree as t
from hotloop.rewrite.groups.bests import Best, best
from hotloop.rewrite.groups.places import waits

ZERO: Mapping[str, t.Node] = {
    "+": t.Number("0"),
    "fmax": t.Unary("-", t.Name("INFINITY")),
    "max": t.Unary("-", t.Name("INFINITY")),
    "fmin": t.Name("INFINITY"),
    "min": t.Name("INFINITY"),
}
"""The neutral element of each kind of sum: adding it changes nothing. Minima and maxima are those of real numbers."""
_FIRST = {("max", "int"): "INT_MIN", ("min", "int"): "INT_MAX", ("max", "uint"): "0", ("min", "uint"): "UINT_MAX"}
"""Whole numbers beyond which there are none, by what is looked for and in which type."""
BEST = "best"
"""Stands for a way to combine elements that depends on others."""
_PLACE = t.Name("place")


@dataclass(frozen=True, slots=True)
class Tree:
    """A loop over halves of a group."""

    how: Mapping[str, str]
    """How two elements are combined, by array: ``+``, the function that chooses one, or `BEST`."""
    best: Best | None = None
    """Elements that are taken over together where one of them is better; None: each array has a sum of its own."""


def tree(node: t.Node, size: int) -> Tree | None:
    """Return what a loop does to local memory where it is such a tree over so many places; None of another statement."""
    if not isinstance(node, t.For) or size & (size - 1) or not isinstance(node.first, t.Declare):
        return None
    match node.first.names:
        case (t.Declared(name=name, value=t.Node() as begin),):
            pass
        case _:
            return None
    inner = [statement for statement in node.body if not (waits(statement) or (t.is_comment(statement)))]
    values = {variable.name: variable.value for own in inner if isinstance(own, t.Declare) for variable in own.names}
    inner = [t.renamed(one, _plain(values)) for one in inner if not isinstance(one, t.Declare)]
    if len(inner) != 1 or not any(map(waits, node.body)) or not isinstance(inner[0], t.If) or inner[0].no:
        return None
    if set(values) & (t.names_in(inner[0]) | t.written_in(*node.body)):
        return None
    branch, step = inner[0], t.Name(name)
    if _falls(node, step, begin, size) and (found := best(branch, step, _within(step))) is not None:
        return Tree(dict.fromkeys(found.arrays, BEST), found)
    if not (_halves(node, step, begin, branch, size) or _doubles(node, step, begin, branch, size)):
        return None
    operations: dict[str, str] = {}
    for statement in branch.yes:
        match statement:
            case t.Do(value=t.Assign(target=t.Index(base=t.Name(text=array), index=at)) as given) if at == _PLACE:
                how = _joins(given, array, step)
                if not how or array in operations:
                    return None
                operations[array] = how
            case _:
                return None
    return Tree(operations) if operations else None


def typed(how: str, kind: str) -> str:
    """Return how elements of a type are combined: the extremes of whole numbers have functions of their own.

    >>> typed("fmax", "unsigned int"), typed("fmax", "float"), typed("+", "int")
    ('max', 'fmax', '+')
    """
    return how.removeprefix("f") if how in ("fmax", "fmin") and ("max", short(kind)) in _FIRST else how


def zero(how: str, kind: str) -> t.Node | None:
    """Return the value that changes no sum or extreme of elements of a type; None where none is known."""
    if how == "+" or kind in ("float", "double"):
        return ZERO.get(how)
    first = _FIRST.get((how, short(kind)))
    return None if first is None else t.Number(first) if first == "0" else t.Name(first)


def short(kind: str) -> str:
    """Return the name that OpenCL has for whole numbers without a sign; other types as they are."""
    return "uint" if kind in ("uint", "unsigned", "unsigned int") else kind


def _plain(values: Mapping[str, t.Node | None]) -> dict[str, t.Node]:
    """Return the values that stand for names: those that read no memory."""
    return {
        name: value
        for name, value in values.items()
        if value is not None and not any(isinstance(inner, t.Index | t.Call | t.Assign) for inner in t.walk(value))
    }


def _number(node: t.Node) -> int | None:
    match node:
        case t.Binary(op="/" | ">>" as op, left=left, right=right):
            first, second = _number(left), _number(right)
            if first is None or not second:
                return None
            return first // second if op == "/" else first >> second
    return algebra.constant(algebra.polynomial(node))


def _within(step: t.Name) -> tuple[t.Node, ...]:
    """Return the conditions that tell the first half of the places."""
    return t.Binary("<", _PLACE, step), t.Binary(">", step, _PLACE)


def _halves(node: t.For, step: t.Name, begin: t.Node, branch: t.If, size: int) -> bool:
    """Tell a loop from half of the places down to one."""
    return _falls(node, step, begin, size) and branch.condition in _within(step)


def _falls(node: t.For, step: t.Name, begin: t.Node, size: int) -> bool:
    """Tell a loop over steps from half of the places down to one."""
    down = (
        t.Assign(">>=", step, t.Number("1")),
        t.Assign("/=", step, t.Number("2")),
        t.Assign("=", step, t.Binary(">>", step, t.Number("1"))),
        t.Assign("=", step, t.Binary("/", step, t.Number("2"))),
    )
    ends = (
        t.Binary(">", step, t.Number("0")),
        t.Binary(">=", step, t.Number("1")),
        t.Binary("!=", step, t.Number("0")),
    )
    return _number(begin) == size // 2 and node.condition in ends and node.step in down


def _doubles(node: t.For, step: t.Name, begin: t.Node, branch: t.If, size: int) -> bool:
    """Tell a loop from neighbours up to halves."""
    up = (t.Assign("*=", step, t.Number("2")), t.Assign("<<=", step, t.Number("1")))
    match node.condition:
        case t.Binary(op="<", left=left, right=right) if left == step and _number(right) == size:
            pass
        case _:
            return False
    twice = (t.Binary("*", t.Number("2"), step), t.Binary("*", step, t.Number("2")))
    even = [t.Binary("==", t.Binary("%", _PLACE, two), t.Number("0")) for two in twice]
    masked = [t.Binary("==", t.Binary("&", _PLACE, t.Binary("-", two, t.Number("1"))), t.Number("0")) for two in twice]
    return _number(begin) == 1 and node.step in up and branch.condition in (*even, *masked)


def _joins(given: t.Assign, array: str, step: t.Name) -> str:
    """Return how an element takes another one in, empty where it does not."""
    own = t.Index(t.Name(array), _PLACE)
    others = [t.Index(t.Name(array), t.Binary("+", *pair)) for pair in ((_PLACE, step), (step, _PLACE))]
    match given:
        case t.Assign(op="+=", value=value) if value in others:
            return "+"
        case t.Assign(op="=", value=t.Binary(op="+", left=left, right=right)) if _pair(left, right, own, others):
            return "+"
        case t.Assign(op="=", value=t.Call(function="fmax" | "fmin" | "max" | "min" as how, arguments=(left, right))):
            return how if _pair(left, right, own, others) else ""
    return ""


def _pair(left: t.Node, right: t.Node, own: t.Node, others: Sequence[t.Node]) -> bool:
    return (left == own and right in others) or (right == own and left in others)


def grown(name: str, how: str, value: t.Node) -> t.Assign:
    """Return how a sum takes a value in."""
    if how == "+":
        return t.Assign("+=", t.Name(name), value)
    return t.Assign("=", t.Name(name), t.Call(how, (t.Name(name), value)))
