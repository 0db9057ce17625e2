"""Several work-items' statements as one item's: each statement once for every copy, loops entered once for all of them.

Work-items of a kernel without barriers have no order among each other, so any interleaving of their statements is right.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from hotloop.rewrite import algebra
from hotloop.rewrite import tree as t
from hotloop.rewrite.branches.evened import evened, steady, unsigned, wholes
from hotloop.rewrite.branches.looped import leaving, left
from hotloop.rewrite.branches.masked import Branches, MaskedLanes, Used, places_at, unguarded
from hotloop.rewrite.branches.parts import exact, indices, inside, long, parted, plain, stores, variable, widened
from hotloop.rewrite.branches.reached import reached
from hotloop.rewrite.branches.stands import stands
from hotloop.rewrite.branches.together import together
from hotloop.rewrite.components.computed import component, given
from hotloop.rewrite.components.skips import chosen, kinds
from hotloop.rewrite.components.truths import numbered
from hotloop.rewrite.components.typed import number_of
from hotloop.rewrite.form import Posed
from hotloop.rewrite.shape import RefusedError
from hotloop.rewrite.vectors.kinds import REALS, WHOLES, calculated, named
from hotloop.rewrite.vectors.lanes import Lanes


@dataclass(frozen=True, slots=True)
class Copies:
    """How many copies there are along one work-item variable, and how far apart."""

    variable: str
    count: int
    step: int = 1
    lanes: int = 1
    """Lanes of one copy: above 1, a copy is a vector of neighbours."""


@dataclass(slots=True)
class Jam:
    """Makes the statements of all copies."""

    posed: Posed
    copies: tuple[Copies, ...]
    varies: dict[str, frozenset[str]] = field(default_factory=dict)
    """Local variables with the work-item variables on which their values depend."""
    shared: dict[str, t.Node] = field(default_factory=dict)
    """Whole numbers that are computed once from work-item variables, by name."""
    fixed: dict[str, int] = field(default_factory=dict)
    """Work-item variables of which only one copy is made: inside a branch that differs between copies."""
    parted: set[str] = field(default_factory=set)
    """Variables that branches or loops give values: in lanes that are left out they have none, which compilers take for leave to do anything."""
    open: tuple[Used, ...] = ()
    """Elements that each work-item uses without a condition."""

    def body(self, body: t.Body) -> t.Body:
        """Return the statements of all copies. Raises RefusedError."""
        self.posed, body = self.posed.with_body(numbered(self.posed.function.body)), numbered(body)
        before = body
        body = chosen(reached(plain(body), self.posed), self._numbers(body), kinds(self.posed))
        if body != before:  # where types are looked up
            self.posed = self.posed.with_body((*self.posed.function.body, *body))
        self._settle(body)
        if (even := evened(body, lambda one: bool(self._depends(one)), wholes(body), unsigned(self.posed))) != body:
            body, self.varies, self.shared = even, {}, {}
            self.posed = self.posed.with_body((*self.posed.function.body, *body))
            self._settle(body)
        self.open, self.parted = unguarded(body), parted(body)
        taken = t.declared_in(*body) | {argument.name for argument in self.posed.function.arguments}
        if clash := taken & {f"{name}_{at}" for name in self.varies for one in self.copies for at in range(one.count)}:
            raise RefusedError(f"copies of a variable would be called {clash.pop()}, which another is")
        self._opaque(body)
        self._kind(body)
        return self.statements(body)

    def _numbers(self, body: t.Body) -> set[str]:
        """Return the whole numbers of which neighbours in one vector have different ones."""
        wide = {copy.variable for copy in self.copies if copy.lanes > 1}
        once = {one.name: algebra.polynomial(one.value) for _, one in t.set_once(*body) if one.value is not None}
        return wide | {name for name in once if any(algebra.stride(once[name], one) == algebra.ONE for one in wide)}

    def _opaque(self, body: t.Body) -> None:
        """Refuse parts of expressions that are not understood where they name what differs between copies, and casts of pointers.

        The tree has no address space of what such a cast points to: written back, it would not compile.
        """
        differing = {*self.varies, *self.shared, *(copy.variable for copy in self.copies)}
        for node in t.walk(*body):
            if isinstance(node, t.Cast) and "*" in node.type:
                raise RefusedError(f"it casts a pointer to {node.type}")
            if (
                isinstance(node, t.Text)
                and not node.comment
                and differing & set(re.findall(r"[A-Za-z_]\w*", node.text))
            ):
                raise RefusedError(f"line {node.line} holds something that is not understood")

    def statements(self, body: t.Body) -> t.Body:
        """Return the statements of all copies, once it is known what varies. Raises RefusedError."""
        return tuple(made for node in body for made in self._statement(node))

    # --- what varies -------------------------------------------------------------------------------------------------

    def _settle(self, body: t.Body) -> None:
        """Find which copies each variable depends on, until nothing changes; then the integers that are only used as indices."""
        others = {copy.variable for copy in self.copies} | {argument.name for argument in self.posed.function.arguments}
        for _ in range(20):
            before = dict(self.varies)
            for name, value in t.assignments(*body):
                depends = self._depends(value) | self.varies.get(name, frozenset())
                if name not in others and depends:
                    self.varies[name] = depends
            steady(body, self.varies, self._depends)
            left(body, self.varies, self._depends)
            if self.varies == before:
                break
        self._share(body, [name for name, _ in t.assignments(*body)])
        for name in self.shared:
            del self.varies[name]

    def _share(self, body: t.Body, given: list[str]) -> None:
        """Find the whole numbers that may stand as their expressions wherever they are used; `given` are all assigned names."""
        for place, node in enumerate(body):
            for one in node.names if isinstance(node, t.Declare) and algebra.is_whole(node.type) else ():
                if one.value is None or one.extents or one.name not in self.varies or given.count(one.name) > 1:
                    continue
                value, rest = t.renamed(one.value, self.shared), body[place + 1 :]
                read = any(isinstance(n, t.Index) for n in t.walk(value))
                if not exact(value, self.posed) or (read and one.name not in t.names_in(*indices(rest))):
                    continue
                moved = t.written_in(*rest) & {one.name, *t.names_in(value)} or widened(node, one.name, rest)
                if not moved and one.name not in t.names_in(value) and self._again(value, rest):
                    self.shared[one.name] = stands(node, one, value, self.posed, rest)
            self._share(inside(node), given)
            if isinstance(node, t.For):  # what a round declares is gone when the loop's own number moves on
                self._share(node.body, given)

    def _again(self, value: t.Node, rest: t.Body) -> bool:
        """Tell whether a value is the same wherever the statements behind it use it: it reads nothing, or parameters that stay."""
        read = [inner for inner in t.walk(value) if isinstance(inner, t.Index)]
        given = all(isinstance(one.base, t.Name) and self.posed.function.argument(one.base.text) for one in read)
        return not read or (given and not stores(rest))

    def _depends(self, *nodes: t.Node) -> frozenset[str]:
        """Return the work-item variables that decide the value of expressions."""
        names: frozenset[str] = frozenset()
        for name in t.names_in(*nodes):
            if any(copy.variable == name for copy in self.copies):
                names |= {name}
            elif name in self.shared:
                names |= self._depends(self.shared[name])
            else:
                names |= self.varies.get(name, frozenset())
        return names

    def _kind(self, body: t.Body) -> None:
        """Refuse vectors of elements of several types before anything is built."""
        wide = next((copy for copy in self.copies if copy.lanes > 1), None)
        self.kind = "float"
        if wide is None:
            return
        kinds = set()
        parts = [node.base for node in t.walk(*body) if isinstance(node, t.Member) and self.posed.part_of(node)]
        for node in t.walk(*body):
            if isinstance(node, t.Member) and self.posed.part_of(node) and wide.variable in self._depends(node):
                kinds.add(calculated(self.posed.part_of(node)))
            if not isinstance(node, t.Index) or not isinstance(node.base, t.Name) or any(node is one for one in parts):
                continue
            if wide.variable in self._depends(node) and self.posed.function.argument(node.base.text) is not None:
                kinds.add(calculated(self.posed.type_of(node.base.text)))
        if not kinds or not kinds <= REALS | WHOLES:
            raise RefusedError(f"vectors are not made of {', '.join(sorted(kinds)) or 'nothing'}")
        self.kind = kinds.pop() if len(kinds) == 1 else "float"

    kind: str = "float"

    # --- statements --------------------------------------------------------------------------------------------------

    def _statement(self, node: t.Node) -> Iterator[t.Node]:
        match node:
            case t.Text(comment=True):
                yield node
            case t.Declare():
                yield from self._declaration(node)
            case t.Do(value=value):
                yield from self._do(node, value)
            case t.For(first=first, condition=condition, step=step, body=body):
                head = [part for part in (first, condition, step) if part is not None]
                if self._depends(*head, *leaving(node)) or t.declared_in(*head) & set(self.varies):
                    if not (looped := self._masked(node)):
                        raise RefusedError(f"the loop of line {node.line} has another length for each work-item")
                    yield from looped
                    return
                inner = tuple(made for statement in body for made in self._statement(statement))
                yield replace(node, body=inner)
            case t.Block(body=body):
                yield replace(node, body=tuple(made for statement in body for made in self._statement(statement)))
            case t.If():
                yield from self._branch(node)
            case _:
                raise RefusedError("a statement of it has no form that is understood")

    def _branch(self, node: t.If) -> Iterator[t.Node]:
        depends = self._depends(node.condition)
        if not depends:
            yes = tuple(made for one in node.yes for made in self._statement(one))
            no = tuple(made for one in node.no for made in self._statement(one))
            yield replace(node, yes=yes, no=no)
            return
        if self._wide(depends) is not None:
            yield from self._chosen(node) or self._masked(node) or self._one_by_one(node)
            return
        for place in self._places(depends):
            inner = replace(self, fixed={**self.fixed, **place})
            yes, no = inner.statements(node.yes), inner.statements(node.no)
            yield t.If(self._at(node.condition, place), yes, no, node.line)

    def _chosen(self, node: t.If) -> list[t.Node]:
        """Return a branch as choices of each lane; nothing where it has no such form."""
        try:
            return self._selected(node)
        except RefusedError:
            return []

    def _selected(self, node: t.If) -> list[t.Node]:
        """Return a branch that only gives variables other values as choices of each lane; nothing of another.

        Values that would be read from memory stay where they are: behind a condition that may be the one that allows it.
        """
        depends = self._depends(*(inner for inner in t.walk(node) if isinstance(inner, t.Name)))
        wide = self._wide(depends)
        given = [inner.target for inner in t.walk(*node.yes, *node.no) if isinstance(inner, t.Assign)]
        own = all(isinstance(one, t.Name) and self.varies.get(one.text) == depends for one in given)
        if wide is None or not own or any(isinstance(inner, t.Index) for inner in t.walk(*node.yes, *node.no)):
            return []
        made = self._lanes(wide).branch(node)
        return [self._at(one, place) for place in self._places(depends) for one in made]

    def _masked(self, node: t.If | t.For) -> list[t.Node]:
        """Return a branch, or a loop that some leave earlier, as statements of the lanes that are meant; nothing where it has no such form."""
        depends = self._depends(*(inner for inner in t.walk(node) if isinstance(inner, t.Name)))
        wide = self._wide(depends)
        own = t.declared_in(node)
        if wide is None or any(self.varies.get(name) != depends for name in t.written_in(node) - own):
            return []
        places = [
            one.target for one in t.walk(node) if isinstance(one, t.Assign) and not isinstance(one.target, t.Name)
        ]
        if any(self._depends(place) != depends for place in places) or (places and long(node)):
            return []
        for name in own & self.varies.keys():  # what a branch declares has the copies of the branch
            self.varies[name] = depends
        lanes = self._lanes(wide)
        used = places_at(node, self.open, self.shared)
        masked = MaskedLanes(
            lanes.posed, lanes.variable, lanes.count, lanes.vectors, lanes.known, lanes.kind, mixed=True, used=used
        )
        try:
            branches = Branches(masked, lambda one: self._wide(self._depends(one)) is not None)
            made = branches.looped(node) if isinstance(node, t.For) else branches.made(node)
            both = together(node, branches, self.statements, self._at, list(self._places(depends)))
        except RefusedError:
            return []
        return list(both) or [self._at(one, place) for place in self._places(depends) for one in made]

    def _one_by_one(self, node: t.If) -> Iterator[t.Node]:
        """Yield a branch that differs between neighbours as a loop over them: it may use no vector."""
        leaves = any(isinstance(child, t.Text) and not child.comment for child in t.walk(node))  # continue and break
        if t.names_in(node) & set(self.varies) or t.declared_in(node) or leaves:
            raise RefusedError(f"the branch of line {node.line} differs between neighbours")
        depends = self._depends(*(n for n in t.walk(node) if isinstance(n, t.Name)))
        wide = self._wide(depends)
        assert wide is not None
        each, first = t.Name(f"{wide.variable}_each"), t.Name(wide.variable)
        for place in self._places(depends):
            begin: t.Node = (
                first if not (far := place[wide.variable] * wide.step) else t.Binary("+", first, t.Number(str(far)))
            )
            end = t.Binary("+", first, t.Number(str(far + wide.lanes)))
            shared = {name: t.renamed(value, {wide.variable: each}) for name, value in self.shared.items()}
            inner = self._at(t.renamed(node, {**shared, wide.variable: each}), place)
            below = t.Binary("<", each, end)
            counter = t.Declare(number_of(self.posed.function.body, first.text), (t.Declared(each.text, begin),))
            yield t.For(counter, below, t.Postfix("++", each), (inner,))

    def _declaration(self, node: t.Declare) -> Iterator[t.Node]:
        for one in node.names:
            depends = self.varies.get(one.name, frozenset())
            if one.name in self.shared:
                continue
            if one.extents and self._wide(depends):
                raise RefusedError(f"{one.name} is an array of each work-item")
            short = named(self._plain(node.type))
            own = calculated(short)
            if self._wide(depends) and own not in REALS | WHOLES:
                raise RefusedError(f"{one.name} is of type {node.type}, of which no vectors are made here")
            for place in self._places(depends):
                wide = self._wide(depends)
                kind = f"{own}{wide.lanes}" if wide else node.type
                value = one.value or (t.Number("0") if wide and one.name in self.parted else None)
                if value is not None:
                    value = lanes.rounded(lanes.wide(value, own), short) if (lanes := self._each(wide)) else value
                    value = self._at(value, place)
                yield t.Declare(kind, (replace(one, name=self._named(one.name, place), value=value),), node.line)

    def _plain(self, kind: str) -> str:
        """Return a type without qualifiers, as what its name stands for."""
        own = (word for word in kind.split() if word not in ("const", "__private", "private"))
        return self.posed.plain(" ".join(own))

    def _do(self, node: t.Do, value: t.Node) -> Iterator[t.Node]:
        if not isinstance(value, t.Assign):
            if self._depends(value) or not isinstance(value, t.Postfix | t.Unary):
                raise RefusedError(f"line {node.line} calls or changes something by itself")
            yield node
            return
        target = t.written_whole(value.target)
        own = self._depends(target) if isinstance(target, t.Index) else self.varies.get(variable(target), frozenset())
        if self._depends(value.value) - own:
            raise RefusedError(f"line {node.line} writes one place from several work-items")
        wide = self._wide(own)
        for place in self._places(own):
            if wide is None:
                yield self._at(node, place)
            else:
                for made in self._wide_store(node, value, wide, place):
                    yield self._at(made, place)

    def _wide_store(self, node: t.Do, value: t.Assign, wide: Copies, place: dict[str, int]) -> Iterator[t.Node]:
        lanes, target = self._lanes(wide), value.target
        if not isinstance(target, t.Name | t.Index) and not self.posed.part_of(target):
            raise RefusedError(f"line {node.line} writes something that is no element of an array")
        changed, kind = lanes.joined(value)
        if isinstance(target, t.Name):
            own = lanes.of(target)[1]
            whole = value.op != "=" and kind == own and lanes.kept(target, target) == target
            if whole and isinstance(changed, t.Binary):
                yield replace(node, value=replace(value, value=changed.right))
            else:
                yield replace(node, value=t.Assign("=", target, lanes.kept(target, lanes.fit(changed, kind, own))))
            return
        part, element = self.posed.part_of(target), target.base if isinstance(target, t.Member) else target
        assert isinstance(element, t.Index)
        stride = None if (computed := lanes.computed(element)) else lanes.stride(element)
        if stride == algebra.ONE and not part:
            stored = lanes.stored(element, changed, kind)
            yield replace(node, value=t.Call(f"vstore{wide.lanes}", (stored, t.Number("0"), lanes.place(element))))
            return
        if stride == {} or (stride is None and not (computed and given(value, element, self.posed.function.body))):
            raise RefusedError(f"line {node.line} writes one place from several work-items")
        name = "scattered" + "".join(f"_{place[v]}" for v in sorted(place))
        own = calculated(part or lanes.element(element))
        inner: list[t.Node] = [t.Declare(lanes.vector(own), (t.Declared(name, lanes.fit(changed, kind, own)),))]
        parts = ((lanes.lane(target, lane), component(t.Name(name), lane)) for lane in range(wide.lanes))
        inner += [t.Do(t.Assign("=", place_, part), node.line) for place_, part in parts]
        yield t.Block(tuple(inner))

    # --- copies ------------------------------------------------------------------------------------------------------

    def _wide(self, depends: frozenset[str]) -> Copies | None:
        return next((copy for copy in self.copies if copy.lanes > 1 and copy.variable in depends), None)

    def _each(self, wide: Copies | None) -> Lanes | None:
        return self._lanes(wide) if wide is not None else None

    def _lanes(self, wide: Copies | None) -> Lanes:
        assert wide is not None
        vectors = frozenset(name for name, on in self.varies.items() if wide.variable in on)
        return Lanes(self.posed, wide.variable, wide.lanes, vectors, self.shared, self.kind, mixed=True)

    def _places(self, depends: frozenset[str]) -> Iterator[dict[str, int]]:
        """Yield the copies' numbers by variable, for the variables that matter."""
        places: list[dict[str, int]] = [{}]
        for copy in self.copies:
            if copy.variable in depends:
                numbers = [self.fixed[copy.variable]] if copy.variable in self.fixed else range(copy.count)
                places = [{**place, copy.variable: number} for place in places for number in numbers]
        yield from places

    def _named(self, name: str, place: dict[str, int]) -> str:
        many = [copy for copy in self.copies if copy.variable in place and copy.count > 1]
        return "_".join([name, *(str(place[one.variable]) for one in many)])

    def _at(self, node: t.Node, place: dict[str, int]) -> t.Node:
        """Return a node of one copy: work-item variables moved, its own variables named after it."""
        names: dict[str, t.Node] = {}
        for copy in self.copies:
            if far := place.get(copy.variable, 0) * copy.step:
                names[copy.variable] = t.Binary("+", t.Name(copy.variable), t.Number(str(far)))
        for name, depends in self.varies.items():
            if depends:
                mine = {variable: number for variable, number in place.items() if variable in depends}
                names[name] = t.Name(self._named(name, mine))
        inlined = t.renamed(node, self.shared) if self.shared else node
        return t.renamed(inlined, names)
