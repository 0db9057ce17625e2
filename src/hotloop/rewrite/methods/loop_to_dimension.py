"""A loop whose rounds are independent becomes a dimension of the grid, neighbours in memory first.

What it changes: ``for (j2...)`` around the work becomes ``int j2 = get_global_id(0)`` with the loop's bounds as a condition;
the item's old numbers move to the next dimensions.
When it applies: one or two work-item dimensions; the loop is the work, but for statements before it, which the first round does;
rounds share no variable and write places of their own.
What it costs: rounds outside the loop's bounds are work-items that do nothing.
"""

from __future__ import annotations

import re
from dataclasses import replace

from hotloop.rewrite import algebra
from hotloop.rewrite import tree as t
from hotloop.rewrite.conditions import joined
from hotloop.rewrite.form import Keeps, Posed, Rewrite
from hotloop.rewrite.loops import Counted, counted
from hotloop.rewrite.ranges import scattering
from hotloop.rewrite.shape import Item, RefusedError, Shape, shape

_WORD = re.compile(r"[A-Za-z_]\w*")
_MOST = 2
"""Dimensions of a grid that leave one for the loop."""


def apply(posed: Posed, _value: int | str) -> Posed:
    """Make the outermost loop of the work a dimension."""
    form = _flat(shape(posed.function, posed.types))
    place, loop, count = _loop(form)
    first = (form.work[:place], t.Binary("==", t.Name(count.variable), count.low))
    inner: list[t.Node] = [one for one in first[0] if isinstance(one, t.Declare)]
    begun = tuple(one for one in first[0] if not isinstance(one, t.Declare))
    real = [one for one in begun if not isinstance(one, t.Text)]
    if real:
        inner.append(t.If(first[1], begun))
    inner += loop.body
    inside = [
        t.Binary(">=", t.Name(count.variable), count.low),
        t.Binary("<", t.Name(count.variable), count.high),
    ]
    guard = joined([*([form.guard] if form.guard is not None else []), *inside])
    assert guard is not None
    number = t.Call("get_global_id", (t.Number("0"),))
    names = {one.name for one in (n for node in form.before if isinstance(node, t.Declare) for n in node.names)}
    before = (
        tuple(_without(statement, count.variable) for statement in form.before)
        if count.variable in names
        else form.before
    )
    kept = tuple(statement for statement in before if not (isinstance(statement, t.Declare) and not statement.names))
    body = (
        t.Declare("int", (t.Declared(count.variable, number),), loop.line),
        *map(_moved_on, form.items),
        *kept,
        t.If(guard, tuple(inner), (), loop.line),
    )
    return replace(posed.with_body(body), extents=(count.high, *posed.extents))


def _moved_on(item: Item) -> t.Declare:
    """Return the declaration of a work-item's number as that of the next dimension."""
    number = t.Call("get_global_id", (t.Number(str(item.dimension + 1)),))
    value: t.Node = number if item.offset is None else t.Binary("+", number, item.offset)
    return t.Declare(item.type, (t.Declared(item.name, value),), item.line)


def _without(node: t.Node, name: str) -> t.Node:
    if not isinstance(node, t.Declare):
        return node
    return replace(node, names=tuple(declared for declared in node.names if declared.name != name))


def _flat(form: Shape) -> Shape:
    """Return a form whose work does not end with statements in braces of their own."""
    last = form.work[-1] if form.work else None
    return _flat(replace(form, work=(*form.work[:-1], *last.body))) if isinstance(last, t.Block) else form


def _loop(form: Shape) -> tuple[int, t.For, Counted]:
    """Return the loop that is the work, with its place. Raises RefusedError."""
    if len(form.items) > _MOST or form.otherwise:
        raise RefusedError("its work-items have three dimensions already, or work outside their bounds")
    places = [i for i, one in enumerate(form.work) if isinstance(one, t.For)]
    if len(places) != 1 or any(not t.is_comment(one) for one in form.work[places[0] + 1 :]):
        raise RefusedError("its work is not one loop at the end")
    loop = form.work[places[0]]
    assert isinstance(loop, t.For)
    count = counted(loop)
    if t.names_in(count.high) & {item.name for item in form.items}:
        raise RefusedError("the loop ends elsewhere for each work-item")
    _independent(form, loop, count, form.work[: places[0]])
    return places[0], loop, count


def _independent(form: Shape, loop: t.For, count: Counted, before: t.Body) -> None:
    """Refuse rounds that share variables, or places in memory as far as indices show."""
    carried = _carried(loop.body) - {count.variable}
    if carried:
        raise RefusedError(f"rounds of the loop of line {loop.line} hand {min(carried)} on")
    if t.written_in(*before) & t.names_in(*loop.body):
        raise RefusedError("what stands before the loop sets variables for it")
    _in_order(before)
    if (_words(before) - t.declared_in(*loop.body)) & t.names_in(*loop.body):
        raise RefusedError("a statement before the loop is not understood, which may set variables for it")
    written = list(scattering(loop.body))
    items = [item.name for item in form.items]
    _no_recurrence(loop, count.variable, written)
    for one in written:
        index = algebra.polynomial(one.index)
        for variable in (count.variable, *items):
            if algebra.stride(index, variable) in (None, {}):
                raise RefusedError(f"rounds of the loop of line {loop.line} may write one place")
    if not written:
        raise RefusedError("the loop writes nothing")


def _in_order(before: t.Body) -> None:
    """Refuse declarations that use what a statement before them may change: declarations go in front of all statements."""
    changed, stores = set[str](), False
    for node in before:
        if isinstance(node, t.Declare):
            reads = any(isinstance(one, t.Index | t.Call) for one in t.walk(node))
            if changed & t.names_in(node) or (stores and reads):
                raise RefusedError(f"a declaration of line {node.line} uses what a statement before it may change")
        elif not t.is_comment(node):
            changed |= t.written_in(node) | _words((node,))
            stores = True


def _words(body: t.Body) -> set[str]:
    """Return all words of statements that have no form of their own, such as `switch` and `do`."""
    texts = (node.text for node in t.walk(*body) if isinstance(node, t.Text) and not node.comment)
    return {word for text in texts for word in _WORD.findall(text)}


def _no_recurrence(loop: t.For, variable: str, written: list[t.Index]) -> None:
    """Raise RefusedError where a round uses what another round writes.

    That is so where two places of one array move by the same step from round to round, and lie a number of such steps apart.
    """
    for target in written:
        for other in t.walk(*loop.body):
            if not isinstance(other, t.Index) or other.base != target.base:
                continue
            moves = [algebra.stride(algebra.polynomial(one.index), variable) for one in (target, other)]
            between = algebra.added(algebra.polynomial(other.index), algebra.polynomial(target.index), -1)
            if moves[0] == moves[1] and set(between) & set(moves[0] or {}):
                raise RefusedError(f"a round of the loop of line {loop.line} uses what another one writes")


def _carried(body: t.Body) -> set[str]:
    """Return the variables that a round changes and may read from the round before."""
    fresh: set[str] = set(t.declared_in(*body))
    carried: set[str] = set()
    for node in body:
        if isinstance(node, t.For) and isinstance(node.first, t.Assign) and isinstance(node.first.target, t.Name):
            fresh.add(node.first.target.text)
        if isinstance(node, t.Do) and isinstance(node.value, t.Assign) and node.value.op == "=":
            target = node.value.target
            if isinstance(target, t.Name) and target.text not in t.names_in(node.value.value):
                fresh.add(target.text)
        carried |= t.written_in(node) - fresh
    return carried


def lines(posed: Posed) -> tuple[int, ...]:
    """Return the line of the loop."""
    return (_loop(_flat(shape(posed.function, posed.types)))[1].line,)


REWRITE = Rewrite(
    name="loop-to-dimension",
    text=__doc__,
    technique="work-per-item",
    keeps=Keeps.BITS,
    values=(0, 1),
    apply=apply,
    lines=lines,
    gain=lambda _posed: (0.5, 8.0),
    order=20,
)
