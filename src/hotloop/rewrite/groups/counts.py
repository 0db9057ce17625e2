"""Counts in local memory that one work-item alone changes need no atomic functions, and go through memory in its own order."""

from __future__ import annotations

import re
from dataclasses import replace

from hotloop.rewrite import algebra
from hotloop.rewrite import tree as t
from hotloop.rewrite.components.comments import uncommented
from hotloop.rewrite.form import Posed

_LOCAL = re.compile(r"\b(?:__)?local\b")
_ATOMIC = re.compile(r"^atom(?:ic)?_(add|sub|inc|dec|or|and|xor)$")
_OPERATORS = {"add": "+=", "sub": "-=", "inc": "+=", "dec": "-=", "or": "|=", "and": "&=", "xor": "^="}


def plain(posed: Posed, body: t.Body) -> t.Body:
    """Return statements in which local memory of whole numbers is changed without atomic functions, where nobody asks what was there before."""
    names = {argument.name for argument in posed.function.arguments if argument.space == "local"}
    names |= {
        variable.name
        for node in t.walk(*body)
        if isinstance(node, t.Declare) and _LOCAL.search(node.type)
        for variable in node.names
    }

    def change(node: t.Node) -> t.Node | None:
        match node:
            case t.Do(
                value=t.Call(
                    function=function,
                    arguments=(t.Unary(op="&", value=t.Index(base=t.Name(text=text)) as place), *more),
                )
            ):
                found = _ATOMIC.match(function)
                if found and text in names and len(more) < 2:
                    by = more[0] if more else t.Number("1")
                    return replace(node, value=t.Assign(_OPERATORS[found[1]], place, by))
        return None

    return tuple(_in_order(made, names) if (made := t.changed(node, change)) is not node else node for node in body)


def _in_order(node: t.Node, names: set[str]) -> t.Node:
    """Return a loop over places, in each of which a loop only counts, with all places' rounds side by side; itself where it is another one."""
    bare = uncommented((node,))[0]
    match bare:
        case t.For(
            first=t.Declare(names=(t.Declared(name=place),)),
            condition=t.Binary(op="<", left=t.Name(text=asked), right=size),
            body=body,
        ):
            pass
        case _:
            return node
    inner, values = body[-1] if body else None, _values(body[:-1])
    if asked != place or not isinstance(inner, t.For) or values is None or not _counts(inner.body, names):
        return node
    match inner:
        case t.For(
            first=t.Declare(type=kind, names=(t.Declared(name=name, value=t.Node() as low),)),
            condition=t.Binary(op="<", left=t.Name(text=bound), right=high),
            step=t.Assign(op="+=", target=t.Name(text=moved), value=step),
        ):
            pass
        case _:
            return node
    low, high, step = (_in_terms(one, values) for one in (low, high, step))
    begins = algebra.polynomial(low)
    if (
        algebra.stride(begins, place) != algebra.ONE
        or place in t.names_in(high, step)
        or bound != name
        or moved != name
    ):
        return node
    if {name, place} & t.written_in(*inner.body) or set(values) & t.names_in(*inner.body):
        return node
    first, end = t.Name(f"{name}_first"), t.Name(f"{name}_end")
    start = t.renamed(low, {place: t.Number("0")})
    until = t.Binary("+", first, size)
    ends = t.Declare(kind, (t.Declared(end.text, t.Choice(t.Binary("<", until, high), until, high)),))
    rounds = t.For(
        t.Declare(kind, (t.Declared(name, first),)),
        t.Binary("<", t.Name(name), end),
        t.Postfix("++", t.Name(name)),
        inner.body,
        inner.line,
    )
    return t.For(
        t.Declare(kind, (t.Declared(first.text, start),)),
        t.Binary("<", first, high),
        t.Assign("+=", first, step),
        (ends, rounds),
        inner.line,
    )


def _values(body: t.Body) -> dict[str, t.Node] | None:
    """Return what a place declares before its loop; None where it does more."""
    found: dict[str, t.Node] = {}
    for node in body:
        if not isinstance(node, t.Declare):
            return None
        for variable in node.names:
            if (
                variable.value is None
                or variable.pointer
                or variable.extents
                or any(isinstance(n, t.Index | t.Assign) for n in t.walk(variable.value))
            ):
                return None
            found[variable.name] = variable.value
    return found


def _in_terms(node: t.Node, values: dict[str, t.Node]) -> t.Node:
    for _ in values:
        node = t.renamed(node, values)
    return node


def _counts(body: t.Body, names: set[str]) -> bool:
    """Tell statements that only count in local memory: in whatever order, the same comes out."""
    local = all(
        isinstance(node, t.Do)
        and isinstance(node.value, t.Assign)
        and node.value.op in _OPERATORS.values()
        and isinstance(node.value.target, t.Index)
        and isinstance(node.value.target.base, t.Name)
        and node.value.target.base.text in names
        and not names & t.names_in(node.value.value, node.value.target.index)
        for node in body
    )
    operators = {node.value.op for node in body if isinstance(node, t.Do) and isinstance(node.value, t.Assign)}
    return local and (operators <= {"+=", "-="} or len(operators) == 1)
