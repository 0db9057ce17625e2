"""Types with which the variables of a function are declared, looked up once: each rewrite asks for every variable that it meets."""

from __future__ import annotations

from hotloop.rewrite import tree as t

_QUALIFIERS = ("const", "__private", "private")
_KNOWN: list[tuple[t.Body, dict[str, set[str]]]] = []
"""Types in the functions that were asked for last, by the function's identity; the functions are kept so that no other object gets it."""
_MOST_KNOWN = 8


def types_in(body: t.Body) -> dict[str, set[str]]:
    """Return the types of single variables by name, without what qualifies them; several where one is declared several times."""
    for kept, known in _KNOWN:
        if kept is body:
            return known
    found = _found(body)
    _KNOWN[:] = [(body, found), *_KNOWN[: _MOST_KNOWN - 1]]
    return found


def number_of(body: t.Body, item: str) -> str:
    """Return the type of a work-item's number; where the text asks for it without a variable, that of the function that says it."""
    found = types_in(body).get(item, {"size_t"})
    return next(iter(found)) if len(found) == 1 else "int"


def _found(body: t.Body) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for node in t.walk(*body):
        if isinstance(node, t.Declare):
            kind = " ".join(word for word in node.type.split() if word not in _QUALIFIERS)
            for variable in node.names:
                if not variable.pointer and not variable.extents:
                    found.setdefault(variable.name, set()).add(kind)
    return found
