"""How far apart neighbouring work-items read and write, dimension by dimension."""

from __future__ import annotations

from hotloop.rewrite import algebra
from hotloop.rewrite import tree as t
from hotloop.rewrite.shape import Shape


def strides(form: Shape, item: str, within: t.Body = ()) -> list[algebra.Polynomial | None]:
    """Return how far neighbours along a work-item's number are apart, for every element that is read or written; None: unevenly.

    Of all the work, or of what stands `within` some of its statements.
    """
    indices = (node.index for node in t.walk(*(within or form.work)) if isinstance(node, t.Index))
    meanings = _meanings(form)
    return [algebra.stride(algebra.polynomial(index, meanings), item) for index in indices]


def window(form: Shape, item: str) -> int:
    """Return how many different places of one array each work-item uses that lie beside those of the next one, at most."""
    meanings, places = _meanings(form), dict[t.Node, list[algebra.Polynomial]]()
    for node in t.walk(*form.work):
        if isinstance(node, t.Index):
            index, seen = algebra.polynomial(node.index, meanings), places.setdefault(node.base, [])
            if index not in seen and algebra.stride(index, item) == algebra.ONE:
                seen.append(index)
    return max(map(len, places.values()), default=0)


def _meanings(form: Shape) -> dict[str, t.Node]:
    """Return what stands for variables with one value for good."""
    changed = t.written_in(*form.before, *form.work)
    return {
        declared.name: declared.value
        for node in t.walk(*form.before, *form.work)
        if isinstance(node, t.Declare)
        for declared in node.names
        if declared.value is not None and not declared.pointer and declared.name not in changed
    }


def apart(form: Shape, item: str) -> int:
    """Return how many elements are neither beside those of the next work-item nor the same."""
    return sum(stride not in (algebra.ONE, {}) for stride in strides(form, item))


def beside(form: Shape, item: str) -> int:
    """Return how many elements lie beside those of the next work-item."""
    return strides(form, item).count(algebra.ONE)
