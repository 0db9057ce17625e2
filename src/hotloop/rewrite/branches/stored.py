"""What chosen lanes of a vector write: at once where all are chosen, else one by one, so that no place of another lane is touched."""

from __future__ import annotations

from hotloop.rewrite import algebra
from hotloop.rewrite import tree as t
from hotloop.rewrite.components.computed import component, given
from hotloop.rewrite.conditions import fresh
from hotloop.rewrite.shape import RefusedError
from hotloop.rewrite.vectors.kinds import calculated
from hotloop.rewrite.vectors.lanes import Lanes


def stored(lanes: Lanes, node: t.Do, assign: t.Assign, mask: t.Node) -> t.Block:
    """Return an assignment to elements of an array that chosen lanes make. Raises RefusedError."""
    part = lanes.posed.part_of(assign.target)
    element = assign.target.base if isinstance(assign.target, t.Member) and part else assign.target
    if not isinstance(element, t.Index):
        raise RefusedError(f"line {node.line} writes something that is no element of an array")
    stride = None if (computed := lanes.computed(element)) else lanes.stride(element)
    ordered = computed and given(assign, element, lanes.posed.function.body)
    if stride == {} or (stride is None and not ordered):
        raise RefusedError(f"line {node.line} writes one place from several work-items")
    changed, own = lanes.joined(assign)
    kind, name = calculated(part or lanes.element(element)), t.Name(fresh("stored", node))
    parts = [(component(mask, at), lanes.lane(assign.target, at), component(name, at)) for at in range(lanes.count)]
    each = tuple(t.If(meant, (t.Do(t.Assign("=", place, own_part)),), ()) for meant, place, own_part in parts)
    value = t.Declare(lanes.vector(kind), (t.Declared(name.text, lanes.fit(changed, own, kind)),))
    if part or stride != algebra.ONE:
        return t.Block((value, *each))
    whole = (lanes.stored(element, name, kind), t.Number("0"), lanes.place(element))
    together = t.Do(t.Call(f"vstore{lanes.count}", whole), node.line)
    return t.Block((value, t.If(t.Call("all", (mask,)), (together,), each)))
