"""How far apart neighbouring work-items read and write, dimension by dimension."""

from __future__ import annotations

from hotloop.rewrite import algebra
from hotloop.rewrite import tree as t
from hotloop.rewrite.shape import Shape


def strides(form: Shape, item: str, within: t.Body = ()) -> list[algebra.Polynomial | None]:
    """Return how far neighbours along a work-item's number are apart, for every element that is read or written; None: unevenly.

    Of all the work, or of what stands `within` some of its statements.
    """
    changed = t.written_in(*form.before, *form.work)
    meanings = {
        declared.name: declared.value
        for node in t.walk(*form.before, *form.work)
        if isinstance(node, t.Declare)
        for declared in node.names
        if declared.value is not None and not declared.pointer and declared.name not in changed
    }
    indices = [
        algebra.polynomial(node.index, meanings) for node in t.walk(*(within or form.work)) if isinstance(node, t.Index)
    ]
    return [algebra.stride(one, item) for one in indices]


def apart(form: Shape, item: str) -> int:
    """Return how many elements are neither beside those of the next work-item nor the same."""
    return sum(one not in (algebra.ONE, {}) for one in strides(form, item))


def beside(form: Shape, item: str) -> int:
    """Return how many elements lie beside those of the next work-item."""
    return strides(form, item).count(algebra.ONE)
