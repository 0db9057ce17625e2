"""Variables that hide others, or are called as those of another block, under names of their own.

``int at = 1; if (c) { int at = 2; f(at); }`` has ``at_b`` within, and so has the second of two loops that both declare ``at``: what a name
stands for is then the same everywhere. Loops' own numbers may have the names of other loops' numbers.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from itertools import chain, count

from hotloop.rewrite import tree as t


def unhidden(body: t.Body, outer: Collection[str]) -> t.Body:
    """Return statements in which no variable has the name of another one; `outer` are names that are visible around them."""
    if not t.hidden_in(body, set(outer)) and not _twice(body):
        return body
    called = {child.function for child in t.walk(*body) if isinstance(child, t.Call)}
    taken = {*outer, *called, *t.names_in(*body), *t.declared_in(*body)}
    return _Names(taken, set()).body(body, set(outer))


def _twice(body: t.Body) -> bool:
    """Tell whether two blocks declare a variable of one name, other than as a loop's own number."""
    heads = {id(node.first) for node in t.walk(*body) if isinstance(node, t.For)}
    names = [n for node in t.walk(*body) if id(node) not in heads for n in _declared(node)]
    return len(names) > len({*names})


@dataclass(frozen=True, slots=True)
class _Names:
    taken: set[str]
    """Names that something has."""
    met: set[str]
    """Variables of blocks that have ended, or of those around."""

    def body(self, body: t.Body, visible: set[str]) -> t.Body:
        made: list[t.Node] = []
        seen, left = set(visible), list(body)
        while left:
            node = left.pop(0)
            for name in sorted(_declared(node) & (visible | self.met)):  # of another block; twice in one is no C
                other: dict[str, t.Node] = {name: t.Name(_fresh(name, self.taken))}
                node, *left = (t.renamed(one, other) for one in (node, *left))
            seen |= _declared(node)
            self.met.update(_declared(node))
            made.append(self.inner(node, seen))
        return tuple(made)

    def inner(self, node: t.Node, visible: set[str]) -> t.Node:
        match node:
            case t.If():
                return replace(node, yes=self.body(node.yes, visible), no=self.body(node.no, visible))
            case t.Block():
                return replace(node, body=self.body(node.body, visible))
            case t.For(first=first):
                return self.loop(node, _declared(first) if first is not None else set(), visible)
        return node

    def loop(self, node: t.For, own: set[str], visible: set[str]) -> t.For:
        other: dict[str, t.Node] = {name: t.Name(_fresh(name, self.taken)) for name in sorted(own & visible)}
        loop = t.renamed(node, other) if other else node
        assert isinstance(loop, t.For)
        return replace(loop, body=self.body(loop.body, visible | own - other.keys() | t.names_in(*other.values())))


def _declared(node: t.Node) -> set[str]:
    return {variable.name for variable in node.names} if isinstance(node, t.Declare) else set()


def _fresh(name: str, taken: set[str]) -> str:
    """Return a name that nothing has yet, and note it."""
    letters = (f"{name}_{letter}" for letter in "bcdefgh")  # numbers are for the copies of a block of results
    made = next(other for other in chain(letters, (f"{name}_{n}th" for n in count(9))) if other not in taken)
    taken.add(made)
    return made
