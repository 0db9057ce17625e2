"""Rows that the lanes of a vector gather again in every round of an outer loop: gathered once before it, and held as vectors.

``for (c < clusters) for (f < 8) d += (point[i * 8 + f] - centre[c * 8 + f]) ...`` with results ``i`` in lanes reads elements that lie apart, one by
one for each lane, and the same ones for every ``c``. Behind the first time they stand in an array of eight vectors.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace

from hotloop.rewrite import algebra
from hotloop.rewrite import tree as t
from hotloop.rewrite.conditions import BOTH
from hotloop.rewrite.form import Posed
from hotloop.rewrite.loops import counted
from hotloop.rewrite.shape import RefusedError

_LEAST = 4
"""Lanes from which gathering costs more than keeping."""
_LONGEST, _MOST = 64, 256
"""Vectors of a row, and of all rows that one loop holds: beyond, they no longer fit into the first cache."""
_STEP = 8
"""Vectors of an array are a multiple of so many where a parameter says how long a row is."""


@dataclass(slots=True)
class Holder:
    """Rewrites the statements of one kernel."""

    posed: Posed
    taken: set[str]
    """Names that stand for something."""
    limits: list[t.Node] = field(default_factory=list)
    """Conditions under which rows are no longer than the arrays that hold them."""

    def body(self, body: t.Body) -> t.Body:
        """Return statements in which rows are held; equal where none are gathered again."""
        return tuple(made for node in body for made in self._statement(node))

    def _statement(self, node: t.Node) -> t.Body:
        match node:
            case t.For():
                rows = Rows(self.posed, node, self.taken)
                loop = rows.held()
                self.limits += [one for one in rows.limits() if one not in self.limits]
                return (*rows.gathered(), replace(loop, body=loop.body if rows.rows else self.body(loop.body)))
            case t.Block():
                return (replace(node, body=self.body(node.body)),)
            case t.If():
                return (replace(node, yes=self.body(node.yes), no=self.body(node.no)),)
        return (node,)


@dataclass(slots=True)
class Rows:
    """The rows that one loop gathers in every round."""

    posed: Posed
    outer: t.For
    taken: set[str]
    rows: dict[t.Vector, tuple[str, t.For]] = field(default_factory=dict)
    """The name of each row's array, and the loop that walks along it, by the vector that it is read as."""
    count: int = 0

    def held(self) -> t.For:
        """Return the loop as it reads rows that are held; equal where it has none."""
        if self._first() is None or stores(self.outer.body):
            return self.outer
        return replace(self.outer, body=tuple(self._round(node) for node in self.outer.body))

    def gathered(self) -> Iterator[t.Node]:
        """Yield what gathers the rows, if the loop has any round: nobody else may read them."""
        if not self.rows:
            return
        fills: list[t.Node] = []
        for vector, (name, loop) in self.rows.items():
            counter, length = self._counter(loop)
            yield t.Declare(vector.type, (t.Declared(name, None, extents=(t.Number(str(length)),)),))
            kept = t.Do(t.Assign("=", t.Index(t.Name(name), t.Name(counter)), vector))
            fills.append(replace(loop, body=(kept,)))
        first = self._first()
        assert first is not None
        assert self.outer.condition is not None
        if self._surely():
            yield t.Block(tuple(fills))
        else:
            yield t.If(t.renamed(self.outer.condition, first), tuple(fills), ())

    def limits(self) -> Iterator[t.Node]:
        """Yield the conditions under which rows are no longer than the arrays that hold them."""
        for _, loop in self.rows.values():
            ended = counted(loop).high
            if isinstance(ended, t.Name):
                yield t.Binary("<=", ended, t.Number(str(self._counter(loop)[1])))

    def _surely(self) -> bool:
        """Tell whether the outer loop has a round whatever numbers are given."""
        try:
            found = counted(self.outer)
        except RefusedError:
            return False
        rounds = algebra.added(algebra.polynomial(found.high), algebra.polynomial(found.low), -1)
        return (algebra.constant(rounds) or 0) > 0

    def _first(self) -> dict[str, t.Node] | None:
        """Return what the outer loop's number is at first, None where that is not to be seen."""
        match self.outer:
            case t.For(first=t.Declare(names=(t.Declared(name=name, value=t.Node() as value),)), condition=t.Node()):
                return {name: value}
        return None

    def _round(self, node: t.Node) -> t.Node:
        match node:
            case t.Block(body=body):
                return replace(node, body=tuple(self._round(one) for one in body))
            case t.For() if self._counter(node)[1]:
                return replace(node, body=tuple(self._read(one, node) for one in node.body))
        return node

    def _read(self, node: t.Node, loop: t.For) -> t.Node:
        """Return a statement that reads the rows of what it gathers whenever it is done."""
        if not isinstance(node, t.Do | t.Declare):
            return node
        vectors = [one for one in dict.fromkeys(_made(node)) if self._again(one, loop)]
        found = {one: t.Index(t.Name(self._row(one, loop)), t.Name(self._counter(loop)[0])) for one in vectors}
        return t.changed(node, lambda one: found.get(one) if isinstance(one, t.Vector) else None) if found else node

    def _again(self, vector: t.Vector, loop: t.For) -> bool:
        """Tell whether elements of a parameter that lie apart are the same in every round of the outer loop, and others along the inner one."""
        if len(vector.values) < _LEAST or not all(isinstance(one, t.Index) for one in vector.values):
            return False
        bases = {one.base for one in vector.values if isinstance(one, t.Index)}
        argument = self.posed.function.argument(base.text) if isinstance(base := next(iter(bases)), t.Name) else None
        if len(bases) > 1 or argument is None or "volatile" in argument.qualifiers:
            return False
        counter, length = self._counter(loop)
        places = t.names_in(*(one.index for one in vector.values if isinstance(one, t.Index)))
        changing = (t.written_in(self.outer) | t.declared_in(self.outer)) - {counter}
        room = vector in self.rows or self.count + length <= _MOST
        return counter in places and not places & changing and room

    def _row(self, vector: t.Vector, loop: t.For) -> str:
        if vector not in self.rows:
            word = f"{vector.values[0].base.text}_row"  # type: ignore[attr-defined]
            name = next(made for at in range(len(self.taken) + 1) if (made := f"{word}_{at}") not in self.taken)
            self.taken.add(name)
            self.rows[vector] = (name, loop)
            self.count += self._counter(loop)[1]
        return self.rows[vector][0]

    def _counter(self, loop: t.For) -> tuple[str, int]:
        """Return the number that a loop counts from 0, and how far it does; no rounds where that is not known or too many."""
        try:
            found = counted(loop)
        except RefusedError:
            return "", 0
        rounds = self._named(found.high) or algebra.constant(algebra.polynomial(found.high))
        if not found.declares or found.low != t.Number("0") or rounds is None or not 1 < rounds <= _LONGEST:
            return "", 0
        return found.variable, rounds

    def _named(self, node: t.Node) -> int | None:
        """Return the vectors that hold rows as long as a size that was named, a few more at most; None of anything else."""
        if not isinstance(node, t.Name) or node.text in t.written_in(*self.posed.function.body):
            return None
        argument, value = self.posed.function.argument(node.text), self.posed.values.get(node.text)
        return None if argument is None or argument.pointer or not value else -(-value // _STEP) * _STEP


def _made(node: t.Node) -> Iterator[t.Vector]:
    """Yield the vectors below that are made whenever a statement is done."""
    if isinstance(node, t.Choice) or (isinstance(node, t.Binary) and node.op in BOTH):
        return
    if isinstance(node, t.Vector) and len(node.values) > 1:
        yield node
        return
    for one in t.children(node):
        yield from _made(one)


def stores(body: t.Body, own: AbstractSet[str] = frozenset()) -> bool:
    """Tell whether statements write anything but variables, and arrays of their `own`."""
    return any(
        (isinstance(node, t.Assign) and _elsewhere(node.target, own))
        or (isinstance(node, t.Postfix | t.Unary) and node.op in ("++", "--") and _elsewhere(node.value, own))
        or (isinstance(node, t.Call) and node.function.startswith(("vstore", "atom", "barrier")))
        or (isinstance(node, t.Text) and not node.comment)
        for node in t.walk(*body)
    )


def _elsewhere(target: t.Node, own: AbstractSet[str]) -> bool:
    """Tell what is no variable, and no element of some arrays."""
    while isinstance(target, t.Index) and isinstance(target.base, t.Index | t.Name):
        target = target.base
        if isinstance(target, t.Name):
            return target.text not in own
    return not isinstance(target, t.Name)
