"""What a group's places add to a sum, without what changes nothing: zeros for places beyond an end, infinities among minima."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from hotloop.rewrite import tree as t
from hotloop.rewrite.amounts.reals import literal
from hotloop.rewrite.groups.trees import grown

_LARGEST = {"INFINITY", "HUGE_VALF", "INT_MAX", "UINT_MAX"}


def pruned(node: t.Node, names: Mapping[str, str]) -> t.Body:
    """Return a statement that adds to sums, by name and way, without branches that add nothing."""
    match node:
        case t.If(condition=condition, yes=yes, no=no):
            first = tuple(made for one in yes for made in pruned(one, names))
            second = tuple(made for one in no for made in pruned(one, names))
            if first:
                return (replace(node, yes=first, no=second),)
            return (replace(node, condition=t.Unary("!", condition), yes=second, no=()),) if second else ()
        case t.Do(value=t.Assign() as given) if (value := _value(given, names)) is not None:
            name, how, what = value
            if nothing(what, how):
                return ()
            if isinstance(what, t.Choice) and nothing(what.no, how):
                return (
                    t.If(what.condition, pruned(t.Do(grown(name, how, what.yes), node.line), names), (), node.line),
                )
    return (node,)


def nothing(value: t.Node, how: str) -> bool:
    """Tell a value that changes no sum.

    >>> nothing(t.Number("0.0f"), "+"), nothing(t.Number("0"), "fmax")
    (True, False)
    """
    if how == "+":
        return isinstance(value, t.Number) and literal(value.text) == 0
    if how in ("fmin", "min"):
        return isinstance(value, t.Name) and value.text in _LARGEST
    if how == "max" and value == t.Name("INT_MIN"):
        return True
    negative = isinstance(value, t.Unary) and value.op == "-" and isinstance(value.value, t.Name)
    return how in ("fmax", "max") and negative and value.value.text in _LARGEST - {"INT_MAX", "UINT_MAX"}  # type: ignore[attr-defined]


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
