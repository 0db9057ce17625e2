"""Numbers of which a part cancels: ``row * width + column - x``, where ``x`` is the column, is ``row * width``, the same for a whole row."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from hotloop.rewrite import algebra
from hotloop.rewrite import tree as t
from hotloop.rewrite.grid import expression


def cancelled(body: t.Body, variable: str, kinds: Mapping[str, str]) -> t.Body:
    """Return statements in which declared numbers from which a variable cancels do not name it.

    Args:
        body: the statements.
        variable: what may cancel.
        kinds: types by name: a sum of numbers of one type is the same however it is put together.
    """
    once = {one.name: one.value for _, one in t.set_once(*body) if one.value is not None}
    moving = t.written_in(*body)  # what others were made of may be something else by then

    def shorter(node: t.Declare, one: t.Declared) -> t.Declared:
        if one.value is None or one.name not in once or one.pointer or one.extents:
            return one
        kind = kinds.get(one.name)
        known = {name: value for name, value in once.items() if kinds.get(name) == kind and name != one.name}
        made = algebra.polynomial(one.value, known)
        names = {name for product in made for name in product}
        alike = {kinds.get(name) for name in names | t.names_in(one.value)} == {kind}
        gone = variable in t.names_in(one.value) and not any(algebra.depends({(name,): 1}, variable) for name in names)
        return (
            replace(one, value=expression(made))
            if gone and alike and not names & moving and algebra.is_whole(node.type)
            else one
        )

    return tuple(
        replace(node, names=tuple(shorter(node, one) for one in node.names)) if isinstance(node, t.Declare) else node
        for node in body
    )
