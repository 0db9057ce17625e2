"""Which names of straight Triton code are read before they have a value, and which of them are blocks."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from hotloop.rewrite.jitted.form import Script

_BLOCKS = ("arange", "zeros", "full", "make_block_ptr", "make_tensor_descriptor", "load_tensor_descriptor")


def loads(node: ast.AST) -> set[str]:
    """Return the names that a piece reads; what ``+=`` stands for reads its target."""
    names = {one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load)}
    for one in ast.walk(node):
        if isinstance(one, ast.AugAssign) and isinstance(one.target, ast.Name):
            names.add(one.target.id)
    return names


def stores(nodes: Iterable[ast.AST]) -> set[str]:
    """Return the names that pieces give a value.

    >>> sorted(stores(ast.parse("a, b = f(c)").body))
    ['a', 'b']
    """
    every = (one for node in nodes for one in ast.walk(node))
    return {one.id for one in every if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}


def early(body: list[ast.stmt], given: set[str]) -> set[str]:
    r"""Return the names that statements read before they have given them a value on every way; `given` grows by those that have one.

    >>> early(ast.parse("a = b\nif c:\n    d = a\nelse:\n    d = 1\ne = d").body, set()) == {"b", "c"}
    True
    """
    found: set[str] = set()
    for node in body:
        match node:
            case ast.If(test=test, body=inner, orelse=other):
                found |= loads(test) - given
                first, second = set(given), set(given)
                found |= early(inner, first) | early(other, second)
                given |= first & second
            case ast.For() | ast.While():
                found |= loads(node) - given - (stores([node.target]) if isinstance(node, ast.For) else set())
            case _:
                found |= loads(node) - given
                given |= stores([node])
    return found


def behind(script: Script, loop: ast.stmt) -> set[str]:
    """Return the names that are read after a loop with the values that they have there."""
    found: set[str] = set()
    around: ast.stmt = loop
    while around is not script.kernel:
        holder, body = next(_holding(script, around))
        found |= early(body[body.index(around) + 1 :], set())
        if isinstance(holder, ast.For | ast.While):
            found |= early(body, set())
        around = holder
    return found


def _holding(script: Script, statement: ast.stmt) -> Iterator[tuple[ast.stmt, list[ast.stmt]]]:
    for node in ast.walk(script.kernel):
        for body in (getattr(node, "body", None), getattr(node, "orelse", None)):
            if isinstance(body, list) and statement in body and isinstance(node, ast.stmt):
                yield node, body


def blocks(script: Script) -> set[str]:
    """Return the names of the kernel that may be blocks: what stems from ``tl.arange`` and its like."""
    found: set[str] = set()
    while True:
        before = len(found)
        for node in ast.walk(script.kernel):
            match node:
                case ast.Assign(value=value) | ast.AugAssign(value=value) | ast.AnnAssign(value=ast.expr() as value):
                    if loads(value) & found or any(script.calls(value, *_BLOCKS)):
                        found |= stores([node])
        if len(found) == before:
            return found


def local(script: Script, call: ast.Call) -> ast.FunctionDef | None:
    """Return the function of the text that a call names."""
    name = call.func.id if isinstance(call.func, ast.Name) else ""
    return next((one for one in script.functions if one.name == name), None)


__all__ = ["behind", "blocks", "early", "loads", "local", "stores"]
