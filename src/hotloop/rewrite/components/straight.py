"""Kernels whose statements stand as rewrites look for them: the same work without early returns, chains, borrowed elements and hidden variables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from hotloop.rewrite import tree as t
from hotloop.rewrite.components.chained import unchained
from hotloop.rewrite.components.comments import uncommented
from hotloop.rewrite.components.hiding import unhidden
from hotloop.rewrite.components.lent import returned
from hotloop.rewrite.components.returning import branched
from hotloop.rewrite.form import Posed
from hotloop.rewrite.unordered import kinds_of

_SPACES = frozenset(["const", "__global", "global", "__local", "local", "__private", "private", "restrict", "volatile"])


def straightened(posed: Posed) -> Posed:
    """Return a kernel in that form, the same object where it has it already."""
    function = straight(posed.function, posed.types)
    own = {
        variable.name: node.type
        for node in t.walk(*function.body)
        if isinstance(node, t.Declare)
        for variable in node.names
        if variable.extents
    }
    body = unchained(function.body, lambda one: _kind(posed, one, own))
    body = returned(body, lambda one: _kind(posed, one, own))
    return posed if body == posed.function.body else posed.with_body(body)


def straight(function: t.Function, types: Mapping[str, str] | None = None) -> t.Function:
    """Return a function without comments, early returns and variables that hide others; `types` are those of ``typedef`` names."""
    names = {argument.name for argument in function.arguments}
    plain = replace(function, body=unhidden(uncommented(function.body), names))
    return replace(plain, body=branched(plain.body, kinds_of(plain, types)))


def _kind(posed: Posed, target: t.Node, own: Mapping[str, str]) -> str:
    """Return the type of an element of a parameter's array, or of one of the function's `own`; empty of all else."""
    match target:
        case t.Index(base=t.Name(text=name)) if name in own:
            return " ".join(word for word in own[name].split() if word not in _SPACES)
        case t.Index(base=t.Name(text=name)) if (one := posed.function.argument(name)) is not None and one.pointer:
            return " ".join(word for word in one.type.split() if word not in _SPACES)
    return ""
