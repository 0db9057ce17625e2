"""How a kernel maps its work-items: which variable is which dimension, what is done only within bounds, and how large the grid is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import takewhile

from hotloop.rewrite import algebra
from hotloop.rewrite import tree as t
from hotloop.rewrite.algebra import CALCULATED, COMPARED, defined
from hotloop.rewrite.conditions import conjuncts, negated
from hotloop.rewrite.unordered import kinds_of
from hotloop.rewrite.write import expression


class RefusedError(ValueError):
    """A rewrite does not apply; the text says why, for people."""


@dataclass(frozen=True, slots=True)
class Item:
    """A variable that is a work-item's number in one dimension, plus what does not depend on the work-item."""

    name: str
    dimension: int
    offset: t.Node | None
    type: str
    line: int


@dataclass(frozen=True, slots=True)
class Shape:
    """The form that rewrites of the work per item need: numbers of the item first, then everything else."""

    items: tuple[Item, ...]
    """Variables of the work-item's position, by dimension."""
    before: t.Body
    """Declarations without a value that stand before the work."""
    guard: t.Node | None
    """Condition around all the work; None where there is none."""
    work: t.Body
    otherwise: t.Body
    """Statements for the case that the condition does not hold."""

    def item(self, dimension: int) -> Item | None:
        """Return the variable of a dimension."""
        return next((item for item in self.items if item.dimension == dimension), None)


def shape(function: t.Function, types: Mapping[str, str] | None = None) -> Shape:
    """Return the form of a kernel; `types` are those of ``typedef`` names. Raises RefusedError where it has another one."""
    if hidden := t.hidden_in(function.body, {argument.name for argument in function.arguments}):
        raise RefusedError(f"{hidden} hides another variable of that name")
    items: list[Item] = []
    before: list[t.Node] = []
    rest: list[t.Node] = []
    for node in _apart(_declared(function.body)):
        if not rest and _sets_up(node, {item.name for item in items}):
            before.append(node)
            continue
        if rest or not isinstance(node, t.Declare | t.Text) or (isinstance(node, t.Text) and not node.comment):
            rest.append(node)
            continue
        made = _item(node) if isinstance(node, t.Declare) else None
        if made is not None:
            items.append(made)
        elif isinstance(node, t.Declare) and any(declared.value is not None for declared in node.names):
            if t.names_in(node) & {item.name for item in items} or not _simple(node):
                rest.append(node)
            else:
                before.append(node)
        else:
            before.append(node)
    items, same = _once(items)
    rest = [t.renamed(statement, same) for statement in rest]
    changed, filled = t.written_in(*rest), _filled(*rest)
    counting = {
        name for node in t.walk(*rest) if isinstance(node, t.For) and node.first for name in t.written_in(node.first)
    }
    own = _moved(before, filled | changed - counting, changed)  # copies of the work share counters
    before = [statement for statement in before if statement not in own]
    guard, work, otherwise = _guarded(tuple(rest), {item.name for item in items}, kinds_of(function, types))
    work = (*own, *work)
    if own and (otherwise or (guard is not None and t.names_in(guard) & t.declared_in(*own))):
        raise RefusedError("variables that its work changes are set before it")
    if not items:
        raise RefusedError("no variable of it is a work-item's number")
    if len({item.dimension for item in items}) < len(items):
        raise RefusedError("two variables are the same work-item's number")
    return Shape(tuple(sorted(items, key=lambda one: one.dimension)), tuple(before), guard, work, otherwise)


def _moved(before: list[t.Node], own_each: set[str], changed: set[str]) -> list[t.Node]:
    """Return what must stand in the work: variables that each copy has its own of or that it changes, and statements that use these."""
    own: list[t.Node] = [
        statement
        for statement in before
        if isinstance(statement, t.Declare) and (_begins(statement) & changed or t.declared_in(statement) & own_each)
    ]
    count = -1
    while count < len(own):
        count, names = len(own), t.declared_in(*own)
        own = [one for one in before if one in own or (t.names_in(one) | t.declared_in(one)) & names]
    return own


def _declared(body: t.Body) -> t.Body:
    """Return statements in which a work-item's numbers that the text asks for amid its work have variables."""
    parts = tuple(_apart(body))
    named = {node: made for node in parts if isinstance(node, t.Declare) and (made := _item(node))}
    rest = [node for node in parts if node not in named]
    asked = {node: int(dimension) for node in t.walk(*rest) if (dimension := _dimension(node))}
    plain = {declared.dimension: declared.name for declared in named.values() if declared.offset is None}
    names: dict[t.Node, t.Node] = {call: t.Name(plain.get(at, f"item_{at}")) for call, at in asked.items()}
    fresh = [t.Declare("size_t", (t.Declared(f"item_{at}", call),)) for call, at in asked.items() if at not in plain]
    if not names:
        return body
    own = [node for node, made in named.items() if made.offset is None]  # nothing before them is needed
    return (*fresh, *own, *(n if n in named else t.changed(n, names.get) for n in parts if n not in own))


def _dimension(node: t.Node) -> str:
    """Return of which dimension a call asks for the work-item's number; empty of all else."""
    if isinstance(node, t.Call) and node.function == "get_global_id" and len(node.arguments) == 1:
        at = node.arguments[0]
        return at.text if isinstance(at, t.Number) and at.text in "012" else ""
    return ""


def _apart(body: t.Body) -> Iterator[t.Node]:
    """Yield statements, declarations of several variables of which one is a work-item's number as one for each."""
    for node in body:
        single = [replace(node, names=(declared,)) for declared in node.names] if isinstance(node, t.Declare) else []
        yield from single if len(single) > 1 and any(map(_item, single)) else (node,)


def _begins(*nodes: t.Node) -> set[str]:
    """Return the variables that declarations give a value."""
    return {one.name for node in nodes if isinstance(node, t.Declare) for one in node.names if one.value is not None}


def _filled(*nodes: t.Node) -> set[str]:
    """Return the arrays whose elements are assigned."""
    return {
        node.target.base.text
        for node in t.walk(*nodes)
        if isinstance(node, t.Assign) and isinstance(node.target, t.Index) and isinstance(node.target.base, t.Name)
    }


def _early(node: t.Node) -> bool:
    """Tell a declaration that reads and writes no memory."""
    computed = not any(
        isinstance(n, t.Assign | t.Postfix) or (isinstance(n, t.Unary) and n.op == "*") for n in t.walk(node)
    )
    return isinstance(node, t.Declare) and _simple(node) and computed


def _once(items: list[Item]) -> tuple[list[Item], dict[str, t.Node]]:
    """Return one variable for each number, and which others are the same."""
    kept: list[Item] = []
    same: dict[str, t.Node] = {}
    for one in items:
        first = next((k for k in kept if (k.dimension, k.offset) == (one.dimension, one.offset)), None)
        if first is None:
            kept.append(one)
        else:
            same[one.name] = t.Name(first.name)
    return kept, same


def _simple(node: t.Declare) -> bool:
    """Tell a declaration of plain numbers, whose values are the same for all items."""
    return all(_plain(inner) for inner in t.walk(node))


def _plain(node: t.Node) -> bool:
    return not isinstance(node, t.Call | t.Index | t.Text) or (isinstance(node, t.Call) and node.function in CALCULATED)


def _sets_up(node: t.Node, items: set[str]) -> bool:
    """Tell an assignment of what is the same for all items to a plain variable."""
    if not isinstance(node, t.Do) or not isinstance(node.value, t.Assign) or not isinstance(node.value.target, t.Name):
        return False
    return all(_plain(inner) for inner in t.walk(node.value.value)) and not t.names_in(node) & items


def _item(node: t.Declare) -> Item | None:
    if len(node.names) != 1 or node.names[0].value is None or node.names[0].pointer:
        return None
    one = node.names[0]
    assert one.value is not None
    calls = [c for c in t.walk(one.value) if isinstance(c, t.Call)]
    if len(calls) != 1 or calls[0].function != "get_global_id" or not isinstance(calls[0].arguments[0], t.Number):
        return None
    plain = calls[0]
    stand = t.changed(one.value, lambda n: t.Name("item_number") if n == plain else None)
    index = algebra.polynomial(stand)
    if algebra.stride(index, "item_number") != algebra.ONE:
        return None
    offset = _without(stand)
    kind = " ".join(word for word in node.type.split() if word != "const")  # blocks count it on
    return Item(one.name, int(plain.arguments[0].text), offset, kind, node.line)  # type: ignore[attr-defined]


def _without(node: t.Node) -> t.Node | None:
    """Return what is added to the item's number, None where nothing is."""
    match node:
        case t.Name(text="item_number"):
            return None
        case t.Binary(op="+", left=t.Name(text="item_number"), right=other):
            return other
        case t.Binary(op="+", left=other, right=t.Name(text="item_number")):
            return other
        case t.Binary(op="-", left=t.Name(text="item_number"), right=other):
            return t.Unary("-", other)
        case t.Cast(value=value) | t.Binary(op="*", left=value, right=t.Number(text="1")):
            return _without(value)
        case t.Binary(op="+" | "-" as op, left=left, right=right):
            inner = _without(left)
            more = right if op == "+" else t.Unary("-", right)
            return more if inner is None else t.Binary("+", inner, more)
    return node


def _guarded(rest: t.Body, items: set[str], kinds: Mapping[str, str]) -> tuple[t.Node | None, t.Body, t.Body]:
    """Return the condition around all the work, from a branch around it or a return before it."""
    real = [statement for statement in rest if not t.is_comment(statement)]
    early = list(takewhile(_early, real))
    later = real[len(early) :]
    if early and later and isinstance(later[0], t.If) and (asked := _before(early, later[0], items)) is not None:
        # what only computes may as well be done behind the condition
        guard, work, otherwise = _guarded((asked, *later[1:]), items, kinds)
        if guard is None or (otherwise and not _bounds(guard)):
            return None, rest, ()
        return guard, (*early, *work), (*early, *otherwise) if otherwise else ()
    if len(real) > 1 and _returns((real[-1],)):
        rest = tuple(statement for statement in rest if statement is not real[-1])
        real = real[:-1]
    if len(real) == 1 and isinstance(real[0], t.If):
        only = real[0]
        inner = [one for one in only.yes if not t.is_comment(one)]
        if not only.no and len(inner) == 1 and isinstance(inner[0], t.If) and not inner[0].no:  # if (a) if (b) ...
            return t.Binary("&&", only.condition, inner[0].condition), inner[0].yes, ()
        return only.condition, only.yes, only.no
    if real and isinstance(real[0], t.If) and not real[0].no and _returns(real[0].yes):
        opposite = negated(real[0].condition, kinds)
        if opposite is not None:
            return opposite, tuple(statement for statement in rest if statement is not real[0]), ()
    return None, rest, ()


def _bounds(guard: t.Node) -> bool:
    """Tell a condition that only compares places with ends, as the one around the inside of an image does."""
    compared = all(isinstance(one, t.Binary) and one.op in ("<", "<=", ">", ">=", "!=") for one in conjuncts(guard))
    sums = all(not isinstance(inner, t.Binary) or inner.op not in ("%", "/", "&", "|", "^") for inner in t.walk(guard))
    return compared and sums and not any(isinstance(inner, t.Index | t.Call | t.Choice) for inner in t.walk(guard))


def _before(early: list[t.Node], branch: t.If, items: set[str]) -> t.If | None:
    """Return a branch whose condition can be asked before declarations, with whole numbers of one item among these put in; None of another."""
    used = t.names_in(branch.condition) & _begins(*early)
    whole = [node for node in early if isinstance(node, t.Declare) and algebra.is_whole(node.type)]
    values = _values(tuple(whole))
    if not used <= values.keys() or any(len(t.names_in(values[name]) & items) > 1 for name in used):
        return None
    return replace(branch, condition=t.renamed(branch.condition, {name: values[name] for name in used}))


def _returns(body: t.Body) -> bool:
    return len(body) == 1 and isinstance(body[0], t.Text) and body[0].text.replace(" ", "") == "return;"


def extents(form: Shape) -> tuple[tuple[t.Node, ...], bool]:
    """Return how many work-items each dimension needs, and whether the text says so for sure.

    The upper bound of an item's variable in the condition around the work, less what is added to the item's number. Where
    something is done outside the condition, too, the bound without its constant: a border is written there.

    Raises:
        RefusedError: a dimension has no bound, or there are gaps.
    """
    lengths: list[t.Node] = []
    values = _values(form.before)
    for place, item in enumerate(form.items):
        if item.dimension != place:
            raise RefusedError(f"dimension {place} has no variable")
        bounds = [] if form.guard is None else list(upper_bounds(form.guard, item.name))
        if not bounds:
            made = item.name == f"item_{item.dimension}"  # a name that is not in the text
            raise RefusedError(f"no condition bounds {f'get_global_id({item.dimension})' if made else item.name}")
        bound = bounds[0]
        if form.otherwise:
            bound = _whole(bound)
        if item.offset is not None and not form.otherwise:
            bound = t.Binary("-", bound, item.offset)
        lengths.append(t.renamed(bound, values))
    return tuple(lengths), not form.otherwise


def _values(before: t.Body) -> dict[str, t.Node]:
    """Return what stands for plain variables that are set once before the work, each in terms of parameters."""
    values: dict[str, t.Node] = {}
    again = t.written_in(*before)
    for node in before:
        for one in node.names if isinstance(node, t.Declare) else ():
            if one.value is not None and one.name not in again and not one.pointer:
                values[one.name] = t.renamed(one.value, values)
    return values


def upper_bounds(condition: t.Node, name: str) -> Iterator[t.Node]:
    """Yield the numbers below which a variable stays."""
    turned = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "=="}
    for one in conjuncts(condition):
        if not isinstance(one, t.Binary):
            continue
        for op, left, right in ((one.op, one.left, one.right), (turned.get(one.op, ""), one.right, one.left)):
            if name in t.names_in(right) or op not in ("<", "<=", "=="):
                continue
            end = right if op == "<" else t.Binary("+", right, t.Number("1"))
            if left == t.Name(name):
                yield end
            elif (scaled := _scaled(left, name)) is not None:
                factor, more = scaled
                rest = end if more is None else t.Binary("-", end, more)
                yield rest if factor == 1 else algebra.rounded_up(rest, factor)


def _scaled(node: t.Node, name: str) -> tuple[int, t.Node | None] | None:
    """Return a whole number of times that a variable is in a sum, and what else is; None where it is there otherwise."""
    match node:
        case t.Name(text=text) if text == name:
            return 1, None
        case t.Cast(value=value):
            return _scaled(value, name)
        case (
            t.Binary(op="*", left=left, right=t.Number() as times)
            | t.Binary(op="*", left=t.Number() as times, right=left)
        ):
            inner, factor = _scaled(left, name), algebra.constant(algebra.polynomial(times))
            if inner is None or factor is None or factor < 1:
                return None
            return inner[0] * factor, None if inner[1] is None else t.Binary("*", inner[1], times)
        case t.Binary(op="+", left=left, right=right):
            first, more = (left, right) if name in t.names_in(left) else (right, left)
            inner = None if name in t.names_in(more) else _scaled(first, name)
            if inner is None:
                return None
            return inner[0], more if inner[1] is None else t.Binary("+", inner[1], more)
    return None


def _whole(bound: t.Node) -> t.Node:
    """Return a bound without what a border takes from it."""
    if isinstance(bound, t.Binary) and bound.op in "+-" and isinstance(bound.right, t.Number):
        return bound.left
    return bound


def number(node: t.Node, values: Mapping[str, float]) -> int:
    """Return the value of a whole expression with sizes by name. Raises RefusedError.

    >>> number(t.Binary("<<", t.Number("1u"), t.Name("k")), {"k": 10})
    1024
    """
    match node:
        case t.Binary(op=op, left=left, right=right) | t.Call(function=op, arguments=(left, right)) if op in CALCULATED:
            first, second = number(left, values), number(right, values)
            if defined(op, second):
                return CALCULATED[op](first, second)
        case t.Binary(op=op, left=left, right=right) if op in COMPARED:
            return int(COMPARED[op](number(left, values), number(right, values)))
        case t.Choice(condition=condition, yes=yes, no=no):
            return number(yes if number(condition, values) else no, values)
        case t.Unary(op="-", value=value):
            return -number(value, values)
        case t.Unary(op="+", value=value):
            return number(value, values)
        case t.Cast(type=kind, value=value) if algebra.is_whole(kind):
            return number(value, values)
        case t.Number() if (whole := algebra.constant(algebra.polynomial(node))) is not None:
            return whole
    if (text := expression(node)) in values:
        return int(values[text])
    raise RefusedError(f"{text} has no value")
