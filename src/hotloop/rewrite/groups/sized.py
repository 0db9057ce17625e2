"""Parameters that say how large a group is, ``tile`` in groups of ``tile`` by ``tile``, as the number that was named for both.

A host that launches such a kernel passes the size that it chose for its groups. What is rewritten holds for that size, as does all that follows
from the size of a group.
"""

from __future__ import annotations

from hotloop.rewrite import algebra
from hotloop.rewrite import tree as t
from hotloop.rewrite.components.literals import whole
from hotloop.rewrite.form import Posed


def sized(posed: Posed) -> Posed:
    """Return a kernel with numbers for parameters that are as large as its groups; the same object where it has none."""
    body = posed.function.body
    changing = t.written_in(*body) | t.declared_in(*body)
    lengths = t.names_in(
        *posed.extents
    )  # how many work-items there are is another size, however many that may be today
    names: dict[str, t.Node] = {}
    for one in posed.function.arguments:
        value, kind = posed.values.get(one.name, 0), posed.plain(one.type)
        if one.pointer or not algebra.is_whole(kind) or value <= 1 or value not in posed.group:
            continue
        if one.name not in changing | lengths:
            names[one.name] = whole(value, kind)
    if not names or not t.names_in(*body) & set(names):
        return posed
    return posed.with_body(tuple(t.renamed(node, names) for node in body))
