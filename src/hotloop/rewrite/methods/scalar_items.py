"""Work-items are computed one by one instead of in vectors of neighbours.

What it changes: a hint in front of the function (``vec_type_hint(float4)``) by which runtimes for CPUs make no vectors of neighbouring items.
When it applies: neighbours go apart: their loops have other lengths, are left at other rounds, or they read places that follow from what they
read, or from a number that is taken apart by ``/`` and ``%``, or that are rows or pixels away from each other; and they do not wait for each
other. In a vector all of them wait for the longest, and gather element by element.
What it costs: what neighbours do alike is done one by one, too. Which weighs more is seen only by measuring it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from hotloop.rewrite import algebra
from hotloop.rewrite import tree as t
from hotloop.rewrite.form import Keeps, Posed, Rewrite
from hotloop.rewrite.groups.places import meets
from hotloop.rewrite.shape import RefusedError

_PLACES = frozenset(["get_global_id", "get_local_id", "get_group_id"])
_FIRST = tuple(t.Call(name, (t.Number("0"),)) for name in ("get_global_id", "get_local_id"))
_CURVES = re.compile(r"^(native_|half_)?(exp|log|pow|sin|cos|tan|atan|erf)")
_ITEM = "item_number"
_LEAVES = re.compile(r"\b(?:break|continue|return|while|goto)\b")


def apply(posed: Posed, _value: int | str) -> Posed:
    """Say that neighbours are no vectors."""
    if posed.single:
        raise RefusedError("it has vectors of its own, of which runtimes are told in any case")
    if posed.apart:
        raise RefusedError("they are computed one by one already")
    if any(map(meets, posed.function.body)):
        raise RefusedError("its work-items wait for each other, which costs less where they are vectors")
    if not lines(posed):
        raise RefusedError("neighbouring work-items go together all the way")
    return replace(posed, apart=True)


def lines(posed: Posed) -> tuple[int, ...]:
    """Return the lines where neighbours go apart."""
    body = posed.function.body
    own, read = (
        _following(body, _asks),
        _following(body, lambda node: isinstance(node, t.Index)),
    )
    torn = _following(
        body,
        lambda node: isinstance(node, t.Binary) and node.op in "/%" and _moves(node.left, own),
    )
    numbers = {
        *_apart(body, own, (own & read) | torn),
        *(() if _curved(body) else _rows(body)),
    }
    return tuple(sorted(numbers - {0}))


def gain(posed: Posed) -> tuple[float, float]:
    """Return what is expected: little where functions are computed, which a vector does for all its lanes at once."""
    return (0.2, 3.0) if _curved(posed.function.body) else (0.7, 5.0)


def _curved(body: t.Body) -> bool:
    """Tell whether functions are called that take long for one number and no longer for a vector."""
    return any(isinstance(inner, t.Call) and _CURVES.search(inner.function) for inner in t.walk(*body))


def _asks(node: t.Node) -> bool:
    return isinstance(node, t.Call) and node.function in _PLACES


def _moves(node: t.Node, own: set[str]) -> bool:
    return bool(t.names_in(node) & own) or any(map(_asks, t.walk(node)))


def _following(body: t.Body, begins: Callable[[t.Node], bool]) -> set[str]:
    """Return the variables whose values follow from what begins so."""
    following, count, given = set[str](), -1, list(t.assignments(*body))
    while count < len(following):
        count = len(following)
        following |= {name for name, value in given if t.names_in(value) & following or any(map(begins, t.walk(value)))}
    return following


def _rows(body: t.Body) -> Iterator[int]:
    """Yield the lines of loops that read or write what is neither the same for the next work-item nor beside."""
    meanings = {
        one.name: _numbered(one.value) for _, one in t.set_once(*body) if one.value is not None and not one.pointer
    }
    near: tuple[algebra.Polynomial | None, ...] = (None, algebra.ONE, {}, {(): -1})
    for loop in t.walk(*body):
        places = [one.index for one in t.walk(loop) if isinstance(one, t.Index)] if isinstance(loop, t.For) else []
        if any(algebra.stride(algebra.polynomial(_numbered(place), meanings), _ITEM) not in near for place in places):
            yield getattr(loop, "line", 0)


def _numbered(node: t.Node) -> t.Node:
    """Return an expression in which the place of a work-item along the first dimension has a name."""
    return t.changed(node, lambda one: t.Name(_ITEM) if one in _FIRST else None)


def _apart(body: t.Body, own: set[str], scattered: set[str]) -> Iterator[int]:
    for node in t.walk(*body):
        if isinstance(node, t.For) and _differs(node, own):
            yield node.line
        if isinstance(node, t.Do | t.Declare):
            places = [inner.index for inner in t.walk(node) if isinstance(inner, t.Index)]
            if any(t.names_in(place) & scattered or _nested(place, own) for place in places):
                yield node.line


def _differs(loop: t.For, own: set[str]) -> bool:
    """Tell a loop whose rounds are others for each work-item."""
    ends = [one for one in (loop.first, loop.condition, loop.step) if one is not None]
    counts = set[str]() if loop.first is None else t.declared_in(*ends) | t.written_in(*ends)
    leaves = any(isinstance(n, t.Text) and not n.comment and _LEAVES.search(n.text) for n in t.walk(*loop.body))
    return leaves or bool((t.names_in(*ends) - counts) & own) or any(_nested(end, own) for end in ends)


def _nested(node: t.Node, own: set[str]) -> bool:
    """Tell an expression with an element of an array that each work-item has its own of."""
    return any(isinstance(inner, t.Index) and _moves(inner.index, own) for inner in t.walk(node))


REWRITE = Rewrite(
    name="scalar-items",
    text=__doc__,
    technique="skip-masked-work",
    keeps=Keeps.BITS,
    values=(0, 1),
    apply=apply,
    lines=lines,
    gain=gain,
    order=60,
)
