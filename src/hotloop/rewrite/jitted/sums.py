"""Addresses as sums: the terms of an expression, with what its variables stand for."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from hotloop.rewrite.jitted.flow import loads
from hotloop.rewrite.jitted.form import Script

_DEEP = 10
"""Variables put in for each other before an address is given up."""


def meanings(script: Script) -> dict[str, ast.expr]:
    """Return by variable that is given one value its expression."""
    every = [n.id for n in ast.walk(script.kernel) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
    own = {argument.arg for argument in script.kernel.args.args}
    changed = {name for name in every if name in own or every.count(name) > 1}
    values: dict[str, ast.expr] = {}
    for node in ast.walk(script.kernel):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if (
                name not in changed and not loads(value) & changed
            ):
                values[name] = value
    return values


def terms(node: ast.expr, meaning: Mapping[str, ast.expr], depth: int = 0) -> list[ast.expr]:
    """Return the terms of a sum, with the sums that its variables stand for."""
    match node:
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return [*terms(left, meaning, depth), *terms(right, meaning, depth)]
        case ast.Name(id=name) if depth < _DEEP and isinstance(meaning.get(name), ast.BinOp):
            meant = meaning[name]
            assert isinstance(meant, ast.BinOp)
            if isinstance(meant.op, ast.Add) or by_two(meant) is not None:
                return terms(meant, meaning, depth + 1)
    return [node]


def by_two(node: ast.expr) -> ast.expr | None:
    """Return what a product with 2 has twice, else None."""
    match node:
        case ast.BinOp(left=one, op=ast.Mult(), right=ast.Constant(value=2)):
            return one
        case ast.BinOp(left=ast.Constant(value=2), op=ast.Mult(), right=one):
            return one
    return None
