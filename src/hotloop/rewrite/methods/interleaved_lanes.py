"""Lanes that lie two, three or four elements apart are loaded and stored as whole vectors, whose elements then change places.

What it changes: ``(float16)(x[3 * i], x[3 * i + 3], ...)`` becomes three loads of neighbours and the elements of these that are meant; stores of
red, green and blue, each to every third element, become stores of neighbours. Nothing is loaded or stored that was not before.
When it applies: behind blocks with vectors (`outputs-per-item`, `reduction-lanes`), where elements of pixels, of complex numbers or of places
in space are a number apart: written as one, or named for the measurement and put in by `known-sizes`. Stores of all parts of an element follow
each other.
What it costs: vectors whose elements are put together; that is a few instructions, one by one it is one for each lane.
"""

from __future__ import annotations

from hotloop.rewrite import tree as t
from hotloop.rewrite.form import Keeps, Posed, Rewrite
from hotloop.rewrite.shape import RefusedError
from hotloop.rewrite.vectors.woven import Weaver


def apply(posed: Posed, _value: int | str) -> Posed:
    """Load and store neighbours."""
    taken = t.names_in(*posed.function.body) | t.declared_in(*posed.function.body)
    body = Weaver(posed, taken | {one.name for one in posed.function.arguments}).body(posed.function.body)
    if body == posed.function.body:
        raise RefusedError("it has no vectors whose lanes lie two to four elements apart")
    return posed.with_body(body)


def lines(posed: Posed) -> tuple[int, ...]:
    """Return the lines that load or store such lanes."""
    apply(posed, 1)
    found = (node for node in t.walk(*posed.function.body) if isinstance(node, t.Declare | t.Do))
    wide = (node for node in found if any(isinstance(one, t.Vector) and len(one.values) > 1 for one in t.walk(node)))
    return tuple(sorted({node.line for node in wide} - {0})) or (posed.function.line,)


REWRITE = Rewrite(
    name="interleaved-lanes",
    text=__doc__,
    technique="vectorize",
    keeps=Keeps.BITS,
    values=(0, 1),
    apply=apply,
    lines=lines,
    gain=lambda _posed: (1.0, 6.0),
    order=80,
)
