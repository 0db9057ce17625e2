"""Truth values as whole numbers, of which vectors are made: ``bool hit = d > 0;`` is ``int hit = d > 0 ? 1 : 0;``."""

from __future__ import annotations

from dataclasses import replace

from hotloop.rewrite import tree as t
from hotloop.rewrite.conditions import BOTH, asks

_KEPT = ("=", "&=", "|=", "^=")
"""Assignments that leave 0 or 1 of two such numbers."""
_BITWISE = ("&=", "^=")
"""Those of them that take single bits of what is given: ``hit &= flags`` with flags 2 is false, however true 2 is."""
_WORDS = {"false": "0", "true": "1"}
"""Truth values as the language spells them."""


def numbered(body: t.Body) -> t.Body:
    """Return statements without variables of type bool, as far as each value that they are given is known to be a truth value."""
    names = {
        one.name
        for node in t.walk(*body)
        if isinstance(node, t.Declare) and _truth(node.type)
        for one in node.names
        if not one.pointer and not one.extents
    }
    others = {
        one.name
        for node in t.walk(*body)
        if isinstance(node, t.Declare) and not _truth(node.type)
        for one in node.names
    }
    names -= others | _counted(body, names)
    return tuple(t.changed(node, lambda one: _number(one, names)) for node in body) if names else body


def _truth(kind: str) -> bool:
    return [word for word in kind.split() if word not in ("const", "__private", "private")] == ["bool"]


def _counted(body: t.Body, names: set[str]) -> set[str]:
    """Return the variables that are changed in other ways, or whose address is asked for."""
    found: set[str] = set()
    for node in t.walk(*body):
        match node:
            case t.Assign(op=op, target=t.Name(text=name), value=value) if name in names:
                if op not in _KEPT or (op in _BITWISE and not _asked(value, names)):
                    found.add(name)
            case t.Postfix(value=t.Name(text=name)) | t.Unary(op="&" | "++" | "--", value=t.Name(text=name)):
                found.add(name)
    return found


def _number(node: t.Node, names: set[str]) -> t.Node | None:
    match node:
        case t.Declare(type=kind, names=declared) if _truth(kind) and all(one.name in names for one in declared):
            made = (replace(one, value=one.value and _value(_inside(one.value, names), names)) for one in declared)
            return replace(node, type="int", names=tuple(made))
        case t.Assign(target=t.Name(text=name), value=value) if name in names:
            return replace(node, value=_value(_inside(value, names), names))
    return None


def _inside(value: t.Node, names: set[str]) -> t.Node:
    return t.changed(value, lambda one: _number(one, names))


def _value(node: t.Node, names: set[str]) -> t.Node:
    """Return a truth value as 0 or 1."""
    if isinstance(node, t.Name) and node.text in _WORDS:
        return t.Number(_WORDS[node.text])
    if not _asked(node, names):
        node = t.Binary("!=", node, t.Number("0"))
    return node if isinstance(node, t.Name | t.Number) else t.Choice(node, t.Number("1"), t.Number("0"))


def _asked(node: t.Node, names: set[str]) -> bool:
    """Tell what is 0 or 1: comparisons, truth values, and these two numbers."""
    match node:
        case t.Name(text=text):
            return text in names or text in _WORDS
        case t.Number(text=text):
            return text in ("0", "1")
        case t.Binary(op=op):
            return asks(node) or op in BOTH
    return isinstance(node, t.Unary) and node.op == "!"
