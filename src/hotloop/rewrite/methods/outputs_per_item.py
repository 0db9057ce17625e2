"""One work-item computes a block of results: rows by vectors of columns, held in registers.

What it changes: the work-item's numbers count blocks; inside a whole block every statement stands once for each row and each
vector of columns, and loops are entered once for all of them. Where a block crosses the edge, the text as it was runs result
by result.
When it applies: no barriers; loops as long for all results of a block; with vectors, no branch that differs between columns.
What it costs: registers, and fewer work-items. What every result reads alike is loaded once for the block.
"""

from __future__ import annotations

import re
from dataclasses import replace

from hotloop.rewrite import algebra
from hotloop.rewrite import tree as t
from hotloop.rewrite.form import Example, Keeps, Posed, Rewrite
from hotloop.rewrite.jam import Copies, Jam, scattering
from hotloop.rewrite.shape import Item, RefusedError, Shape, conjuncts, joined, shape

_VALUE = re.compile(r"^(\d+)x(\d+)x(\d+)(?:b(\d+))?$")


def apply(posed: Posed, value: int | str) -> Posed:
    """Apply ``ROWSxVECTORSxLANES``, e.g. ``4x2x16``; ``b8`` behind it lets a work-item do eight such blocks in turn."""
    rows, vectors, lanes, turns = _read(value)
    posed = _sized(posed)
    form = shape(posed.function)
    if any(isinstance(n, t.Call) and n.function in _MEETING for n in t.walk(*posed.function.body)):
        raise RefusedError("its work-items wait for each other")
    if any(isinstance(n, t.Call) and n.function.startswith("atom") for n in t.walk(*posed.function.body)):
        raise RefusedError("its work-items change the same places")
    others = {n.function for n in t.walk(*posed.function.body) if isinstance(n, t.Call)} & _NUMBERS
    if others and rows > 1:
        raise RefusedError(f"it asks for {others.pop()}, which blocks would change")
    copies = _copies(form, rows, vectors, lanes)
    return _blocked(posed, form, copies, turns)


def _sized(posed: Posed) -> Posed:
    """Return a kernel that has the grid's size as its launch says it: blocks make the grid smaller."""

    def change(node: t.Node) -> t.Node | None:
        if not isinstance(node, t.Call) or node.function != "get_global_size" or len(node.arguments) != 1:
            return None
        at = node.arguments[0]
        known = isinstance(at, t.Number) and at.text in "012"[: len(posed.extents)]
        return posed.extents[int(at.text)] if known else None  # type: ignore[attr-defined]

    return posed.with_body(tuple(t.changed(statement, change) for statement in posed.function.body))


_MEETING = frozenset({"barrier", "work_group_barrier", "sub_group_barrier"})
_NUMBERS = frozenset({"get_local_id", "get_group_id", "get_global_size", "get_local_size", "get_num_groups"})


def _read(value: int | str) -> tuple[int, int, int, int]:
    found = _VALUE.match(str(value))
    if found is None:
        raise RefusedError(f"{value} is no block such as 4x2x16")
    rows, vectors, lanes, turns = (int(part or 1) for part in found.groups())
    return rows, vectors, lanes, turns


def _copies(form: Shape, rows: int, vectors: int, lanes: int) -> tuple[Copies, ...]:
    """Return columns of the dimension whose neighbours lie next to each other, rows of another; of one dimension, rows or columns."""
    first = _along(form) if lanes > 1 else form.items[0]
    made = [Copies(first.name, vectors, lanes, lanes)]
    others = [item for item in form.items if item is not first]
    if others and rows > 1:
        made.append(Copies(others[0].name, rows))
    elif rows > 1 and not others:
        if lanes > 1 or vectors > 1:
            raise RefusedError("its results have one dimension")
        made = [Copies(first.name, rows)]
    return tuple(made)


def _along(form: Shape) -> Item:
    """Return the work-item's number along which most results lie next to each other; where none do, the first."""
    known = {
        declared.name: declared.value
        for node in t.walk(*form.work)
        if isinstance(node, t.Declare)
        for declared in node.names
        if declared.value is not None and not declared.pointer
    }
    places = [algebra.polynomial(one.index, known) for one in scattering(form.work)]
    return max(form.items, key=lambda item: sum(algebra.stride(one, item.name) == algebra.ONE for one in places))


def _blocked(posed: Posed, form: Shape, copies: tuple[Copies, ...], turns: int) -> Posed:
    width = {copy.variable: copy.count * copy.step for copy in copies}
    form = _begun(form)
    inside = _inside(posed, form, {copy.variable for copy in copies})
    fast = Jam(posed, copies).body(form.work)
    if any(one in t.written_in(*form.work) for one in width):
        raise RefusedError("a work-item changes its own number")
    corners = [made for one in inside for made in _corners(one, width)]
    steps = list(posed.steps)
    turned = form.items[-1]
    heads: list[t.Node] = []
    for item in form.items:
        step = width.get(item.name, 1) * (turns if item is turned else 1)
        steps[item.dimension] *= step
        heads.append(_head(item, step))
    slow = _slow(posed, form, width) if max(c.lanes for c in copies) == 1 else _smaller(posed, form, copies, inside)
    whole: t.Node = t.If(joined(corners) or t.Number("1"), fast, slow)
    body: t.Body = (whole,)
    if turns > 1:
        body = _turned(turned, width.get(turned.name, 1), turns, body)
        heads[form.items.index(turned)] = _head(turned, width.get(turned.name, 1) * turns, "_first")
    made = replace(posed.with_body((*heads, *form.before, *body)), per_item=tuple(steps))
    return replace(made, single=posed.single or any(copy.lanes > 1 for copy in copies))


def _head(item: Item, step: int, suffix: str = "") -> t.Declare:
    """Return the declaration of a work-item's variable that counts blocks."""
    call: t.Node = t.Call("get_global_id", (t.Number(str(item.dimension)),))
    scaled = t.Binary("*", call, t.Number(str(step))) if step > 1 else call
    value = scaled if item.offset is None else t.Binary("+", scaled, item.offset)
    return t.Declare(item.type, (t.Declared(item.name + suffix, value),), item.line)


def _turned(item: Item, width: int, turns: int, body: t.Body) -> t.Body:
    """Let an item do several blocks in turn."""
    first = t.Name(f"{item.name}_first")
    begin = t.Declare(item.type, (t.Declared(item.name, first),))
    below = t.Binary("<", t.Name(item.name), t.Binary("+", first, t.Number(str(width * turns))))
    return (t.For(begin, below, t.Assign("+=", t.Name(item.name), t.Number(str(width))), body),)


def _inside(posed: Posed, form: Shape, blocked: set[str]) -> list[t.Node]:
    """Return the conditions that a result is wanted: those of the text, and the launch's own where the text has none."""
    found = [] if form.guard is None else list(conjuncts(form.guard))
    found = [t.renamed(one, {}) for one in found]
    if form.guard is None or form.otherwise:
        if len(posed.extents) < len(form.items):
            raise RefusedError("nothing says where its results end")
        found += [_below(posed, item) for item in form.items if item.name in blocked]
    return found


def _below(posed: Posed, item: Item) -> t.Node:
    end = posed.extents[item.dimension]
    return t.Binary("<", t.Name(item.name), end if item.offset is None else t.Binary("+", end, item.offset))


def _corners(condition: t.Node, width: dict[str, int]) -> list[t.Node]:
    """Return a comparison at the ends of a block where it is hardest to meet: it is even in the work-item's numbers."""
    names = [name for name in width if name in t.names_in(condition) and width[name] > 1]
    if not names:
        return [condition]
    if not isinstance(condition, t.Binary) or condition.op not in ("<", "<=", ">", ">=", "=="):
        raise RefusedError("the condition around its work is no comparison")
    difference = algebra.added(algebra.polynomial(condition.left), algebra.polynomial(condition.right), -1)
    ends: list[dict[str, t.Node]] = [{}]
    for name in names:
        stride = algebra.stride(difference, name)
        if stride is None:
            raise RefusedError("the condition around its work is not even in the work-item's number")
        last = t.Binary("+", t.Name(name), t.Number(str(width[name] - 1)))
        value = algebra.constant(stride)
        upper = [{**end, name: last} for end in ends]
        if value is None or condition.op == "==":
            ends = [*ends, *upper]
        elif (value > 0) == (condition.op in ("<", "<=")):
            ends = upper
    return [t.renamed(condition, end) for end in ends]


def _begun(form: Shape) -> Shape:
    """Return the form with numbers that begin where results do: a block over a border would be done result by result."""
    if form.guard is None or form.otherwise:
        return form
    items = []
    for item in form.items:
        least = max((low for condition in conjuncts(form.guard) if (low := _least(condition, item.name))), default=0)
        more = t.Number(str(least))
        offset = item.offset if not least else more if item.offset is None else t.Binary("+", item.offset, more)
        items.append(replace(item, offset=offset) if item.offset is None else item)
    return replace(form, items=tuple(items))


def _least(condition: t.Node, name: str) -> int:
    """Return the least value that a comparison with a number leaves to a variable; 0 where it says nothing."""
    match condition:
        case t.Binary(op=">" | ">=" as op, left=t.Name(text=text), right=t.Number(text=low)) if text == name:
            pass
        case t.Binary(op="<" | "<=" as op, left=t.Number(text=low), right=t.Name(text=text)) if text == name:
            pass
        case _:
            return 0
    return int(low) + (op in "<>") if low.isdigit() else 0


def _smaller(posed: Posed, form: Shape, copies: tuple[Copies, ...], inside: list[t.Node]) -> t.Body:
    """Return what is done where a block crosses an edge: single vectors, and results one by one where a vector does."""
    ones = tuple(replace(copy, count=1) for copy in copies)
    if ones == copies:
        return _slow(posed, form, {copy.variable: copy.count * copy.step for copy in copies})
    names = {copy.variable: f"{copy.variable}_part" for copy in copies if copy.count > 1}
    width = {copy.variable: copy.step for copy in copies}
    corners = [made for one in inside for made in _corners(one, width)]
    fast, slow = Jam(posed, ones).body(form.work), _slow(posed, form, width)
    new: dict[str, t.Node] = {old: t.Name(name) for old, name in names.items()}
    body: t.Body = (t.renamed(t.If(joined(corners) or t.Number("1"), fast, slow), new),)
    for one in copies:
        if one.count > 1:
            part, whole = t.Name(names[one.variable]), t.Number(str(one.count * one.step))
            below = t.Binary("<", part, t.Binary("+", t.Name(one.variable), whole))
            begin = t.Declare("int", (t.Declared(part.text, t.Name(one.variable)),))
            step = t.Postfix("++", part) if one.step == 1 else t.Assign("+=", part, t.Number(str(one.step)))
            body = (t.For(begin, below, step, body),)
    return body


def _slow(posed: Posed, form: Shape, width: dict[str, int]) -> t.Body:
    """Return the text as it was for every result of a block, under its own condition."""
    inner = {item.name: f"{item.name}_one" for item in form.items if width.get(item.name, 1) > 1}
    names: dict[str, t.Node] = {old: t.Name(new) for old, new in inner.items()}
    limits: list[t.Node] = []
    if form.guard is None or form.otherwise:
        limits = [_below(posed, item) for item in form.items if item.name in width]
    body: t.Body = form.work
    if form.guard is not None:
        body = (t.If(form.guard, form.work, form.otherwise),)
    outer = joined(limits)
    if outer is not None:
        body = (t.If(outer, body),)
    body = tuple(t.renamed(statement, names) for statement in body)
    for old, new in inner.items():
        begin = t.Declare("int", (t.Declared(new, t.Name(old)),))
        below = t.Binary("<", t.Name(new), t.Binary("+", t.Name(old), t.Number(str(width[old]))))
        body = (t.For(begin, below, t.Postfix("++", t.Name(new)), body),)
    return body


def lines(posed: Posed) -> tuple[int, ...]:
    """Return the lines of the work that stands once for each result."""
    form = shape(posed.function)
    apply(posed, "2x1x1")
    found = {node.line for node in t.walk(*form.work) if isinstance(node, t.Do | t.For) and node.line}
    return tuple(sorted(found))


_BEFORE = """__kernel void scale(__global const float *x, __global float *y, int n, int m) {
    int j = get_global_id(0);
    int i = get_global_id(1);
    if (i < m && j < n) {
        y[i * n + j] = 2.0f * x[i * n + j];
    }
}
"""
_AFTER = """__kernel void scale(__global const float *x, __global float *y, int n, int m) {
    int j = get_global_id(0) * 4;
    int i = get_global_id(1) * 2;
    if (i + 1 < m && j + 3 < n) {
        vstore4((float4)(2.0f) * vload4(0, &x[i * n + j]), 0, &y[i * n + j]);
        vstore4((float4)(2.0f) * vload4(0, &x[(i + 1) * n + j]), 0, &y[(i + 1) * n + j]);
    } else {
        for (int i_part = i; i_part < i + 2; i_part++) {
            if (i_part < m && j + 3 < n) {
                vstore4((float4)(2.0f) * vload4(0, &x[i_part * n + j]), 0, &y[i_part * n + j]);
            } else {
                for (int j_one = j; j_one < j + 4; j_one++) {
                    if (i_part < m && j_one < n) {
                        y[i_part * n + j_one] = 2.0f * x[i_part * n + j_one];
                    }
                }
            }
        }
    }
}
"""
_MEETS = _BEFORE.replace("y[i", "barrier(CLK_GLOBAL_MEM_FENCE); y[i", 1)

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
    examples=(Example(_BEFORE, _AFTER, "2x1x4"), Example(_MEETS, "", "2x1x4")),
    twin=("vload4(0, &x[(i + 1) * n + j])", "vload4(0, &x[i * n + j])"),
)
