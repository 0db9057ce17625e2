"""Vectors of elements that lie evenly apart in memory, as whole vectors of neighbours of which elements are taken, and stored as such."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from hotloop.rewrite import algebra
from hotloop.rewrite import tree as t
from hotloop.rewrite.components.computed import component
from hotloop.rewrite.form import Posed
from hotloop.rewrite.grid import expression

_APART = (2, 3, 4)
"""Elements from lane to lane for which loads of neighbours are worth it: beyond, most of what they load is not needed."""
_WIDE = re.compile(r"^([a-z]+)(4|8|16)$")
_SHORT = {
    "unsigned": "uint",
    "signed int": "int",
    "signed char": "char",
    "uint32_t": "uint",
    "int32_t": "int",
    "uint8_t": "uchar",
}
_VECTORS = frozenset(("float", "double", "int", "uint", "short", "ushort", "char", "uchar", "long", "ulong"))
_TAKEN = (16, 8, 4, 2, 1)
"""Numbers of elements that can be taken from a vector at once."""


@dataclass(frozen=True, slots=True)
class _Lanes:
    """Elements of one array, one for each lane of a vector."""

    array: str
    first: algebra.Polynomial
    """Index of the first lane's."""
    apart: int
    count: int


@dataclass(frozen=True, slots=True)
class _Part:
    """A block that stores one part of each element: red of pixels, for instance."""

    lanes: _Lanes
    value: t.Node
    kind: str
    """Type of the vector that is stored, without its number of lanes."""


@dataclass(slots=True)
class Weaver:
    """Rewrites the statements of one kernel."""

    posed: Posed
    taken: set[str]
    """Names that stand for something."""

    def body(self, body: t.Body) -> t.Body:
        """Return statements with loads and stores of neighbours; equal where they have none."""
        made: list[t.Node] = []
        rest = list(body)
        while rest:
            if parts := self._parts(rest):
                made += self._stores(parts)
                rest = rest[len(parts) :]
            else:
                made += self._statement(rest.pop(0))
        return tuple(made)

    def _statement(self, node: t.Node) -> list[t.Node]:
        match node:
            case t.Block() | t.For():
                return [replace(node, body=self.body(node.body))]
            case t.If():
                return [replace(node, yes=self.body(node.yes), no=self.body(node.no))]
            case t.Declare() | t.Do():
                return self._loads(node)
        return [node]

    # --- loads ------------------------------------------------------------------------------------------------------

    def _loads(self, node: t.Node) -> list[t.Node]:
        """Return a statement behind the loads of its vectors' neighbours."""
        before: list[t.Node] = []
        values: dict[t.Node, t.Node] = {}
        for group in self._groups(node):
            before += self._near(group, values)
        return [*before, t.changed(node, lambda one: values.get(one) if isinstance(one, t.Vector) else None)]

    def _groups(self, node: t.Node) -> list[dict[t.Vector, _Lanes]]:
        """Return the vectors of a statement that neighbours make up together: of one array, less than a step from each other."""
        groups: list[dict[t.Vector, _Lanes]] = []
        for vector in self._vectors(node):
            lanes = self._evenly(vector.values)
            if lanes is None or not _WIDE.match(vector.type):
                continue
            for group in groups:
                if all(self._together(lanes, other) for other in group.values()):
                    group[vector] = lanes
                    break
            else:
                groups.append({vector: lanes})
        return groups

    def _vectors(self, node: t.Node) -> Iterator[t.Vector]:
        """Yield the vectors below that are made whenever the statement is done."""
        if isinstance(node, t.Choice) or (isinstance(node, t.Binary) and node.op in ("&&", "||")):
            return
        if isinstance(node, t.Vector) and len(node.values) > 1:
            yield node
            return
        for one in t.children(node):
            yield from self._vectors(one)

    def _evenly(self, values: t.Body) -> _Lanes | None:
        """Return where elements lie that are two to four apart; None of others."""
        first = values[0]
        if not isinstance(first, t.Index) or not isinstance(first.base, t.Name):
            return None
        argument = self.posed.function.argument(first.base.text)
        kind = "" if argument is None else self._kind(argument.name)
        if (
            argument is None
            or kind not in _VECTORS
            or argument.space not in ("global", "constant")
            or "volatile" in argument.qualifiers
        ):
            return None
        if any(not isinstance(one, t.Index) or one.base != first.base for one in values):
            return None
        places = [algebra.polynomial(one.index) for one in values if isinstance(one, t.Index)]
        far = [algebra.constant(algebra.added(place, places[0], -1)) for place in places]
        apart = far[1]
        if apart not in _APART or far != [lane * apart for lane in range(len(values))]:
            return None
        return _Lanes(first.base.text, places[0], apart, len(values))

    def _together(self, one: _Lanes, other: _Lanes) -> bool:
        distance = algebra.constant(algebra.added(one.first, other.first, -1))
        same = (one.array, one.apart, one.count) == (other.array, other.apart, other.count)
        return same and distance is not None and abs(distance) < one.apart

    def _near(self, group: dict[t.Vector, _Lanes], values: dict[t.Node, t.Node]) -> list[t.Node]:
        """Return the loads for vectors, and say in `values` what each of them becomes: no load reaches beyond their elements."""
        lanes = next(iter(group.values()))
        begins = {vector: self._from(one.first, lanes.first) for vector, one in group.items()}
        least = min(begins.values())
        length = max(begins.values()) - least + lanes.apart * (lanes.count - 1) + 1
        starts = [min(at, length - lanes.count) for at in range(0, length, lanes.count)]
        kind = self._kind(lanes.array)
        names = [self._fresh("near") for _ in starts]
        first = algebra.added(lanes.first, {(): least} if least else {})
        for vector, begin in begins.items():
            places = [begin - least + lane * lanes.apart for lane in range(lanes.count)]
            values[vector] = self._taken(vector, kind, places, list(zip(names, starts, strict=True)))
        return [
            t.Declare(
                f"{kind}{lanes.count}",
                (t.Declared(name, t.Call(f"vload{lanes.count}", (t.Number("0"), _address(lanes.array, first, at)))),),
            )
            for name, at in zip(names, starts, strict=True)
        ]

    def _from(self, one: algebra.Polynomial, other: algebra.Polynomial) -> int:
        distance = algebra.constant(algebra.added(one, other, -1))
        assert distance is not None
        return distance

    def _taken(self, vector: t.Vector, kind: str, places: list[int], near: list[tuple[str, int]]) -> t.Node:
        """Return the elements at places behind the first, each from the first load that has it."""
        count = len(places)
        found = [next((name, at - start) for name, start in near if start <= at < start + count) for at in places]
        made = t.Vector(f"{kind}{count}", tuple(_picked(found)))
        return made if vector.type == made.type else t.Call(f"convert_{vector.type}", (made,))

    def _kind(self, array: str) -> str:
        """Return the type of an array's elements by its short name, of which vectors' names are made."""
        kind = self.posed.type_of(array)
        return _SHORT.get(kind, kind).replace("unsigned ", "u")

    def _fresh(self, word: str) -> str:
        name = next(made for at in range(len(self.taken) + 1) if (made := f"{word}_{at}") not in self.taken)
        self.taken.add(name)
        return name

    # --- stores -----------------------------------------------------------------------------------------------------

    def _parts(self, body: list[t.Node]) -> list[_Part]:
        """Return the blocks at the beginning of statements that store all parts of elements; none where they do not."""
        first = self._part(body[0])
        if first is None or len(body) < first.lanes.apart:
            return []
        parts = [self._part(one) for one in body[: first.lanes.apart]]
        begins = set[int | None]()
        for one in parts:
            if one is None or (one.lanes.array, one.lanes.apart, one.lanes.count, one.kind) != (
                first.lanes.array, first.lanes.apart, first.lanes.count, first.kind,
            ):  # fmt: skip
                return []
            begins.add(algebra.constant(algebra.added(one.lanes.first, first.lanes.first, -1)))
            if one is not first and first.lanes.array in t.names_in(one.value):  # it may read what was just stored
                return []
        least = min((one for one in begins if one is not None), default=0)
        whole = begins == set(range(least, least + first.lanes.apart))
        return [one for one in parts if one is not None] if whole else []

    def _part(self, node: t.Node) -> _Part | None:
        """Return what a block stores lane by lane; None of another statement."""
        match node:
            case t.Block(body=(t.Declare(type=kind, names=(t.Declared(name=name, value=t.Node() as value),)), *stores)):
                wide = _WIDE.match(kind)
                targets = [
                    one.value.target
                    for lane, one in enumerate(stores)
                    if isinstance(one, t.Do)
                    and isinstance(one.value, t.Assign)
                    and one.value.op == "="
                    and lane < 16
                    and one.value.value == component(t.Name(name), lane)
                ]
                if wide is None or not len(stores) == len(targets) == int(wide.group(2)):
                    return None
                lanes = self._evenly(tuple(targets))
                return None if lanes is None or name in t.names_in(*targets) else _Part(lanes, value, wide.group(1))
        return None

    def _stores(self, parts: list[_Part]) -> list[t.Node]:
        """Return the parts as variables, and stores of neighbours, each of one part after the other."""
        lanes = parts[0].lanes
        begins = [self._from(one.lanes.first, lanes.first) for one in parts]
        least = min(begins)
        kind = self._kind(lanes.array)
        made: list[t.Node] = []
        names: dict[int, str] = {}
        for part, begin in zip(parts, begins, strict=True):
            names[begin - least] = name = self._fresh("part")
            own = f"{kind}{lanes.count}"
            value = part.value if part.kind == kind else t.Call(f"convert_{own}", (part.value,))
            made += self._loads(t.Declare(own, (t.Declared(name, value),)))
        first = algebra.added(lanes.first, {(): least} if least else {})
        for at in range(0, lanes.apart * lanes.count, lanes.count):
            places = [divmod(place, lanes.apart) for place in range(at, at + lanes.count)]
            woven = t.Vector(
                f"{kind}{lanes.count}", tuple(component(t.Name(names[part]), lane) for lane, part in places)
            )
            call = t.Call(f"vstore{lanes.count}", (woven, t.Number("0"), _address(lanes.array, first, at)))
            made.append(t.Do(call))
        return made


def _address(array: str, first: algebra.Polynomial, at: int) -> t.Node:
    index = expression(algebra.added(first, {(): at} if at else {}))
    return t.Unary("&", t.Index(t.Name(array), index))


def _picked(found: list[tuple[str, int]]) -> Iterator[t.Node]:
    """Yield elements of vectors, those of one vector as many at once as a vector may have."""
    at = 0
    while at < len(found):
        name = found[at][0]
        same = next((n for n, one in enumerate(found[at:]) if one[0] != name), len(found) - at)
        size = next(one for one in _TAKEN if one <= same)
        digits = "".join(f"{lane:x}" for _, lane in found[at : at + size])
        if size < 4:
            yield from (component(t.Name(name), lane) for _, lane in found[at : at + size])
        else:
            yield t.Member(t.Name(name), ".", f"s{digits}")
        at += size
