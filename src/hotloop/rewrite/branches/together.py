"""Loops that work-items leave at different rounds: as long as nobody has left, all vectors go through them together and without masks.

``for (int i = 0; i < n - tau; i++) sum += x[i] * x[i + tau];`` is one loop over all vectors until the first lane leaves it. Only then has each
vector a loop of its own, whose masks choose the lanes that are left. Rounds without masks load neighbours at once and keep several sums going.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from hotloop.rewrite import tree as t
from hotloop.rewrite.branches.looped import leaving, stepped
from hotloop.rewrite.branches.masked import Branches
from hotloop.rewrite.conditions import fresh
from hotloop.rewrite.shape import RefusedError

Place = dict[str, int]
"""Numbers of a copy by work-item variable."""


def together(
    node: t.Node, branches: Branches, plain: Callable[[t.Body], t.Body], moved: Callable[[t.Node, Place], t.Node],
    places: Sequence[Place],
) -> t.Body:  # fmt: skip
    """Return a loop in two parts, nothing where it has no such form.

    Args:
        node: the loop.
        branches: makes the statements of chosen lanes.
        plain: makes the statements of all copies of all lanes.
        moved: makes a statement that of one copy.
        places: the copies.
    """
    if not isinstance(node, t.For) or (counter := _counter(node, branches)) is None:
        return ()
    assert isinstance(node.first, t.Declare)
    try:
        rounds = plain(node.body)
    except RefusedError:
        return ()
    counted = t.Name(fresh(f"{counter.name}_all", node))
    names = [fresh(f"going_{number}" if len(places) > 1 else "going", node) for number in range(len(places))]
    masks = [t.Name(name) for name in names]
    made: list[t.Node] = [t.Declare(node.first.type, (replace(counter, name=counted.text),))]
    asked, later = list[t.Node](), list[t.Node]()
    for mask, place in zip(masks, places, strict=True):
        everybody = t.Vector(branches.lanes.vector("int"), (t.Number("-1"),))
        made.append(t.Declare(branches.lanes.vector("int"), (t.Declared(mask.text, everybody),)))
        again, rest = branches.later(node, mask, counter.name)
        asked += [t.renamed(moved(one, place), {counter.name: counted}) for one in again]
        begin = t.Declare(node.first.type, (replace(counter, value=counted),))
        later.append(t.Block((begin, moved(rest, place))))
    whole: t.Node = masks[0]
    for mask in masks[1:]:
        whole = t.Binary("&", whole, mask)
    body = tuple(t.renamed(one, {counter.name: counted}) for one in (*rounds, *stepped(node)))
    return (t.Block((*made, *asked, t.For(None, t.Call("all", (whole,)), None, (*body, *asked), node.line), *later)),)


def _counter(node: t.For, branches: Branches) -> t.Declared | None:
    """Return the number that a loop counts, the same for all lanes, where only its condition lets lanes leave; None of other loops."""
    match node:
        case t.For(first=t.Declare(names=(one,)), condition=t.Node(), step=t.Node() as step) if one.value is not None:
            alike = (
                not branches.differs(t.Name(one.name))
                and not branches.differs(step)
                and not branches.differs(one.value)
            )
            own = one.name not in t.written_in(*node.body) | t.declared_in(*node.body) and not one.extents
            inner = any(isinstance(loop, t.For) and branches.apart(loop) for loop in t.walk(*node.body))
            if alike and own and not inner and not one.pointer and not any(True for _ in leaving(node)):
                return one
    return None
