"""Elements that a condition may leave unread, read before it where others around them are read in any case.

``s == 3 || s == 2 && world[at]`` reads ``world[at]`` for some places only, which keeps vectors away: it might lie outside of the array.
Between two elements of one array that are read anyway it does not, and where nobody writes the array it has the same value earlier.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from hotloop.rewrite import algebra
from hotloop.rewrite import tree as t
from hotloop.rewrite.conditions import BOTH, fresh
from hotloop.rewrite.form import Posed

Used = Mapping[str, tuple[algebra.Polynomial, ...]]
"""Places that are read whatever holds, by array."""


def reached(body: t.Body, posed: Posed) -> t.Body:
    """Return statements in which such elements are variables that stand before the statement that asks for them."""
    steady = _unwritten(body, posed)
    once = {one.name: one.value for kind, one in t.set_once(*body) if one.value is not None and algebra.is_whole(kind)}
    return _body(body, dict.fromkeys(steady, ()), once, posed) if steady else body


def _unwritten(body: t.Body, posed: Posed) -> set[str]:
    """Return the arrays of the kernel that are only read, element by element."""
    arrays = {argument.name for argument in posed.function.arguments if argument.pointer}
    nodes = list(t.walk(*body))
    bases = [id(node.base) for node in nodes if isinstance(node, t.Index)]
    handed = {node.text for node in nodes if isinstance(node, t.Name) and id(node) not in bases}
    targets = (t.written_whole(node.target) for node in nodes if isinstance(node, t.Assign))
    written = {one.base.text for one in targets if isinstance(one, t.Index) and isinstance(one.base, t.Name)}
    counted = {node.value for node in nodes if isinstance(node, t.Postfix)}
    opaque = any(isinstance(node, t.Text) and not node.comment for node in nodes)
    return set() if opaque or any(isinstance(one, t.Index) for one in counted) else arrays - handed - written


def _body(body: t.Body, used: Used, once: Mapping[str, t.Node], posed: Posed) -> t.Body:
    made: list[t.Node] = []
    again = t.written_in(*body)
    for node in body:
        if isinstance(node, t.Declare | t.Do):
            used = _more(used, [one for one in _always(node) if not again & t.names_in(one.index)], once)
            made += _before(node, used, once, posed)
        elif isinstance(node, t.For | t.Block):
            made.append(replace(node, body=_body(node.body, used, once, posed)))
        else:
            made.append(node)
    return tuple(made)


def _more(used: Used, elements: list[t.Index], once: Mapping[str, t.Node]) -> Used:
    more = {name: [*places] for name, places in used.items()}
    for one in elements:
        if isinstance(one.base, t.Name) and one.base.text in more:
            more[one.base.text].append(algebra.polynomial(one.index, once))
    return {name: tuple(places) for name, places in more.items()}


def _before(node: t.Node, used: Used, once: Mapping[str, t.Node], posed: Posed) -> Iterator[t.Node]:
    """Yield the variables of a statement's elements that it may leave unread, and the statement with them."""
    always = list(_always(node))
    names: dict[t.Index, t.Node] = {}
    for one in t.walk(node):
        if isinstance(one, t.Index) and one not in always and one not in names and _between(one, used, once):
            name = t.Name(fresh(f"reached_{len(names)}", node))
            names[one] = name
            kind = posed.type_of(one.base.text)  # type: ignore[attr-defined]
            yield t.Declare(kind, (t.Declared(name.text, one),))
    yield t.changed(node, lambda one: names.get(one) if isinstance(one, t.Index) else None) if names else node


def _between(element: t.Index, used: Used, once: Mapping[str, t.Node]) -> bool:
    """Tell an element between two that are read whatever holds."""
    if not isinstance(element.base, t.Name):
        return False
    place = algebra.polynomial(element.index, once)
    apart = [algebra.constant(algebra.added(place, one, -1)) for one in used.get(element.base.text, ())]
    far = [one for one in apart if one is not None]
    return bool(far) and min(far) <= 0 <= max(far)


def _always(node: t.Node) -> Iterator[t.Index]:
    """Yield the elements that an expression or a statement reads whatever holds."""
    match node:
        case t.Choice(condition=condition):
            yield from _always(condition)
        case t.Binary(op=op, left=left) if op in BOTH:
            yield from _always(left)
        case _:
            if isinstance(node, t.Index):
                yield node
            for inner in t.children(node):
                yield from _always(inner)
