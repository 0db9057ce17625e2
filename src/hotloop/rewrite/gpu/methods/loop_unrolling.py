"""Innermost loops are unrolled so many times by a pragma.

What it changes: ``#pragma unroll 4`` stands before each innermost loop.
When it applies: there is an innermost loop that counts, without a way out in its body.
What it costs: instructions and registers. Several loads are under way at once, and the loop's own work is done less often.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from hotloop.rewrite import tree as t
from hotloop.rewrite.form import Keeps, Posed, Rewrite
from hotloop.rewrite.shape import RefusedError


def apply(posed: Posed, value: int | str) -> Posed:
    """Apply it with a number of rounds."""
    if not any(_innermost(node) for node in t.walk(*posed.function.body)):
        raise RefusedError("it has no innermost loop that counts")
    return posed.with_body(tuple(_unrolled(posed.function.body, f"#pragma unroll {value}")))


def _innermost(node: t.Node) -> bool:
    counted = isinstance(node, t.For) and node.step is not None
    return counted and not any(isinstance(inner, t.For | t.Text) for inner in t.walk(*t.children(node)))


def _unrolled(body: t.Body, pragma: str) -> Iterator[t.Node]:
    for node in body:
        if _innermost(node):
            yield t.Text(pragma)
        match node:
            case t.For(body=inner) | t.Block(body=inner):
                yield replace(node, body=tuple(_unrolled(inner, pragma)))
            case t.If(yes=yes, no=no):
                yield replace(
                    node,
                    yes=tuple(_unrolled(yes, pragma)),
                    no=tuple(_unrolled(no, pragma)),
                )
            case _:
                yield node


def lines(posed: Posed) -> tuple[int, ...]:
    """Return the lines of the loops."""
    return tuple(node.line for node in t.walk(*posed.function.body) if isinstance(node, t.For) and _innermost(node))


REWRITE = Rewrite(
    name="loop-unrolling",
    text=__doc__,
    package="hotloop.rewrite.gpu.methods",
    technique="unroll",
    keeps=Keeps.BITS,
    values=(0, 2, 4, 8),
    apply=apply,
    lines=lines,
    gain=lambda _posed: (0.9, 1.5),
    order=70,
)
