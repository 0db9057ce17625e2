"""What a group's places add to a sum, without what changes nothing: zeros for places beyond an end, infinities among minima."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import reduce

from hotloop.rewrite import tree as t
from hotloop.rewrite.amounts.reals import literal
from hotloop.rewrite.groups.places import PLACE
from hotloop.rewrite.groups.trees import grown, short, zero

_REALS = ("float", "double")


def pruned(node: t.Node, names: Mapping[str, str], kinds: Mapping[str, str]) -> t.Body:
    """Return a statement that adds to sums, by name and way, without branches that add nothing.

    Args:
        node: the statement.
        names: how each sum takes a value in.
        kinds: types of the sums: the largest ``int`` is a value like others among real numbers and those without a sign.
    """
    match node:
        case t.If(condition=condition, yes=yes, no=no):
            first = tuple(made for one in yes for made in pruned(one, names, kinds))
            second = tuple(made for one in no for made in pruned(one, names, kinds))
            if first:
                return (replace(node, yes=first, no=second),)
            return (replace(node, condition=t.Unary("!", condition), yes=second, no=()),) if second else ()
        case t.Do(value=t.Assign() as given) if (value := _value(given, names)) is not None:
            name, how, what = value
            kind = kinds[name]
            if nothing(what, how, kind):
                return ()
            if isinstance(what, t.Choice) and nothing(what.no, how, kind):
                kept = t.Do(grown(name, how, what.yes), node.line)
                return (t.If(what.condition, pruned(kept, names, kinds), (), node.line),)
    return (node,)


def nothing(value: t.Node, how: str, kind: str) -> bool:
    """Tell a value that changes no sum of a type.

    >>> nothing(t.Number("0.0f"), "+", "float"), nothing(t.Number("0"), "fmax", "float")
    (True, False)
    >>> nothing(t.Name("INT_MAX"), "min", "int"), nothing(t.Name("INT_MAX"), "fmin", "float")
    (True, False)
    """
    if kind in _REALS:
        value = t.changed(value, lambda one: t.Name("INFINITY") if one == t.Name("HUGE_VALF") else None)
    first = zero(how, kind)
    if isinstance(value, t.Number) and isinstance(first, t.Number):
        return literal(value.text) == literal(first.text)
    return value == first


def open_ended(how: str, kind: str) -> bool:
    """Tell an extreme that is NaN where all that it takes in is: the largest ``fmax`` of nothing is no such extreme.

    >>> open_ended("fmax", "float"), open_ended("max", "int"), open_ended("+", "float")
    (True, False, False)
    """
    return how in ("fmax", "fmin") and kind in _REALS


def begins(node: t.Node, names: Sequence[str]) -> t.Node | None:
    """Return the statement by which a place puts its value into an extreme, the first place as it is."""
    match node:
        case t.Assign(
            target=t.Name(text=name),
            value=t.Call(function="fmax" | "fmin", arguments=(t.Name(text=same), value)) as further,
        ) if name == same and name in names:
            return replace(node, value=t.Choice(t.Binary("==", t.Name(PLACE), t.Number("0")), value, further))
    return None


def either(parts: Sequence[t.Node]) -> t.Node:
    """Return whether one of several conditions holds."""
    return reduce(lambda left, right: t.Binary("||", left, right), parts)


def holds(part: str, kind: str, how: str) -> bool:
    """Tell whether a variable may take in what all places have, not its own alone: it keeps no less of it than the sum across places.

    >>> holds("uint", "ulong", "+"), holds("unsigned int", "uint", "+"), holds("double", "float", "+"), holds("int", "uint", "max")
    (False, True, True, False)
    """
    bits = how == "+" and {short(part), short(kind)} == {"int", "uint"}
    return bits or short(part) == short(kind) or (part, kind) == ("double", "float")


def _value(given: t.Assign, names: Mapping[str, str]) -> tuple[str, str, t.Node] | None:
    """Return the sum that an assignment adds to, how, and what."""
    name = given.target.text if isinstance(given.target, t.Name) else ""
    how = names.get(name, "")
    match given:
        case t.Assign(op="+=", value=value) if how == "+":
            return name, how, value
        case t.Assign(op="=", value=t.Call(function=function, arguments=(t.Name(text=own), value))) if (
            function == how and own == name
        ):
            return name, how, value
    return None
