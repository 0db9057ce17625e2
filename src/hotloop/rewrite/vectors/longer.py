"""Whole numbers of 64 bits among lanes of 32: work-items' numbers are such, and what is compared or converted of them is calculated as C does."""

from __future__ import annotations

from hotloop.rewrite import tree as t

ULONG = "ulong"
"""Type of ``size_t`` on devices with 64-bit addresses; its lanes are only added, subtracted, multiplied, compared and converted."""
LONG = frozenset(["double", ULONG])
"""Types whose comparisons have 64 bits a lane."""
_KEPT = ("+", "-", "*")
"""Operators whose last bits follow from the last bits of both sides."""


def shortened_to(vector: t.Node, count: int, kind: str) -> t.Node:
    """Return the last 32 bits of lanes of 64, calculated with 32 bits where these are all that matters.

    >>> from hotloop.rewrite.write import expression
    >>> x = t.Vector("ulong2", (t.Name("x"), t.Binary("+", t.Name("x"), t.Number("1"))))
    >>> expression(shortened_to(t.Binary("-", x, t.Vector("ulong2", (t.Name("n"),))), 2, "int"))
    '(int2)((int)x, (int)(x + 1)) - (int2)((int)n)'
    """
    match vector:
        case t.Binary(op=op, left=left, right=right) if op in _KEPT:
            return t.Binary(op, shortened_to(left, count, kind), shortened_to(right, count, kind))
        case t.Vector(values=values):
            return t.Vector(f"{kind}{count}", tuple(t.Cast(kind, one) for one in values))
    return t.Call(f"convert_{kind}{count}", (vector,))


def lengthened(vector: t.Node, count: int, kind: str) -> t.Node:
    """Return lanes of ``int`` or ``uint`` with 64 bits, as C converts them to a type without a sign: -1 becomes the greatest number."""
    if kind == "uint":
        return t.Call(f"convert_{ULONG}{count}", (vector,))
    return t.Call(f"as_{ULONG}{count}", (t.Call(f"convert_long{count}", (vector,)),))
