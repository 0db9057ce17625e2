"""Parameters that a work-item changes as variables of its own: in C they are such, and several items that one does in turn must not share them."""

from __future__ import annotations

from hotloop.rewrite import tree as t
from hotloop.rewrite.conditions import fresh
from hotloop.rewrite.form import Posed
from hotloop.rewrite.shape import RefusedError


def owned(posed: Posed) -> Posed:
    """Return a kernel that changes none of the numbers that it is given, the same object where it changes none."""
    function = posed.function
    written = t.written_in(*function.body) - t.declared_in(*function.body)
    changed = [one for one in function.arguments if one.name in written and not one.pointer]
    if not changed:
        return posed
    names: dict[str, t.Node] = {one.name: t.Name(fresh(f"{one.name}_own", t.Block(function.body))) for one in changed}
    begun = tuple(
        t.Declare(one.type, (t.Declared(names[one.name].text, t.Name(one.name)),))  # type: ignore[attr-defined]
        for one in changed
    )
    return posed.with_body((*begun, *(t.renamed(node, names) for node in function.body)))


def refuse_moved(posed: Posed) -> None:
    """Refuse a kernel that changes its parameters where one item does the work of several. Raises RefusedError."""
    function = posed.function
    if moved := t.written_in(*function.body) & {one.name for one in function.arguments}:
        raise RefusedError(f"each work-item changes its parameter {min(moved)}")
