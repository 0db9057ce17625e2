"""Whole numbers whose expression stands in their place: where the expression has another type, and that may show, it is converted as the declaration does.

``size_t i = get_global_id(0); int j = i - 5;`` makes `j` -5 for the first work-item, and ``i - 5`` a huge number.
"""

from __future__ import annotations

from collections.abc import Iterator

from hotloop.rewrite import algebra
from hotloop.rewrite import tree as t
from hotloop.rewrite.branches.parts import calculated_names
from hotloop.rewrite.components.typed import types_in
from hotloop.rewrite.form import Posed
from hotloop.rewrite.vectors.kinds import named


def stands(node: t.Node, one: t.Declared, value: t.Node, posed: Posed, rest: t.Body) -> t.Node:
    """Return what stands in the place of a number that a declaration of a type gives a value, in the statements behind it.

    `value`: the number's expression, in which others stand for their names already.
    """
    kind = node.type if isinstance(node, t.Declare) else ""
    turned = one.value is not None and converts(kind, one.value, posed) and bent(one.name, rest)
    return t.Cast(kind.removeprefix("const "), value) if turned else value


def converts(kind: str, value: t.Node, posed: Posed) -> bool:
    """Tell whether a declaration of a type may convert the value that it is given."""
    own = named(posed.plain(" ".join(word for word in kind.split() if word not in ("const", "__private", "private"))))
    known = types_in(posed.function.body)
    return any(one != own for one in _kinds(value, own, posed, known))


def _kinds(value: t.Node, own: str, posed: Posed, known: dict[str, set[str]]) -> Iterator[str]:
    """Yield the types of what a value is calculated of, empty where one is not known."""
    match value:
        case t.Number(text=text):
            yield own if text.isdigit() else ""
        case t.Name(text=text):
            argument = posed.function.argument(text)
            kinds = known.get(text, {argument.type} if argument is not None else set())
            kinds = kinds or ({"int"} if text in posed.constants else {""})
            yield from (named(posed.plain(one)) for one in kinds)
        case t.Index(base=t.Name(text=text)) if posed.function.argument(text) is not None:
            yield named(posed.type_of(text))
        case t.Binary(op="+" | "-" | "*" | "/" | "%", left=left, right=right):
            yield from _kinds(left, own, posed, known)
            yield from _kinds(right, own, posed, known)
        case t.Call(function="min" | "max", arguments=arguments):
            for one in arguments:
                yield from _kinds(one, own, posed, known)
        case t.Cast(type=kind):
            yield named(posed.plain(kind))
        case _:
            yield ""


def bent(name: str, rest: t.Body) -> bool:
    """Tell whether statements do more with a whole number than find elements at sums of products of it, of which the last bits are the same in all types."""
    names, count = {name}, 0
    while len(names) > count:
        count = len(names)
        for node in t.walk(*rest):
            whole = isinstance(node, t.Declare) and algebra.is_whole(node.type)
            for one in node.names if isinstance(node, t.Declare) and whole else ():
                if one.value is not None and names & t.names_in(one.value):
                    names.add(one.name)
    if names & calculated_names(rest):
        return True
    return any(_turns(node) and names & t.names_in(node) for node in t.walk(*rest))


def _turns(node: t.Node) -> bool:
    return isinstance(node, t.Call | t.Choice | t.Cast) or (
        isinstance(node, t.Binary | t.Unary) and node.op not in ("+", "-", "*", "&", "=")
    )
