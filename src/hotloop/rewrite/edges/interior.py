"""Work without what only matters near an edge: the conditions, limits and choices that come out alike for a whole block of results.

Convolutions and stencils ask for every element whether it lies inside, or clamp its place. For a block whose outermost results are
inside, no element needs to be asked for; what the text does near the edges stays as it is there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from hotloop.rewrite import algebra
from hotloop.rewrite import tree as t
from hotloop.rewrite.conditions import conjuncts, joined, negated
from hotloop.rewrite.edges.turns import straight_on
from hotloop.rewrite.form import Posed
from hotloop.rewrite.grid import expression
from hotloop.rewrite.loops import counted
from hotloop.rewrite.shape import RefusedError, Shape, number
from hotloop.rewrite.unordered import kinds_of

_ORDERED = ("<", "<=", ">", ">=")
_LIMITS = {"min": "<=", "max": ">="}
_UNSIGNED = frozenset(["size_t", "uint", "ulong", "ushort", "uchar"])
_ONE = t.Number("1")
_TURNS = 4
"""Blocks that a row must have for its inner ones to be told from those beside its ends."""
_MOST = 24
"""Comparisons that a block is asked at most: more would cost what they save."""


class Copied(Protocol):
    """Copies of a work-item's results along one of its numbers."""

    @property
    def variable(self) -> str:
        """Return the number's variable."""

    @property
    def count(self) -> int:
        """Return how many copies there are."""

    @property
    def step(self) -> int:
        """Return how far apart they are."""


def interior(posed: Posed, form: Shape, copies: Sequence[Copied]) -> tuple[t.Body, tuple[t.Node, ...]]:
    """Return the statements of a block inside, and what must hold for it to be there; nothing where no statement asks."""
    kinds, ones = _kinds(posed, form), _ones(posed, form)
    work = tuple(t.renamed(node, dict.fromkeys(ones, _ONE)) for node in form.work) if ones else form.work
    visible = {*kinds} - t.declared_in(*work) | {*posed.constants}
    sizes = {**posed.values, **posed.constants}
    one = _Interior({copy.variable: copy for copy in copies}, _set_once(work), kinds, visible, sizes)
    body = one.body(work, {})
    asked = [t.Binary("==", t.Name(name), _ONE) for name in ones]
    only = tuple(dict.fromkeys([*asked, *one.only]))
    return (_used(body, t.names_in(*body)), only) if only and len(only) <= _MOST else (form.work, ())


def _ones(posed: Posed, form: Shape) -> list[str]:
    """Return the whole numbers that are 1 as named and stand in products: with a step of 1 neighbours read neighbours."""
    factors = {
        side.text
        for node in t.walk(*form.work)
        if isinstance(node, t.Binary) and node.op == "*"
        for side in (node.left, node.right)
        if isinstance(side, t.Name)
    }
    changed = t.written_in(*form.work) | t.declared_in(*form.before, *form.work)
    numbers = [one.name for one in posed.function.arguments if not one.pointer and posed.plain(one.type) == "int"]
    return [name for name in numbers if name in factors - changed and posed.values.get(name) == 1]


def _used(body: t.Body, names: set[str]) -> t.Body:
    """Return statements without the truths that nothing asks for any more."""
    made: list[t.Node] = []
    for node in body:
        match node:
            case t.Declare(type=kind, names=declared) if kind.endswith("bool") and not names & {
                n.name for n in declared
            }:
                continue
            case t.For() | t.Block():
                made.append(replace(node, body=_used(node.body, names)))
            case t.If():
                made.append(replace(node, yes=_used(node.yes, names), no=_used(node.no, names)))
            case _:
                made.append(node)
    return tuple(made)


def _set_once(work: t.Body) -> dict[str, t.Node]:
    """Return the whole numbers and truths that have one value for good, by name."""
    return {
        one.name: one.value
        for kind, one in t.set_once(*work)
        if one.value is not None
        and not one.pointer
        and not one.extents
        and (algebra.is_whole(kind) or kind.split()[-1] == "bool")
    }


def _kinds(posed: Posed, form: Shape) -> dict[str, str]:
    """Return the types of parameters, work-items' numbers, variables and elements, without qualifiers."""
    types = {argument.name: argument.type for argument in posed.function.arguments if not argument.pointer}
    for node in t.walk(*form.before, *form.work):
        if isinstance(node, t.Declare):
            kind = " ".join(word for word in node.type.split() if word != "const")
            types |= {declared.name: kind for declared in node.names}
    types |= {item.name: item.type for item in form.items}
    plain = {name: posed.plain(kind) for name, kind in types.items()}
    return kinds_of(posed.function, posed.types) | plain


@dataclass(slots=True)
class _Interior:
    copies: Mapping[str, Copied]
    known: Mapping[str, t.Node]
    kinds: Mapping[str, str]
    visible: set[str]
    """Names that are known where a block is asked."""
    sizes: Mapping[str, int] = field(default_factory=dict)
    """Sizes that were named, and macros that are numbers."""
    only: list[t.Node] = field(default_factory=list)

    # --- statements ------------------------------------------------------------------------------------------------------

    def body(self, body: t.Body, rounds: Mapping[str, tuple[t.Node, t.Node]]) -> t.Body:
        """Return statements inside; `rounds` are the first and the last value of the loops' variables around them."""
        return tuple(made for node in body for made in self._statement(node, rounds))

    def _statement(self, node: t.Node, rounds: Mapping[str, tuple[t.Node, t.Node]]) -> Iterator[t.Node]:
        match node:
            case t.If(condition=condition, yes=yes, no=no):
                yield from self._branch(node, self._truth(condition), yes, no, rounds)
            case t.For():
                yield self._loop(node, rounds)
            case t.Block(body=body):
                yield replace(node, body=self.body(body, rounds))
            case t.Declare(names=(t.Declared(name=name),)) if name in self.known and self.kinds.get(name) == "bool":
                yield node
            case _:
                yield t.changed(node, lambda one: self._expression(one, rounds))

    def _truth(self, node: t.Node) -> t.Node:
        """Return a condition in which each variable that holds the value of another condition is replaced by that condition."""
        names = {n: self.known[n] for n in t.names_in(node) if n in self.known and self.kinds.get(n) == "bool"}
        return t.renamed(node, names) if names else node

    def _branch(
        self, node: t.If, condition: t.Node, yes: t.Body, no: t.Body, rounds: Mapping[str, tuple[t.Node, t.Node]]
    ) -> Iterator[t.Node]:
        empty = not [one for one in yes if not t.is_comment(one)]
        opposite = negated(condition, self.kinds) if empty and no else None
        if opposite is not None:
            condition, yes, no = opposite, no, ()
        if no or any(isinstance(one, t.Text) and not one.comment for one in yes):
            yield replace(node, yes=self.body(node.yes, rounds), no=self.body(node.no, rounds))
            return
        left = [conjunct for conjunct in conjuncts(condition) if not self._holds(conjunct, rounds)]
        inner = self.body(yes, rounds)
        rest = joined(left)
        if rest is None:
            yield t.Block(inner) if t.declared_in(*inner) else inner[0] if len(inner) == 1 else t.Block(inner)
        elif len(left) == len(list(conjuncts(condition))):
            yield replace(node, yes=self.body(node.yes, rounds), no=self.body(node.no, rounds))
        else:
            yield t.If(rest, inner, (), node.line)

    def _loop(self, node: t.For, rounds: Mapping[str, tuple[t.Node, t.Node]]) -> t.Node:
        loop = replace(node, first=self._head(node.first, rounds), condition=self._head(node.condition, rounds))
        try:
            count = counted(loop)
        except RefusedError:
            return replace(loop, body=self.body(loop.body, rounds))
        last = t.Binary("-", count.high, t.Number("1"))
        return replace(loop, body=self.body(loop.body, {**rounds, count.variable: (count.low, last)}))

    def _head(self, node: t.Node | None, rounds: Mapping[str, tuple[t.Node, t.Node]]) -> t.Node | None:
        """Return a part of a loop's head with the limits that variables stand for, itself where none is the same for all results."""
        if node is None:
            return None
        names = {n: self.known[n] for n in t.names_in(node) if n in self.known and self._moves(self.known[n])}
        put_in = t.renamed(node, names) if names else node
        made = t.changed(put_in, lambda one: self._limit(one, rounds, ends=True))
        return node if made == put_in else made

    # --- expressions -----------------------------------------------------------------------------------------------------

    def _expression(self, node: t.Node, rounds: Mapping[str, tuple[t.Node, t.Node]]) -> t.Node | None:
        if isinstance(node, t.Choice):
            return self._choice(node, rounds)
        if isinstance(node, t.Binary) and node.op == "%":
            return self._turn(node, rounds)
        return self._limit(node, rounds, ends=False)

    def _turn(self, node: t.Binary, rounds: Mapping[str, tuple[t.Node, t.Node]]) -> t.Node | None:
        """Return what a remainder is where no place of a block begins again at the other side."""
        found = straight_on(node, self.kinds) if self._moves(node.left) and not self._moves(node.right) else None
        if found is None or self._short(node.right):
            return None
        before = list(self.only)
        if all(self._holds(one, rounds) for one in found[1]):
            return found[0]
        self.only[:] = before
        return None

    def _short(self, width: t.Node) -> bool:
        """Tell a row that has few blocks inside: such a remainder counts something else than places."""
        try:
            return number(width, self.sizes) < _TURNS * max(copy.count * copy.step for copy in self.copies.values())
        except RefusedError:
            return False

    def _choice(self, node: t.Choice, rounds: Mapping[str, tuple[t.Node, t.Node]]) -> t.Node | None:
        condition = self._truth(node.condition)
        if isinstance(condition, t.Binary) and condition.op == "==":
            usual = t.Binary(">" if condition.right == t.Number("0") else "<", condition.left, condition.right)
            return self._below(node.no, rounds) if self._holds(usual, rounds) else None
        parts = list(conjuncts(condition))
        alike = [part for part in parts if not self._moves(part)]
        before = list(self.only)
        if len(alike) < len(parts) and all(self._holds(part, rounds) for part in parts if part not in alike):
            inner = self._below(node.yes, rounds)
            rest = joined(alike)
            return inner if rest is None else t.Choice(rest, inner, self._below(node.no, rounds))
        self.only[:] = before
        return None

    def _below(self, node: t.Node, rounds: Mapping[str, tuple[t.Node, t.Node]]) -> t.Node:
        return t.changed(node, lambda one: self._expression(one, rounds))

    def _limit(self, node: t.Node, rounds: Mapping[str, tuple[t.Node, t.Node]], *, ends: bool) -> t.Node | None:
        """Return the argument of a `min`, `max` or `clamp` that wins away from the edges, or None.

        `ends`: it is the end of a loop, so it must be the same for all work-items.
        """
        match node:
            case t.Call(function="clamp", arguments=(value, low, high)):
                made = self._limit(t.Call("min", (t.Call("max", (value, low)), high)), rounds, ends=ends)
                return made if made in (value, low, high) else None
            case t.Call(function="min" | "max" as how, arguments=(left, right)):
                pass
            case _:
                return None
        left, right = (self._below_limit(one, rounds, ends=ends) for one in (left, right))
        moving = [self._moves(one) for one in (left, right)]
        rest = t.Call(how, (left, right))
        if moving[0] == moving[1]:
            return rest
        mine, other = (left, right) if moving[0] else (right, left)
        taken, given = (other, mine) if ends else (mine, other)
        return taken if self._holds(t.Binary(_LIMITS[how], taken, given), rounds) else rest

    def _below_limit(self, node: t.Node, rounds: Mapping[str, tuple[t.Node, t.Node]], *, ends: bool) -> t.Node:
        return t.changed(node, lambda one: self._limit(one, rounds, ends=ends))

    # --- conditions ------------------------------------------------------------------------------------------------------

    def _moves(self, node: t.Node) -> bool:
        """Tell whether a value differs between the results of a block."""
        names, seen = t.names_in(node), set[str]()
        while names:
            if names & self.copies.keys():
                return True
            seen |= names
            names = {one for name in names if name in self.known for one in t.names_in(self.known[name])} - seen
        return False

    def _holds(self, condition: t.Node, rounds: Mapping[str, tuple[t.Node, t.Node]]) -> bool:
        """Tell whether a comparison can be asked once for a block, and note what is to be asked."""
        if not isinstance(condition, t.Binary) or condition.op not in _ORDERED or not self._moves(condition):
            return False
        try:
            asked = list(self._ends(self._whole(condition), rounds))
        except RefusedError:
            return False
        self.only += asked
        return True

    def _whole(self, node: t.Node) -> t.Node:
        """Return a comparison in terms of the work-item's numbers, loops' variables and parameters. Raises RefusedError."""
        for _ in range(20):
            names = {name: self._typed(name) for name in t.names_in(node) if name in self.known}
            if not names:
                break
            node = t.renamed(node, names)
        if any(isinstance(inner, t.Index | t.Text | t.Call | t.Choice | t.Assign | t.Member) for inner in t.walk(node)):
            raise RefusedError("a condition asks for more than places")
        return node

    def _ends(self, condition: t.Node, rounds: Mapping[str, tuple[t.Node, t.Node]]) -> Iterator[t.Node]:
        """Yield a comparison where it is hardest to meet: first and last rounds, and every copy or the outermost ones."""
        assert isinstance(condition, t.Binary)
        names: set[str] = t.names_in(condition)
        below = condition.op in ("<", "<=")
        made: list[t.Node] = [condition]
        for variable in reversed(list(rounds)):  # the innermost first: its ends may name those around it
            if variable not in t.names_in(*made):
                continue
            low, last = (self._whole(one) for one in rounds[variable])
            made = [t.renamed(one, {variable: end}) for one in made for end in self._hardest(one, variable, low, last)]
        for copy in self.copies.values():
            made = [t.renamed(one, {copy.variable: end}) for one in made for end in self._places(one, copy)]
        for one in made:
            names |= t.names_in(one)
        if not below and any(_unsigned(kind) for one in made for kind in self._compared(one)):
            raise RefusedError("numbers without a sign begin again below zero")
        if unknown := names - rounds.keys() - self.visible:
            raise RefusedError(f"{min(unknown)} is not known before the work")
        yield from map(self._tidied, made)

    def _tidied(self, condition: t.Node) -> t.Node:
        """Return a comparison of plain whole numbers with its sums added up."""
        assert isinstance(condition, t.Binary)
        plain = {self.kinds.get(name, "int") for name in t.names_in(condition)} <= {"int"}
        if not plain or any(isinstance(inner, t.Cast) for inner in t.walk(condition)):
            return condition
        left, right = (expression(algebra.polynomial(side)) for side in (condition.left, condition.right))
        return t.Binary(condition.op, left, right)

    def _compared(self, node: t.Node) -> Iterator[str]:
        """Yield the types of which a value is calculated; what is turned into another one counts as that."""
        if isinstance(node, t.Cast):
            yield node.type
        elif isinstance(node, t.Name):
            yield self.kinds.get(node.text, "int")
        elif isinstance(node, t.Number):
            yield "uint" if "u" in node.text.lower() else "int"
        else:
            for inner in t.children(node):
                yield from self._compared(inner)

    def _places(self, condition: t.Node, copy: Copied) -> list[t.Node]:
        """Return a work-item's number of the copies that must be asked."""
        first: t.Node = t.Name(copy.variable)
        if copy.variable not in t.names_in(condition):
            return [first]
        if copy.step == 1 and copy.count <= 8 and not self._linear(condition, copy.variable):
            return [_plus(first, one) for one in range(copy.count)]
        return self._hardest(condition, copy.variable, first, _plus(first, copy.count * copy.step - 1))

    def _hardest(self, condition: t.Node, variable: str, low: t.Node, last: t.Node) -> list[t.Node]:
        """Return the ends between which a comparison that is even needs to be asked. Raises RefusedError of another."""
        assert isinstance(condition, t.Binary)
        if variable not in t.names_in(condition):
            return [low]
        if not self._linear(condition, variable):
            raise RefusedError("a condition is not even in the work-item's number")
        difference = algebra.added(algebra.polynomial(condition.left), algebra.polynomial(condition.right), -1)
        moves = algebra.constant(algebra.stride(difference, variable) or {})
        casts = any(isinstance(inner, t.Cast) for inner in t.walk(condition))
        if moves is None or casts or any(_unsigned(self.kinds.get(name, "int")) for name in t.names_in(condition)):
            return [low, last]
        return [last if (moves > 0) == (condition.op in ("<", "<=")) else low]

    def _linear(self, condition: t.Node, variable: str) -> bool:
        assert isinstance(condition, t.Binary)
        sides = (algebra.polynomial(side) for side in (condition.left, condition.right))
        return all(algebra.stride(side, variable) is not None for side in sides)

    def _typed(self, name: str) -> t.Node:
        """Return what stands for a variable, of its type: a number without a sign is another one below zero."""
        value, kind = self.known[name], self.kinds[name]
        plain = {self.kinds.get(one, "int") for one in t.names_in(value)} | {kind} == {"int"}
        signed = not any(isinstance(inner, t.Number) and inner.text[-1] in "uUlL" for inner in t.walk(value))
        return value if plain and signed else t.Cast(kind, value)


def _unsigned(kind: str) -> bool:
    return kind in _UNSIGNED or kind.startswith(("unsigned", "uint"))


def _plus(node: t.Node, far: int) -> t.Node:
    return t.Binary("+", node, t.Number(str(far))) if far else node
