"""Powers with a small whole exponent become products.

What it changes: ``pow(x, 2.0f)``, ``powr(x, 3.0f)``, ``pown(x, 2)`` become ``x * x`` and the like, up to the fourth power.
When it applies: runtimes for CPUs call a function for each power and lane; a product is one or two instructions of a vector.
What it costs: the last bits of a power, which the functions themselves round more coarsely (16 ulp are allowed).
"""

from __future__ import annotations

import re

from hotloop.rewrite import tree as t
from hotloop.rewrite.form import Keeps, Posed, Rewrite
from hotloop.rewrite.shape import RefusedError

_POWERS = ("pow", "powr", "pown", "half_powr", "native_powr")
_WHOLE = re.compile(r"^([1-4])(?:\.0*)?[fF]?$")


def apply(posed: Posed, _value: int | str) -> Posed:
    """Write every such power as a product."""
    if not lines(posed):
        raise RefusedError("it has no power with an exponent of 1 to 4")
    return posed.with_body(tuple(t.changed(statement, _product) for statement in posed.function.body))


def lines(posed: Posed) -> tuple[int, ...]:
    """Return the lines with such powers."""
    numbers = set()
    for statement in t.walk(*posed.function.body):
        if isinstance(statement, t.Do | t.Declare) and any(_product(node) is not None for node in t.walk(statement)):
            numbers.add(statement.line)
    return tuple(sorted(numbers))


def _product(node: t.Node) -> t.Node | None:
    """Return the product that a power is; None of another node."""
    if not isinstance(node, t.Call) or node.function not in _POWERS or len(node.arguments) != 2:
        return None
    base, exponent = node.arguments
    times = _WHOLE.match(exponent.text) if isinstance(exponent, t.Number) else None
    if times is None or not _pure(base):
        return None
    base = t.changed(base, _product)
    made = base
    for _ in range(int(times.group(1)) - 1):
        made = t.Binary("*", made, base)
    return made


def _pure(node: t.Node) -> bool:
    """Tell whether an expression may be written several times: it changes nothing, and the compiler sees that it is one."""
    return not any(
        isinstance(inner, t.Text | t.Assign | t.Postfix) or _steps(inner) or _unknown(inner) for inner in t.walk(node)
    )


def _steps(node: t.Node) -> bool:
    return isinstance(node, t.Unary) and node.op in ("++", "--")


def _unknown(node: t.Node) -> bool:
    return isinstance(node, t.Call) and node.function not in _POWERS and not node.function.startswith("get_")


REWRITE = Rewrite(
    name="small-powers",
    text=__doc__,
    technique="fast-math",
    keeps=Keeps.ROUNDING,
    values=(0, 1),
    apply=apply,
    lines=lines,
    gain=lambda _posed: (1.1, 8.0),
    order=0,
)
