"""The dimension of the grid along which memory is contiguous becomes the first one.

What it changes: ``get_global_id(0)`` and that of the dimension whose neighbours lie side by side change places, with the grid's sizes;
a runtime that takes neighbours along the first dimension together then loads and stores whole vectors.
When it applies: fewer elements are far apart along the other dimension; no barriers, no places within groups.
What it costs: nothing but the groups that the launch named.
"""

from __future__ import annotations

from dataclasses import replace

from hotloop.rewrite import tree as t
from hotloop.rewrite.amounts.strides import apart, beside
from hotloop.rewrite.form import Keeps, Posed, Rewrite
from hotloop.rewrite.shape import Item, RefusedError, shape

_MOVED = frozenset({"get_global_id", "get_global_size"})
_ASKED = ("get_", "barrier", "work_group", "sub_group", "async", "atom")


def apply(posed: Posed, _value: int | str) -> Posed:
    """Exchange the first dimension and the contiguous one."""
    other = _contiguous(posed)
    places = {"0": str(other.dimension), str(other.dimension): "0"}

    def change(node: t.Node) -> t.Node | None:
        if not isinstance(node, t.Call) or node.function not in _MOVED:
            return None
        (at,) = node.arguments
        assert isinstance(at, t.Number)
        return replace(node, arguments=(t.Number(places.get(at.text, at.text)),))

    made = posed.with_body(tuple(t.changed(statement, change) for statement in posed.function.body))
    extents = list(posed.extents)
    extents[0], extents[other.dimension] = extents[other.dimension], extents[0]
    return replace(made, extents=tuple(extents), group=(), regrouped=True)


def _contiguous(posed: Posed) -> Item:
    """Return the number of the dimension that should be the first. Raises RefusedError."""
    form = shape(posed.function, posed.types)
    if posed.divided or len(posed.extents) < len(form.items):
        raise RefusedError("its grid is not known, or divided already")
    _unplaced(posed.function.body)
    first = form.item(0)
    if first is None or len(form.items) < 2:
        raise RefusedError("its results have one dimension")
    best = min(
        form.items,
        key=lambda one: (apart(form, one.name), -beside(form, one.name), one.dimension),
    )
    if best is first or best.dimension >= len(posed.extents):
        raise RefusedError("neighbours along its first dimension are as near each other as along any")
    fewer, nearer = (measure(form, best.name) - measure(form, first.name) for measure in (apart, beside))
    if fewer >= 0 or nearer <= 0:
        raise RefusedError("no other dimension has more elements side by side and fewer far apart")
    return best


def _unplaced(body: t.Body) -> None:
    """Refuse what depends on groups or on the order of work-items, and numbers that are not to be seen."""
    for node in t.walk(*body):
        if isinstance(node, t.Text) and not node.comment and "get_" in node.text:
            raise RefusedError("a statement of it is not understood")
        if not isinstance(node, t.Call) or not node.function.startswith(_ASKED):
            continue
        plain = node.function in _MOVED and len(node.arguments) == 1
        if not plain or not isinstance(node.arguments[0], t.Number) or node.arguments[0].text not in "012":
            raise RefusedError(f"it asks for {node.function}")


def lines(posed: Posed) -> tuple[int, ...]:
    """Return the lines that ask for one of the two numbers."""
    moved = {0, _contiguous(posed).dimension}
    numbers = {item.line for item in shape(posed.function, posed.types).items if item.dimension in moved and item.line}
    return tuple(sorted(numbers))


REWRITE = Rewrite(
    name="dimension-order",
    text=__doc__,
    technique="work-per-item",
    keeps=Keeps.BITS,
    values=(0, 1),
    apply=apply,
    lines=lines,
    gain=lambda _posed: (0.9, 6.0),
    order=30,
)
