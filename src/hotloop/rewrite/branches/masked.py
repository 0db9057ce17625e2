"""Branches that differ between the lanes of a vector: what they keep is kept in the lanes that are meant, and skipped where none is.

``if (r2 < cutoff) { float f = g(r2); s += f * q[j]; }`` becomes a mask, ``any(mask)`` around statements on whole vectors, and a choice by the mask
where a variable outlives the branch. What a lane reads at a place of its own is read in chosen lanes only, unless the kernel uses that place of the same
array without a condition, too; neighbours are read at once where all lanes are chosen. What is the same for all lanes is read where some lane would read it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from hotloop.rewrite import algebra
from hotloop.rewrite import tree as t
from hotloop.rewrite.branches.looped import before_leaving, begun, leaving, opened, stepped, stops
from hotloop.rewrite.branches.stored import stored
from hotloop.rewrite.components.computed import component
from hotloop.rewrite.conditions import BOTH, acts, assigned, conjuncts, divides, fresh
from hotloop.rewrite.shape import RefusedError
from hotloop.rewrite.vectors.kinds import REALS, WHOLES, calculated
from hotloop.rewrite.vectors.lanes import Lanes
from hotloop.rewrite.write import expression

_DIVIDED = "whole numbers are divided in lanes that are not meant"
Place = tuple[str, algebra.Polynomial]
"""An array's name and an index into it."""


def _place(node: t.Index, known: Mapping[str, t.Node]) -> Place:
    return expression(node.base), algebra.polynomial(node.index, known)


@dataclass(slots=True)
class MaskedLanes(Lanes):
    """Lanes of which only those that a mask chooses may read what others may not."""

    mask: t.Node | None = None
    used: tuple[Place, ...] = ()
    """Elements that the kernel uses without a condition."""

    def _element(self, node: t.Index) -> tuple[t.Node, str]:
        made, kind = Lanes._element(self, node)  # noqa: SLF001 - its own base
        return (made, kind) if not kind or self._open(node) else (self._guarded(node, made, kind), kind)

    def _part(self, node: t.Node, element: t.Index, kind: str) -> tuple[t.Node, str]:
        made, own = Lanes._part(self, node, element, kind)  # noqa: SLF001 - its own base
        return (made, own) if not own or self._open(element) else (self._guarded(node, made, own), own)

    def _open(self, node: t.Index) -> bool:
        return self.mask is None or _place(node, self.known) in self.used

    def _guarded(self, node: t.Node, made: t.Node, kind: str) -> t.Node:
        """Return what chosen lanes read, from what all would; others have nothing."""
        assert self.mask is not None
        nothing = t.Number("0.0f" if kind == "float" else "0")
        each = [t.Choice(component(self.mask, at), self.lane(node, at), nothing) for at in range(self.count)]
        apart = t.Vector(self.vector(kind), tuple(each))
        together = isinstance(made, t.Call)
        return t.Choice(t.Call("all", (self.mask,)), made, apart) if together else apart


def _selects(node: t.Node) -> bool:
    """Tell a choice between two values that costs less than asking whether any lane makes it: nothing is read for chosen lanes only."""
    if t.is_comment(node):
        return True
    if not isinstance(node, t.Do) or not isinstance(node.value, t.Assign) or not isinstance(node.value.target, t.Name):
        return False
    parts = list(t.walk(node.value.value))
    calls = [one.function for one in parts if isinstance(one, t.Call)]
    free = all(name == "select" or name.startswith(("convert_", "vload")) for name in calls)
    return free and len(parts) < _CHEAP and not any(isinstance(one, t.Choice) or divides(one) for one in parts)


_CHEAP = 32
"""Parts of an expression below which a vector of it costs less than a branch."""


def _reads(node: t.Node) -> bool:
    return isinstance(node, t.Index) or (isinstance(node, t.Call) and node.function.startswith("vload"))


@dataclass(slots=True)
class Branches:
    """Makes the statements of a branch on whole vectors."""

    lanes: MaskedLanes
    differs: Callable[[t.Node], bool]
    """Tells what differs between lanes."""
    own: set[str] = field(default_factory=set)
    """Variables that end with the branch."""

    def made(self, node: t.If) -> t.Body:
        """Return a branch with its mask. Raises RefusedError where it does more than give variables values."""
        mask, condition = self._mask(node)
        kind, used = self.lanes.vector("int"), (*self.lanes.used, *self._asked_for(node))
        chosen = replace(self, lanes=replace(self.lanes, mask=mask, used=used), own=set())
        body: list[t.Node] = [t.Declare(kind, (t.Declared(mask.text, condition),))]
        if self.lanes.mask is None and (both := either(chosen, node, mask)):
            return (t.Block((*body, *both)),)
        if any(not t.is_comment(one) for one in node.yes):
            made = tuple(chosen.body(node.yes))
            cheap = not node.no and not self._reads_alike(node.yes) and all(map(_selects, made))
            body += made if cheap else [t.If(t.Call("any", (mask,)), made, ())]
        if any(not t.is_comment(one) for one in node.no):
            other = t.Name(f"{mask.text}_not")
            left: t.Node = t.Unary("~", mask)
            if self.lanes.mask is not None:
                left = t.Binary("&", self.lanes.mask, left)
            chosen = replace(self, lanes=replace(self.lanes, mask=other, used=used), own=set())
            body += [
                t.Declare(kind, (t.Declared(other.text, left),)),
                t.If(t.Call("any", (other,)), tuple(chosen.body(node.no)), ()),
            ]
        return (t.Block(tuple(body)),)

    def _asked_for(self, node: t.If) -> tuple[Place, ...]:
        """Return the elements that a branch's condition reads for every lane, and that mean the same within the branch."""
        if self.lanes.mask is not None:
            return ()
        again = t.written_in(*node.yes, *node.no) | t.declared_in(*node.yes, *node.no)
        return tuple(_place(one, self.lanes.known) for one in _elements(node.condition) if not again & t.names_in(one))

    def looped(self, node: t.For) -> t.Body:
        """Return a loop that goes on until no lane is left in it. Raises RefusedError where it does more than give variables values."""
        outer, kind = self.lanes.mask, self.lanes.vector("int")
        going = t.Name(fresh("going" if outer is None else f"{outer.text}_going", node))  # type: ignore[attr-defined]
        inner = replace(self, lanes=replace(self.lanes, mask=going), own=set())
        begin = t.Declare(kind, (t.Declared(going.text, outer or t.Vector(kind, (t.Number("-1"),))),))
        left: t.Node = t.Call("any", (going,))
        if not self._head_differs(node):
            asked = left if node.condition is None else t.Binary("&&", *self._asked(node.condition, left))
            body = tuple(inner.round(node.body))
            if self._reads_alike(again := stepped(node)):
                node, body = replace(node, step=None), (*body, *inner.someone(again, again))
            return (t.Block((begin, replace(node, condition=asked, body=body))),)
        fresh_start = outer is None and isinstance(node.first, t.Declare)
        first = tuple((replace(self, own=inner.own) if fresh_start else inner).body(begun(node)))
        again = inner.still(node.condition)
        step = inner.someone(stepped(node), inner.body(stepped(node)))
        body = (*inner.round(node.body), *step, *again)
        return (t.Block((begin, *first, *again, t.For(None, left, None, body, node.line))),)

    def later(self, node: t.For, going: t.Name, counter: str) -> tuple[t.Body, t.For]:
        """Return what takes lanes out of the mask `going`, and the rounds of a loop once it is begun, which counts a number that all lanes share.

        Raises RefusedError where the loop does more than give variables values.
        """
        inner = replace(self, lanes=replace(self.lanes, mask=going), own={counter})
        again = inner.still(node.condition)
        step = inner.someone(stepped(node), inner.body(stepped(node)))
        body = (*inner.round(node.body), *step, *again)
        return again, t.For(None, t.Call("any", (going,)), None, body, node.line)

    def apart(self, node: t.For) -> bool:
        """Tell whether lanes leave a loop at different rounds."""
        return self._head_differs(node) or any(map(self.differs, leaving(node)))

    def _head_differs(self, node: t.For) -> bool:
        return any(self.differs(one) for one in (node.first, node.condition, node.step) if one is not None)

    def still(self, condition: t.Node | None) -> t.Body:
        """Return statements that take out of the mask whom a condition lets go: each comparison is made by those who are left."""
        mask = self.lanes.mask
        assert mask is not None
        made: list[t.Node] = []
        for one in () if condition is None else conjuncts(condition):
            asked = self.lanes.mask_for(*self.lanes.compared(self._safe(one)), "int")
            made += self.someone((one,), [t.Do(t.Assign("=", mask, t.Binary("&", mask, asked)))])
        return tuple(made)

    def _asked(self, condition: t.Node, left: t.Node) -> t.Body:
        """Return whether a loop goes on and whether a lane is left in it, first what may keep the other from being asked."""
        return (left, condition) if self._reads_alike((condition,)) else (condition, left)

    def someone(self, body: t.Body, made: Iterable[t.Node]) -> t.Body:
        """Return what became of statements, done if a lane is left where they read what is the same for all: nobody else would read it."""
        assert self.lanes.mask is not None
        return (t.If(t.Call("any", (self.lanes.mask,)), tuple(made)),) if self._reads_alike(body) else tuple(made)

    def _reads_alike(self, body: t.Body) -> bool:
        """Tell whether statements read an element, or divide by something, that is the same for all lanes."""
        return any((_reads(one) or divides(one)) and not self.differs(one) for one in t.walk(*body))

    def round(self, body: t.Body) -> Iterator[t.Node]:
        """Yield the statements of a round, of which some may leave the loop. Raises RefusedError."""
        statements = opened(body)
        for at, node in enumerate(statements):
            if isinstance(node, t.If) and stops(node):
                rest = statements[at + 1 :]
                yield self._left(node)
                yield from self.someone(rest, self.round(rest))
                return
            yield from self._statement(node)

    def _left(self, node: t.If) -> t.Block:
        """Return a branch whose lanes leave the loop at its end. Raises RefusedError."""
        going = self.lanes.mask
        assert going is not None
        mask, condition = self._mask(node)
        last = replace(self, lanes=replace(self.lanes, mask=mask), own=set())
        done = tuple(last.body(before_leaving(node)))
        made: list[t.Node] = [t.Declare(self.lanes.vector("int"), (t.Declared(mask.text, condition),))]
        made += [t.If(t.Call("any", (mask,)), done, ())] if done else []
        return t.Block((*made, t.Do(t.Assign("=", going, t.Binary("&", going, t.Unary("~", mask))))))

    def _mask(self, node: t.If) -> tuple[t.Name, t.Node]:
        condition, compared = self.lanes.compared(
            node.condition if self.lanes.mask is None else self._safe(node.condition)
        )
        condition = self.lanes.mask_for(condition, compared, "int")
        outer = self.lanes.mask
        name = fresh("mask" if outer is None else f"{outer.text}_in", node)  # type: ignore[attr-defined]
        return t.Name(name), condition if outer is None else t.Binary("&", outer, condition)

    def body(self, body: t.Body) -> Iterator[t.Node]:
        """Yield statements of chosen lanes. Raises RefusedError."""
        for node in body:
            yield from self._statement(node)

    def _statement(self, node: t.Node) -> Iterator[t.Node]:
        match node:
            case t.Text(comment=True):
                yield node
            case t.Declare():
                made = (self._declared(node, one) for one in node.names if one.name not in self.lanes.known)
                yield from made
            case t.Do(value=t.Assign(target=t.Name(text=text)) as assign) if not acts(assign.value):
                yield self._assigned(node, assign, text)
            case t.Do(value=t.Assign(target=t.Index() | t.Member(base=t.Index())) as assign) if not acts(assign.value):
                yield self._stored(node, assign)
            case t.If() if self.differs(node.condition):
                yield from self.made(node)
            case t.If():
                yield replace(node, yes=tuple(self.body(node.yes)), no=tuple(self.body(node.no)))
            case t.Block(body=body):
                yield replace(node, body=tuple(self.body(body)))
            case t.For() if self.apart(node):
                yield from self.looped(node)
            case t.For(body=body):
                yield replace(node, body=tuple(self.body(body)))
            case _:
                raise RefusedError("a branch that differs between neighbours does more than give variables values")

    def _declared(self, node: t.Declare, one: t.Declared) -> t.Declare:
        self.own.add(one.name)
        if one.pointer or one.extents:
            raise RefusedError(f"{one.name} is an array or a pointer of each lane")
        if one.name not in self.lanes.vectors:
            return replace(node, names=(one,))
        kind = self._kind(one.name)
        value = self.lanes.wide(self._whole(one.value or t.Number("0"), kind), kind)  # of a lane left out, too
        value = self.lanes.kept(t.Name(one.name), value)
        return t.Declare(self.lanes.vector(kind), (replace(one, value=value),), node.line)

    def _kind(self, name: str) -> str:
        """Return the type in which C calculates with a variable of which vectors are made. Raises RefusedError."""
        kind = calculated(self.lanes._written(name))  # noqa: SLF001 - of its own class
        if kind not in REALS | WHOLES:
            raise RefusedError(f"{name} is of a type of which no vectors are made in a branch")
        return kind

    def _whole(self, value: t.Node, kind: str) -> t.Node:
        """Return a value, refused where it may divide whole numbers: by zero that ends a program, chosen or not."""
        if any(map(divides, t.walk(value))) and kind in WHOLES:
            raise RefusedError(_DIVIDED)
        return self._safe(value)

    def _safe(self, value: t.Node) -> t.Node:
        """Return an expression, refused where a part of it divides whole numbers by what may be zero in a lane that is not meant."""
        if not isinstance(value, t.Index):  # whose place is asked for by chosen lanes only
            for one in t.children(value):
                self._safe(one)
        if isinstance(value, t.Binary) and divides(value) and self._traps(value):
            raise RefusedError(_DIVIDED)
        return value

    def _traps(self, node: t.Binary) -> bool:
        if isinstance(node.right, t.Number) or not self.differs(node):
            return False
        return (self.lanes.of(node)[1] or self.lanes.scalar(node)) not in REALS

    def _assigned(self, node: t.Do, assign: t.Assign, name: str) -> t.Node:
        if name not in self.lanes.vectors:
            if name not in self.own or self.differs(assign.value):
                raise RefusedError(f"{name} is the same for all lanes, or is it not?")
            return node
        kind = self._kind(name)
        self._whole(assign, kind)
        changed, own = self.lanes.joined(assign)
        value = self.lanes.kept(assign.target, self.lanes.fit(changed, own, kind))
        if name not in self.own:
            assert self.lanes.mask is not None
            value = t.Call("select", (assign.target, value, self.lanes.mask_for(self.lanes.mask, "int", kind)))
        return replace(node, value=t.Assign("=", assign.target, value))

    def _stored(self, node: t.Do, assign: t.Assign) -> t.Node:
        """Return what chosen lanes write into an array. Raises RefusedError."""
        assert self.lanes.mask is not None
        element = assign.target
        part = self.lanes.posed.part_of(element)
        self._whole(assign, calculated(part or self.lanes.element(element)))  # type: ignore[arg-type]
        return stored(self.lanes, node, assign, self.lanes.mask)


def either(yes: Branches, node: t.If, mask: t.Name) -> t.Body:
    """Return a branch both sides of which write one element: one write of what each lane chooses. Nothing of another branch.

    `yes` makes the statements of the lanes that `mask` chooses. Raises RefusedError.
    """
    sides = [assigned(node.yes), assigned(node.no)]
    if not all(one is not None and len(one) == 1 and one[0].op == "=" for one in sides):
        return ()
    (first,), (second,) = sides  # type: ignore[misc]
    target, no = first.target, t.Name(f"{mask.text}_not")
    if not isinstance(target, t.Index) or target != second.target or yes._reads_alike((first.value, second.value)):  # noqa: SLF001
        return ()
    if yes.lanes.computed(target) or yes.lanes.stride(target) != algebra.ONE:
        return ()
    kind = calculated(yes.lanes.element(target))
    made = []
    for chosen, assign in ((mask, first), (no, second)):
        lanes = replace(yes.lanes, mask=chosen)
        replace(yes, lanes=lanes)._whole(assign, kind)  # noqa: SLF001
        made.append(lanes.fit(*lanes.of(assign.value), kind))
    value = t.Call("select", (made[1], made[0], yes.lanes.mask_for(mask, "int", kind)))
    written = (yes.lanes.stored(target, value, kind), t.Number("0"), yes.lanes.place(target))
    other = t.Declare(yes.lanes.vector("int"), (t.Declared(no.text, t.Unary("~", mask)),))
    stores = t.Do(t.Call(f"vstore{yes.lanes.count}", written), node.line)
    return (other, stores) if no.text in t.names_in(value) else (stores,)


@dataclass(frozen=True, slots=True)
class Used:
    """An element that statements use whatever holds, and the loops and blocks around it: outside of them its index may mean another place."""

    element: t.Index
    around: t.Body = ()

    def before(self, node: t.If | t.For) -> bool:
        """Tell whether a branch, or a loop that some leave earlier, is inside all that is around the element."""
        return not any(outer is node for outer in self.around) and all(
            any(inner is node for inner in t.walk(outer)) for outer in self.around
        )


def unguarded(body: t.Body) -> tuple[Used, ...]:
    """Return the elements that statements use whatever holds; without those whose index has variables that statements set again."""
    again = t.written_in(*(inner for inner in t.walk(*body) if isinstance(inner, t.Do)))
    return tuple(one for one in _unguarded(body, ()) if not again & t.names_in(one.element.index))


def _unguarded(body: t.Body, around: t.Body) -> Iterator[Used]:
    for node in body:
        match node:
            case t.If(condition=condition):
                yield from (Used(element, around) for element in _elements(condition))
            case t.For(body=inner) | t.Block(body=inner):
                yield from _unguarded(inner, (*around, node))
            case _:
                yield from (Used(element, around) for element in _elements(node))


def _elements(node: t.Node) -> Iterator[t.Index]:
    """Yield the elements that an expression uses; none where some of it may be left out."""
    skips = any(isinstance(one, t.Choice) or (isinstance(one, t.Binary) and one.op in BOTH) for one in t.walk(node))
    yield from (inner for inner in t.walk(node) if isinstance(inner, t.Index) and not skips)


def places_at(node: t.If | t.For, used: tuple[Used, ...], known: Mapping[str, t.Node]) -> tuple[Place, ...]:
    """Return the elements that are used whatever holds and mean the same within a branch."""
    return tuple(_place(one.element, known) for one in used if one.before(node))
