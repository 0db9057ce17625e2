"""Rounds in which a group's places read side by side, and all of them one group further on in the next round, as one loop along memory."""

from __future__ import annotations

from hotloop.rewrite import algebra
from hotloop.rewrite import tree as t
from hotloop.rewrite.groups.places import PLACE
from hotloop.rewrite.loops import counted
from hotloop.rewrite.shape import RefusedError


def walked(loop: t.For, size: int) -> t.For | None:
    """Return a loop that is the same for all places, over what all of them read; None of another loop.

    ``for (j...) s += x[from + place + j * size]`` reads, for all places together, ``x[from]`` and so on, each element once. `loop` adds to sums
    across places only, as whoever asks knows; its numbers must serve for nothing else than to find elements.
    """
    try:
        form = counted(loop)
    except RefusedError:
        return None
    if not algebra.is_whole(form.declares) or any(_differs(node) for node in t.walk(*loop.body)):
        return None  # numbers of fewer bits count rounds, not all that is read
    if t.names_in(form.low, form.high) & {PLACE, *t.written_in(*loop.body)} or form.variable in t.written_in(
        *loop.body
    ):
        return None
    bare = [t.changed(node, _elsewhere) for node in loop.body]
    elements = [node for node in t.walk(*loop.body) if isinstance(node, t.Index)]
    if t.names_in(*bare) & {PLACE, form.variable} or not any(_along(one, form.variable, size) for one in elements):
        return None
    if not all(_along(one, form.variable, size) or _still(one, form.variable) for one in elements):
        return None
    number, times = t.Name(form.variable), t.Number(str(size))
    begin = t.Declare(form.declares, (t.Declared(form.variable, _folded(t.Binary("*", form.low, times))),))
    moved = {PLACE: number, form.variable: t.Number("0")}
    body = tuple(t.changed(node, lambda one: _moved(one, moved)) for node in loop.body)
    return t.For(
        begin, t.Binary("<", number, _folded(t.Binary("*", form.high, times))), t.Postfix("++", number), body, loop.line
    )


def _differs(node: t.Node) -> bool:
    """Tell what does more than to calculate and to add to a variable, or begins a loop of its own."""
    stores = isinstance(node, t.Assign) and not isinstance(node.target, t.Name)
    return stores or isinstance(node, t.For) or (isinstance(node, t.Text) and not node.comment)


def _moved(node: t.Node, names: dict[str, t.Node]) -> t.Node | None:
    """Return an element by the number of the loop over all places."""
    return t.Index(node.base, _folded(t.renamed(node.index, names))) if isinstance(node, t.Index) else None


def _folded(node: t.Node) -> t.Node:
    """Return sums and products without zeros, and those of numbers as their value."""
    if not isinstance(node, t.Binary):
        return node
    if (value := algebra.constant(algebra.polynomial(node))) is not None and value >= 0:
        return t.Number(str(value))
    left, right, zero = _folded(node.left), _folded(node.right), t.Number("0")
    if node.op == "*" and zero in (left, right):
        return zero
    if node.op == "+" and left == zero:
        return right
    return left if node.op in "+-" and right == zero else t.Binary(node.op, left, right)


def _elsewhere(node: t.Node) -> t.Node | None:
    return t.Number("0") if isinstance(node, t.Index) else None


def _along(element: t.Index, variable: str, size: int) -> bool:
    """Tell an element that lies one further for the next place, and a group further in the next round."""
    place = algebra.polynomial(element.index)
    return (
        algebra.stride(place, PLACE) == algebra.ONE
        and algebra.stride(place, variable) == {(): size}
        and not _inner(element)
    )


def _still(element: t.Index, variable: str) -> bool:
    """Tell an element that is the same for all places in all rounds."""
    return not t.names_in(element) & {PLACE, variable}


def _inner(element: t.Index) -> bool:
    """Tell an element that is found by another one."""
    return any(isinstance(node, t.Index) for node in t.walk(element.index, element.base))
