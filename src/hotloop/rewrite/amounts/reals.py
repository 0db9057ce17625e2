"""Which expressions are real numbers and which are whole ones: what a cast between them and a quotient of them are."""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import inf

from hotloop.rewrite import tree as t

_REALS = frozenset({"half", "float", "double"})
_LITERAL = re.compile(r"^(?:\d+\.\d*|\.\d+|\d+(?=[eE]))(?:[eE][-+]?\d+)?[fFhHlL]?$")
_WHOLE = re.compile(r"^(0[xX][0-9a-fA-F]+|\d+)[uUlL]*$")
_SMALL: Mapping[str, tuple[float, float]] = {
    "uchar": (0.0, 255.0), "unsigned char": (0.0, 255.0), "char": (-128.0, 127.0), "signed char": (-128.0, 127.0),
    "ushort": (0.0, 65535.0), "unsigned short": (0.0, 65535.0), "short": (-32768.0, 32767.0),
}  # fmt: skip
KINDS: Mapping[str, tuple[float, float]] = {
    name: _SMALL[name] for name in ("uchar", "unsigned char", "char", "signed char")
}
"""Types of arrays of bytes whose elements may be indices into a table; wider types say too little about their values."""
CASTS: Mapping[str, tuple[float, float]] = {
    **_SMALL,
    **dict.fromkeys(("int", "long", "ptrdiff_t"), (-inf, inf)),
    **dict.fromkeys(("uint", "unsigned", "unsigned int", "ulong", "unsigned long", "size_t"), (0.0, inf)),
}
"""Types whose casts leave whole numbers."""


def literal(text: str) -> float | None:
    """Return the value of a literal, None of what is none.

    >>> literal("1.5f"), literal("2e3"), literal("0x10u")
    (1.5, 2000.0, 16.0)
    """
    if whole := _WHOLE.match(text):
        return float(int(whole.group(1), 0))
    return float(text.rstrip("fFhHlL")) if _LITERAL.match(text) else None


def names_of_reals(function: t.Function) -> frozenset[str]:
    """Return the parameters and variables of a function that are real numbers, or arrays of them."""
    named = {argument.name for argument in function.arguments if argument.type in _REALS}
    for node in t.walk(*function.body):
        if isinstance(node, t.Declare) and node.type.split()[-1] in _REALS:
            named |= {variable.name for variable in node.names}
    return frozenset(named)


def is_real(node: t.Node, reals: frozenset[str]) -> bool:
    """Tell whether an expression may be no whole number."""
    match node:
        case t.Number(text=text):
            return _LITERAL.match(text) is not None
        case t.Name(text=text):
            return text in reals
        case t.Index(base=base):
            return is_real(base, reals)
        case t.Cast(type=kind, value=value):
            return kind not in CASTS and (kind in _REALS or is_real(value, reals))
    return any(is_real(child, reals) for child in t.children(node))
