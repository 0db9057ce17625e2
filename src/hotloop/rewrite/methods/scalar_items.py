"""Work-items are computed one by one instead of in vectors of neighbours.

What it changes: a hint in front of the function (``vec_type_hint(float4)``) by which runtimes for CPUs make no vectors of neighbouring items.
When it applies: neighbours go apart: their loops have other lengths, are left at other rounds, or they read places that follow from what they
read, or from a number that is taken apart by ``/`` and ``%``; and they do not wait for each other. In a vector all of them wait for the longest,
and gather element by element.
What it costs: what neighbours do alike is done one by one, too. Which weighs more is seen only by measuring it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from hotloop.rewrite import tree as t
from hotloop.rewrite.form import Example, Keeps, Posed, Rewrite
from hotloop.rewrite.groups.places import meets
from hotloop.rewrite.shape import RefusedError

_PLACES = frozenset(["get_global_id", "get_local_id", "get_group_id"])
_LEAVES = re.compile(r"\b(?:break|continue|return|while|goto)\b")


def apply(posed: Posed, _value: int | str) -> Posed:
    """Say that neighbours are no vectors."""
    if posed.single:
        raise RefusedError("it has vectors of its own, of which runtimes are told in any case")
    if any(map(meets, posed.function.body)):
        raise RefusedError("its work-items wait for each other, which costs less where they are vectors")
    if not lines(posed):
        raise RefusedError("neighbouring work-items go together all the way")
    return replace(posed, apart=True)


def lines(posed: Posed) -> tuple[int, ...]:
    """Return the lines where neighbours go apart."""
    body = posed.function.body
    own, read = _following(body, _asks), _following(body, lambda node: isinstance(node, t.Index))
    torn = _following(body, lambda node: isinstance(node, t.Binary) and node.op in "/%" and _moves(node.left, own))
    return tuple(sorted({line for line in _apart(body, own, (own & read) | torn) if line}))


def _asks(node: t.Node) -> bool:
    return isinstance(node, t.Call) and node.function in _PLACES


def _moves(node: t.Node, own: set[str]) -> bool:
    return bool(t.names_in(node) & own) or any(map(_asks, t.walk(node)))


def _following(body: t.Body, begins: Callable[[t.Node], bool]) -> set[str]:
    """Return the variables whose values follow from what begins so."""
    found, count, given = set[str](), -1, list(t.assignments(*body))
    while count < len(found):
        count = len(found)
        found |= {name for name, value in given if t.names_in(value) & found or any(map(begins, t.walk(value)))}
    return found


def _apart(body: t.Body, own: set[str], scattered: set[str]) -> Iterator[int]:
    for node in t.walk(*body):
        if isinstance(node, t.For) and _differs(node, own):
            yield node.line
        if isinstance(node, t.Do | t.Declare):
            places = [one.index for one in t.walk(node) if isinstance(one, t.Index)]
            if any(t.names_in(place) & scattered or _nested(place, own) for place in places):
                yield node.line


def _differs(loop: t.For, own: set[str]) -> bool:
    """Tell a loop whose rounds are others for each work-item."""
    ends = [one for one in (loop.first, loop.condition, loop.step) if one is not None]
    counts = set[str]() if loop.first is None else t.declared_in(*ends) | t.written_in(*ends)
    leaves = any(isinstance(n, t.Text) and not n.comment and _LEAVES.search(n.text) for n in t.walk(*loop.body))
    return leaves or bool((t.names_in(*ends) - counts) & own) or any(_nested(one, own) for one in ends)


def _nested(node: t.Node, own: set[str]) -> bool:
    """Tell an expression with an element of an array that each work-item has its own of."""
    return any(isinstance(one, t.Index) and _moves(one.index, own) for one in t.walk(node))


_BEFORE = """__kernel void sums(__global const float *a, __global float *y, int n) {
    int i = get_global_id(0);
    if (i < n) {
        float sum = 0.0f;
        for (int k = 0; k <= i; k++) {
            sum += a[k];
        }
        y[i] = sum;
    }
}
"""
_ALIKE = _BEFORE.replace("k <= i", "k < n")

REWRITE = Rewrite(
    name="scalar-items",
    text=__doc__,
    technique="skip-masked-work",
    keeps=Keeps.BITS,
    values=(0, 1),
    apply=apply,
    lines=lines,
    gain=lambda _posed: (0.6, 5.0),
    order=60,
    examples=(
        Example(_BEFORE, _BEFORE.replace("__kernel void", "__kernel __attribute__((vec_type_hint(float4))) void")),
        Example(_ALIKE, ""),
        Example(_BEFORE.replace("y[i] = sum;", "barrier(CLK_LOCAL_MEM_FENCE); y[i] = sum;"), ""),
    ),
    twin=("k <= i", "k < i"),
)
