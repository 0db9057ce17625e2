"""Groups and places within them as numbers of the whole grid, where the size of a group is known.

``get_group_id(0) * 16 + get_local_id(0)`` is ``get_global_id(0)`` in groups of 16, also where the two stand in different variables, are
multiplied by a row's length, or begin a loop whose length is the same for all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from hotloop.rewrite import algebra, parse
from hotloop.rewrite import tree as t
from hotloop.rewrite.amounts.intervals import UNKNOWN, Interval, union
from hotloop.rewrite.loops import counted
from hotloop.rewrite.shape import RefusedError

_WHOLE = frozenset(["int", "uint", "size_t", "unsigned", "unsigned int", "long", "ulong", "short", "ushort"])
_COMPARED = frozenset(["<", "<=", ">", ">=", "==", "!="])
GROUP, PLACE, NUMBER = "group_{}", "place_{}", "item_{}"
"""Names of a group's number, a place within it and the number in the whole grid, by dimension."""


@dataclass(slots=True)
class Grid:
    """Reads expressions of one kernel in groups of a known size."""

    group: tuple[int, ...]
    constants: Mapping[str, int]
    """Macros that are numbers."""
    extents: t.Body
    known: dict[str, t.Node] = field(default_factory=dict)
    """Whole numbers that are set once, in terms of the rest."""
    unsigned: frozenset[str] = frozenset()
    """Parameters without a sign: what is less than nothing would be very much."""
    values: Mapping[str, int] = field(default_factory=dict)
    """Sizes that were named, by parameter."""
    shared: frozenset[str] = frozenset()
    """Arrays of a group: loops that fill them, each work-item its part, stay as they are."""

    def named(self, body: t.Body) -> t.Body:
        """Return statements in which questions about places are names, and remember variables that are set once. Raises RefusedError."""
        body = tuple(t.changed(statement, self._asked) for statement in body)
        self._settle(body)
        body = tuple(self._loops(statement) for statement in body)
        self._settle(body)
        return body

    def _settle(self, body: t.Body) -> None:
        names = t.declared_in(*body)
        for kind, one in t.set_once(*body):
            plain = _is_whole(kind) and not one.pointer and not one.extents
            if plain and one.value is not None and _plain(one.value):
                self.known[one.name] = one.value
        self.known.update({name: t.Number(str(value)) for name, value in self.constants.items() if name not in names})

    def _asked(self, node: t.Node) -> t.Node | None:
        if not isinstance(node, t.Call) or not node.function.startswith("get_"):
            return None
        at = node.arguments[0] if len(node.arguments) == 1 else None
        dimension = int(at.text) if isinstance(at, t.Number) and at.text in "012" else -1
        if not 0 <= dimension < len(self.group):
            raise RefusedError(f"it asks for {node.function} of a dimension that is not known")
        size = t.Number(str(self.group[dimension]))
        place, number = t.Name(PLACE.format(dimension)), t.Name(GROUP.format(dimension))
        match node.function:
            case "get_local_id":
                return place
            case "get_group_id":
                return number
            case "get_local_size" | "get_enqueued_local_size":
                return size
            case "get_global_id":
                return t.Binary("+", t.Binary("*", number, size), place)
            case "get_global_size" if dimension < len(self.extents):
                return self.extents[dimension]
        raise RefusedError(f"it asks for {node.function}")

    # --- loops that begin at another number for each group ----------------------------------------------------------------

    def _loops(self, node: t.Node) -> t.Node:
        return t.changed(node, lambda one: self._even(one) if isinstance(one, t.For) else None)

    def _even(self, loop: t.For) -> t.Node:
        """Return a loop over rounds instead of one over places, its variables in terms of them."""
        if self._fills(loop):
            return loop
        body = tuple(self._loops(statement) for statement in loop.body)
        loop = replace(loop, body=body)
        first, condition = loop.first, loop.condition
        if not isinstance(first, t.Declare) or not isinstance(condition, t.Binary) or condition.op not in ("<", "<="):
            return loop
        steps, rest = _steps(loop, {declared.name for declared in first.names})
        if (
            not isinstance(condition.left, t.Name)
            or condition.left.text not in steps
            or set(steps) != {declared.name for declared in first.names}
        ):
            return loop
        own = condition.left.text
        by = algebra.polynomial(steps[own], self.known)
        far = algebra.constant(by)
        begins = {declared.name: declared.value for declared in first.names}
        counted = begins[own]
        if far is None or far < 1 or counted is None:
            return loop
        if not any(value is not None and self.moves(value) for value in begins.values()):  # the same for all groups
            return loop
        taken = t.written_in(*rest) | t.declared_in(*rest)
        moves: dict[str, t.Node] = {}
        round_ = t.Name(f"{own}_round")
        for name, value in begins.items():
            times = _divided(algebra.polynomial(steps[name], self.known), far)
            if value is None or times is None or name in taken:
                return loop
            moves[name] = t.Binary("+", value, t.Binary("*", round_, expression(times)))
        if round_.text in taken:
            return loop
        signed = first.type in ("int", "const int") and not t.names_in(condition.right) & self.unsigned
        limit: t.Node = t.Binary("-", condition.right, counted)
        if not signed and counted != t.Number("0"):  # it may begin behind its end: the difference would be very much
            far_off = algebra.polynomial(limit, self.known)
            if any(value < 0 or any(name.startswith("@") for name in names) for names, value in far_off.items()):
                return loop
            limit = expression(far_off)  # a sum: its end lies so much behind its begin
        self.known.update(moves)
        begin = t.Declare("int", (t.Declared(round_.text, t.Number("0")),))
        step = t.Assign("+=", round_, t.Number(str(far)))
        return replace(loop, first=begin, condition=t.Binary(condition.op, round_, limit), step=step, body=rest)

    def _fills(self, node: t.Node) -> bool:
        """Tell a loop, or one in another, that does nothing but give elements of a group's array values."""
        match node:
            case t.For(body=body) | t.If(yes=body, no=()):
                real = [statement for statement in body if not (isinstance(statement, t.Text) and statement.comment)]
                return bool(real) and all(isinstance(one, t.Declare) for one in real[:-1]) and self._fills(real[-1])
            case t.If(yes=(yes,), no=(no,)):
                return self._fills(yes) and self._fills(no)
            case t.Do(value=t.Assign(op="=", target=target)):
                while isinstance(target, t.Index):
                    target = target.base
                return isinstance(target, t.Name) and target.text in self.shared
        return False

    def numbers(self) -> dict[str, t.Node]:
        """Return the macros as expressions."""
        return {name: t.Number(str(value)) for name, value in self.constants.items()}

    def spans(self, body: t.Body) -> dict[str, Interval]:
        """Return the least and greatest value of places, and of loops' variables whose bounds are numbers."""
        found: dict[str, Interval] = {}
        sizes = {**self.known, **self.numbers()}
        for loop in (node for node in t.walk(*body) if isinstance(node, t.For)):
            try:
                count = counted(loop)
            except RefusedError:
                continue
            ends = [algebra.constant(algebra.polynomial(one, sizes)) for one in (count.low, count.high)]
            own = UNKNOWN if None in ends else (float(ends[0] or 0), float(ends[1] or 0) - 1.0)
            found[count.variable] = union(found.get(count.variable, own), own)
        return found | {PLACE.format(at): (0.0, size - 1.0) for at, size in enumerate(self.group)}

    # --- expressions ------------------------------------------------------------------------------------------------------

    def named_places(self) -> tuple[str, ...]:
        """Return the names of places within a group, by dimension."""
        return tuple(PLACE.format(number) for number in range(len(self.group)))

    def places(self) -> list[str]:
        """Return the names of groups' numbers and places."""
        return [name.format(number) for number in range(len(self.group)) for name in (GROUP, PLACE)]

    def inlined(self, node: t.Node) -> t.Node:
        """Return an expression with variables that are set once put in, as far as these depend on places."""
        for _ in range(20):
            names = {name for name in t.names_in(node) if name in self.known and self.moves(self.known[name])}
            if not names:
                return node
            node = t.renamed(node, {name: self.known[name] for name in names})
        raise RefusedError("its variables depend on each other")

    def moves(self, node: t.Node) -> bool:
        """Tell whether an expression depends on a place or a group."""
        names, seen = t.names_in(node), set[str]()
        while names:
            if names & set(self.places()):
                return True
            seen |= names
            names = {one for name in names if name in self.known for one in t.names_in(self.known[name])} - seen
        return False

    def whole(self, node: t.Node) -> t.Node:
        """Return an expression or statement by numbers of the whole grid. Raises RefusedError where it needs more."""
        if not self.moves(node):
            return node
        match node:
            case t.Binary(op=op, left=left, right=right) if op in _COMPARED:
                return self._compared(op, left, right)
            case t.Binary(op="+" | "-" | "*") | t.Name() | t.Unary(op="-") | t.Cast():
                made = self._combined(node)
                if made is not None:
                    return made
            case t.Declare():
                kept = tuple(
                    one for one in node.names if one.name not in self.known or not self.moves(t.Name(one.name))
                )
                return replace(node, names=tuple(self._below(one) for one in kept))  # type: ignore[misc]
        if isinstance(node, t.Name):
            if (inner := self.inlined(node)) == node or isinstance(inner, t.Name):
                raise RefusedError(f"{node.text} is used as the place within a group")
            return self.whole(inner)
        return self._below(node)

    def _below(self, node: t.Node) -> t.Node:
        """Return a node whose parts are by numbers of the whole grid."""
        return t.changed(node, lambda one: None if one is node else self.whole(one))

    def _compared(self, op: str, left: t.Node, right: t.Node) -> t.Node:
        difference = self._combined(t.Binary("-", left, right))
        first, second = self._combined(left), self._combined(right)
        if first is not None and second is not None:
            return t.Binary(op, first, second)
        if difference is None:
            try:
                return t.Binary(op, self.whole(left), self.whole(right))
            except RefusedError:
                raise RefusedError("a condition asks for the place within a group") from None
        return t.Binary(op, difference, t.Number("0"))

    def _combined(self, node: t.Node) -> t.Node | None:
        """Return a sum of products in which groups and places stand together; None where they do not."""
        inner = self.inlined(node)
        if not self.moves(inner):
            return node
        difference = algebra.polynomial(inner, self.numbers())
        for dimension, size in enumerate(self.group):
            place, number = PLACE.format(dimension), GROUP.format(dimension)
            steps, jumps = algebra.stride(difference, place), algebra.stride(difference, number)
            if steps is None or jumps is None or jumps != algebra.multiplied({(): size}, steps):
                return None
            difference = {
                tuple(NUMBER.format(dimension) if name == place else name for name in names): value
                for names, value in difference.items()
                if number not in names
            }
        return expression(difference)


def _is_whole(kind: str) -> bool:
    return " ".join(word for word in kind.split() if word != "const") in _WHOLE


def _plain(node: t.Node) -> bool:
    return not any(isinstance(inner, t.Index | t.Text | t.Assign | t.Postfix) for inner in t.walk(node))


def _steps(loop: t.For, names: set[str]) -> tuple[dict[str, t.Node], t.Body]:
    """Return by how much a loop's variables grow each round, and the statements without those that say so."""
    steps: dict[str, t.Node] = {}
    rest = list(loop.body)
    ends = [loop.step]
    early = any(
        isinstance(one, t.Text) and not one.comment for one in t.walk(*rest)
    )  # a round that ends before does not get there
    while not early and rest and isinstance(last := rest[-1], t.Do) and _grown(last.value, names):
        ends.append(last.value)
        rest.pop()
    for end in ends:
        if (made := _grown(end, names)) is not None:
            steps[made[0]] = made[1]
    return steps, tuple(rest)


def _grown(node: t.Node | None, names: set[str]) -> tuple[str, t.Node] | None:
    match node:
        case t.Assign(op="+=", target=t.Name(text=name), value=value) if name in names:
            return name, value
        case t.Postfix(op="++", value=t.Name(text=name)) | t.Unary(op="++", value=t.Name(text=name)) if name in names:
            return name, t.Number("1")
    return None


def _divided(given: algebra.Polynomial, by: int) -> algebra.Polynomial | None:
    """Return a polynomial divided by a number, None where that leaves a rest."""
    if any(value % by for value in given.values()):
        return None
    return {names: value // by for names, value in given.items()}


def expression(given: algebra.Polynomial) -> t.Node:
    """Return a polynomial as an expression, a row's length before its column, sums before differences.

    >>> from hotloop.rewrite.write import expression as written
    >>> written(expression({("i", "n"): 1, ("k",): 2, (): -1}))
    'i * n + 2 * k - 1'
    """
    made: t.Node | None = None
    for names, value in sorted(given.items(), key=lambda one: (one[1] < 0, -len(one[0]), one[0])):
        part = _product(names, abs(value))
        if made is None:
            made = part if value > 0 else t.Unary("-", part)
        else:
            made = t.Binary("+" if value > 0 else "-", made, part)
    return t.Number("0") if made is None else made


def _product(names: tuple[str, ...], value: int) -> t.Node:
    parts: Iterator[t.Node] = (parse.expression(name[1:]) if name.startswith("@") else t.Name(name) for name in names)
    made: t.Node | None = t.Number(str(value)) if value != 1 or not names else None
    for part in parts:
        made = part if made is None else t.Binary("*", made, part)
    assert made is not None
    return made
