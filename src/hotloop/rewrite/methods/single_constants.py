"""Constants of double precision in single-precision arithmetic become single.

What it changes: ``0.5`` becomes ``0.5f`` where the kernel has no variable of type double.
When it applies: OpenCL C and CUDA C++ compute ``0.5 * x`` in double precision, with half the lanes and two conversions.
What it costs: one more rounding.
"""

from __future__ import annotations

import re

from hotloop.rewrite import tree as t
from hotloop.rewrite.components.literals import DOUBLE
from hotloop.rewrite.form import Keeps, Posed, Rewrite
from hotloop.rewrite.shape import RefusedError

_NAMED = re.compile(r"^M_(?:E|LOG2E|LOG10E|LN2|LN10|PI|PI_2|PI_4|1_PI|2_PI|2_SQRTPI|SQRT2|SQRT1_2)$")
"""Constants that OpenCL C has names for, in double precision; those in single have ``_F`` behind."""


def apply(posed: Posed, _value: int | str) -> Posed:
    """Mark every such constant as single."""
    if not lines(posed):
        raise RefusedError("it has no constant of double precision among single ones")

    def change(node: t.Node) -> t.Node | None:
        if isinstance(node, t.Name) and _NAMED.match(node.text):
            return t.Name(f"{node.text}_F")
        return t.Number(node.text + "f") if isinstance(node, t.Number) and DOUBLE.match(node.text) else None

    return posed.with_body(tuple(t.changed(statement, change) for statement in posed.function.body))


def lines(posed: Posed) -> tuple[int, ...]:
    """Return the lines with such constants."""
    kinds = {posed.plain(a.type) for a in posed.function.arguments}
    kinds |= {
        posed.plain(node.type.split()[-1]) for node in t.walk(*posed.function.body) if isinstance(node, t.Declare)
    }
    if any(kind.startswith("double") for kind in kinds):
        return ()
    numbers = set()
    for statement in t.walk(*posed.function.body):
        if isinstance(statement, t.Do | t.Declare) and any(
            isinstance(node, t.Binary) and any(_is_double(side) for side in (node.left, node.right))
            for node in t.walk(statement)
        ):
            numbers.add(statement.line)
    return tuple(sorted(numbers))


def _is_double(node: t.Node) -> bool:
    inner = node.value if isinstance(node, t.Unary) else node
    named = isinstance(inner, t.Name) and bool(_NAMED.match(inner.text))
    return named or (isinstance(inner, t.Number) and bool(DOUBLE.match(inner.text)))


REWRITE = Rewrite(
    name="single-constants",
    text=__doc__,
    technique="narrower-type",
    keeps=Keeps.ROUNDING,
    values=(0, 1),
    apply=apply,
    lines=lines,
    gain=lambda _posed: (1.0, 2.0),
    order=0,
)
