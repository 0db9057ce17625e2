"""Work-items of which only every so manieth works become as many as there are that work.

What it changes: ``if (i % 4 == 0) { ... }`` around all the work becomes a grid of a quarter of the work-items, whose number is four times their own.
When it applies: the step is a number or a macro; nothing else asks for the grid's size, for places in a group or for the group itself.
What it costs: nothing; neighbours that all work can then be taken together.
"""

from __future__ import annotations

from dataclasses import replace

from hotloop.rewrite import algebra
from hotloop.rewrite import tree as t
from hotloop.rewrite.conditions import conjuncts, fresh, joined
from hotloop.rewrite.form import Keeps, Posed, Rewrite
from hotloop.rewrite.shape import Item, RefusedError, Shape, shape

_ASKED = ("get_", "barrier", "work_group", "sub_group", "async")
_ZERO = algebra.polynomial(t.Number("0"))


def apply(posed: Posed, _value: int | str) -> Posed:
    """Launch those that work."""
    form, item, asked, step = _form(posed)
    number = t.Name(fresh(f"{item.name}_nth", t.Block(posed.function.body)))
    whole: dict[str, t.Node] = {item.name: t.Binary("*", number, t.Number(str(step)))}
    heads = [_head(one, number.text if one is item else one.name) for one in form.items]
    assert form.guard is not None
    rest = joined([t.renamed(one, whole) for one in conjuncts(form.guard) if one is not asked])
    work = tuple(t.renamed(node, whole) for node in form.work)
    made = posed.with_body((*heads, *form.before, *(work if rest is None else (t.If(rest, work, (), item.line),))))
    extents, end = list(posed.extents), posed.extents[item.dimension]
    up = t.Binary("+", end, t.Number(str(step - 1)))
    extents[item.dimension] = t.Binary("/", up, t.Number(str(step)))
    return replace(made, extents=tuple(extents), group=(), regrouped=True)


def _head(item: Item, name: str) -> t.Declare:
    call: t.Node = t.Call("get_global_id", (t.Number(str(item.dimension)),))
    value = call if item.offset is None else t.Binary("+", call, item.offset)
    return t.Declare(item.type, (t.Declared(name, value),), item.line)


def _form(posed: Posed) -> tuple[Shape, Item, t.Node, int]:
    """Return the form of a kernel, the number that is spaced, the part of the condition that says so and the step. Raises RefusedError."""
    form = shape(posed.function, posed.types)
    if form.otherwise or form.guard is None or len(posed.extents) != len(form.items) or posed.divided:
        raise RefusedError("its grid is not known or divided already, or it works outside its bounds")
    for node in t.walk(*form.before, *form.work, form.guard):
        if isinstance(node, t.Text) and not node.comment:
            raise RefusedError("a statement of it is not understood")
        if isinstance(node, t.Call) and node.function.startswith(_ASKED):
            raise RefusedError(f"it asks for {node.function}")
    changed = t.written_in(*form.before, *form.work)
    for part in conjuncts(form.guard):
        for item in form.items:
            step = _step(part, item.name, posed)
            free = item.offset is None and item.name not in changed | t.names_in(*form.before)
            if step > 1 and free:
                return form, item, part, step
    raise RefusedError("no condition leaves every so manieth work-item alone at work")


def _step(condition: t.Node, name: str, posed: Posed) -> int:
    """Return the step of a condition that holds for multiples of a number only; 0 of any other."""
    match condition:
        case t.Unary(op="!", value=value):
            return _rest(value, name, posed)
        case t.Binary(op="==", left=left, right=right):
            for value, other in ((left, right), (right, left)):
                if algebra.polynomial(other) == _ZERO and (step := _rest(value, name, posed)):
                    return step
    return 0


def _rest(node: t.Node, name: str, posed: Posed) -> int:
    """Return by what a number is divided, of which this is the remainder; 0 of all else."""
    match node:
        case t.Binary(op="%", left=t.Name(text=text), right=right) if text == name:
            return _number(right, posed)
        case t.Binary(op="&", left=t.Name(text=text), right=right) if text == name:
            mask = _number(right, posed)
            return mask + 1 if mask > 0 and mask & (mask + 1) == 0 else 0
    return 0


def _number(node: t.Node, posed: Posed) -> int:
    """Return a whole number that the text or a macro says; 0 of all else."""
    values: dict[str, t.Node] = {name: t.Number(str(value)) for name, value in posed.constants.items()}
    found = algebra.constant(algebra.polynomial(t.renamed(node, values)))
    return int(found) if found is not None and 0 < found < _MOST else 0


_MOST = 1 << 16
"""A step from which on few work-items are left; what is spaced wider is no pattern."""


def lines(posed: Posed) -> tuple[int, ...]:
    """Return the line of the number."""
    _, item, _, _ = _form(posed)
    return (item.line,) if item.line else ()


REWRITE = Rewrite(
    name="spaced-items",
    text=__doc__,
    technique="work-per-item",
    keeps=Keeps.BITS,
    values=(0, 1),
    apply=apply,
    lines=lines,
    gain=lambda _posed: (1.0, 6.0),
    order=14,
)
