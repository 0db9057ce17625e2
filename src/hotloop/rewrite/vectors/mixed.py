"""Rounds of a loop that add up whole numbers, or what is read as bytes and the like: each vector has lanes of the type in which C calculates."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from hotloop.rewrite import tree as t
from hotloop.rewrite.form import Posed
from hotloop.rewrite.vectors.kinds import REALS, WHOLES, calculated, named
from hotloop.rewrite.vectors.lanes import Lanes
from hotloop.rewrite.vectors.rounds import Rounds

_WHOLE = {"fmax": "max", "fmin": "min", ">": "max", "<": "min"}


def several(posed: Posed, loop: t.For) -> bool:
    """Tell whether a loop reads, or adds to, anything but real numbers."""
    read = {n.base.text for n in t.walk(*loop.body) if isinstance(n, t.Index) and isinstance(n.base, t.Name)}
    arrays = [one for name in read if (one := posed.function.argument(name)) is not None]
    kinds = {posed.plain(one.type) for one in arrays}
    kinds |= {
        posed.plain(node.type)
        for node in t.walk(*posed.function.body)
        if isinstance(node, t.Declare) and {one.name for one in node.names} & t.written_in(*loop.body)
    }
    return any(calculated(kind) in WHOLES for kind in kinds)


@dataclass(slots=True)
class MixedRounds(Rounds):
    """The same of whole numbers, whose sums have the same bits in every order, and of real ones that take such in."""

    def _lanes(self) -> Lanes:
        return Lanes(self.posed, self.variable, self.count, frozenset(), {}, mixed=True)

    def statement(self, node: t.Node) -> Iterator[t.Node]:
        """Yield what a statement becomes. Raises RefusedError."""
        node = _spelled(node)
        match node:
            case t.Do(value=t.Assign(op=op, target=t.Index() as target)) if op != "=" and self._shortens(target):
                raise self._more()
            case t.If(
                yes=(t.Do(value=t.Assign(op="+=" | "-=" as op, target=t.Name() as name, value=value)),), no=()
            ) if self._whole(name.text) and not self._bounds(node.condition):
                kept = t.Choice(node.condition, value, t.Number("0"))
                yield from Rounds.statement(self, t.Do(t.Assign(op, name, kept), node.line))
            case _:
                yield from Rounds.statement(self, node)

    def _shortens(self, target: t.Index) -> bool:
        """Tell an element that is no real number: what is calculated with it and written there may have had a part that it cannot keep."""
        return self.lanes.element(target) not in REALS

    def _type_of(self, kind: str) -> str:
        return self.lanes.vector(kind if kind in WHOLES | REALS else "")

    def _stored(self, target: t.Index, value: t.Node) -> t.Node:
        """Return what is written as a vector of the array's type, which is one that C calculates in. Raises RefusedError."""
        kind = self.lanes.element(target)
        if kind not in WHOLES | REALS:
            raise self._more()
        made, own = self.lanes.of(value)
        self.lanes.kind = self.lanes.kind or kind
        self._walked(value)
        return self.lanes.fit(made, own, kind)

    def _own(self, name: str) -> str:
        kinds = self._kinds(name)
        return kinds.pop() if len(kinds) == 1 else ""

    def _whole(self, name: str) -> bool:
        return self._own(name) in WHOLES

    def _real(self, name: str) -> bool:
        """Tell whether a variable has a type of which vectors are made."""
        return self._own(name) in WHOLES | REALS

    def _way(self, name: str, how: str) -> str:
        return _WHOLE.get(how, how) if self._whole(name) else how

    def _part(self, name: str, value: t.Node) -> t.Node:
        """Return what a variable takes in, in its type; a whole number takes no real one in, of which it would lose a part each time."""
        made, kind = self.lanes.of(value)
        own = self._own(name)
        if (
            self.sums.get(name, "+") != "+" and kind != own
        ):  # what is compared in one type may be chosen otherwise in another
            raise self._more()
        if (own in WHOLES and kind in REALS) or (
            not kind and self._whole(name) and self.lanes.scalar(made) not in WHOLES
        ):
            raise self._more()
        self._walked(value)
        return self.lanes.fit(made, kind, own)

    def declared(self, node: t.Declare) -> Iterator[t.Node]:
        """Yield what a declaration becomes. Raises RefusedError."""
        kind = named(self.posed.plain(" ".join(word for word in node.type.split() if word != "const")))
        for one in node.names:
            loads = one.value is not None and any(isinstance(inner, t.Index) for inner in t.walk(one.value))
            lanes = loads or (one.value is not None and bool(t.names_in(one.value) & self.lanes.vectors))
            if not lanes or one.pointer or one.extents or kind not in WHOLES | REALS or one.value is None:
                yield from Rounds.declared(self, t.Declare(node.type, (one,), node.line))
                continue
            if one.name in t.written_in(*self.loop.body):
                raise self._more()
            made, own = self.lanes.of(one.value)
            if kind in WHOLES and own in REALS:
                raise self._more()
            self._walked(one.value)
            yield t.Declare(self.lanes.vector(kind), (t.Declared(one.name, self.lanes.fit(made, own, kind)),))
            self.lanes.vectors |= {one.name}

    def begun(self) -> Iterator[t.Node]:
        """Yield the declarations of what rounds change together, each in its type."""
        for name, how in self.sums.items():
            kind = self.lanes.vector(self._own(name))
            first = t.Number("0") if how == "+" else t.Name(name)
            yield t.Declare(kind, (t.Declared(f"{name}_lanes", t.Vector(kind, (first,))),))


def _spelled(node: t.Node) -> t.Node:
    """Return a statement that counts as one that adds one."""
    if isinstance(node, t.If) and len(node.yes) == 1 and not node.no:
        return t.If(node.condition, (_spelled(node.yes[0]),), (), node.line)
    if isinstance(node, t.Do) and isinstance(node.value, t.Postfix) and isinstance(node.value.value, t.Name):
        return t.Do(t.Assign(f"{node.value.op[0]}=", node.value.value, t.Number("1")), node.line)
    return node
