"""Pointers within arrays as what they point to: ``p = a + k; ... p[i]`` is read as ``a[k + i]``.

Kernels name a row, a tile or the interior of an array by a pointer of its own, or move a parameter once before they use it. Indices
that begin at the array itself are what ranges and rewrites look at.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from hotloop.rewrite import tree as t
from hotloop.rewrite.ranges import accesses


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a pointer stands: so many elements into an array."""

    array: str
    offset: t.Node | None
    """None: at its beginning."""

    def moved(self, by: t.Node | None) -> _Place:
        """Return the place that many elements on."""
        return replace(self, offset=_sum(self.offset, by))


_Places = Mapping[str, _Place]


def direct(function: t.Function) -> t.Function:
    """Return a kernel whose accesses begin at its arrays, as far as its pointers stay where they are; itself where none has a place."""
    arrays = {argument.name for argument in function.arguments if argument.pointer}
    arrays |= {node.name for node in t.walk(*function.body) if isinstance(node, t.Declared) and node.extents}
    body = _body(function.body, {}, arrays, outermost=True)
    return function if body == function.body else replace(function, body=body)


def _body(body: t.Body, places: _Places, arrays: set[str], *, outermost: bool = False) -> t.Body:
    """Return statements with the pointers that were placed before them, or are among them, put in.

    A name that is moved is placed in the outermost statements only: elsewhere it moves again, or for some.
    """
    made: list[t.Node] = []
    for number, node in enumerate(body):
        rest = body[number + 1 :]
        pointers = _declared(node, places, arrays, rest)
        if pointers is None and outermost:
            pointers = _shifted(node, places, arrays, rest)
        if pointers is not None:
            return (*made, *_body(rest, {**places, **pointers}, arrays, outermost=outermost))
        made.append(_inside(node, places, arrays))
    return tuple(made)


def _inside(node: t.Node, places: _Places, arrays: set[str]) -> t.Node:
    """Return one statement with pointers put in; blocks of statements have pointers of their own."""
    match node:
        case t.If():
            yes, no = _body(node.yes, places, arrays), _body(node.no, places, arrays)
            return replace(node, condition=_put(node.condition, places), yes=yes, no=no)
        case t.For():
            first, condition, step = (
                None if one is None else _put(one, places) for one in (node.first, node.condition, node.step)
            )
            return replace(node, first=first, condition=condition, step=step, body=_body(node.body, places, arrays))
        case t.Block():
            return replace(node, body=_body(node.body, places, arrays))
    return _put(node, places)


def _declared(node: t.Node, places: _Places, arrays: set[str], rest: t.Body) -> dict[str, _Place] | None:
    """Return the pointers that a declaration sets once and for all; None where it is another statement."""
    if not isinstance(node, t.Declare) or not all(
        declared.pointer == "*" and not declared.extents for declared in node.names
    ):
        return None
    pointers: dict[str, _Place] = {}
    for variable in node.names:
        place = None if variable.value is None else _place(variable.value, {**places, **pointers}, arrays)
        if place is None or not _stays(variable.name, place, rest):
            return None
        pointers[variable.name] = place
    return pointers


def _shifted(node: t.Node, places: _Places, arrays: set[str], rest: t.Body) -> dict[str, _Place] | None:
    """Return the place of an array's own name that a statement moves; None where it is another statement."""
    if not isinstance(node, t.Do) or not isinstance(node.value, t.Assign) or not isinstance(node.value.target, t.Name):
        return None
    name, by = node.value.target.text, node.value.value
    if name not in arrays | set(places) or node.value.op not in ("+=", "="):
        return None
    before = places.get(name, _Place(name, None))
    place = before.moved(_put(by, places)) if node.value.op == "+=" else _place(by, places, arrays)
    return {name: place} if place is not None and _stays(name, place, rest) else None


def _place(value: t.Node, places: _Places, arrays: set[str]) -> _Place | None:
    """Return where an expression points to; None where that is not to be seen."""
    match value:
        case t.Name(text=name) if name in places:
            return places[name]
        case t.Name(text=name) if name in arrays:
            return _Place(name, None)
        case t.Unary(op="&", value=t.Index(base=base, index=index)):
            return _on(_place(base, places, arrays), _put(index, places))
        case t.Binary(op="+", left=left, right=right):
            for base, by in ((left, right), (right, left)):
                if (place := _place(base, places, arrays)) is not None:
                    return place.moved(_put(by, places))
        case t.Binary(op="-", left=left, right=right):
            return _on(_place(left, places, arrays), t.Unary("-", _put(right, places)))
    return None


def _on(place: _Place | None, by: t.Node) -> _Place | None:
    return None if place is None else place.moved(by)


def _stays(name: str, place: _Place, rest: t.Body) -> bool:
    """Tell whether a pointer, and what its place is made of, are the same in all that follows, and that is understood."""
    offset = () if place.offset is None else (place.offset,)
    made_of = {name, place.array, *t.names_in(*offset)}
    if made_of & (t.written_in(*rest) | t.declared_in(*rest)) or t.written_in(*offset):
        return False
    looked_up = {node.base for node in t.walk(*offset) if isinstance(node, t.Index)}
    if looked_up & {one.base for one, written, _ in accesses(t.Block(rest)) if written}:
        return False
    return not any(made_of & set(re.findall(r"[A-Za-z_]\w*", text)) for text in _unread(rest))


def _unread(body: t.Body) -> Iterator[str]:
    for inner in t.walk(*body):
        if isinstance(inner, t.Text) and not inner.comment:
            yield inner.text


def _put(node: t.Node, places: _Places) -> t.Node:
    """Return an expression or statement in which pointers are elements of their arrays."""
    if not places:
        return node

    def change(one: t.Node) -> t.Node | None:
        if isinstance(one, t.Index) and isinstance(one.base, t.Name) and one.base.text in places:
            place = places[one.base.text]
            index = _sum(place.offset, _put(one.index, places))
            return t.Index(t.Name(place.array), t.Number("0") if index is None else index)
        if isinstance(one, t.Name) and one.text in places:
            place = places[one.text]
            own = t.Name(place.array)
            return own if place.offset is None else t.Binary("+", own, place.offset)
        return None

    return t.changed(node, change)


def _sum(left: t.Node | None, right: t.Node | None) -> t.Node | None:
    """Return a sum; what is nothing or zero is left out."""
    parts = [one for one in (left, right) if one is not None and one != t.Number("0")]
    if len(parts) < 2:
        return parts[0] if parts else None
    if isinstance(parts[1], t.Unary) and parts[1].op == "-":
        return t.Binary("-", parts[0], parts[1].value)
    return t.Binary("+", *parts)
