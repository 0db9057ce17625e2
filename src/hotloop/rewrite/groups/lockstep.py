"""What a group's places leave in local memory: their statements are followed place by place, on sums of elements instead of numbers.

Between two barriers the places have no order: an element that one of them writes and another one reads or writes in between has no value
that can be told, and the text is refused. What is told holds for every way of adding up through local memory, whatever its loops look like.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from hotloop.rewrite import tree as t
from hotloop.rewrite.algebra import calculated
from hotloop.rewrite.amounts.reals import literal
from hotloop.rewrite.groups.places import PLACE, waits
from hotloop.rewrite.shape import RefusedError

Element = tuple[str, int]
"""An array of local memory, and a place in it."""
MOST_STEPS = 200_000
"""Statements of all places together beyond which nothing is followed."""


@dataclass(frozen=True, slots=True)
class Sum:
    """How often each element that was there before is in a value."""

    parts: Mapping[Element, int]

    def plus(self, other: Sum) -> Sum:
        """Return both together."""
        made = dict(self.parts)
        for one, times in other.parts.items():
            made[one] = made.get(one, 0) + times
        return Sum(made)


@dataclass(frozen=True, slots=True)
class At:
    """A pointer into local memory."""

    array: str
    offset: int


Value = int | Sum | At
Owner = int | None
"""The place that wrote or read an element since the last barrier; None: several."""
_NOTHING = Sum({})


@dataclass(slots=True)
class Lockstep:
    """The places of a group, and the local memory that they share."""

    size: int
    arrays: frozenset[str]
    """Local memory, by the names that it has at first."""
    memory: dict[Element, Sum] = field(default_factory=dict)
    """Elements that have been written."""
    own: list[dict[str, Value]] = field(default_factory=list)
    """Variables of each place."""
    filled: set[Element] = field(default_factory=set)
    """Elements that had a value from the start."""
    stored: list[tuple[t.Index, int, Value]] = field(default_factory=list)
    """Values that work-items stored in other memory, in order: where, who, what."""
    touched: set[Element] = field(default_factory=set)
    """Elements that were read or written at all."""
    _written: dict[Element, Owner] = field(default_factory=dict)
    _seen: dict[Element, Owner] = field(default_factory=dict)
    _steps: int = 0

    def __post_init__(self) -> None:
        start: dict[str, Value] = {name: At(name, 0) for name in self.arrays}
        self.own = [{**start, PLACE: place} for place in range(self.size)]

    def all(self, body: t.Body) -> None:
        """Follow statements in which the group may meet. Raises RefusedError."""
        for node in body:
            if waits(node):
                self._meet()
            elif isinstance(node, t.For) and any(map(waits, t.walk(node))):
                self._loop(node)
            else:
                for place in range(self.size):
                    self.one(node, place)

    def _meet(self) -> None:
        self._written.clear()
        self._seen.clear()

    def _loop(self, node: t.For) -> None:
        """Follow a loop that is the same for all places."""
        if node.first is not None:
            self.all((node.first if isinstance(node.first, t.Declare) else t.Do(node.first),))
        while node.condition is not None:
            asked = {self._whole(node.condition, place) for place in range(self.size)}
            if len(asked) != 1:
                raise RefusedError("its places meet in a loop that differs between them")
            if not asked.pop():
                return
            self.all(node.body)
            if node.step is not None:
                self.all((t.Do(node.step),))
        raise RefusedError("a loop in which its places meet has no end")

    # --- one place ------------------------------------------------------------------------------------------------------------

    def one(self, node: t.Node, place: int) -> None:
        """Follow a statement of one place."""
        self._steps += 1
        if self._steps > MOST_STEPS:
            raise RefusedError("its places do too much to be followed")
        match node:
            case t.Declare():
                for declared in node.names:
                    self._declared(declared, place)
            case t.Do(value=t.Assign() | t.Postfix() | t.Unary() as value):
                self.value(value, place)
            case t.If(condition=condition, yes=yes, no=no):
                for inner in yes if self._whole(condition, place) else no:
                    self.one(inner, place)
            case t.Block(body=body):
                for inner in body:
                    self.one(inner, place)
            case t.For(condition=t.Node() as condition):
                self._rounds(node, condition, place)
            case t.Text(comment=True):
                pass
            case _:
                raise RefusedError("between its meetings is a statement that is not understood")

    def _rounds(self, node: t.For, condition: t.Node, place: int) -> None:
        if node.first is not None:
            self.one(node.first if isinstance(node.first, t.Declare) else t.Do(node.first), place)
        while self._whole(condition, place):
            for inner in (*node.body, *((t.Do(node.step),) if node.step is not None else ())):
                self.one(inner, place)

    def _declared(self, node: t.Declared, place: int) -> None:
        if node.extents:
            raise RefusedError("its places have arrays of their own")
        self.own[place].pop(node.name, None)
        if node.value is not None:
            self.own[place][node.name] = self.value(node.value, place)

    def value(self, node: t.Node, place: int) -> Value:
        """Return the value of an expression, after what it does. Raises RefusedError."""
        match node:
            case t.Name(text=text) if text in self.own[place]:
                return self.own[place][text]
            case t.Number(text=text) if (number := literal(text)) is not None:
                return int(number) if number == int(number) else self._strange()
            case t.Index():
                return self._read(self.element(node, place), place)
            case t.Cast(value=value):
                return self.value(value, place)
            case t.Assign():
                return self._assigned(node, place)
            case t.Postfix(op=op, value=target) | t.Unary(op="++" | "--" as op, value=target):
                return self._assigned(t.Assign(f"{op[0]}=", target, t.Number("1")), place)
            case t.Unary(op="-", value=value):
                return -self._whole(value, place)
            case t.Unary(op="!", value=value):
                return int(not self._whole(value, place))
            case t.Choice(condition=condition, yes=yes, no=no):
                return self.value(yes if self._whole(condition, place) else no, place)
            case t.Binary(op="&&" | "||" as op, left=left, right=right):
                first = self._whole(left, place)
                return int(
                    bool(first and self._whole(right, place) if op == "&&" else first or self._whole(right, place))
                )
            case t.Binary(op=op, left=left, right=right):
                return self._joined(op, self.value(left, place), self.value(right, place))
        return self._strange()

    def _strange(self) -> Value:
        raise RefusedError("between its meetings more is done than to add up")

    def _joined(self, op: str, left: Value, right: Value) -> Value:
        match left, right:
            case int(), int() if (made := calculated(op, left, right)) is not None:
                return made
            case At(), int() if op == "+":
                return At(left.array, left.offset + right)
        if op == "+" and (total := _sum(left)) is not None and (more := _sum(right)) is not None:
            return total.plus(more)
        return self._strange()

    def _whole(self, node: t.Node, place: int) -> int:
        number = self.value(node, place)
        if not isinstance(number, int):
            raise RefusedError("what its places do between their meetings depends on values")
        return number

    def _assigned(self, node: t.Assign, place: int) -> Value:
        value = self.value(node.value, place)
        if node.op != "=":
            value = self._joined(node.op[:-1], self.value(node.target, place), value)
        if isinstance(node.target, t.Name):
            self.own[place][node.target.text] = value
        elif isinstance(node.target, t.Index) and not t.names_in(node.target.base) & self.own[place].keys():
            self.stored.append((node.target, place, value if node.op == "=" else self._strange()))
        else:
            self._write(self.element(node.target, place), value, place)
        return value

    # --- local memory ---------------------------------------------------------------------------------------------------------

    def element(self, node: t.Node, place: int) -> Element:
        """Return the element of local memory that an expression is for a place. Raises RefusedError."""
        if not isinstance(node, t.Index):
            raise RefusedError("between its meetings something else than local memory is used")
        base, index = self.value(node.base, place), self._whole(node.index, place)
        if not isinstance(base, At) or base.offset + index < 0:
            raise RefusedError("between its meetings something else than local memory is used")
        return base.array, base.offset + index

    def put(self, element: Element, place: int) -> None:
        """Note that a place gave an element a value before all else. Raises RefusedError where another one did, too."""
        if self._written.setdefault(element, place) != place:
            raise RefusedError("several places put a value into one element of local memory")
        self.filled.add(element)
        self.touched.add(element)

    def _read(self, element: Element, place: int) -> Sum:
        if self._written.get(element, place) != place:
            raise RefusedError("a place reads what another one writes without a barrier between")
        self._seen[element] = place if self._seen.get(element, place) == place else None
        self.touched.add(element)
        return self.memory.get(element, Sum({element: 1}))

    def _write(self, element: Element, value: Value, place: int) -> None:
        if self._written.get(element, place) != place or self._seen.get(element, place) != place:
            raise RefusedError("a place writes what another one uses without a barrier between")
        made = _sum(value)
        if made is None:
            self._strange()
        self._written[element] = place
        self.touched.add(element)
        self.memory[element] = made or _NOTHING


def _sum(value: Value) -> Sum | None:
    """Return a value as a sum of elements: of numbers, only nothing is one."""
    if isinstance(value, Sum):
        return value
    return _NOTHING if value == 0 else None


def ranges(values: Mapping[int, Sum]) -> Iterator[tuple[int, str, int, int]]:
    """Yield the elements whose values are sums over a range of one array: where, of which array, from where, up to where.

    Raises RefusedError for any other value. An empty sum begins and ends nowhere.
    """
    for index, total in sorted(values.items()):
        arrays = {name for name, _ in total.parts}
        places = sorted(at for _, at in total.parts)
        if not places:
            yield index, "", 0, 0
            continue
        whole = len(arrays) == 1 and set(total.parts.values()) == {1} and places[-1] - places[0] + 1 == len(places)
        if not whole:
            raise RefusedError("what local memory holds behind its meetings is no sum over a range")
        yield index, arrays.pop(), places[0], places[-1] + 1
