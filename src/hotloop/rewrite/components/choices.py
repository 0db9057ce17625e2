"""Choices between two values in vectors: lane by lane, or once for all lanes where all choose alike."""

from __future__ import annotations

from typing import Protocol

from hotloop.rewrite import tree as t
from hotloop.rewrite.conditions import acts, divides
from hotloop.rewrite.shape import RefusedError

_REALS = frozenset(["float", "double"])


class Lanes(Protocol):
    """What makes vectors of the rest of an expression; each method raises RefusedError."""

    mixed: bool

    def of(self, node: t.Node) -> tuple[t.Node, str]:
        """Return an expression and the type of its lanes, empty where it is no vector."""
        ...

    def compared(self, node: t.Node) -> tuple[t.Node, str]:
        """Return a condition lane by lane, and the type in which it compares."""
        ...

    def common(self, *sides: tuple[t.Node, str]) -> str:
        """Return the type in which C calculates with several values."""
        ...

    def side(self, node: t.Node, own: str, kind: str) -> t.Node:
        """Return a value as a vector of a type."""
        ...

    def mask_for(self, condition: t.Node, compared: str, kind: str) -> t.Node:
        """Return a condition of lanes as wide as what it compares, with lanes as wide as what it chooses."""
        ...

    def differs(self, node: t.Node) -> bool:
        """Tell whether a value may differ between lanes."""
        ...

    def scalar(self, node: t.Node) -> str:
        """Return the type of what is the same in all lanes."""
        ...


def chosen(lanes: Lanes, node: t.Node) -> tuple[t.Node, str]:
    """Return one of two values for each lane and the type of the lanes. Raises RefusedError.

    Where lanes choose differently both are computed, so neither may be what the condition guards.
    """
    if not isinstance(node, t.Choice):
        raise RefusedError("an expression has no form for vectors")
    if (alike := _alike(lanes, node)) is not None:
        return alike
    asked = {inner for inner in t.walk(node.condition) if isinstance(inner, t.Index)}
    guarded = (inner for inner in t.walk(node.yes, node.no) if inner not in asked)
    if any(acts(one) or isinstance(one, t.Index) or _traps(lanes, one) for one in guarded):
        raise RefusedError("what a condition allows would be done in all lanes")
    condition, compared = lanes.compared(node.condition)
    yes, no = lanes.of(node.yes), lanes.of(node.no)
    kind = lanes.common(yes, no)
    if not lanes.mixed and kind not in _REALS:
        raise RefusedError("a condition chooses whole numbers among lanes of real ones")
    return t.Call(
        "select", (lanes.side(*no, kind), lanes.side(*yes, kind), lanes.mask_for(condition, compared, kind))
    ), kind


def _alike(lanes: Lanes, node: t.Choice) -> tuple[t.Node, str] | None:
    """Return a choice that all lanes make alike, of which one side alone is computed; None of another one."""
    if any(map(acts, t.walk(node))) or lanes.differs(node.condition):
        return None
    yes, no = lanes.of(node.yes), lanes.of(node.no)
    kind = lanes.common(yes, no)
    if not lanes.mixed and kind not in _REALS:
        return None
    return t.Choice(node.condition, lanes.side(*yes, kind), lanes.side(*no, kind)), kind


def _traps(lanes: Lanes, node: t.Node) -> bool:
    return divides(node) and (lanes.of(node)[1] or lanes.scalar(node)) not in _REALS
