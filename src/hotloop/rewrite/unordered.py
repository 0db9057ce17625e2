"""Conditions that compare numbers of which one may be NaN: then neither ``a < b`` nor ``a >= b`` holds."""

from __future__ import annotations

import re
from collections.abc import Mapping

from hotloop.rewrite import algebra
from hotloop.rewrite import tree as t

_ORDERED = frozenset(["<", "<=", ">", ">="])
_WHOLE = re.compile(
    r"^(?:(?:unsigned |signed |u)?(?:char|short|int|long)(?:2|3|4|8|16)?|bool|u?int(?:8|16)_t|unsigned|signed)$"
)
_COUNTS = re.compile(r"^(?:get_\w+|min|max|clamp|abs|abs_diff|mul24|mad24|mul_hi|select|rotate|popcount|clz)$")
"""Functions that make whole numbers of whole numbers."""
_QUALIFIERS = frozenset(
    ["const", "volatile", "restrict", "__private", "private", "__local", "local", "__global", "global", "__constant"]
)


def kinds_of(function: t.Function, types: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the types of a function's variables and parameters by name, with brackets behind it of elements; empty where there are several.

    `types` are those that ``typedef`` names stand for.
    """
    kinds = {one.name + "[]" * one.pointer: _plain(one.type, types) for one in function.arguments}
    for node in t.walk(*function.body):
        for one in node.names if isinstance(node, t.Declare) else ():
            name = one.name + "[]" * bool(one.pointer or one.extents)
            kind = _plain(node.type, types)  # type: ignore[attr-defined]
            kinds[name] = kind if kinds.get(name, kind) == kind else ""
    return kinds


def _plain(kind: str, types: Mapping[str, str] | None) -> str:
    kind = " ".join(word for word in kind.split() if word not in _QUALIFIERS)
    while types and kind in types and types[kind] != kind:
        kind = types[kind]
    return kind


def unordered(condition: t.Node, kinds: Mapping[str, str]) -> bool:
    """Tell whether a condition asks which of two numbers is larger where one of them may be NaN; macros and constants are none.

    >>> less = t.Binary("<", t.Name("a"), t.Name("N"))
    >>> unordered(less, {"a": "int"}), unordered(less, {"a": "float"})
    (False, True)
    """
    return any(
        isinstance(node, t.Binary) and node.op in _ORDERED and any(_real(one, kinds) for one in (node.left, node.right))
        for node in t.walk(condition)
    )


def _real(node: t.Node, kinds: Mapping[str, str]) -> bool:
    """Tell whether an expression may be calculated of real numbers."""
    match node:
        case t.Name(text=text):
            return text in kinds and not is_whole(kinds[text])
        case t.Index(base=t.Name(text=text), index=index):
            return _real(index, kinds) or (f"{text}[]" in kinds and not is_whole(kinds[f"{text}[]"]))
        case t.Number():
            return algebra.constant(algebra.polynomial(node)) is None
        case t.Cast(type=kind, value=value):
            return not is_whole(kind) or _real(value, kinds)
        case t.Call(function=function):
            if not _COUNTS.match(function):
                return True
        case t.Text() | t.Vector() | t.Table():
            return True
    return any(_real(one, kinds) for one in t.children(node))


def is_whole(kind: str) -> bool:
    """Tell a type of whole numbers, also short ones, and vectors of such.

    >>> is_whole("uchar"), is_whole("int4"), is_whole("float2")
    (True, True, False)
    """
    return algebra.is_whole(kind) or bool(_WHOLE.match(kind))
