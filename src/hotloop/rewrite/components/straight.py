"""Kernels whose statements stand as rewrites look for them: the same work without early returns, chains and variables that hide others."""

from __future__ import annotations

from dataclasses import replace

from hotloop.rewrite import tree as t
from hotloop.rewrite.components.chained import unchained
from hotloop.rewrite.components.comments import uncommented
from hotloop.rewrite.components.hiding import unhidden
from hotloop.rewrite.components.returning import branched
from hotloop.rewrite.form import Posed


def straightened(posed: Posed) -> Posed:
    """Return a kernel in that form, the same object where it has it already."""
    function = straight(posed.function)
    body = unchained(function.body, lambda one: _kind(posed, one))
    return posed if body == posed.function.body else posed.with_body(body)


def straight(function: t.Function) -> t.Function:
    """Return a function without comments, early returns and variables that hide others."""
    names = {one.name for one in function.arguments}
    return replace(function, body=branched(unhidden(uncommented(function.body), names)))


def _kind(posed: Posed, target: t.Node) -> str:
    """Return the type of an element of a parameter's array; empty of all else."""
    match target:
        case t.Index(base=t.Name(text=name)) if (one := posed.function.argument(name)) is not None and one.pointer:
            words = [word for word in one.type.split() if word not in ("const", "__global", "global", "restrict")]
            return " ".join(words)
    return ""
