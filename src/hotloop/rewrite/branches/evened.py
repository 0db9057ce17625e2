"""Loops whose ends differ between neighbours as loops as long for all, whose rounds ask whether they are meant.

``for (k = max(0, 2 - i); k < min(5, n - i); k++) f(k)`` goes from 0 to 5, and ``f(k)`` stands behind ``k >= max(0, 2 - i) && k < min(5, n - i)``, which
is a mask in vectors. A loop over a window, ``for (c = x - r; c <= x + r; c++) f(c)``, is as long for all as it is: it goes over ``f(x - r + at)``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace

from hotloop.rewrite import algebra
from hotloop.rewrite import tree as t
from hotloop.rewrite.conditions import fresh
from hotloop.rewrite.form import Posed
from hotloop.rewrite.loops import Counted, counted
from hotloop.rewrite.shape import RefusedError


def steady(body: t.Body, varies: dict[str, frozenset[str]], depends: Callable[..., frozenset[str]]) -> None:
    """Take loops' own numbers out of what differs where their heads do not: a condition around a loop does not change how it counts."""
    for loop in (inner for inner in t.walk(*body) if isinstance(inner, t.For)):
        for name in (t.declared_in(loop.first) if isinstance(loop.first, t.Declare) else set()) & varies.keys():
            own = varies.pop(name)
            head = depends(*(one for one in (loop.first, loop.condition, loop.step) if one is not None))
            if head or name in t.written_in(*loop.body):
                varies[name] = own


def wholes(body: t.Body) -> dict[str, t.Node]:
    """Return whole numbers with one value for good, by name."""
    return {one.name: one.value for kind, one in t.set_once(*body) if one.value is not None and algebra.is_whole(kind)}


_DEPTH = 4
"""Numbers that stand for others at most this often one behind the other."""


def unsigned(posed: Posed) -> set[str]:
    """Return the names of a kernel whose numbers are not known to have a sign: what is subtracted of them may be a huge number."""
    kinds = {(argument.name, argument.type) for argument in posed.function.arguments if not argument.pointer}
    for node in t.walk(*posed.function.body):
        kinds |= {(variable.name, node.type) for variable in node.names} if isinstance(node, t.Declare) else set()
    return {name for name, kind in kinds if posed.plain(kind.replace("const ", "")) not in ("int", "long", "short")}


def evened(
    body: t.Body, differs: Callable[[t.Node], bool], values: Mapping[str, t.Node], unsigned: Collection[str] = ()
) -> t.Body:
    """Return statements in which such loops are as long for all.

    Args:
        body: the statements.
        differs: tells what differs between neighbours.
        values: whole numbers with one value for good, by name.
        unsigned: names of numbers that are not known to have a sign.
    """
    return tuple(_statement(node, differs, values, unsigned) for node in body)


def _statement(
    node: t.Node, differs: Callable[[t.Node], bool], values: Mapping[str, t.Node], unsigned: Collection[str]
) -> t.Node:
    match node:
        case t.For():
            inner = replace(node, body=evened(node.body, differs, values, unsigned))
            head = [one for one in (node.first, node.condition) if one is not None]
            try:
                if not any(map(differs, head)):
                    return inner
                form = counted(inner)
                return _moved(inner, form, differs, values, unsigned) or _even(inner, form, differs, values)
            except RefusedError:
                return inner
        case t.If():
            return replace(
                node, yes=evened(node.yes, differs, values, unsigned), no=evened(node.no, differs, values, unsigned)
            )
        case t.Block():
            return replace(node, body=evened(node.body, differs, values, unsigned))
    return node


def _moved(
    loop: t.For,
    form: Counted,
    differs: Callable[[t.Node], bool],
    values: Mapping[str, t.Node],
    unsigned: Collection[str],
) -> t.For | None:
    """Return a loop over a window around each one's place as one over the window, ``c = x - r + at``; None where it has another length."""
    low, high, names = form.low, form.high, t.names_in(form.low, form.high)
    has_signs = algebra.signed(low, high)
    for _ in range(_DEPTH):
        rounds = algebra.difference(high, low)
        if rounds is not None and not differs(rounds):
            break
        low, high = (t.renamed(one, dict(values)) for one in (low, high))
        has_signs = has_signs and algebra.signed(low, high)
        names |= t.names_in(low, high)
    else:
        return None
    if form.declares.removeprefix("const ") != "int" or names & set(unsigned) or not has_signs:
        return None
    at = fresh(f"{form.variable}_at", loop)
    first = t.Declare("int", (t.Declared(at, t.Number("0")),))
    place = t.Binary("+", form.low, t.Name(at))
    body = tuple(t.renamed(one, {form.variable: place}) for one in loop.body)
    return t.For(first, t.Binary("<", t.Name(at), rounds), t.Postfix("++", t.Name(at)), body, loop.line)


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
    for _ in range(_DEPTH):
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
