"""One work-item does what a group did, where the group adds up through local memory.

When it applies: groups of a known size along one dimension, a power of two, whose places each put one value into local memory and then halve
what is there until one place has the sum (or the extreme, of real numbers, or the best value with what belongs to it); everything else that they do is the same for all, done by the first
place, or needs no other place's variables behind a barrier. Loops that each place begins at its own number become one loop over all of them,
and so do rounds in which they read side by side. What comparisons of real numbers keep depends on NaN and on the tree's order, which stays.

What it costs: sums are added in another order; a group's work is one item's, too little to go round where there are few groups. A runtime that
runs places one after another pays for every barrier with a loop over the group; one item needs none, and its loop is one for
`reduction-lanes`.
"""

from __future__ import annotations

from dataclasses import replace

from hotloop.rewrite import tree as t
from hotloop.rewrite.components.skips import kinds
from hotloop.rewrite.form import Keeps, Posed, Rewrite
from hotloop.rewrite.groups.alone import alone, counts, dropped, kind_of, placed
from hotloop.rewrite.groups.meeting import Group
from hotloop.rewrite.groups.places import PLACE, first_only
from hotloop.rewrite.groups.regular import Regular
from hotloop.rewrite.groups.trees import tree
from hotloop.rewrite.shape import RefusedError
from hotloop.rewrite.staged import MEETING, arrays


def apply(posed: Posed, _value: int | str) -> Posed:
    """Make the statements of a group one item's."""
    body = placed(posed)
    size = posed.group[0]
    local = {name: kind_of(name, body, posed) for name in arrays(posed.function)}
    body = Regular(size, local, kinds(posed.with_body(body)), body).body(body)
    body = tuple(t.changed(one, _of_first) for one in body)
    if any(isinstance(n, t.Binary) and n.op == "-" and counts(n) for n in t.walk(*body)):
        raise RefusedError("a difference of places may lie below zero, where numbers without a sign begin again")
    sums = {name: how for node in t.walk(*body) if (summing := tree(node, size)) for name, how in summing.how.items()}
    if not sums:
        raise RefusedError("it has no tree of sums in local memory")
    elements = {name: kind_of(name, body, posed) for name in sums}
    types = kinds(posed.with_body(body))
    body = _without(body, set(sums))
    body = tuple(t.changed(statement, lambda node: _first(node, sums)) for statement in body)
    made = Group(size, elements, types).body(body)
    _sound(made, body, sums)
    return alone(posed, made)


def _of_first(node: t.Node) -> t.Node | None:
    """Return what only the first place does with its number; None for others."""
    if isinstance(node, t.If) and not node.no and first_only(node.condition) is not None:
        return replace(node, yes=tuple(t.renamed(one, {PLACE: t.Number("0")}) for one in node.yes))
    return None


def _without(body: t.Body, names: set[str]) -> t.Body:
    """Return statements without local memory. Raises RefusedError where there is more of it, or arrays of each place."""
    kept = dropped(body, names)
    if any(isinstance(node, t.Declared) and node.extents for node in t.walk(*kept)):
        raise RefusedError("it has other arrays of its own")
    return kept


def _first(node: t.Node, sums: dict[str, str]) -> t.Node | None:
    """Return the variable with a group's sum for element 0 of local memory, which holds the sum in the end; None for others."""
    if isinstance(node, t.Index) and isinstance(node.base, t.Name) and node.index == t.Number("0"):
        return t.Name(f"{node.base.text}_total") if node.base.text in sums else None
    return None


def _sound(made: t.Body, before: t.Body, sums: dict[str, str]) -> None:
    """Raise RefusedError where the rewritten kernel still has barriers or local memory, or reads a sum where it is not known."""
    if any(isinstance(node, t.Call) and node.function in MEETING for node in t.walk(*made)):
        raise RefusedError("its places meet in another way")
    names = {f"{name}_total" for name in sums}
    if t.names_in(*made) & set(sums) or {
        *names,
        *(f"{name}_own" for name in sums),
    } & t.declared_in(*before):
        raise RefusedError("local memory holds something else than a sum")
    _visible(made, set(), names)


def _visible(body: t.Body, known: set[str], names: set[str]) -> None:
    for node in body:
        if isinstance(node, t.Declare):
            known = known | t.declared_in(node)
        elif isinstance(node, t.For | t.Block):
            _visible(node.body, known, names)
        elif t.names_in(node) & names - known:
            raise RefusedError("a sum is read where it is not known")


def lines(posed: Posed) -> tuple[int, ...]:
    """Return the lines where the group meets."""
    apply(posed, 1)
    meets = [one for one in t.walk(*posed.function.body) if isinstance(one, t.Do) and isinstance(one.value, t.Call)]
    return tuple(sorted({one.line for one in meets if one.line}))


REWRITE = Rewrite(
    name="group-sums",
    text=__doc__,
    technique="bypass-local",
    keeps=Keeps.ROUNDING,
    values=(0, 1),
    apply=apply,
    lines=lines,
    gain=lambda _posed: (0.8, 10.0),  # alone its sums are one after another
    order=4,
)
