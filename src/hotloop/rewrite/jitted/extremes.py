"""Rewrites a running maximum or minimum that is written as a choice (``if v > m: m = v``) as a call of ``tl.maximum`` or ``tl.minimum``."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from hotloop.rewrite.jitted.flow import loads
from hotloop.rewrite.jitted.form import Script

_WORDS = {(ast.Gt, True): "maximum", (ast.GtE, True): "maximum", (ast.Lt, True): "minimum", (ast.LtE, True): "minimum",
          (ast.Lt, False): "maximum", (ast.LtE, False): "maximum", (ast.Gt, False): "minimum", (ast.GtE, False): "minimum"}  # fmt: skip
"""Function that a comparison and a choice amount to, by the comparison and by whether the new value stands on its left."""
_BEYOND = {"maximum": "-float('inf')", "minimum": "float('inf')"}


def extreme(script: Script, node: ast.stmt) -> ast.stmt:
    r"""Return ``m = tl.maximum(m, v)`` for a choice that means the same; any other statement unchanged.

    >>> script = Script("import triton.language as tl", "")
    >>> for text in ("m = tl.where(ok & (v > m), v, m)", "if m > v:\n    m = v", "m = tl.where(v > m, w, m)"):
    ...     print(ast.unparse(extreme(script, ast.parse(text).body[0])))
    m = tl.maximum(m, tl.where(ok, v, -float('inf')))
    m = tl.minimum(m, v)
    m = tl.where(v > m, w, m)
    """
    match node:
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(args=[test, new, ast.Name(id=kept)]) as call):
            if kept == name and script.is_call(call, "where"):
                return _made(script, node, name, test, new)
        case ast.If(test=test, body=[ast.Assign(targets=[ast.Name(id=name)], value=new)], orelse=[]):
            return _made(script, node, name, test, new)
    return node


def _made(script: Script, node: ast.stmt, name: str, test: ast.expr, new: ast.expr) -> ast.stmt:
    """Return the call if exactly one of the conditions compares the new value with the old one and no other uses the old one; else the statement."""
    conditions = [*_conditions(test)]
    words = [_word(condition, name, new) for condition in conditions]
    others = [one for one, word in zip(conditions, words, strict=True) if not word]
    extremes = [word for word in words if word]
    if len(extremes) != 1 or name in loads(new) or any(name in loads(other) for other in others):
        return node
    tl, value = script.tl, ast.unparse(new)
    if others:
        value = f"{tl}.where({' & '.join(_closed(other) for other in others)}, {value}, {_BEYOND[extremes[0]]})"
    made = ast.parse(f"{name} = {tl}.{extremes[0]}({name}, {value})").body[0]
    for one in ast.walk(made):
        ast.copy_location(one, node)
    return made


def _conditions(test: ast.expr) -> Iterator[ast.expr]:
    match test:
        case ast.BinOp(left=left, op=ast.BitAnd(), right=right):
            yield from (*_conditions(left), *_conditions(right))
        case ast.BoolOp(op=ast.And(), values=values):
            yield from (inner for value in values for inner in _conditions(value))
        case _:
            yield test


def _word(test: ast.expr, name: str, new: ast.expr) -> str:
    """Return "maximum" or "minimum" if a condition compares the new value with the old one; empty if it does not."""
    match test:
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            sides = [ast.unparse(left), ast.unparse(right)]
            if sides in ([ast.unparse(new), name], [name, ast.unparse(new)]):
                return _WORDS.get((type(op), sides[1] == name), "")
    return ""


def _closed(node: ast.expr) -> str:
    text = ast.unparse(node)
    return text if isinstance(node, ast.Name) else f"({text})"
