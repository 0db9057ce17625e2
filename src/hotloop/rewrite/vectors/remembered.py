"""What chosen lanes read of their own in every round of a loop: each lane reads it the first time that it is chosen, and remembers it.

``for (j < n) if (r2 < cutoff) f += g(v[i], v[j]);`` may read ``v[i]`` for chosen results ``i`` only, one by one, and it is the same for every ``j``.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace

from hotloop.rewrite import tree as t
from hotloop.rewrite.components.computed import component
from hotloop.rewrite.conditions import BOTH
from hotloop.rewrite.vectors.held import stores

_MOST = 12
"""Vectors that one loop remembers: with more, registers run out."""


@dataclass(slots=True)
class Memory:
    """Rewrites statements, with names for what loops remember."""

    taken: set[str]
    """Names that stand for something."""
    lasting: AbstractSet[str]
    """Parameters whose elements may be read once instead of again and again: nobody else changes them."""

    def body(self, body: t.Body) -> t.Body:
        """Return statements whose loops remember; equal where nothing is read again."""
        return tuple(made for node in body for made in self._statement(node))

    def _statement(self, node: t.Node) -> t.Body:
        match node:
            case t.For(body=body) if stores(body):
                return (replace(node, body=self.body(body)),)
            case t.For():
                loop = _Loop(self.taken, self.lasting, t.written_in(node) | t.declared_in(node))
                made = replace(node, body=loop.body(node.body))
                return (*loop.begun(), made)
            case t.Block():
                return (replace(node, body=self.body(node.body)),)
            case t.If():
                return (replace(node, yes=self.body(node.yes), no=self.body(node.no)),)
        return (node,)


@dataclass(slots=True)
class _Loop:
    """What one loop remembers."""

    taken: set[str]
    lasting: AbstractSet[str]
    changing: set[str]
    """Names that its rounds change."""
    vectors: dict[t.Body, tuple[str, str]] = field(default_factory=dict)
    """The variable of what is remembered and the type of it, by the elements of all lanes."""

    def begun(self) -> Iterator[t.Node]:
        """Yield the declarations of what the loop remembers: nothing at first."""
        for name, kind in self.vectors.values():
            yield t.Declare(kind, (t.Declared(name, t.Vector(kind, (t.Number("0"),))),))
            lanes = _lanes(kind)
            yield t.Declare(lanes, (t.Declared(_known(name), t.Vector(lanes, (t.Number("0"),))),))

    def body(self, body: t.Body) -> t.Body:
        """Return statements of the loop."""
        return tuple(made for node in body for made in self._statement(node))

    def _statement(self, node: t.Node) -> t.Body:
        match node:
            case t.Block() | t.For():
                return (replace(node, body=self.body(node.body)),)
            case t.If():
                return (replace(node, yes=self.body(node.yes), no=self.body(node.no)),)
            case t.Do() | t.Declare():
                return self._reading(node)
        return (node,)

    def _reading(self, node: t.Do | t.Declare) -> t.Body:
        """Return a statement behind what it needs that is not known yet: of what may be left out, such as a side of ``?:``, nothing is read ahead."""
        before, always = dict[str, t.Node](), set(_always(node))

        def change(one: t.Node) -> t.Node | None:
            if one not in always or not isinstance(one, t.Vector) or (read := _chosen(one)) is None:
                return None
            mask, elements = read
            if not _bases(elements) <= self.lasting:
                return None
            if t.names_in(*elements) & self.changing or (elements not in self.vectors and len(self.vectors) == _MOST):
                return None
            name = self._named(elements, one.type)
            before.setdefault(name, _learned(name, mask, one))
            return t.Name(name)

        made = t.changed(node, change)
        return (*before.values(), made)

    def _named(self, elements: t.Body, kind: str) -> str:
        if elements not in self.vectors:
            names = (f"own_{at}" for at in range(2 * len(self.taken) + 1))
            name = next(one for one in names if not self.taken & {one, _known(one)})
            self.taken |= {name, _known(name)}
            self.vectors[elements] = (name, kind)
        return self.vectors[elements][0]


def _always(node: t.Node) -> Iterator[t.Vector]:
    """Yield the vectors below that are read whenever a statement is done, by all lanes together or by those that are chosen."""
    match node:
        case t.Vector():
            yield node
        case t.Choice(condition=condition) if not (isinstance(condition, t.Call) and condition.function == "all"):
            yield from _always(condition)
        case t.Binary(op=op, left=left) if op in BOTH:
            yield from _always(left)
        case _:
            for one in t.children(node):
                yield from _always(one)


def _bases(elements: t.Body) -> set[str]:
    """Return the names of the arrays that elements are of; an empty one where that is not seen."""
    indices = [one.base if isinstance(one, t.Member) else one for one in elements]
    bases = [one.base if isinstance(one, t.Index) else one for one in indices]
    return {one.text if isinstance(one, t.Name) else "" for one in bases}


def _known(name: str) -> str:
    return f"{name}_known"


def _lanes(kind: str) -> str:
    """Return the type of masks of a vector's lanes."""
    return "int" + kind.lstrip("abcdefghijklmnopqrstuvwxyz")


def _chosen(vector: t.Vector) -> tuple[t.Name, t.Body] | None:
    """Return the mask by which each lane reads its element, and the elements; None of another vector."""
    masks, elements = list[t.Name](), list[t.Node]()
    for lane, value in enumerate(vector.values):
        match value:
            case t.Choice(
                condition=t.Member(base=t.Name() as mask) as condition,
                yes=t.Index() | t.Member(base=t.Index()) as element,
                no=t.Number(),
            ) if condition == component(mask, lane):
                masks.append(mask)
                elements.append(element)
            case _:
                return None
    return (masks[0], tuple(elements)) if len(set(masks)) == 1 < len(elements) else None


def _learned(name: str, mask: t.Name, vector: t.Vector) -> t.If:
    """Return how lanes read that are chosen for the first time; others keep what they know."""
    known = t.Name(_known(name))
    values = tuple(
        t.Choice(component(known, lane), component(t.Name(name), lane), value)
        for lane, value in enumerate(vector.values)
    )
    read = t.Do(t.Assign("=", t.Name(name), replace(vector, values=values)))
    more = t.Do(t.Assign("=", known, t.Binary("|", known, mask)))
    return t.If(t.Call("any", (t.Binary("&", mask, t.Unary("~", known)),)), (read, more), ())
