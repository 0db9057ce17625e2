"""Arrays of structures become arrays of the numbers that these consist of, and a structure of a work-item's own one variable for each member.

What it changes: ``body[i].x`` becomes ``body[8 * i]``, ``Body mine = body[i];`` a variable for each member, and the parameter points to numbers. The
launch gives the same memory.
When it applies: structures whose members have one type, or are arrays of it, so that nothing lies between them; they are read and written member
by member or as a whole. Pointers to them, and functions that take them, are left alone.
What it costs: nothing by itself. Sums, blocks of results and vectors, which know arrays of numbers, apply behind it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from hotloop.rewrite import tree as t
from hotloop.rewrite.conditions import acts
from hotloop.rewrite.form import Keeps, Posed, Rewrite
from hotloop.rewrite.members import Structure
from hotloop.rewrite.shape import RefusedError


def apply(posed: Posed, _value: int | str) -> Posed:
    """Take all structures apart."""
    work = _Apart(posed)
    body = work.body(posed.function.body)
    function = replace(posed.function, arguments=tuple(map(work.argument, posed.function.arguments)), body=body)
    return replace(posed, function=function)


def lines(posed: Posed) -> tuple[int, ...]:
    """Return the lines that use structures."""
    apply(posed, 1)
    used = (n for n in t.walk(*posed.function.body) if isinstance(n, t.Do | t.Declare | t.If) and _uses(n))
    return tuple(sorted({node.line for node in used} - {0}))


def _uses(node: t.Node) -> bool:
    return any(isinstance(inner, t.Member) for inner in t.walk(node))


@dataclass(slots=True)
class _Apart:
    posed: Posed
    arrays: dict[str, Structure] = field(init=False)
    own: dict[str, Structure] = field(default_factory=dict)
    """Variables of the function that are structures."""

    def __post_init__(self) -> None:
        """Find the structures. Raises RefusedError where there are none, or they are used in other ways."""
        function = self.posed.function
        found = {one.name: self._structure(one.type) for one in function.arguments if one.pointer}
        self.arrays = {name: one for name, one in found.items() if one is not None}
        if not self.arrays:
            raise RefusedError("it has no array of structures that consist of one type of numbers")
        for node in t.walk(*function.body):
            kind = self._structure(node.type) if isinstance(node, t.Declare) else None
            for one in node.names if kind is not None and isinstance(node, t.Declare) else ():
                if one.pointer or one.extents or one.name in self.own or one.name in self.arrays:
                    raise RefusedError(f"{one.name} points to structures, or is several of them")
                self.own[one.name] = kind  # type: ignore[assignment]
        if any(isinstance(node, t.Text) and not node.comment for node in t.walk(*function.body) if not _leaves(node)):
            raise RefusedError("it holds something that is not understood")
        names = t.declared_in(*function.body) | {one.name for one in function.arguments}
        if (names | t.names_in(*function.body)) & {
            _part(name, member) for name, kind in self.own.items() for member in kind.members
        }:
            raise RefusedError("members would have names that it has already")
        if len([one for one in t.walk(*function.body) if isinstance(one, t.Declared)]) > len(names):
            self._once()

    def _once(self) -> None:
        """Refuse a name of a structure that is something else elsewhere."""
        kinds = [one.name for one in t.walk(*self.posed.function.body) if isinstance(one, t.Declared)]
        if any(kinds.count(name) > 1 for name in self.own) or self.arrays.keys() & {*kinds}:
            raise RefusedError("the name of a structure is that of another variable, too")

    def _structure(self, kind: str) -> Structure | None:
        words = [word for word in kind.split() if word not in ("struct", "const", "__private", "private")]
        return self.posed.structures.get(" ".join(words))

    def argument(self, argument: t.Argument) -> t.Argument:
        """Return a parameter that points to numbers."""
        kind = self.arrays.get(argument.name)
        return argument if kind is None else replace(argument, type=kind.kind)

    # --- statements ------------------------------------------------------------------------------------------------------

    def body(self, body: t.Body) -> t.Body:
        """Return statements member by member. Raises RefusedError."""
        return tuple(made for node in body for made in self._statement(node))

    def _statement(self, node: t.Node) -> Iterator[t.Node]:
        match node:
            case t.Declare() if self._structure(node.type) is not None:
                for one in node.names:
                    yield from self._declared(node, one)
            case t.Do(value=t.Assign(op="=", target=target, value=value)) if (kind := self._whole(target)) is not None:
                self._refuse_moving(target, value)
                for member, at in _values(kind):
                    given = t.Assign("=", self._value(target, kind, member, at), self._value(value, kind, member, at))
                    yield t.Do(given, node.line)
            case t.If():
                yield replace(
                    node, condition=self._read(node.condition), yes=self.body(node.yes), no=self.body(node.no)
                )
            case t.For():
                first, condition, step = (
                    None if one is None else self._read(one) for one in (node.first, node.condition, node.step)
                )
                yield t.For(first, condition, step, self.body(node.body), node.line)
            case t.Block():
                yield replace(node, body=self.body(node.body))
            case _:
                yield self._read(node)

    def _refuse_moving(self, target: t.Node, value: t.Node) -> None:
        """Refuse an assignment of a whole structure that changes which one is meant, ``b = in[b.next]``: member by member, the second would be of another."""
        indices = [one.index for one in (target, value) if isinstance(one, t.Index)]
        changed = (
            {target.text} if isinstance(target, t.Name) else {*self.arrays}
        )  # two parameters may be the same memory
        if t.names_in(*indices) & changed:
            raise RefusedError("a structure is read or written at a place that the assignment itself may change")

    def _declared(self, node: t.Declare, one: t.Declared) -> Iterator[t.Node]:
        kind = self.own[one.name]
        for member, (_, count) in kind.members.items():
            extents = (t.Number(str(count)),) if count else ()
            single = one.value is not None and not count
            value = self._value(one.value, kind, member, 0) if single and one.value is not None else None
            yield t.Declare(kind.kind, (t.Declared(_part(one.name, member), value, "", extents),), node.line)
            for at in range(count if one.value is not None else 0):
                assert one.value is not None
                to = t.Index(t.Name(_part(one.name, member)), t.Number(str(at)))
                yield t.Do(t.Assign("=", to, self._value(one.value, kind, member, at)), node.line)

    def _whole(self, node: t.Node) -> Structure | None:
        """Return what structure an expression is, None of a number."""
        match node:
            case t.Name(text=text):
                return self.own.get(text)
            case t.Index(base=t.Name(text=text)):
                return self.arrays.get(text)
        return None

    def _value(self, node: t.Node, kind: Structure, member: str, at: int) -> t.Node:
        """Return one value of a structure. Raises RefusedError."""
        place, count = kind.members[member]
        match node:
            case t.Table(values=values) if len(values) == len(kind.members) == kind.size:
                return self._read(values[place])
            case t.Name() | t.Index() if self._whole(node) == kind:
                whole = t.Member(node, ".", member)
                return self._read(t.Index(whole, t.Number(str(at))) if count else whole)
        raise RefusedError("a structure is given in another way")

    # --- expressions -----------------------------------------------------------------------------------------------------

    def _read(self, node: t.Node) -> t.Node:
        """Return an expression or a statement with numbers in the place of members. Raises RefusedError."""
        return t.changed(node, self._change)

    def _change(self, node: t.Node) -> t.Node | None:
        match node:
            case t.Index(base=t.Member(base=base, field=member), index=index) if kind := self._whole(base):
                return self._member(base, kind, member, self._read(index))
            case t.Member(base=base, field=member) if kind := self._whole(base):
                return self._member(base, kind, member, None)
            case t.Index(base=t.Name(text=text)) | t.Name(text=text) if text in self.arrays or text in self.own:
                raise RefusedError(f"{text} is used as a whole, or by its address")
        return None

    def _member(self, base: t.Node, kind: Structure, member: str, index: t.Node | None) -> t.Node:
        if member not in kind.members or bool(kind.members[member][1]) != (index is not None):
            raise RefusedError(f"{member} is used in another way than as numbers")
        place = kind.members[member][0]
        if isinstance(base, t.Name):
            name = t.Name(_part(base.text, member))
            return name if index is None else t.Index(name, index)
        assert isinstance(base, t.Index)
        if isinstance(index, t.Number) and index.text.isdigit():
            place, index = place + int(index.text), None
        if any(map(acts, t.walk(base.index))):
            raise RefusedError("the place of a structure is changed where it is used")
        at: t.Node = (
            t.Binary("*", self._read(base.index), t.Number(str(kind.size))) if kind.size > 1 else self._read(base.index)
        )
        for more in (t.Number(str(place)) if place else None, index):
            at = at if more is None else t.Binary("+", at, more)
        return t.Index(base.base, at)


def _values(kind: Structure) -> Iterator[tuple[str, int]]:
    """Yield the values of a structure, by member and place in it."""
    for member, (_, count) in kind.members.items():
        yield from ((member, at) for at in range(count or 1))


def _part(name: str, member: str) -> str:
    return f"{name}_{member}"


def _leaves(node: t.Node) -> bool:
    return isinstance(node, t.Text) and node.text.replace(" ", "") in ("return;", "break;", "continue;")


REWRITE = Rewrite(
    name="fields-apart",
    text=__doc__,
    technique="register-tile",
    keeps=Keeps.BITS,
    values=(0, 1),
    apply=apply,
    lines=lines,
    gain=lambda _posed: (0.5, 1.3),
    order=1,
)
