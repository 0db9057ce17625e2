"""A group's statements as one item's: loops over the places between their meetings, whatever they do there.

What a place keeps for itself across a meeting gets an element of an array, unless it is calculated of what never changes: then it is
calculated again. What is the same for all places stays one variable. Places that leave the kernel do nothing from there on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from math import prod

from hotloop.rewrite import algebra
from hotloop.rewrite import tree as t
from hotloop.rewrite.conditions import conjuncts, joined, negated
from hotloop.rewrite.form import Posed
from hotloop.rewrite.groups.alone import bare
from hotloop.rewrite.groups.apart import PLACES, again, alike, head, is_local, once, owned, single, understood
from hotloop.rewrite.groups.places import meets, waits
from hotloop.rewrite.shape import RefusedError
from hotloop.rewrite.unordered import kinds_of

_VECTOR = re.compile(r"^[a-z]+(?:2|3|4|8|16)$")
_LARGEST = 131_072
"""Numbers that the places of a group may keep together: more would be no small part of a thread's stack."""


@dataclass(slots=True)
class Fission:
    """Puts each part of a kernel between two barriers into loops over the work-items of a group."""

    posed: Posed
    body: t.Body
    own: set[str] = field(default_factory=set)
    """Variables of which each place has its own."""
    lasting: set[str] = field(default_factory=set)
    """Names whose values never change where they are visible."""
    known: dict[str, t.Declare] = field(default_factory=dict)
    """Variables of each place that are calculated again, in the order of the text."""
    kept: dict[str, t.Node] = field(default_factory=dict)
    """Elements in which places keep their variables."""
    guards: list[t.Node] = field(default_factory=list)
    """Conditions that hold for work-items that have not left the kernel."""
    inner: bool = False
    """Whether the loop over the places is within loops that are the same for all of them."""
    alike: set[t.Node] = field(default_factory=set)
    columns: dict[str, t.Index] = field(default_factory=dict)
    """Arrays that each place keeps, where the loop over the places is the innermost: neighbouring places side by side."""
    size: int = 0

    def __post_init__(self) -> None:
        self.body = tuple(single(_returned(_own_parameters(self.body, self.posed))))
        hidden = t.hidden_in(self.body, set())
        if hidden:
            raise RefusedError(f"it has two variables that are called {hidden}")
        self.alike = alike(self.body) if self.inner else set()
        self.own = owned(self.body, self._parted)
        changed = t.written_in(*self.body)
        names = (
            {one.name for one in self.posed.function.arguments} | t.declared_in(*self.body) | set(self.posed.constants)
        )
        self.lasting = ({*names, *PLACES} | {name for name in t.names_in(*self.body) if name.isupper()}) - changed
        self.lasting -= {one.name for node in t.walk(*self.body) if isinstance(node, t.Declare) for one in node.names
                         if one.value is None and not is_local(node)}  # fmt: skip

    def made(self) -> t.Body:
        """Return the statements of one item. Raises RefusedError."""
        return tuple(self._level(self.body, outermost=True))

    def _parted(self, node: t.Node) -> bool:
        return meets(node) or node in self.alike or (isinstance(node, t.Block) and any(map(self._parted, node.body)))

    def _level(self, body: t.Body, *, outermost: bool = False) -> Iterator[t.Node]:
        """Yield statements between which the group may meet, as one item does them."""
        waiting: list[t.Node] = []
        body = tuple(single(body))
        for number, node in enumerate(body):
            rest = body[number + 1 :]
            if waits(node):
                yield from self._each(waiting, rest)
                waiting = []
            elif self._parted(node):
                yield from self._each(waiting, (node, *rest))
                waiting = []
                yield from self._guarded(node) if isinstance(node, t.If) else (self._around(node),)
            elif is_local(node):
                yield node
            elif outermost and (left := _left(node)) is not None:
                yield from self._each([*waiting, *left[1]], rest)
                waiting = []
                self._leave(left[0])
            elif once(node, self.own) and not t.is_comment(node):
                if (t.written_in(node) | t.declared_in(node)) & t.names_in(*waiting):
                    yield from self._each(waiting, (node, *rest))
                    waiting = []
                yield node
            else:
                waiting.append(node)
        yield from self._each(waiting, ())

    def _guarded(self, node: t.If) -> Iterator[t.Node]:
        """Yield a branch in which the group meets; where it asks for the place, what is in it is done by the places that pass."""
        asked = t.Declare("int", (t.Declared(PLACES[0], node.condition),))
        if node.no or not t.names_in(node.condition) & self.own or not again(asked, self._again()):
            yield self._around(node)
            return
        known, kept = dict(self.known), dict(self.kept)
        self.guards.append(node.condition)
        yield t.Block(tuple(self._level(node.yes)))
        self.guards.pop()
        self.known, self.kept = known, kept

    def _around(self, node: t.Node) -> t.Node:
        """Return a loop or branch in which the group meets: it is the same for all places."""
        if t.names_in(*head(node)) & self.own:
            raise RefusedError("its places meet in a loop or branch that differs between them")
        known, kept = dict(self.known), dict(self.kept)
        match node:
            case t.For() | t.Block():
                made: t.Node = replace(node, body=tuple(self._level(node.body)))
            case t.If():
                yes = tuple(self._level(node.yes))
                self.known, self.kept = dict(known), dict(kept)
                made = replace(node, yes=yes, no=tuple(self._level(node.no)))
            case _:
                raise RefusedError("its places meet in a statement that is not understood")
        self.known, self.kept = known, kept
        return made

    def _leave(self, condition: t.Node) -> None:
        """Let places for which a condition holds do nothing from here on."""
        asked = t.Declare("int", (t.Declared(PLACES[0], condition),))
        if not again(asked, self._again()):
            raise RefusedError("which places leave the kernel follows from what changes")
        self.guards.append(
            negated(condition, kinds_of(self.posed.function, self.posed.types)) or t.Unary("!", condition)
        )

    # --- between two meetings -------------------------------------------------------------------------------------------------

    def _each(self, nodes: list[t.Node], rest: t.Body) -> Iterator[t.Node]:
        """Yield a loop over the places around statements of each, behind the arrays in which they keep what the rest needs."""
        understood(tuple(nodes), {*self.kept, *self.columns})
        later = t.names_in(*rest)
        made: list[t.Node] = []
        for node in nodes:
            if isinstance(node, t.Declare) and t.declared_in(node) <= self.lasting and again(node, self._again()):
                self.known[node.names[0].name] = node
                continue
            if not isinstance(node, t.Declare) or not t.declared_in(node) & later:
                made.append(node)
                continue
            (one,) = node.names
            yield self._array(node, one)
            made += self._begun(node, one)
        if any(not isinstance(one, t.Text) or not one.comment for one in made):
            yield self._loops(tuple(map(self._own, self._needed(made))))

    def _again(self) -> set[str]:
        """Return the names that may be used where something is calculated again."""
        return self.lasting - (self.own - {*PLACES, *self.known})

    def _array(self, node: t.Declare, one: t.Declared) -> t.Node:
        """Return the declaration of an array in which each place keeps a variable."""
        name = f"{one.name}_each"
        if name in t.names_in(*self.body) | t.declared_in(*self.body):
            raise RefusedError(f"what {one.name} holds is needed behind a barrier")
        count = prod(self.posed.group)
        self.size += count * prod(self._length(extent) for extent in one.extents)
        if self.size > _LARGEST:
            raise RefusedError("its places keep too much across their meetings")
        self.known.pop(one.name, None)
        element = t.Index(t.Name(name), _linear(self.posed.group))
        beside = self.inner and len(one.extents) == 1 and _elementwise(one.name, self.body)
        (self.columns if beside else self.kept)[one.name] = element
        kind = " ".join(word for word in node.type.split() if word != "const" or one.pointer)
        extents = (*one.extents, t.Number(str(count))) if beside else (t.Number(str(count)), *one.extents)
        return t.Declare(kind, (t.Declared(name, None, one.pointer, extents),), node.line)

    def _own(self, node: t.Node) -> t.Node:
        """Return a statement with the elements in which a place keeps its variables."""

        def change(one: t.Node) -> t.Node | None:
            if isinstance(one, t.Index) and isinstance(one.base, t.Name) and one.base.text in self.columns:
                column = self.columns[one.base.text]
                return t.Index(t.Index(column.base, self._own(one.index)), column.index)
            return None

        return t.renamed(t.changed(node, change), self.kept)

    def _begun(self, node: t.Declare, one: t.Declared) -> Iterator[t.Node]:
        """Yield the statements that give a variable the initial value of its declaration."""
        target, value, kind = t.Name(one.name), one.value, bare(node.type)
        if not isinstance(value, t.Table):
            yield from () if value is None else (t.Do(t.Assign("=", target, value), node.line),)
        elif not one.extents and _VECTOR.match(kind):
            yield t.Do(t.Assign("=", target, t.Vector(kind, value.values)), node.line)
        elif len(one.extents) == 1 and not any(isinstance(part, t.Table) for part in value.values):
            missing = self._length(one.extents[0]) - len(value.values)
            for at, part in enumerate((*value.values, *(t.Number("0") for _ in range(missing)))):
                yield t.Do(t.Assign("=", t.Index(target, t.Number(str(at))), part), node.line)
        else:
            raise RefusedError(f"what {one.name} holds is needed behind a barrier")

    def _length(self, extent: t.Node) -> int:
        known: dict[str, t.Node] = {name: t.Number(str(value)) for name, value in self.posed.constants.items()}
        found = algebra.constant(algebra.polynomial(extent, known))
        if found is None:
            raise RefusedError("how much its places keep across their meetings is not known")
        return found

    def _needed(self, nodes: list[t.Node]) -> Iterator[t.Node]:
        """Yield statements, each behind the variables that it calculates again."""
        own = t.declared_in(*(one for one in nodes if isinstance(one, t.Declare)))
        used = t.names_in(*nodes, *self.guards)
        for name in reversed(self.known):
            if name in used and name not in own:
                used |= t.names_in(self.known[name])
        yield from (node for name, node in self.known.items() if name in used and name not in own)
        guard = joined(self.guards)
        yield from nodes if guard is None else (t.If(guard, tuple(nodes)),)

    def _loops(self, body: t.Body) -> t.Node:
        """Return a loop over the places of a group, the first dimension innermost."""
        made = body
        for dimension, size in enumerate(self.posed.group):
            if size == 1 and (dimension or prod(self.posed.group) > 1):
                continue
            place = t.Name(PLACES[dimension])
            begin = t.Declare("size_t", (t.Declared(place.text, t.Number("0")),))
            below: t.Node = t.Binary("<", place, t.Number(str(size)))
            if not dimension:
                made, more = _bounded(made, place)
                below = below if more is None else t.Binary("&&", below, more)
            made = (t.For(begin, below, t.Postfix("++", place), made),)
        return made[0]


def _elementwise(name: str, body: t.Body) -> bool:
    """Tell whether an array is used element by element only."""
    uses = sum(inner == t.Name(name) for inner in t.walk(*body))
    elements = sum(isinstance(inner, t.Index) and inner.base == t.Name(name) for inner in t.walk(*body))
    return uses == elements


def _bounded(body: t.Body, place: t.Name) -> tuple[t.Body, t.Node | None]:
    """Return the statements behind conditions that the first places meet and no later ones, and these; None where there are none."""
    *heads, last = body
    if (
        not isinstance(last, t.If)
        or last.no
        or not all(isinstance(one, t.Declare) or t.is_comment(one) for one in heads)
    ):
        return body, None  # other statements are those of all places
    kinds = {one.name: (node.type, one.value) for node in heads if isinstance(node, t.Declare) for one in node.names}
    moving = {*kinds, *PLACES, *t.written_in(*last.yes)}
    bounds, rest = list[t.Node](), list[t.Node]()
    for one in conjuncts(last.condition):
        match one:
            case t.Binary(op="<" | "<=" as op, left=t.Name(text=name), right=right) if (
                kinds.get(name, ("", None))[1] == place and not t.names_in(right) & moving and _still(right)
            ):
                bounds.append(t.Binary(op, t.Cast(bare(kinds[name][0]), place), right))
            case _:
                rest.append(one)
    guard = joined(rest)
    inner = last.yes if guard is None else (replace(last, condition=guard),)
    return ((*heads, *inner), joined(bounds)) if bounds else (body, None)


def _still(node: t.Node) -> bool:
    """Tell whether an expression reads no memory."""
    return not any(isinstance(one, t.Index | t.Call | t.Assign | t.Postfix | t.Text | t.Unary) for one in t.walk(node))


def _linear(group: tuple[int, ...]) -> t.Node:
    """Return the number of a place among all of its group."""
    made: t.Node | None = None
    for dimension in reversed(range(len(group))):
        if group[dimension] == 1:
            continue
        place = t.Name(PLACES[dimension])
        made = place if made is None else t.Binary("+", t.Binary("*", made, t.Number(str(group[dimension]))), place)
    return made or t.Number("0")


def _left(node: t.Node) -> tuple[t.Node, t.Body] | None:
    """Return under which condition a place leaves the kernel, and what it does before; None where it does not in this way."""
    if not isinstance(node, t.If) or node.no or not node.yes or not t.is_return(node.yes[-1]):
        return None
    before = node.yes[:-1]
    return node.condition, (t.If(node.condition, before, (), node.line),) if before else ()


def _returned(body: t.Body) -> t.Body:
    """Return statements without a return at their end."""
    return body[:-1] if body and t.is_return(body[-1]) else body


def _own_parameters(body: t.Body, posed: Posed) -> t.Body:
    """Return statements in which parameters that a place changes once, at first, are variables with that value."""
    made = list(body)
    for argument in posed.function.arguments:
        changes = [n for n, node in enumerate(made) if argument.name in t.written_in(node)]
        writes = sum(isinstance(node, t.Assign) and node.target == t.Name(argument.name) for node in t.walk(*made))
        if not changes or not t.names_in(made[changes[0]]) & {*PLACES, *_depending(body)}:
            continue
        node = made[changes[0]]
        match node:
            case t.Do(value=t.Assign(op="+=", target=t.Name(), value=value)) if writes == len(changes) == 1:
                if any(argument.name in t.names_in(before) for before in made[: changes[0]]):
                    raise RefusedError(f"{argument.name} moves on between its uses")
                own = t.Name(f"{argument.name}_own")
                kind = (
                    f"__{argument.space} {'const ' if 'const' in argument.qualifiers else ''}{argument.type}"
                    if argument.pointer
                    else argument.type
                )
                moved = t.Binary("+", t.Name(argument.name), value)
                declared = t.Declare(kind, (t.Declared(own.text, moved, "*" if argument.pointer else ""),), node.line)
                rest = [t.renamed(after, {argument.name: own}) for after in made[changes[0] + 1 :]]
                made = [*made[: changes[0]], declared, *rest]
            case _:
                raise RefusedError(f"{argument.name} is a parameter that each place changes")
    return tuple(made)


def _depending(body: t.Body) -> set[str]:
    found = set(PLACES)
    for _ in range(20):
        found |= {name for name, value in t.assignments(*body) if t.names_in(value) & found}
    return found
