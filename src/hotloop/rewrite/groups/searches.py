"""A group's search for the best of its places' values, as one item's: what each has is put down, and then compared half by half."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from hotloop.rewrite import tree as t
from hotloop.rewrite.groups.bests import Best, compared, fitting
from hotloop.rewrite.groups.places import PLACE, filled, outer, varying_in
from hotloop.rewrite.shape import RefusedError


class Group(Protocol):
    """Makes the statements of all places of a group; each method raises RefusedError."""

    size: int
    kinds: dict[str, str]
    """Types of the arrays that trees go over."""
    private: set[str]
    """Variables of which each place had its own, and that are gone."""
    known: set[str]
    """Sums that are declared."""

    def allowed(self, node: t.Node) -> None:
        """Refuse a statement that needs what is gone."""
        ...

    def each_behind(self, nodes: list[t.Node], varying: set[str]) -> Iterator[t.Node]:
        """Yield a loop over the places around their own statements, behind those that are the same for all."""
        ...


def own(array: str) -> t.Name:
    """Return the variable that a place has instead of its element of an array."""
    return t.Name(f"{array}_own")


@dataclass(frozen=True, slots=True)
class Bests:
    """Makes a group's search for the best of its places' values: what each has is put down, and then compared half by half."""

    group: Group
    found: Best

    def made(self, nodes: list[t.Node]) -> Iterator[t.Node]:
        """Yield statements that end in the best value and what belongs to it. Raises RefusedError."""
        group, arrays = self.group, self.found.arrays
        if not fitting(group.kinds, arrays) or group.known & {f"{one}_total" for one in arrays}:
            raise RefusedError("what is compared has elements of other widths, or is searched twice")
        nodes = [t.changed(node, self._element) for node in nodes]
        if not all(filled(nodes, t.Index(own(one), t.Name(PLACE)), own(one).text) for one in arrays):
            raise RefusedError("what is compared is what it was before")
        varying = varying_in(nodes) | {own(one).text for one in arrays}
        for node in nodes:
            group.allowed(node)
        for one in arrays:
            extents = (t.Number(str(group.size)),)
            yield t.Declare(group.kinds[one], (t.Declared(own(one).text, None, "", extents),))
        yield from group.each_behind(nodes, varying)
        yield from compared(self.found, {one: own(one).text for one in arrays}, group.size)
        for one in arrays:
            first = t.Index(own(one), t.Number("0"))
            yield t.Declare(group.kinds[one], (t.Declared(f"{one}_total", first),))
            group.known.add(f"{one}_total")
        group.private |= outer(varying, nodes)

    def _element(self, node: t.Node) -> t.Node | None:
        """Return a place's own element of what is compared in the array that takes its place."""
        if isinstance(node, t.Index) and isinstance(node.base, t.Name) and node.base.text in self.found.arrays:
            return t.Index(own(node.base.text), node.index) if node.index == t.Name(PLACE) else None
        return None
