"""Division by one number for many is a multiplication by its reciprocal.

What it changes: ``x / s`` becomes ``x * (1.0 / s)`` where s is a constant or comes from a reduction: one number for a whole row or
block; ``1 / tl.sqrt(x)`` becomes ``tl.rsqrt(x)``.
When it applies: quotients of such divisors. Others stay: a division for every element is no cheaper in two steps.
What it costs: one more rounding; a divisor below the smallest normal number has no finite reciprocal.
"""

from __future__ import annotations

import ast

from hotloop.rewrite.jitted.form import Edit, Keeps, RefusedError, Rewrite, Script

_REDUCTIONS = ("sum", "max", "min")
_PASS_ON = ("sqrt", "sqrt_rn", "rsqrt", "abs", "maximum", "minimum", "broadcast_to", "expand_dims", "where")


def apply(script: Script, _value: int | str) -> Script:
    """Change every such quotient in the kernel and what it calls."""
    edits: list[Edit] = []
    for function in script.functions:
        few = _few(script, function)
        for node in ast.walk(function):
            if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div) and not _within(node, edits):
                new = _root(script, node) or _quotient(script, node, few)
                if new:
                    edits.append(Edit(node, new))
            elif isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Div) and _is_few(script, node.value, few):
                edits.append(Edit(node, f"{script.source(node.target)} *= 1.0 / ({script.source(node.value)})"))
    if not edits:
        raise RefusedError("it divides by nothing that is the same for many elements")
    return script.edited(edits)


def _within(node: ast.BinOp, edits: list[Edit]) -> bool:
    return any(node in ast.walk(edit.node) for edit in edits)


def _root(script: Script, node: ast.BinOp) -> str:
    """Return ``rsqrt`` for one over a root."""
    one = isinstance(node.left, ast.Constant) and node.left.value == 1
    if one and isinstance(node.right, ast.Call) and script.is_call(node.right, "sqrt", "sqrt_rn") and node.right.args:
        return f"{script.tl}.rsqrt({script.source(node.right.args[0])})"
    return ""


def _quotient(script: Script, node: ast.BinOp, few: frozenset[str]) -> str:
    if isinstance(node.left, ast.Constant) or not _is_few(script, node.right, few):
        return ""
    left, right = script.source(node.left), script.source(node.right)
    simple = isinstance(node.left, ast.Name | ast.Call | ast.Subscript | ast.Attribute | ast.Constant)
    return f"{left if simple else f'({left})'} * (1.0 / ({right}))"


def _few(script: Script, function: ast.FunctionDef) -> frozenset[str]:
    """Return the variables that only reductions and what is made of them give a value, loops included."""
    values: dict[str, list[ast.expr]] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            values.setdefault(node.targets[0].id, []).append(node.value)
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            values.setdefault(node.target.id, []).append(node.value)
        elif isinstance(node, ast.For):
            for inner in ast.walk(node.target):
                if isinstance(inner, ast.Name):
                    values.setdefault(inner.id, []).append(node.iter)
    few: frozenset[str] = frozenset()
    for _ in range(len(values) + 1):
        more = frozenset(name for name, all_of in values.items() if _reduced(script, all_of, few))
        if more == few:
            break
        few = more
    return few


def _reduced(script: Script, values: list[ast.expr], few: frozenset[str]) -> bool:
    """Tell whether a variable's values are all made of reductions, at least one of which is one itself."""
    names = few
    each = [_is_few(script, value, names) or _plain(value) for value in values]
    return all(each) and any(_is_few(script, value, names) for value in values)


def _plain(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) or (isinstance(node, ast.UnaryOp) and _plain(node.operand))


def _is_few(script: Script, node: ast.expr, few: frozenset[str]) -> bool:
    """Tell an expression that is the same for many elements, and no whole number."""
    match node:
        case ast.Name(id=name):
            return name in few
        case ast.Subscript(value=value):
            return _is_few(script, value, few)
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() | ast.Mult() | ast.Div(), right=right):
            sides = (left, right)
            return any(_is_few(script, side, few) for side in sides) and all(
                _is_few(script, side, few) or isinstance(side, ast.Constant) for side in sides
            )
        case ast.Call():
            if script.is_call(node, *_REDUCTIONS):
                return True
            return (
                script.is_call(node, *_PASS_ON)
                and bool(node.args)
                and all(_is_few(script, argument, few) or isinstance(argument, ast.Constant) for argument in node.args)
            )
    return False


REWRITE = Rewrite(
    name="reciprocal",
    text=__doc__,
    technique="fast-math",
    keeps=Keeps.BOUND,
    values=(0, 1),
    apply=apply,
    gain=(0.98, 1.2),
    reaches=True,
    order=10,
)
