"""The names in a piece of Python text."""

from __future__ import annotations

import ast


def names_in(node: ast.AST) -> set[str]:
    """Return the names that a piece reads or assigns.

    >>> sorted(names_in(ast.parse("a = b + f(c.d)")))
    ['a', 'b', 'c', 'f']
    """
    return {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}


def assigned_in(node: ast.AST) -> set[str]:
    """Return the names that a piece assigns.

    >>> sorted(assigned_in(ast.parse("a = b + f(c.d)")))
    ['a']
    """
    return {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store)}
