"""One work-item computes a block of results: rows by vectors of columns, held in registers.

What it changes: the work-item's numbers count blocks; inside a whole block every statement stands once for each row and each
vector of columns, and loops are entered once for all of them. Where a block crosses the edge, the text as it was runs result
by result.
When it applies: no barriers; loops as long for all results of a block. With vectors, branches that differ between columns and loops that columns
leave at different rounds are done by masks, as far as they give variables values or write few elements.
What it costs: registers, and fewer work-items. What every result reads alike is loaded once for the block.
"""

from __future__ import annotations

import re

from hotloop.rewrite import algebra
from hotloop.rewrite import tree as t
from hotloop.rewrite.edges.blocked import blocked
from hotloop.rewrite.form import Keeps, Posed, Rewrite
from hotloop.rewrite.jam import Copies
from hotloop.rewrite.ranges import scattering
from hotloop.rewrite.shape import Item, RefusedError, Shape, shape

_VALUE = re.compile(r"^(\d+)x(\d+)x(\d+)(?:b(\d+))?$")


def apply(posed: Posed, value: int | str) -> Posed:
    """Apply ``ROWSxVECTORSxLANES``, e.g. ``4x2x16``; ``b8`` behind it lets a work-item do eight such blocks in turn."""
    rows, vectors, lanes, turns = _read(value)
    posed = _ended(_sized(posed))
    form = shape(posed.function, posed.types)
    if any(map(_meets, t.walk(*posed.function.body))):
        raise RefusedError("its work-items wait for each other")
    if any(isinstance(n, t.Call) and n.function.startswith("atom") for n in t.walk(*posed.function.body)):
        raise RefusedError("its work-items change the same places")
    others = {n.function for n in t.walk(*posed.function.body) if isinstance(n, t.Call)} & _NUMBERS
    if others and rows > 1:
        raise RefusedError(f"it asks for {others.pop()}, which blocks would change")
    copies = _copies(form, rows, vectors, lanes)
    return blocked(posed, form, copies, turns)


def _sized(posed: Posed) -> Posed:
    """Return a kernel that has the grid's size as its launch says it: blocks make the grid smaller."""

    def change(node: t.Node) -> t.Node | None:
        if not isinstance(node, t.Call) or node.function != "get_global_size" or len(node.arguments) != 1:
            return None
        at = node.arguments[0]
        dimension = isinstance(at, t.Number) and at.text in "012"[: len(posed.extents)]
        return posed.extents[int(at.text)] if dimension else None  # type: ignore[attr-defined]

    return posed.with_body(tuple(t.changed(statement, change) for statement in posed.function.body))


def _ended(posed: Posed) -> Posed:
    """Return a kernel without barriers behind all its work: nobody does anything after them."""
    real = [one for one in posed.function.body if not t.is_comment(one)]
    while real and isinstance(real[-1], t.Do) and isinstance(real[-1].value, t.Call) and _meets(real[-1].value):
        real.pop()
    return posed.with_body(tuple(real)) if real and real[-1] is not posed.function.body[-1] else posed


def _meets(node: t.Node) -> bool:
    return isinstance(node, t.Call) and node.function in _MEETING


_MEETING = frozenset({"barrier", "work_group_barrier", "sub_group_barrier"})
_NUMBERS = frozenset(
    {
        "get_local_id",
        "get_group_id",
        "get_global_size",
        "get_local_size",
        "get_num_groups",
    }
)


def _read(value: int | str) -> tuple[int, int, int, int]:
    match = _VALUE.match(str(value))
    if match is None:
        raise RefusedError(f"{value} is no block such as 4x2x16")
    rows, vectors, lanes, turns = (int(part or 1) for part in match.groups())
    return rows, vectors, lanes, turns


def _copies(form: Shape, rows: int, vectors: int, lanes: int) -> tuple[Copies, ...]:
    """Return columns of the dimension whose neighbours lie next to each other, rows of another; of one dimension, rows or columns."""
    first = _along(form) if lanes > 1 else form.items[0]
    made = [Copies(first.name, vectors, lanes, lanes)]
    others = sorted((item for item in form.items if item is not first), key=lambda one: _moving(form, first, one))
    if others and rows > 1:
        made.append(Copies(others[0].name, rows))
    elif rows > 1 and not others:
        if lanes > 1 or vectors > 1:
            raise RefusedError("its results have one dimension")
        made = [Copies(first.name, rows)]
    return tuple(made)


def _moving(form: Shape, first: Item, other: Item) -> int:
    """Return how many elements differ between columns and between rows along a dimension, too: each row of a block loads its own vector of them."""
    meanings = _meanings(form)
    read = {one for one in t.walk(*form.work) if isinstance(one, t.Index)}
    places = [algebra.polynomial(one.index, meanings) for one in read]
    return sum(all(algebra.stride(place, item.name) != {} for item in (first, other)) for place in places)


def _meanings(form: Shape) -> dict[str, t.Node]:
    """Return what variables of the work are given when they are declared."""
    return {
        declared.name: declared.value
        for node in t.walk(*form.work)
        if isinstance(node, t.Declare)
        for declared in node.names
        if declared.value is not None and not declared.pointer
    }


def _along(form: Shape) -> Item:
    """Return the work-item's number along which most results lie next to each other; where none do, the first."""
    meanings = _meanings(form)
    places = [algebra.polynomial(one.index, meanings) for one in scattering(form.work)]
    return max(
        form.items,
        key=lambda item: sum(algebra.stride(place, item.name) == algebra.ONE for place in places),
    )


def lines(posed: Posed) -> tuple[int, ...]:
    """Return the lines of the work that stands once for each result."""
    form = shape(posed.function, posed.types)
    apply(posed, "2x1x1")
    numbers = {node.line for node in t.walk(*form.work) if isinstance(node, t.Do | t.For) and node.line}
    return tuple(sorted(numbers))


REWRITE = Rewrite(
    name="outputs-per-item",
    text=__doc__,
    technique="register-tile",
    keeps=Keeps.BITS,
    values=("off",),
    apply=apply,
    lines=lines,
    gain=lambda _posed: (1.0, 12.0),
    order=50,
)
