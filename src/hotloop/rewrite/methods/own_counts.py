"""A work-item counts for itself in a loop, and adds what it counted to the shared counts once.

What it changes: ``atomic_add(&count[k], 1)`` in a loop adds to an array of the item's own; behind the loop each of its sums that is not zero is added
to the shared element. Elements beyond that array are added to as before, so that any number of counts is right. Where each work-item counts
once, one does the work of 4096 in a loop.
When it applies: whole numbers are added, nothing takes the old value, and the loop does nothing else with that array.
What it costs: the item's array is emptied before the loop and gone through behind it, which short loops do not earn back; it takes a part of the
first cache. Atomic functions are waited for one by one, and longer where several cores want the same line.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from hotloop.rewrite import tree as t
from hotloop.rewrite.blocks import pointed
from hotloop.rewrite.edges.blocked import in_turn
from hotloop.rewrite.form import Keeps, Posed, Rewrite
from hotloop.rewrite.shape import RefusedError, shape
from hotloop.rewrite.staged import MEETING

_ADDS = {"atomic_add": 2, "atom_add": 2, "atomic_inc": 1, "atom_inc": 1}
"""Functions that add, with the number of their arguments."""
_KINDS = ("int", "uint", "unsigned int", "unsigned")
_AT = "own_at"
_TOGETHER = 4096
"""Work-items whose work one does: emptying and adding up its own counts costs two rounds for each of them."""


def apply(posed: Posed, value: int | str) -> Posed:
    """Let each loop count for itself."""
    work = _Work(posed, int(value))
    body = work.body(posed.function.body)
    if not work.lines:
        posed = _items(posed)
        work = _Work(posed, int(value))
        body = work.body(posed.function.body)
    if not work.lines:
        raise RefusedError("no loop of it only adds to counts by atomic functions")
    return posed.with_body(body)


def _items(posed: Posed) -> Posed:
    """Return a kernel whose work-items do what many did, in a loop. Raises RefusedError where they do not count, or ask for more than their numbers."""
    calls = {node.function for node in t.walk(*posed.function.body) if isinstance(node, t.Call)}
    if not calls & _ADDS.keys():
        raise RefusedError("it adds to no counts by atomic functions")
    if asked := {one for one in calls if one.startswith("get_") and one != "get_global_id"} | calls & MEETING:
        raise RefusedError(f"it asks for {min(asked)}, which a loop over work-items would change")
    form = shape(posed.function, posed.types)
    return replace(in_turn(posed, form, _TOGETHER), apart=True)


def lines(posed: Posed) -> tuple[int, ...]:
    """Return the lines of such loops, or of what adds."""
    work = _Work(posed, 256)
    work.body(posed.function.body)
    adds = (node.line for node in t.walk(*posed.function.body) if isinstance(node, t.Do) and _added(node.value))
    return tuple(sorted(work.lines or {*adds} - {0}))


@dataclass(slots=True)
class _Work:
    posed: Posed
    size: int
    lines: set[int] = field(default_factory=set)

    def body(self, body: t.Body) -> t.Body:
        """Return statements in which the outermost loops that allow it count for themselves."""
        return tuple(made for node in body for made in self.statement(node))

    def statement(self, node: t.Node) -> Iterator[t.Node]:
        match node:
            case t.For() if (array := self._counted(node)) is not None:
                self.lines.add(node.line)
                yield from self._own(node, array)
            case t.For() | t.Block():
                yield replace(node, body=self.body(node.body))
            case t.If():
                yield replace(node, yes=self.body(node.yes), no=self.body(node.no))
            case _:
                yield node

    def _counted(self, loop: t.For) -> str | None:
        """Return the array to which a loop only adds."""
        adds = [one for node in t.walk(loop) if (one := _added(node)) is not None]
        names = {one.text for _, one, _ in adds}
        name = next(iter(names)) if len(names) == 1 else ""
        argument = self.posed.function.argument(name)
        if argument is None or argument.space != "global" or self.posed.type_of(name) not in _KINDS:
            return None
        if sum(inner == t.Name(name) for inner in t.walk(loop)) != len(adds) or not _whole(loop):
            return None
        taken = t.names_in(*self.posed.function.body) | t.declared_in(*self.posed.function.body)
        return None if taken & {_AT, f"{name}_own", f"{name}_at"} else name

    def _own(self, loop: t.For, array: str) -> Iterator[t.Node]:
        own, at, kind = t.Name(f"{array}_own"), t.Name(_AT), self.posed.type_of(array)
        yield t.Declare(kind, (t.Declared(own.text, extents=(t.Number(str(self.size)),)),))
        yield self._over(t.Do(t.Assign("=", t.Index(own, at), t.Number("0"))))
        yield t.changed(loop, lambda node: self._within(node, array))
        sum_ = t.Index(own, at)
        shared = t.Unary("&", t.Index(t.Name(array), at))
        yield self._over(
            t.If(
                t.Binary("!=", sum_, t.Number("0")),
                (t.Do(t.Call("atomic_add", (shared, sum_))),),
            )
        )

    def _over(self, body: t.Node) -> t.For:
        begin = t.Declare("int", (t.Declared(_AT, t.Number("0")),))
        return t.For(
            begin,
            t.Binary("<", t.Name(_AT), t.Number(str(self.size))),
            t.Postfix("++", t.Name(_AT)),
            (body,),
        )

    def _within(self, node: t.Node, array: str) -> t.Node | None:
        """Return what adds to the item's own element where there is one."""
        if not isinstance(node, t.Do) or (addition := _added(node.value)) is None:
            return None
        index, _, by = addition
        at = t.Name(f"{array}_at")
        place = t.Declare("size_t", (t.Declared(at.text, index),))
        mine = t.Do(t.Assign("+=", t.Index(t.Name(f"{array}_own"), at), by))
        shared = t.Do(t.Call("atomic_add", (t.Unary("&", t.Index(t.Name(array), at)), by)))
        return t.Block(
            (
                place,
                t.If(t.Binary("<", at, t.Number(str(self.size))), (mine,), (shared,)),
            ),
            node.line,
        )


def _added(node: t.Node) -> tuple[t.Node, t.Name, t.Node] | None:
    """Return the element and the array to which an atomic function adds, and what; None of all else."""
    if not isinstance(node, t.Call) or _ADDS.get(node.function) != len(node.arguments):
        return None
    place = pointed(node.arguments[0])
    if place is None or not isinstance(place.base, t.Name):
        return None
    return (
        place.index,
        place.base,
        node.arguments[1] if len(node.arguments) == 2 else t.Number("1"),
    )


def _whole(loop: t.For) -> bool:
    """Tell a loop that is understood, in which every atomic function is a statement of its own and items do not wait for each other."""
    alone = {id(inner.value) for inner in t.walk(loop) if isinstance(inner, t.Do) and _added(inner.value) is not None}
    for node in t.walk(loop):
        if isinstance(node, t.Text) and not node.comment and node.text.strip() not in ("continue;", "break;"):
            return False
        if isinstance(node, t.Call):
            atomic = node.function.startswith(("atom_", "atomic_"))
            if (atomic and id(node) not in alone) or node.function in MEETING:
                return False
    return True


REWRITE = Rewrite(
    name="own-counts",
    text=__doc__,
    technique="accumulation-registers",
    keeps=Keeps.BITS,
    values=(0, 256),
    apply=apply,
    lines=lines,
    gain=lambda _posed: (0.3, 8.0),
    order=45,
)
"""Counts of a work-item's own."""
