"""One work-item does what a group did: between two barriers a loop over the places.

What it changes: ``get_local_id`` becomes a loop's variable, barriers go, and what a place keeps across a barrier gets an element of an array,
or is calculated again. Local memory stays what it is, in groups of one work-item, which counts there without atomic functions.
When it applies: groups of a known size that meet at barriers, in loops and branches that are the same for all of them.
What it costs: a group's work is one item's, too little to go round where there are few groups. A runtime that runs places one after another
does the same by itself, but for every statement and with all variables kept; it makes no vectors where barriers are in loops.
"""

from __future__ import annotations

from dataclasses import replace
from math import prod

from hotloop.rewrite import tree as t
from hotloop.rewrite.components.counters import each_in_its_head
from hotloop.rewrite.form import Keeps, Posed, Rewrite
from hotloop.rewrite.groups.apart import PLACES, alike
from hotloop.rewrite.groups.counts import plain
from hotloop.rewrite.groups.fission import Fission
from hotloop.rewrite.groups.places import meets, waits
from hotloop.rewrite.shape import RefusedError

OUTER, INNER = "outer", "inner"
"""Where the loops over the places are: around loops that are the same for all places, or within them."""


def apply(posed: Posed, value: int | str) -> Posed:
    """Make the statements of a group one item's."""
    dimensions = len(posed.extents) or len(posed.group)
    if prod(posed.group) < 2 or prod(posed.group[dimensions:]) > 1:
        raise RefusedError("its groups are of no known size")
    posed = replace(posed, group=(*posed.group, 1, 1)[:dimensions])
    if not any(map(meets, posed.function.body)):
        raise RefusedError("its places do not meet")
    if set(PLACES) & (t.names_in(*posed.function.body) | t.declared_in(*posed.function.body)):
        raise RefusedError(f"it has a variable that is called {PLACES[0]}")
    body = tuple(t.changed(one, lambda node: _asked(node, posed)) for one in each_in_its_head(posed.function.body))
    parts = Fission(posed, body, inner=value == INNER)
    if value == OUTER and not alike(parts.body):
        raise RefusedError("it has no loop but those in which its places meet, or which differ between them")
    made = parts.made()
    ends = tuple(_divided(end, size) for end, size in zip(posed.extents, posed.group, strict=False))
    made = plain(posed, tuple(one for one in made if not waits(one)))
    return replace(
        posed.with_body(made),
        group=(),
        regrouped=True,
        extents=ends,
        lone=True,
        apart=True,
    )


def _asked(node: t.Node, posed: Posed) -> t.Node | None:
    """Return what a question about a work-item's place becomes."""
    if not isinstance(node, t.Call):
        return None
    if node.function in {helper.function.name for helper in posed.helpers} and _asks(node.function, posed):
        raise RefusedError(f"{node.function} asks for a place")
    if not node.function.startswith("get_") or node.function in (
        "get_group_id",
        "get_num_groups",
        "get_work_dim",
    ):
        return None
    at = node.arguments[0] if len(node.arguments) == 1 else None
    if not isinstance(at, t.Number) or at.text not in "012":
        raise RefusedError(f"it asks for {node.function}")
    wide = (*posed.group, 1, 1, 1)[int(at.text)]
    size = t.Cast("size_t", t.Number(str(wide)))
    place: t.Node = t.Name(PLACES[int(at.text)]) if wide > 1 else t.Cast("size_t", t.Number("0"))
    match node.function:
        case "get_local_id":
            return place
        case "get_local_size" | "get_enqueued_local_size":
            return size
        case "get_global_id":
            return t.Binary("+", t.Binary("*", t.Call("get_group_id", (at,)), size), place)
        case "get_global_size":
            return t.Binary("*", t.Call("get_num_groups", (at,)), size)
    raise RefusedError(f"it asks for {node.function}")


def _asks(name: str, posed: Posed) -> bool:
    """Tell whether a function of the text asks for a place, or lets places meet, itself or by one that it calls."""
    waiting, seen = [name], set[str]()
    while waiting:
        seen.add(one := waiting.pop())
        bodies = [helper.function.body for helper in posed.helpers if helper.function.name == one]
        calls = {node.function for body in bodies for node in t.walk(*body) if isinstance(node, t.Call)}
        if any(call.startswith("get_") for call in calls) or any(meets(node) for body in bodies for node in body):
            return True
        waiting += sorted(calls - seen)
    return False


def _divided(extent: t.Node, by: int) -> t.Node:
    if by == 1:
        return extent
    return t.Binary("/", t.Binary("+", extent, t.Number(str(by - 1))), t.Number(str(by)))


def lines(posed: Posed) -> tuple[int, ...]:
    """Return the lines where the group meets."""
    apply(posed, INNER)
    found = [inner for inner in t.walk(*posed.function.body) if waits(inner) and isinstance(inner, t.Do)]
    return tuple(sorted({one.line for one in found if one.line}))


def gain(_posed: Posed) -> tuple[float, float]:
    """Return what was seen: loops that the compiler makes vectors of, and variables that are no arrays."""
    return (1.0, 5.0)


REWRITE = Rewrite(
    name="place-loops",
    text=__doc__,
    technique="bypass-local",
    keeps=Keeps.BITS,
    values=("off", OUTER, INNER),
    apply=apply,
    lines=lines,
    gain=gain,
    order=6,
)
"""Groups of work-items that meet, as one item."""
