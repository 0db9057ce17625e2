"""What arrays in local memory hold, in terms of what was put there: a tile's element is the one of global memory that it was loaded from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from math import prod

from hotloop.rewrite import algebra, halos
from hotloop.rewrite import tree as t
from hotloop.rewrite.amounts.intervals import Interval
from hotloop.rewrite.amounts.line import divided, ends, in_line, in_rows, names_of, split
from hotloop.rewrite.conditions import conjuncts
from hotloop.rewrite.grid import Grid, expression
from hotloop.rewrite.loops import counted
from hotloop.rewrite.ranges import accesses
from hotloop.rewrite.shape import RefusedError

MEETING = frozenset(["barrier", "work_group_barrier", "mem_fence", "read_mem_fence", "write_mem_fence"])


@dataclass(frozen=True, slots=True)
class _Store:
    """Where one array is filled: in which statement, at which element, with what."""

    node: t.Node
    places: t.Body
    value: t.Node
    moving: tuple[str, ...]
    """Variables that walk over the array: positions within the group, or a loop variable that the group shares."""


def arrays(function: t.Function) -> tuple[str, ...]:
    """Return a kernel's arrays that work-items of a group may share."""
    own = [
        declared.name
        for node in t.walk(*function.body)
        if isinstance(node, t.Declare)
        for declared in node.names
        if declared.extents
    ]
    return (*own, *(argument.name for argument in function.arguments if argument.space == "local"))


def unstaged(body: t.Body, names: tuple[str, ...], grid: Grid) -> t.Body:
    """Return statements that read what local arrays are filled with, and do not meet any more. Raises RefusedError."""
    written = {e.base.text for e, w, _ in accesses(t.Block(body)) if w and isinstance(e.base, t.Name)}
    for name in names:
        if name in t.names_in(*body):
            body = _Array(name, grid, written - set(names)).gone(body)
    return tuple(_unmet(body, set(names)))


def _unmet(body: t.Body, names: set[str]) -> Iterator[t.Node]:
    for node in body:
        match node:
            case t.Do(value=t.Call(function=function)) if function in MEETING:
                continue
            case t.Declare(names=declared) if any(one.name in names for one in declared):
                kept = tuple(one for one in declared if one.name not in names)
                if kept:
                    yield replace(node, names=kept)
            case t.For() | t.Block():
                yield replace(node, body=tuple(_unmet(node.body, names)))
            case t.If():
                yield replace(node, yes=tuple(_unmet(node.yes, names)), no=tuple(_unmet(node.no, names)))
            case _:
                yield node


@dataclass(frozen=True, slots=True)
class _Array:
    name: str
    grid: Grid
    written: set[str]
    """Global arrays that the kernel writes: what was loaded from them may be another value later."""

    def gone(self, body: t.Body) -> t.Body:
        """Return statements without the array. Raises RefusedError."""
        made = self._gone(body)
        if made is None and (one := self._agreed(body)) is not None:
            made = self._gone(one)
        if made is None or self.name in t.names_in(*made):
            raise RefusedError(f"{self.name} is filled in more than one place, or read before")
        return made

    def _gone(self, body: t.Body) -> t.Body | None:
        alone = self._filled(*body) <= 2  # an if with an else writes it twice
        return self._body(body) if alone else None

    def _agreed(self, body: t.Body, moving: frozenset[str] = frozenset()) -> t.Body | None:
        """Return statements of which one fills the array, where all did so by its rule, else None; `moving`: what changes from round to round."""
        for number, node in enumerate(body):
            if isinstance(node, t.For | t.Block) and self._filled(*body) == self._filled(node):
                own = t.written_in(node) | t.declared_in(node) if isinstance(node, t.For) else set()
                made = self._agreed(node.body, moving | own)
                return None if made is None else (*body[:number], replace(node, body=made), *body[number + 1 :])
            if isinstance(node, t.If) and not node.no and self._filled(*body) == self._filled(*node.yes):
                made = self._agreed(node.yes, moving)
                return None if made is None else (*body[:number], replace(node, yes=made), *body[number + 1 :])
        main = next((one for one in body if isinstance(one, t.Do) and self._filled(one)), None)
        store = None if main is None else self._store(main)
        if store is None or main is None:
            return None
        kept = halos.without(body, main, self._places)
        if moving and not halos.steady(body, self._places, self.grid.inlined, moving):
            return None
        if self._filled(*kept) != 1 or not self._agree(store, tuple(halos.others(body, main, self._places))):
            return None
        return kept

    def _agree(self, store: _Store, others: tuple[tuple[t.Body, t.Node], ...]) -> bool:
        """Tell whether stores put at each place what one of them would put there."""
        value, spans = self.grid.inlined(store.value), self.grid.spans(())
        try:
            rules = [t.renamed(value, self._solved(store, at, spans)) for at, _ in others]
        except RefusedError:
            return False
        given = [self.grid.inlined(other) for _, other in others]
        return all(halos.same(rule, other, self._terms) for rule, other in zip(rules, given, strict=True))

    def _terms(self, node: t.Node) -> algebra.Polynomial:
        return algebra.polynomial(self.grid.inlined(node), self.grid.numbers())

    def _body(self, body: t.Body, *, again: bool = False) -> t.Body | None:
        """Return the statements where the array is filled among them, or deeper; None where it is not.

        What a condition leaves out is nobody's value, but in rounds (`again`), where it is that of the round before.
        """
        for number, node in enumerate(body):
            store = self._store(node)
            if (
                store is not None
                and not (again and isinstance(node, t.If) and not node.no)
                and self._filled(*body) == self._filled(node)
            ):
                rest = body[number + 1 :]
                return (*body[:number], *self._read(store, rest))
        for number, node in enumerate(body):
            inner: t.Node | None = None
            round_ = again or isinstance(node, t.For)
            if isinstance(node, t.For | t.Block) and (made := self._body(node.body, again=round_)) is not None:
                inner = replace(node, body=made)
            elif isinstance(node, t.If) and (made := self._body(node.yes, again=again)) is not None:
                inner = replace(node, yes=made)
            if inner is not None:
                return (*body[:number], inner, *body[number + 1 :])
        return None

    def _filled(self, *nodes: t.Node) -> int:
        """Return how many statements write the array."""
        targets = (node.target for node in t.walk(*nodes) if isinstance(node, t.Assign))
        return sum(1 for target in targets if self._places(target) is not None)

    def _store(self, node: t.Node) -> _Store | None:
        places = self.grid.named_places()
        match node:
            case t.Do(value=t.Assign(op="=", target=target, value=value)) if (at := self._places(target)) is not None:
                return _Store(node, at, value, places)
            case t.If(condition=condition, yes=(yes,), no=(no,)):
                first, second = self._store(yes), self._store(no)
                if first is not None and second is not None and first.places == second.places:
                    return _Store(node, first.places, t.Choice(condition, first.value, second.value), places)
            case t.If(condition=condition, no=(), yes=yes) if yes and self._settled(yes[:-1]):
                store = self._store(_put_in(*yes))
                if store is not None and self._one_fills(condition, store):
                    return replace(store, node=node)
                if store is not None:
                    return replace(store, node=node, value=t.Choice(condition, store.value, t.Number("0")))
            case t.For(first=begin, body=body, step=t.Assign(op="+=", target=t.Name(text=variable), value=by)):
                real = [statement for statement in body if not (isinstance(statement, t.Text) and statement.comment)]
                store = self._store(_put_in(*real)) if real and self._settled(tuple(real[:-1])) else None
                walked = self._shared(begin, variable, by)
                if store is not None and walked and not any(self._asks(store, place) for place in walked):
                    moving = (*(one for one in store.moving if one not in walked), variable)
                    return self._apart(replace(store, node=node, moving=moving), variable)
            case t.For(body=(inner,)) if (own := _counted_from_nothing(node)) and (store := self._store(inner)):
                return replace(store, node=node, moving=(*store.moving, own))
        return None

    def _one_fills(self, condition: t.Node, store: _Store) -> bool:
        """Tell whether a condition names the only work-item that fills an array, by its places, and nothing depends on who it is."""
        places = [self._at(conjunct) for conjunct in conjuncts(condition)]
        return all(place and not self._asks(store, place) for place in places)

    def _at(self, condition: t.Node) -> str:
        """Return the place that a comparison says is one number, which some work-item of each group has; empty of another condition."""
        if not isinstance(condition, t.Binary) or condition.op != "==" or not isinstance(condition.right, t.Number):
            return ""
        left, number = self.grid.inlined(condition.left), algebra.constant(algebra.polynomial(condition.right))
        sizes = dict(zip(self.grid.named_places(), self.grid.group, strict=True))
        found = isinstance(left, t.Name) and number is not None and 0 <= number < sizes.get(left.text, 0)
        return left.text if found else ""  # type: ignore[attr-defined]

    def _asks(self, store: _Store, place: str) -> bool:
        """Tell whether what is stored, or where, depends on a place in the group: beside the loop over it, on who fills an element."""
        return any(place in t.names_in(self.grid.inlined(one)) for one in (store.value, *store.places))

    def _settled(self, body: t.Body) -> bool:
        """Tell declarations of numbers that are put in where they are used."""
        names = (declared.name for node in body if isinstance(node, t.Declare) for declared in node.names)
        return all(isinstance(node, t.Declare) for node in body) and all(name in self.grid.known for name in names)

    def _apart(self, store: _Store, variable: str) -> _Store:
        """Return a store by row and column where it takes the number that walks over the array apart."""
        inner = tuple(self.grid.inlined(one) for one in (store.value, *store.places))
        made = in_rows(inner, variable, {**self.grid.known, **self.grid.numbers()})
        if made is None:
            return store
        moving = (*(one for one in store.moving if one != variable), *names_of(variable))
        return replace(store, value=made[0], places=made[1:], moving=moving)

    def _shared(self, begin: t.Node | None, variable: str, by: t.Node) -> tuple[str, ...]:
        """Return the places from which on a loop that work-items of a group share goes in steps of the group; none of another loop."""
        value = begin.names[0].value if isinstance(begin, t.Declare) and len(begin.names) == 1 else None
        value = begin.value if isinstance(begin, t.Assign) and begin.target == t.Name(variable) else value
        if value is None:
            return ()
        start = algebra.polynomial(self.grid.inlined(value), self.grid.numbers())
        step = algebra.polynomial(by, {**self.grid.known, **self.grid.numbers()})
        for place, size in zip(self.grid.named_places(), self.grid.group, strict=True):
            if start == {(place,): 1} and step == {(): size}:
                return (place,)
        every = dict(zip(self.grid.named_places(), self.grid.group, strict=True))
        return tuple(every) if step == {(): prod(every.values())} and in_line(start, every) else ()

    def _places(self, node: t.Node) -> t.Body | None:
        """Return the indices of an element of the array, None of another expression."""
        places: list[t.Node] = []
        while isinstance(node, t.Index):
            places.insert(0, node.index)
            node = node.base
        return tuple(places) if node == t.Name(self.name) and places else None

    def _read(self, store: _Store, rest: t.Body) -> t.Body:
        """Return the statements behind the store, which read what it stored. Raises RefusedError."""
        value = self.grid.inlined(store.value)
        if {
            one.text for n in t.walk(value) if isinstance(n, t.Index) for one in [n.base] if isinstance(one, t.Name)
        } & self.written:
            raise RefusedError(f"what {self.name} holds is written again")
        if t.names_in(value) & t.declared_in(store.node) - set(store.moving):
            raise RefusedError(f"what {self.name} is filled from is known where it is filled alone")
        last = max((n for n, one in enumerate(rest) if self.name in _used(one)), default=-1)
        changed = t.written_in(*rest[: last + 1]) | t.declared_in(*rest[: last + 1])
        if t.names_in(value) & changed - set(store.moving):
            raise RefusedError(f"what {self.name} is filled from moves on before it is read")

        def change(node: t.Node) -> t.Node | None:
            places = self._places(node)
            if places is None:
                return None
            if len(places) != len(store.places):
                raise RefusedError(f"{self.name} is used in another form than it is filled")
            return t.changed(t.renamed(value, self._solved(store, places, spans)), _without_zeros)

        spans = self.grid.spans(rest)
        return tuple(t.changed(statement, change) for statement in rest)

    def _along(self, store: _Store, filled: algebra.Polynomial, wanted: algebra.Polynomial) -> dict[str, t.Node] | None:
        """Return who fills an element where places are counted in one line, and what they fill in follows from that number alone."""
        every = dict(zip(self.grid.named_places(), self.grid.group, strict=True))
        sizes = {name: size for name, size in every.items() if size > 1}
        line = {names: value for names, value in filled.items() if names}
        if len(sizes) < 2 or len(store.places) > 1 or set(store.moving) != set(every) or not in_line(line, sizes):
            return None
        first, *more = sorted(sizes, key=lambda name: line.get((name,), 0))
        terms = [self._terms(node) for node in _numbers(self.grid.inlined(store.value))]
        for number in terms:
            step = algebra.stride(number, first)
            for name in more:
                far = algebra.multiplied(step or {}, {(): line[name,]})
                if step is None or algebra.stride(number, name) != far:
                    return None
        begin: algebra.Polynomial = {(): filled[()]} if () in filled else {}
        return {name: t.Number("0") for name in every} | {first: expression(algebra.added(wanted, begin, -1))}

    def _lengthy(
        self, wanted: algebra.Polynomial, fixed: algebra.Polynomial, steps: Mapping[str, algebra.Polynomial | None],
        spans: Mapping[str, Interval],
    ) -> dict[str, t.Node] | None:  # fmt: skip
        """Return the same where rows may have a length that is a parameter: its named value is that of a row with nothing beyond it."""
        sizes = {name: algebra.constant(one) if one is not None else None for name, one in steps.items()}
        longer = [(name, one) for name, one in steps.items() if one is not None and sizes[name] is None]
        if not longer:
            return self._rows(wanted, fixed, sizes, spans)
        (name, one), *more = longer
        length = next(iter(one))[0] if len(one) == 1 and list(one.values()) == [1] and len(next(iter(one))) == 1 else ""
        if more or not (far := self.grid.values.get(length, 0)):
            return None
        to, left = split(wanted, length)
        since, begin = split(fixed, length)
        reached = (ends(left, spans), ends(begin, spans))
        if any(low < 0 or high >= far for low, high in reached):
            return None
        rest = self._rows(left, begin, {other: size for other, size in sizes.items() if other != name}, spans)
        return None if rest is None else {name: expression(algebra.added(to, since, -1)), **rest}

    def _rows(
        self, wanted: algebra.Polynomial, fixed: algebra.Polynomial, sizes: Mapping[str, int | None],
        spans: Mapping[str, Interval],
    ) -> dict[str, t.Node] | None:  # fmt: skip
        """Return what the variables that walk over an array in steps of these sizes are at a place; None where that is not to be seen."""
        found: dict[str, t.Node] = {}
        for name, size in sorted(sizes.items(), key=lambda one: -(one[1] or 0)):
            parts = _quotients(wanted, fixed, size, spans) if size and size > 0 else None
            if parts is None:
                return None
            steps, wanted, fixed = parts
            found[name] = expression(steps)
        return None if algebra.added(wanted, fixed, -1) else found

    def _solved(self, store: _Store, places: t.Body, spans: Mapping[str, Interval]) -> dict[str, t.Node]:
        """Return who filled the element that is read. Raises RefusedError."""
        solved: dict[str, t.Node] = {}
        for at, asked in zip(store.places, places, strict=True):
            filled = algebra.polynomial(self.grid.inlined(at), self.grid.numbers())
            steps = {name: algebra.stride(filled, name) for name in store.moving if algebra.depends(filled, name)}
            wanted = algebra.polynomial(self.grid.inlined(asked), self.grid.numbers())
            fixed = {names: value for names, value in filled.items() if not set(names) & set(steps)}
            found = self._along(store, filled, wanted)
            if found is None:
                found = self._lengthy(wanted, fixed, steps, spans)
            if found is None or set(found) & set(solved):
                raise RefusedError(f"who fills an element of {self.name} is not to be seen")
            solved |= found
        missing = {one for one in t.names_in(self.grid.inlined(store.value)) if one in store.moving} - set(solved)
        if missing:
            raise RefusedError(f"several work-items fill one element of {self.name}")
        return solved


def _without_zeros(node: t.Node) -> t.Node | None:
    """Return what a sum is without ``0 * n``; None of other expressions."""
    nothing = t.Number("0")
    match node:
        case t.Binary(op="+", left=t.Binary(op="*", left=left, right=right), right=rest) if nothing in (left, right):
            return t.changed(rest, _without_zeros)
    return None


def _numbers(node: t.Node) -> Iterator[t.Node]:
    """Yield the numbers that an expression is made of: indices, both sides of comparisons, and what else is no sum of products."""
    match node:
        case t.Index(index=index):
            yield index
        case t.Choice(condition=condition, yes=yes, no=no):
            for part in (condition, yes, no):
                yield from _numbers(part)
        case t.Binary(op=op, left=left, right=right) if op in ("<", "<=", ">", ">=", "==", "!="):
            yield left
            yield right
        case t.Binary(op="&&" | "||", left=left, right=right):
            yield from _numbers(left)
            yield from _numbers(right)
        case _:
            yield node


def _quotients(
    wanted: algebra.Polynomial, fixed: algebra.Polynomial, size: int, spans: Mapping[str, Interval]
) -> tuple[algebra.Polynomial, algebra.Polynomial, algebra.Polynomial] | None:
    """Return how many steps of a size lie between two places, and what is left of both; None where that is not to be seen."""
    if (steps := divided(algebra.added(wanted, fixed, -1), size, spans)) is not None:
        return steps, algebra.added(wanted, algebra.multiplied({(): size}, steps), -1), fixed
    to, since = divided(wanted, size, spans), divided(fixed, size, spans)
    if to is None or since is None:
        return None
    left, begin = (
        algebra.added(one, algebra.multiplied({(): size}, by), -1) for one, by in ((wanted, to), (fixed, since))
    )
    return algebra.added(to, since, -1), left, begin


def _counted_from_nothing(loop: t.For) -> str:
    """Return the variable of a loop in which each work-item goes through elements of its own, from the first one on; empty of another loop."""
    try:
        count = counted(loop)
    except RefusedError:
        return ""
    return count.variable if count.low == t.Number("0") else ""


def _put_in(*body: t.Node) -> t.Node:
    """Return the last of statements with the numbers put in that those before it declare."""
    own: dict[str, t.Node] = {}
    for node in body[:-1]:
        for one in node.names if isinstance(node, t.Declare) else ():
            if one.value is not None:
                own[one.name] = t.renamed(one.value, own)
    return t.renamed(body[-1], own) if own else body[-1]


def _used(*nodes: t.Node) -> set[str]:
    return {node.base.text for node in t.walk(*nodes) if isinstance(node, t.Index) and isinstance(node.base, t.Name)}
