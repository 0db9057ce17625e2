"""Parameters that say how large a group is, ``tile`` in groups of ``tile`` by ``tile``, as the number that was named for both.

A host that launches such a kernel passes the size that it chose for its groups. What is rewritten holds for that size, as does all that follows
from the size of a group.
"""

from __future__ import annotations

from hotloop.rewrite import algebra
from hotloop.rewrite import tree as t
from hotloop.rewrite.form import Posed


def sized(posed: Posed) -> Posed:
    """Return a kernel with numbers for parameters that are as large as its groups; the same object where it has none."""
    body = posed.function.body
    changing = t.written_in(*body) | t.declared_in(*body)
    names: dict[str, t.Node] = {}
    for one in posed.function.arguments:
        value, whole = posed.values.get(one.name, 0), algebra.is_whole(posed.plain(one.type))
        if not one.pointer and whole and value > 1 and value in posed.group and one.name not in changing:
            names[one.name] = t.Number(str(value))
    if not names or not t.names_in(*body) & set(names):
        return posed
    return posed.with_body(tuple(t.renamed(node, names) for node in body))
