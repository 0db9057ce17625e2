"""Loops that begin with the variable that stands before them: ``int k = 0; while (k < n) { ... k++; }`` is ``for (int k = 0; k < n; k++)``."""

from __future__ import annotations

from dataclasses import replace

from hotloop.rewrite import tree as t


def begun(function: t.Function) -> t.Function:
    """Return a kernel with such loops; itself where it has none."""
    body = _body(function.body)
    return function if body == function.body else replace(function, body=body)


def _body(body: t.Body) -> t.Body:
    made = [_inner(node) for node in body]
    for place, node in enumerate(made):
        stepping = _stepping(node)
        if isinstance(stepping, t.For) and stepping.first is None and stepping.step is not None:
            _begin(made, place, stepping)
    return tuple(node for node in made if not (isinstance(node, t.Declare) and not node.names))


def _inner(node: t.Node) -> t.Node:
    match node:
        case t.For() | t.Block():
            return replace(node, body=_body(node.body))
        case t.If():
            return replace(node, yes=_body(node.yes), no=_body(node.no))
    return node


def _stepping(node: t.Node) -> t.Node:
    """Return a loop that counts on at the end of each round as one that does so in its head; ``for (i; ...)`` begins with nothing."""
    if isinstance(node, t.For) and isinstance(node.first, t.Name):
        node = replace(node, first=None)
    if not isinstance(node, t.For) or node.first is not None or node.step is not None or node.condition is None:
        return node
    real = [one for one in node.body if not t.is_comment(one)]
    last = real[-1] if real else None
    if (
        not isinstance(last, t.Do)
        or len(counting := t.written_in(last)) != 1
        or not counting <= t.names_in(node.condition)
    ):
        return node
    rest = tuple(one for one in node.body if one is not last)
    goes_on = any(isinstance(one, t.Text) and not one.comment and "continue" in one.text for one in t.walk(*rest))
    simple = isinstance(last.value, t.Postfix | t.Unary | t.Assign) and not any(
        isinstance(inner, t.Index | t.Call) for inner in t.walk(last)
    )
    if goes_on or not simple or counting & t.written_in(*rest):
        return node
    return replace(node, step=last.value, body=rest)


def _begin(made: list[t.Node], place: int, loop: t.For) -> None:
    """Take the declaration of a loop's variable into its head, where nothing but the loop uses it."""
    counting = t.written_in(*(one for one in (loop.step,) if one is not None))
    for before in range(place - 1, -1, -1):
        node = made[before]
        if isinstance(node, t.Declare) and t.declared_in(node) & counting:
            break
        if t.names_in(node) & counting:
            return
    else:
        return
    (name, *more) = counting
    one = next(variable for variable in node.names if variable.name == name)
    between = made[before + 1 : place]
    if more or one.value is None or one.pointer or one.extents or t.names_in(*made[place + 1 :]) & counting:
        return
    if t.names_in(one.value) & t.written_in(*between) or any(
        isinstance(n, t.Index | t.Call) and not _place(n) for n in t.walk(one.value)
    ):
        return
    made[before] = replace(node, names=tuple(each for each in node.names if each is not one))
    made[place] = replace(loop, first=replace(node, names=(one,)))


def _place(node: t.Node) -> bool:
    """Tell a question for a work-item's place, which has one answer."""
    return isinstance(node, t.Call) and node.function.startswith("get_")
