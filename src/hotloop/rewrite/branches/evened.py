"""Loops whose ends differ between neighbours as loops as long for all, whose rounds ask whether they are meant.

``for (k = max(0, 2 - i); k < min(5, n - i); k++) f(k)`` goes from 0 to 5, and ``f(k)`` stands behind ``k >= max(0, 2 - i) && k < min(5, n - i)``, which
is a mask in vectors.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from hotloop.rewrite import algebra
from hotloop.rewrite import tree as t
from hotloop.rewrite.loops import Counted, counted
from hotloop.rewrite.shape import RefusedError


def steady(body: t.Body, varies: dict[str, frozenset[str]], depends: Callable[..., frozenset[str]]) -> None:
    """Take loops' own numbers out of what differs where their heads do not: a condition around a loop does not change how it counts."""
    for loop in (one for one in t.walk(*body) if isinstance(one, t.For)):
        for name in (t.declared_in(loop.first) if isinstance(loop.first, t.Declare) else set()) & varies.keys():
            own = varies.pop(name)
            head = depends(*(one for one in (loop.first, loop.condition, loop.step) if one is not None))
            if head or name in t.written_in(*loop.body):
                varies[name] = own


def wholes(body: t.Body) -> dict[str, t.Node]:
    """Return whole numbers with one value for good, by name."""
    return {one.name: one.value for kind, one in t.set_once(*body) if one.value is not None and algebra.is_whole(kind)}


def evened(body: t.Body, differs: Callable[[t.Node], bool], values: Mapping[str, t.Node]) -> t.Body:
    """Return statements in which such loops are as long for all; `values` are whole numbers with one value for good, by name."""
    return tuple(_statement(node, differs, values) for node in body)


def _statement(node: t.Node, differs: Callable[[t.Node], bool], values: Mapping[str, t.Node]) -> t.Node:
    match node:
        case t.For():
            inner = replace(node, body=evened(node.body, differs, values))
            head = [one for one in (node.first, node.condition) if one is not None]
            try:
                return _even(inner, counted(inner), differs, values) if any(map(differs, head)) else inner
            except RefusedError:
                return inner
        case t.If():
            return replace(node, yes=evened(node.yes, differs, values), no=evened(node.no, differs, values))
        case t.Block():
            return replace(node, body=evened(node.body, differs, values))
    return node


def _even(loop: t.For, form: Counted, differs: Callable[[t.Node], bool], values: Mapping[str, t.Node]) -> t.For:
    k, asked = t.Name(form.variable), list[t.Node]()
    low, high = (_inlined(one, values) for one in (form.low, form.high))
    least, most = _hull("max", low, differs), _hull("min", high, differs)
    if least != low:
        asked.append(t.Binary(">=", k, low))
    if most != high:
        asked.append(t.Binary("<", k, high))
    if not form.declares or not asked:
        raise RefusedError("the loop's number lives on")
    condition = asked[0] if len(asked) == 1 else t.Binary("&&", *asked)
    first = t.Declare(form.declares, (t.Declared(form.variable, least),))
    return replace(
        loop, first=first, condition=t.Binary("<", k, most), body=(t.If(condition, loop.body, (), loop.line),)
    )


def _inlined(node: t.Node, values: Mapping[str, t.Node]) -> t.Node:
    for _ in range(4):
        node = t.renamed(node, dict(values))
    return node


def _hull(how: str, end: t.Node, differs: Callable[[t.Node], bool]) -> t.Node:
    """Return an end that is the same for all and leaves no round out. Raises RefusedError."""
    if not differs(end):
        return end
    match end:
        case t.Call(function=function, arguments=(left, right)) if function == how:
            same = [one for one in (left, right) if not differs(one)]
            if same:
                return same[0]
        case t.Choice(condition=condition, yes=yes, no=no) if not differs(condition):
            return t.Choice(condition, _hull(how, yes, differs), _hull(how, no, differs))
        case t.Binary(op="+" | "-" as op, left=left, right=right) if not differs(right):
            return t.Binary(op, _hull(how, left, differs), right)
    raise RefusedError("the ends of a loop differ between neighbours")
