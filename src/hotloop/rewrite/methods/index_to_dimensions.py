"""A number that the text takes apart into row and column becomes two dimensions of the grid.

What it changes: ``id / width`` becomes the work-item's number of the second dimension and ``id % width`` that of the first, so that no
work-item divides, neighbours are known to stand side by side, and blocks of results can be made.
When it applies: one work-item dimension; the number is divided by what is the same for all work-items; no places within groups.
What it costs: work-items beyond the last row's end, where the grid is no multiple of the width.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from hotloop.rewrite import algebra
from hotloop.rewrite import tree as t
from hotloop.rewrite.branches.cancelled import cancelled
from hotloop.rewrite.components.skips import kinds
from hotloop.rewrite.conditions import conjuncts, joined
from hotloop.rewrite.form import Keeps, Posed, Rewrite
from hotloop.rewrite.grid import expression
from hotloop.rewrite.shape import Item, RefusedError, Shape, shape


def apply(posed: Posed, _value: int | str) -> Posed:
    """Make row and column dimensions."""
    form, item, width = _form(posed)
    taken = t.names_in(*posed.function.body) | t.declared_in(*posed.function.body)
    taken |= {argument.name for argument in posed.function.arguments}
    row, column = (t.Name(_fresh(f"{item.name}_{part}", taken)) for part in ("row", "column"))
    values, end = _values(form, posed), posed.extents[item.dimension]
    split = _Split(
        item.name,
        row,
        column,
        algebra.polynomial(width, values),
        values,
        set(_once(form.work)),
    )
    whole: dict[str, t.Node] = {item.name: t.Binary("+", t.Binary("*", row, width), column)}
    types = {
        **kinds(posed),
        column.text: posed.plain(item.type),
        row.text: posed.plain(item.type),
    }
    work = cancelled(
        tuple(t.renamed(node, whole) for node in split.body(form.work)),
        column.text,
        types,
    )
    own = () if form.guard is None else tuple(conjuncts(t.renamed(split.node(form.guard), whole)))
    below = t.Binary("<", whole[item.name], end)
    guard = joined([t.Binary("<", column, width), *own, *(() if below in own else (below,))])
    assert guard is not None
    heads = [made for one in form.items for made in _heads(one, item, row, column)]
    size = t.renamed(width, values)
    rows = t.Binary("/", t.Binary("+", end, t.Binary("-", size, t.Number("1"))), size)
    at = item.dimension
    made = posed.with_body((*heads, *form.before, t.If(guard, work, (), item.line)))
    extents = (*posed.extents[:at], size, rows, *posed.extents[at + 1 :])
    return replace(made, extents=extents, per_item=(1,) * len(extents) if posed.per_item else ())


def _heads(one: Item, item: Item, row: t.Name, column: t.Name) -> Iterator[t.Node]:
    """Yield the declarations of a work-item's number: row and column of the one taken apart, behind it moved by one dimension."""
    if one is item:
        yield _number(item, column.text, item.dimension)
        yield _number(item, row.text, item.dimension + 1)
    else:
        yield _number(one, one.name, one.dimension + (one.dimension > item.dimension))


def _number(item: Item, name: str, dimension: int) -> t.Declare:
    call: t.Node = t.Call("get_global_id", (t.Number(str(dimension)),))
    value = call if item.offset is None else t.Binary("+", call, item.offset)
    return t.Declare(item.type, (t.Declared(name, value),), item.line)


def _fresh(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "_"
    return name


def _form(posed: Posed) -> tuple[Shape, Item, t.Node]:
    """Return the form of a kernel, the number that is taken apart and the width of its rows. Raises RefusedError."""
    form = shape(posed.function, posed.types)
    if form.otherwise or len(posed.extents) != len(form.items) or len(form.items) > 2 or posed.divided:
        raise RefusedError("its grid has no room for another dimension, or it works outside its bounds")
    guards = () if form.guard is None else (form.guard,)
    nodes = tuple(t.walk(*form.work, *guards))
    if any(isinstance(node, t.Call) and node.function.startswith(_ASKED) for node in nodes):
        raise RefusedError("it asks for more than its own number")
    if any(isinstance(node, t.Text) and not node.comment for node in nodes):
        raise RefusedError("a statement of it is not understood")
    plain = {argument.name for argument in posed.function.arguments if not argument.pointer} | posed.constants.keys()
    for item in form.items:
        steady = item.offset is None and item.name not in t.written_in(*form.work)
        if (
            steady
            and t.names_in(posed.extents[item.dimension]) <= plain
            and (width := _width(posed, form, item, nodes))
        ):
            return form, item, width
    raise RefusedError("it takes no number apart into row and column")


_ASKED = ("get_", "barrier", "work_group", "atom", "sub_group", "async")


def _values(form: Shape, posed: Posed) -> dict[str, t.Node]:
    """Return what stands for variables that are set once before the work, and macros that are numbers."""
    again = t.written_in(*form.before, *form.work)
    values: dict[str, t.Node] = {name: t.Number(str(value)) for name, value in posed.constants.items()}
    for node in form.before:
        for one in node.names if isinstance(node, t.Declare) else ():
            if one.value is not None and one.name not in again and not one.pointer and algebra.is_whole(node.type):  # type: ignore[attr-defined]
                values[one.name] = t.renamed(one.value, values)
    return values


def _width(posed: Posed, form: Shape, item: Item, nodes: t.Body) -> t.Node | None:
    """Return the divisor of which most others are multiples; None where nothing is left of a division of this number."""
    values, once, numbers = _values(form, posed), _once(form.work), {item.name}
    for _ in once:
        numbers |= {name for name, value in once.items() if t.names_in(value) & numbers}
    steady = {argument.name for argument in posed.function.arguments if not argument.pointer} | values.keys()
    divisions = [node for node in nodes if isinstance(node, t.Binary) and node.op in ("/", "%")]
    divisions = [node for node in divisions if t.names_in(node.left) & numbers and _plain(node.right, steady)]
    remainders = [node for node in divisions if node.op == "%"]
    own_first = [node for node in remainders if _rest_of(node.left, item.name, once)] or remainders
    widths = dict.fromkeys(node.right for node in own_first)
    divisors = [algebra.polynomial(node.right, values) for node in divisions]

    def served(width: t.Node) -> int:
        own = algebra.polynomial(width, values)
        return sum(algebra.quotient(divisor, own) is not None for divisor in divisors)

    return max(widths, key=served, default=None)


def _rest_of(node: t.Node, name: str, once: dict[str, t.Node]) -> bool:
    """Tell a number, or what is left of it by another division: a remainder of a quotient counts rows."""
    match node:
        case t.Cast(value=value):
            return _rest_of(value, name, once)
        case t.Binary(op="%", left=left):
            return _rest_of(left, name, once)
        case t.Name(text=text):
            return text == name or (text in once and _rest_of(once[text], name, once))
    return False


def _plain(node: t.Node, steady: set[str]) -> bool:
    """Tell a product of numbers that are the same for all work-items."""
    plain = all(isinstance(inner, t.Name | t.Number | t.Binary | t.Cast) for inner in t.walk(node))
    return plain and t.names_in(node) <= steady


def _once(work: t.Body) -> dict[str, t.Node]:
    """Return whole numbers that have one value for good."""
    return {
        one.name: one.value
        for kind, one in t.set_once(*work)
        if one.value is not None and algebra.is_whole(kind) and not one.pointer and not one.extents
    }


@dataclass(slots=True)
class _Split:
    """Takes quotients and remainders of a number that is ``row * width + column``."""

    name: str
    row: t.Node
    column: t.Node
    width: algebra.Polynomial
    values: Mapping[str, t.Node]
    once: set[str]
    """Variables that have one value for good."""
    rows: dict[str, t.Node] = field(default_factory=dict)
    """Variables that are so many rows and the column, by name."""

    def body(self, body: t.Body) -> t.Body:
        """Return statements with quotients and remainders in terms of both."""
        return tuple(self._statement(node) for node in body)

    def _statement(self, node: t.Node) -> t.Node:
        if not isinstance(node, t.Declare) or not algebra.is_whole(node.type):
            return self.node(node)
        names = []
        for one in node.names:
            value = None if one.value is None else self.node(one.value)
            if one.value is not None and one.name in self.once and (height := self._height(one.value)) is not None:
                self.rows[one.name] = height
            names.append(replace(one, value=value))
        return replace(node, names=tuple(names))

    def node(self, node: t.Node) -> t.Node:
        """Return an expression or statement with quotients and remainders in terms of both."""
        return t.changed(node, self._quotient)

    def _quotient(self, node: t.Node) -> t.Node | None:
        if not isinstance(node, t.Binary) or node.op not in ("/", "%"):
            return None
        height, times = (
            self._height(node.left),
            algebra.quotient(algebra.polynomial(node.right, self.values), self.width),
        )
        if height is None or times is None:
            return None
        if node.op == "/":
            return _divided("/", height, times)
        rest = self._height(node)
        assert rest is not None
        if rest == t.Number("0"):
            return self.column
        return t.Binary("+", t.Binary("*", rest, expression(self.width)), self.column)

    def _height(self, node: t.Node) -> t.Node | None:
        """Return the rows of a number that is so many rows and the column, None of another."""
        match node:
            case t.Name(text=text):
                return self.row if text == self.name else self.rows.get(text)
            case t.Binary(op="%", left=left, right=right):
                inner, times = (
                    self._height(left),
                    algebra.quotient(algebra.polynomial(right, self.values), self.width),
                )
                return None if inner is None or times is None else _divided("%", inner, times)
        return None


def _divided(op: str, height: t.Node, times: algebra.Polynomial) -> t.Node:
    """Return the quotient of a number of rows and `times`, or with ``%`` the remainder, without a division where it is known."""
    if times == algebra.ONE:
        return height if op == "/" else t.Number("0")
    if height == t.Number("0"):
        return height
    return t.Binary(op, height, expression(times))


def lines(posed: Posed) -> tuple[int, ...]:
    """Return the lines that divide."""
    form, _, _ = _form(posed)
    numbers = {n.line for n in t.walk(*form.work) if isinstance(n, t.Declare | t.Do) and _divides(n) and n.line}
    return tuple(sorted(numbers))


def _divides(node: t.Node) -> bool:
    return any(isinstance(inner, t.Binary) and inner.op in ("/", "%") for inner in t.walk(node))


REWRITE = Rewrite(
    name="index-to-dimensions",
    text=__doc__,
    technique="work-per-item",
    keeps=Keeps.BITS,
    values=(0, 1),
    apply=apply,
    lines=lines,
    gain=lambda _posed: (0.7, 3.0),
    order=15,
)
