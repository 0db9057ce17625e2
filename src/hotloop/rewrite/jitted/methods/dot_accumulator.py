"""A product is added by the matrix unit itself.

What it changes: ``acc += tl.dot(a, b)`` and ``acc = acc + tl.dot(a, b)`` become ``acc = tl.dot(a, b, acc)``.
When it applies: the product names no accumulator of its own.
What it costs: nothing; the sum is the unit's, which rounds as that does.
"""

from __future__ import annotations

import ast

from hotloop.rewrite.jitted.form import Edit, Keeps, RefusedError, Rewrite, Script


def apply(script: Script, _value: int | str) -> Script:
    """Change every such sum in the kernel and what it calls."""
    edits = [
        Edit(node, new) for f in script.functions for node in ast.walk(f) if (new := _joined(script, node))
        if isinstance(node, ast.stmt)
    ]  # fmt: skip
    if not edits:
        raise RefusedError("it adds no product of matrices to a variable")
    return script.edited(edits)


def _joined(script: Script, node: ast.AST) -> str:
    """Return the statement that stands in the place of a sum, empty where it is none."""
    match node:
        case ast.AugAssign(target=ast.Name(id=name), op=ast.Add(), value=ast.Call() as call):
            return _with(script, call, name)
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.BinOp(left=left, op=ast.Add(), right=right)):
            for own, other in ((left, right), (right, left)):
                if isinstance(own, ast.Name) and own.id == name and isinstance(other, ast.Call):
                    return _with(script, other, name)
    return ""


def _with(script: Script, call: ast.Call, name: str) -> str:
    named = {keyword.arg for keyword in call.keywords}
    if not script.is_call(call, "dot") or len(call.args) != 2 or named & {"acc", "out_dtype", None}:
        return ""
    rest = "".join(f", {keyword.arg}={script.source(keyword.value)}" for keyword in call.keywords)
    given = ", ".join(map(script.source, call.args))
    return f"{name} = {script.source(call.func)}({given}, {name}{rest})"


REWRITE = Rewrite(
    name="dot-accumulator",
    text=__doc__,
    technique="chain-in-registers",
    keeps=Keeps.ROUNDING,
    values=(0, 1),
    apply=apply,
    gain=(0.99, 1.1),
    reaches=True,
    order=5,
)
