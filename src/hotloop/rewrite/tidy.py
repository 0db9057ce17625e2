"""Declarations as rewrites know them: one name each, where its first value is, in numbers instead of vectors of a work-item's places.

People declare all variables at the top and assign them later, name several in one statement, hold both numbers of a work-item in an
``int2``, or ask for them through functions of their own. None of this changes what a kernel does; every change here keeps its meaning.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace

from hotloop.rewrite import tree as t
from hotloop.rewrite.components.coordinates import apart
from hotloop.rewrite.helpers import places

_PLACE = re.compile(r"^get_\w*(?:id|size|groups)$")
_LOCAL = re.compile(r"\b(?:__)?local\b")


def tidy(function: t.Function, helpers: tuple[t.Function, ...], text: str) -> t.Function:
    """Return a kernel with such declarations; itself where it has them already.

    Args:
        function: the kernel.
        helpers: functions of the text: those that only say a work-item's place are put in.
        text: from which both were read.
    """
    body = places(function.body, helpers)
    body = apart(_unwaited(_elements_apart(body)), function.arguments)
    own = text[slice(*function.span)]
    called = "\n".join(text[slice(*one.span)] for one in helpers)
    if not _MEETS.search(own + called) and not _LOCAL.search(own):  # local memory is seen by all of a group
        body = tuple(node for node in body if not _fence(node))
    if not _LOCAL.search(own):  # such a variable is one for all work-items: it stays where it is
        body = _at_value(body)
    body = _first(_used(_single(body)))
    return function if body == function.body else replace(function, body=body)


def _unwaited(body: t.Body) -> t.Body:
    """Return statements without barriers at the end of all: behind them nothing is read."""
    at = next((n for n in reversed(range(len(body))) if not t.is_comment(body[n])), None)
    waits = at is not None and isinstance(last := body[at], t.Do) and isinstance(last.value, t.Call)
    if at is None or not waits or last.value.function not in _WAITS:  # type: ignore[attr-defined]
        return body
    return _unwaited((*body[:at], *body[at + 1 :]))


def _fence(node: t.Node) -> bool:
    """Tell a fence: where nobody waits, counts or looks again, its order of reads and writes is seen by nobody."""
    return isinstance(node, t.Do) and isinstance(node.value, t.Call) and node.value.function in _FENCES


_MEETS = re.compile(r"barrier|\batom|\bvolatile\b|work_group_|sub_group_")
_FENCES = ("mem_fence", "write_mem_fence", "read_mem_fence")
_WAITS = ("barrier", "work_group_barrier", "mem_fence", "write_mem_fence", "read_mem_fence")


def _single(body: t.Body) -> t.Body:
    """Return statements in which each question for the work-item's position is a declaration of its own."""
    made: list[t.Node] = []
    for node in body:
        several = isinstance(node, t.Declare) and len(node.names) > 1 and any(map(_asks, node.names))
        made += [replace(node, names=(declared,)) for declared in node.names] if several else [node]  # type: ignore[attr-defined,type-var]
    return tuple(made)


def _used(body: t.Body) -> t.Body:
    """Return statements without unused variables for the work-item's position."""
    return tuple(
        node
        for node in body
        if not isinstance(node, t.Declare)
        or not all(
            _place(declared.value) and declared.name not in t.names_in(*body) and not _opaque(declared.name, body)
            for declared in node.names
        )
    )


def _place(node: t.Node | None) -> bool:
    return isinstance(node, t.Call) and bool(_PLACE.match(node.function))


def _first(body: t.Body) -> t.Body:
    """Return statements in which numbers of the whole grid that depend on nothing before them are declared before all else."""
    changing = t.written_in(*body) | t.declared_in(*body)

    def free(node: t.Node) -> bool:
        if not isinstance(node, t.Declare) or len(node.names) != 1 or node.names[0].value is None:
            return False
        value = node.names[0].value
        asks = any(isinstance(inner, t.Call) and inner.function == "get_global_id" for inner in t.walk(value))
        read = any(isinstance(inner, t.Index | t.Text) for inner in t.walk(value))
        return asks and not read and not t.names_in(value) & changing

    late = next((n for n, node in enumerate(body) if not free(node) and not t.is_comment(node)), len(body))
    moved = tuple(node for node in body[late:] if free(node))
    return (*body[:late], *moved, *(node for node in body[late:] if node not in moved)) if moved else body


def _asks(node: t.Node) -> bool:
    return any(isinstance(inner, t.Call) and _PLACE.match(inner.function) for inner in t.walk(node))


def _elements_apart(body: t.Body) -> t.Body:
    """Return statements in which arrays of which every element is named by its number are as many variables."""
    for at, node in enumerate(body):
        if not isinstance(node, t.Declare) or _LOCAL.search(node.type) or "constant" in node.type:
            continue
        for variable in node.names:
            if not (fresh := _variables(variable, body)):
                continue
            rest = tuple(other for other in node.names if other is not variable)
            kept = (replace(node, names=rest),) if rest else ()
            names: dict[t.Node, t.Node] = {
                t.Index(t.Name(variable.name), t.Number(str(i))): t.Name(new.name) for i, new in enumerate(fresh)
            }
            after = tuple(t.changed(other, names.get) for other in body[at + 1 :])
            return _elements_apart((*body[:at], *kept, *(replace(node, names=(new,)) for new in fresh), *after))
    return body


_MOST_ELEMENTS = 16


def _variables(one: t.Declared, body: t.Body) -> list[t.Declared]:
    """Return a variable for each element of an array, nothing where elements are found otherwise."""
    match one.extents, one.value:
        case (t.Number(text=text),), None | t.Table() if text.isdigit() and 0 < int(text) <= _MOST_ELEMENTS:
            count = int(text)
        case _:
            return []
    values = one.value.values if isinstance(one.value, t.Table) else (None,) * count
    places = {t.Index(t.Name(one.name), t.Number(str(i))) for i in range(count)}
    mentioned = sum(1 for node in t.walk(*body) if node == t.Name(one.name))
    fresh = [f"{one.name}_{i}" for i in range(count)]
    if len(values) != count or mentioned != sum(1 for node in t.walk(*body) if node in places):
        return []
    if (
        set(fresh) & (t.names_in(*body) | t.declared_in(*body))
        or _count(body)[one.name] != 1
        or _opaque(one.name, body)
    ):
        return []
    return [t.Declared(name, value, one.pointer) for name, value in zip(fresh, values, strict=True)]


# -- declared where the first value is -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Bare:
    """A variable that is declared without a value."""

    name: str
    type: str
    pointer: str

    def begun(self, value: t.Node, line: int) -> t.Declare:
        return t.Declare(self.type, (t.Declared(self.name, value, self.pointer),), line)

    def among(self, *nodes: t.Node | None) -> bool:
        """Tell whether it is mentioned."""
        return self.name in t.names_in(*(node for node in nodes if node is not None))

    def begins(self, node: t.Node | None) -> t.Node | None:
        """Return the value of the plain assignment that sets it first; None for any other statement."""
        beginning = isinstance(node, t.Assign) and node.op == "=" and node.target == t.Name(self.name)
        return node.value if beginning and not self.among(node.value) else None  # type: ignore[union-attr]


def _at_value(body: t.Body) -> t.Body:
    """Return statements in which variables without a value are declared where they get their first one."""
    counted, made = _count(body), list(body)
    for node in body:
        for one in node.names if isinstance(node, t.Declare) and "volatile" not in node.type else ():
            movable = one.value is None and not one.extents and counted[one.name] == 1 and not _opaque(one.name, body)
            at = next((n for n, other in enumerate(made) if isinstance(other, t.Declare) and one in other.names), None)
            whole = None if at is None else made[at]
            if at is None or not movable or not isinstance(whole, t.Declare):
                continue
            rest = _given(tuple(made[at + 1 :]), _Bare(one.name, whole.type, one.pointer))
            if rest is not None:
                left = tuple(other for other in whole.names if other != one)
                made[at:] = [*((replace(whole, names=left),) if left else ()), *rest]
    return tuple(made)


def _given(body: t.Body, one: _Bare) -> t.Body | None:
    """Return statements with a variable declared at its first value, so that all uses see it; None where that cannot be done.

    Either the first statement that mentions it gives it a value, or each that does has a variable of its own.
    """
    using = [n for n, node in enumerate(body) if one.among(node)]
    if not using:
        return None
    first = body[using[0]]
    value = one.begins(first.value) if isinstance(first, t.Do) else None
    if value is not None:
        return (*body[: using[0]], one.begun(value, first.line), *body[using[0] + 1 :])  # type: ignore[attr-defined]
    made = list(body)
    for n in using:
        inside = _inside(body[n], one)
        if inside is None:
            return None
        made[n] = inside
    return tuple(made)


def _inside(node: t.Node, one: _Bare) -> t.Node | None:
    """Return a statement with a variable of its own; None where the value comes from outside or is used outside."""
    match node:
        case t.For(first=first) if (value := one.begins(first)) is not None:
            return replace(node, first=one.begun(value, node.line))
        case t.For() if not one.among(node.first, node.condition, node.step):
            body = _given(node.body, one)
            return None if body is None else replace(node, body=body)
        case t.If() if not one.among(node.condition):
            yes, no = (_given(part, one) if one.among(*part) else part for part in (node.yes, node.no))
            return None if yes is None or no is None else replace(node, yes=yes, no=no)
        case t.Block():
            body = _given(node.body, one)
            return None if body is None else replace(node, body=body)
    return None


def _count(body: t.Body) -> Counter[str]:
    """Return how often each name is declared."""
    return Counter(node.name for node in t.walk(*body) if isinstance(node, t.Declared))


def _opaque(name: str, body: t.Body) -> bool:
    """Tell whether a variable is mentioned in what is not understood, or its address is taken."""
    for inner in t.walk(*body):
        if isinstance(inner, t.Text) and not inner.comment and re.search(rf"\b{name}\b", inner.text):
            return True
        if isinstance(inner, t.Unary) and inner.op == "&" and name in t.names_in(inner):
            return True
    return False
