"""Short vectors of one work-item become single numbers, so that neighbouring work-items can be vectors.

What it changes: a ``float4`` becomes four variables, each statement about it one for each component; elements of arrays are read and written
component by component. ``dot``, ``length``, ``distance`` and ``normalize`` become sums and roots.
When it applies: vectors of two to four numbers that are used with arithmetic, components and functions that treat each component alike; no
pointers to them.
What it costs: alone nothing is won; one load of a vector becomes several. Blocks of results behind it fill the processor's vectors, whatever the
text's own were.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from hotloop.rewrite import tree as t
from hotloop.rewrite.components.values import (
    LETTERS,
    Values,
    Vector,
    declared,
    fields,
    named,
)
from hotloop.rewrite.form import Keeps, Posed, Rewrite
from hotloop.rewrite.shape import RefusedError


def apply(posed: Posed, _value: int | str) -> Posed:
    """Take all short vectors apart."""
    own = _own(posed)
    values = Values(posed, own)
    given = [argument for argument in posed.function.arguments if values.vector(argument.type) is not None]
    made = any(isinstance(node, t.Vector) and values.vector(node.type) for node in t.walk(*posed.function.body))
    if not own and not given and not made:
        raise RefusedError("it has no short vectors")
    taken = t.declared_in(*posed.function.body) | {argument.name for argument in posed.function.arguments}
    if taken & {named(name, lane) for name, kind in own.items() for lane in range(kind.lanes)}:
        raise RefusedError("components would have names that it has already")
    body = _Apart(values, taken).all(posed.function.body)
    if body == posed.function.body:
        raise RefusedError("all that it uses of vectors are components")
    return replace(posed.with_body(body), single=False)


def _own(posed: Posed) -> dict[str, Vector]:
    """Return the short vectors that a kernel declares, by name. Raises RefusedError."""
    values, vectors, others = Values(posed, {}), dict[str, Vector](), set[str]()
    for kind, one in declared(posed.function.body):
        vector = values.vector(kind)
        if vector is None:
            others.add(one.name)
        elif one.pointer or len(one.extents) > 1 or vectors.get(one.name, vector) != vector:
            raise RefusedError(f"{one.name} points to vectors, or is several things")
        else:
            vectors[one.name] = vector
    if others & vectors.keys():
        raise RefusedError("a name is a vector and a number")
    return vectors


@dataclass(slots=True)
class _Apart:
    values: Values
    taken: set[str]
    count: list[int] = field(default_factory=lambda: [0])

    def all(self, body: t.Body) -> t.Body:
        """Return statements component by component. Raises RefusedError."""
        return tuple(made for node in body for made in self.statement(node))

    def statement(self, node: t.Node) -> Iterator[t.Node]:
        match node:
            case t.Text(text=text, comment=comment):
                if not comment and set(re.findall(r"[A-Za-z_]\w*", text)) & set(self.values.own):
                    raise RefusedError(f"line {node.line} holds something that is not understood")
                yield node
            case t.Declare():
                yield from self._declaration(node)
            case t.Do(value=t.Assign() as assign) if (kind := self.values.kind(assign.target)) is not None:
                yield from self._assigned(node, assign, kind)
            case t.If():
                yes, no = self.all(node.yes), self.all(node.no)
                yield replace(node, condition=self.values.number(node.condition), yes=yes, no=no)
            case t.For():
                yield self._loop(node)
            case t.Block():
                yield replace(node, body=self.all(node.body))
            case _:
                yield self.values.number(node)

    def _loop(self, node: t.For) -> t.For:
        first, condition, step = (
            None if one is None else self.values.number(one) for one in (node.first, node.condition, node.step)
        )
        if isinstance(node.first, t.Declare) and t.declared_in(node.first) & set(self.values.own):
            raise RefusedError("a loop counts with a vector")
        return replace(node, first=first, condition=condition, step=step, body=self.all(node.body))

    def _declaration(self, node: t.Declare) -> Iterator[t.Node]:
        for one in node.names:
            kind = self.values.own.get(one.name)
            if kind is None:
                yield replace(node, names=(self.values.number(one),))  # type: ignore[arg-type]
                continue
            if one.extents and one.value is not None:
                raise RefusedError(f"{one.name} begins with a table")
            local = "__local " if re.search(r"\b(?:__)?local\b", node.type) else ""
            values = [None] * kind.lanes if one.value is None else self.values.parts(one.value, kind.lanes, kind.base)
            extents = tuple(self.values.number(each) for each in one.extents)
            for lane, value in enumerate(values):
                part = t.Declared(named(one.name, lane), value, "", extents)
                yield t.Declare(local + kind.base, (part,), node.line)

    def _assigned(self, node: t.Do, assign: t.Assign, kind: Vector) -> Iterator[t.Node]:
        if assign.op[:-1] not in ("", "+", "-", "*", "/"):
            raise RefusedError(f"{assign.op} of a vector")
        if assign.op != "=":  # checks that such vectors calculate as single numbers do
            self.values.kind(t.Binary(assign.op[0], assign.target, assign.value))
        targets = self._targets(assign.target, kind)
        values = self.values.parts(assign.value, kind.lanes, kind.base)
        for lane, value in enumerate(values):
            if any(isinstance(inner, t.Assign | t.Postfix) for inner in t.walk(value)):
                raise RefusedError(f"line {node.line} changes something beside a vector")
            if any(_meets(target, value) for target in targets[:lane]):
                yield from self._later(node, assign, targets, values, kind)
                return
        for target, value in zip(targets, values, strict=True):
            yield t.Do(t.Assign(assign.op, target, value), node.line)

    def _targets(self, target: t.Node, kind: Vector) -> list[t.Node]:
        if isinstance(target, t.Member) and (whole := self.values.kind(target.base)) is not None:
            lanes = fields(target.field, whole.lanes)
            return [self.values.part(target.base, lane, whole.base) for lane in lanes]
        if not isinstance(target, t.Name | t.Index):
            raise RefusedError("a vector is written in another way")
        return self.values.parts(target, kind.lanes, kind.base)

    def _later(
        self,
        node: t.Do,
        assign: t.Assign,
        targets: list[t.Node],
        values: list[t.Node],
        kind: Vector,
    ) -> Iterator[t.Node]:
        """Yield all values of an assignment before any of them is given: some need what others had before."""
        self.count[0] += 1
        names = [f"part_{self.count[0]}_{LETTERS[lane]}" for lane in range(len(values))]
        if self.taken & {*names}:
            raise RefusedError("parts would have names that it has already")
        inner: list[t.Node] = [
            t.Declare(kind.base, (t.Declared(n, v),), node.line) for n, v in zip(names, values, strict=True)
        ]
        inner += [t.Do(t.Assign(assign.op, to, t.Name(n)), node.line) for to, n in zip(targets, names, strict=True)]
        yield t.Block(tuple(inner))


def _meets(target: t.Node, value: t.Node) -> bool:
    """Tell whether a value reads what was given to a component before: of an array, any element of that component."""
    if isinstance(target, t.Member) and isinstance(target.base, t.Index):
        return any(
            isinstance(inner, t.Member)
            and inner.field == target.field
            and isinstance(inner.base, t.Index)
            and inner.base.base == target.base.base
            for inner in t.walk(value)
        )
    base = target.base if isinstance(target, t.Index) else target
    return any(inner == base for inner in t.walk(value))


def lines(posed: Posed) -> tuple[int, ...]:
    """Return the lines of vectors."""
    apply(posed, 1)
    own = _own(posed)
    values = Values(posed, own)
    names = {
        *own,
        *(one.name for one in posed.function.arguments if values.vector(one.type) is not None),
    }
    numbers = {
        node.line
        for node in t.walk(*posed.function.body)
        if isinstance(node, t.Do | t.Declare) and (t.names_in(node) | t.declared_in(node)) & names
    }
    return tuple(sorted(numbers))


REWRITE = Rewrite(
    name="vectors-apart",
    text=__doc__,
    technique="register-tile",
    keeps=Keeps.ROUNDING,
    values=(0, 1),
    apply=apply,
    lines=lines,
    gain=lambda _posed: (0.3, 1.1),
    order=7,
)
