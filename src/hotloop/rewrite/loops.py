"""Loops that count by one, as rewrites of loops need them."""

from __future__ import annotations

from dataclasses import dataclass

from hotloop.rewrite import tree as t
from hotloop.rewrite.shape import RefusedError


@dataclass(frozen=True, slots=True)
class Counted:
    """``for (variable = low; variable < high; variable++)``."""

    variable: str
    low: t.Node
    high: t.Node
    declares: str
    """Type of the variable where the loop declares it, else empty."""


def counted(loop: t.For) -> Counted:
    """Return the form of a loop that counts upwards by one. Raises RefusedError."""
    match loop.first:
        case t.Declare(type=kind, names=(t.Declared(name=name, value=t.Node() as low, pointer=""),)):
            declares = kind
        case t.Assign(op="=", target=t.Name(text=name), value=low):
            declares = ""
        case _:
            raise RefusedError(f"the loop of line {loop.line} does not begin with a variable and its first value")
    match loop.condition:
        case t.Binary(op="<", left=t.Name(text=bound), right=high) if bound == name:
            pass
        case t.Binary(op="<=", left=t.Name(text=bound), right=last) if bound == name:
            high = t.Binary("+", last, t.Number("1"))
        case _:
            raise RefusedError(f"the loop of line {loop.line} does not end below a bound")
    if not _by_one(loop.step, name):
        raise RefusedError(f"the loop of line {loop.line} does not count by one")
    changing = t.written_in(*loop.body)
    if name in changing or t.names_in(high) & {name, *changing}:
        raise RefusedError(f"the loop of line {loop.line} changes its own count")
    return Counted(name, low, high, declares)


def _by_one(step: t.Node | None, name: str) -> bool:
    match step:
        case t.Postfix(op="++", value=t.Name(text=text)) | t.Unary(op="++", value=t.Name(text=text)):
            return text == name
        case t.Assign(op="+=", target=t.Name(text=text), value=t.Number(text="1")):
            return text == name
        case t.Assign(
            op="=", target=t.Name(text=text), value=t.Binary(op="+", left=t.Name(text=left), right=t.Number(text="1"))
        ):
            return text == name == left
    return False
