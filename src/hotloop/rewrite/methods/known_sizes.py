"""Sizes that are named for the measurement stand in the text as numbers, in a copy of the work for these sizes.

What it changes: the body stands twice, ``if (n == 1024 && m == 17)`` with the numbers in place of the names, ``else`` as it was.
When it applies: numbers that were named for it, which the kernel does not change, say how long loops are, or divide, or say how far
neighbours are apart. Then the compiler unrolls short loops, divides by multiplying, and knows what lies next to what.
What it costs: twice the code, and other sizes gain nothing. How a runtime makes vectors may change with it, for better or worse.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from hotloop.rewrite import algebra
from hotloop.rewrite import tree as t
from hotloop.rewrite.components.literals import whole
from hotloop.rewrite.form import Keeps, Posed, Rewrite
from hotloop.rewrite.loops import counted
from hotloop.rewrite.shape import RefusedError, number

_LOCAL = re.compile(r"\b(?:__)?local\b")
_SHORT = 64
"""Rounds of a loop that a compiler may unroll as a whole."""


def apply(posed: Posed, _value: int | str) -> Posed:
    """Put a copy with numbers in front of the work."""
    literals = _literals(posed)
    if not literals:
        raise RefusedError("no size that was named for it says how long a loop is, or divides, or is a row's length")
    body = posed.function.body
    shared = tuple(node for node in body if _local(node))
    work = tuple(node for node in body if not _local(node))
    if any(map(_local, t.walk(*work))):
        raise RefusedError("local memory is declared within a block")
    copy = tuple(t.renamed(node, dict(literals)) for node in work)
    return posed.with_body((*shared, t.If(_equal(literals), copy, work)))


def lines(posed: Posed) -> tuple[int, ...]:
    """Return the lines of the loops and statements that such sizes decide."""
    literals = _literals(posed)
    following = _follows(posed, set(literals))
    asked = [node for node in _statements(posed.function.body) if _decided(node) & following]
    return tuple(sorted({getattr(node, "line", 0) for node in asked} - {0}))


def gain(posed: Posed) -> tuple[float, float]:
    """Return what is expected: most of short loops, little of others."""
    rounds = [_rounds(posed, node) for node in t.walk(*posed.function.body) if isinstance(node, t.For)]
    if any(one is not None and one <= _SHORT for one in rounds):
        return 0.9, 6.0
    return 0.8, 3.0


def _literals(posed: Posed) -> dict[str, t.Node]:
    """Return by name the literals of the sizes that decide something."""
    body = posed.function.body
    hidden = t.written_in(*body) | t.declared_in(*body)
    literals = {}
    for one in posed.function.arguments:
        value, kind = posed.values.get(one.name), posed.plain(one.type)
        if value is not None and value >= 0 and not one.pointer and algebra.is_whole(kind) and one.name not in hidden:
            literals[one.name] = whole(value, kind)
    asked = set[str]().union(*map(_decided, _statements(body)), _handed(posed))
    return {name: literal for name, literal in literals.items() if _follows(posed, {name}) & asked}


def _follows(posed: Posed, names: set[str]) -> set[str]:
    """Return the variables that depend on each name, without regard to conditions."""
    following, count = set(names), -1
    while count < len(following):
        count = len(following)
        for node in t.walk(*posed.function.body):
            if isinstance(node, t.Declared) and node.value is not None and t.names_in(node.value) & following:
                following.add(node.name)
            if isinstance(node, t.Assign) and isinstance(node.target, t.Name) and t.names_in(node.value) & following:
                following.add(node.target.text)
    return following


def _statements(body: t.Body) -> Iterator[t.Node]:
    return (node for node in t.walk(*body) if isinstance(node, t.For | t.Do | t.Declare))


def _decided(node: t.Node) -> set[str]:
    """Return the names that say how long a loop is, what a number is divided by, or how far apart elements are."""
    if isinstance(node, t.For):
        return t.names_in(*(one for one in (node.first, node.condition, node.step) if one is not None))
    deciding = set[str]()
    for one in t.walk(node):
        if isinstance(one, t.Binary) and one.op in ("/", "%"):
            deciding |= t.names_in(one.right)
        if isinstance(one, t.Index):
            deciding |= t.names_in(one.index)
    return deciding


def _handed(posed: Posed) -> set[str]:
    """Return the names that are passed to functions of the text, whose loops they may bound."""
    own = {helper.function.name for helper in posed.helpers}
    calls = (inner for inner in t.walk(*posed.function.body) if isinstance(inner, t.Call) and inner.function in own)
    return t.names_in(*(argument for call in calls for argument in call.arguments))


def _rounds(posed: Posed, loop: t.For) -> int | None:
    """Return how many rounds a loop has for the named sizes, None where that is not seen."""
    values = {name: one.value for _, one in t.set_once(*posed.function.body) if (name := one.name) and one.value}
    try:
        form = counted(loop)
        low, high = (t.renamed(t.renamed(end, values), values) for end in (form.low, form.high))
        return number(high, posed.values) - number(low, posed.values)
    except RefusedError:
        return None


def _local(node: t.Node) -> bool:
    text = node.type if isinstance(node, t.Declare) else node.text if isinstance(node, t.Text) else ""
    return bool(_LOCAL.search(text)) and not t.is_comment(node)


def _equal(literals: dict[str, t.Node]) -> t.Node:
    asked: t.Node | None = None
    for name, value in literals.items():
        one = t.Binary("==", t.Name(name), value)
        asked = one if asked is None else t.Binary("&&", asked, one)
    assert asked is not None
    return asked


REWRITE = Rewrite(
    name="known-sizes",
    text=__doc__,
    technique="unroll",
    keeps=Keeps.BITS,
    values=(0, 1),
    apply=apply,
    lines=lines,
    gain=gain,
    order=70,
)
