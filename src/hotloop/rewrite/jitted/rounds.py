"""How many rounds the loops of a launch do."""

from __future__ import annotations

import ast

from hotloop.rewrite.jitted.addresses import stored
from hotloop.rewrite.jitted.form import Script
from hotloop.rewrite.jitted.names import assigned_in, names_in
from hotloop.rewrite.jitted.scene import Scene

_DEEP = 8
"""Variables and operations put in for each other before a bound is given up."""


def most(script: Script, scene: Scene) -> int | None:
    """Return the rounds of the longest innermost loop whose bounds are known for a launch; None where one is not known."""
    counts = []
    for node in ast.walk(script.kernel):
        if isinstance(node, ast.For) and isinstance(node.iter, ast.Call) and node.iter.args:
            if any(isinstance(inner, ast.For | ast.While) for inner in ast.walk(node) if inner is not node):
                continue
            rounds = _rounds(node.iter.args, scene)
            if rounds is None:
                return None
            counts.append(rounds)
    return max(counts, default=None)


def bound(script: Script, node: ast.expr, depth: int = 0) -> str | None:
    r"""Return what a whole number is at most, in terms of the kernel's constants; None where nothing bounds it.

    >>> text = "def f(n, N: tl.constexpr):\n    left = min(n, N) // 2\n    for i in range(left):\n        pass"
    >>> bound(Script(text, "f"), ast.parse("left", mode="eval").body)
    '(N // 2)'
    """
    if depth > _DEEP:
        return None
    given = [bound(script, one, depth + 1) for one in _parts(script, node)]
    match node, given:
        case ast.Constant(value=int(number)), _:
            return str(number)
        case ast.Name(id=name), [] if name in _constants(script) and not stored(script.kernel, name):
            return name
        case ast.Name(), [meant]:
            return meant
        case ast.Call(func=func), _ if ast.unparse(func) == "min" or script.is_call(node, "minimum"):
            return next(filter(None, given), None)
        case ast.IfExp(test=test), [str(one), str(other)]:
            names = names_in(test)
            whole = f"({one} if {script.source(test)} else {other})"
            return whole if names & _constants(script) and not names & _varying(script) else None
        case ast.BinOp(op=ast.FloorDiv() | ast.Mult() as op, right=ast.Constant(value=int(number))), [str(one), _]:
            return f"({one} {'//' if isinstance(op, ast.FloorDiv) else '*'} {number})" if number > 0 else None
        case ast.BinOp(op=ast.Add()), [str(one), str(other)]:
            return f"({one} + {other})"
    return None


def _parts(script: Script, node: ast.expr) -> list[ast.expr]:
    """Return what bounds an expression: what a variable that has one value stands for, or the operands."""
    match node:
        case ast.Name(id=name):
            every = [n for n in ast.walk(script.kernel) if isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Store)]  # fmt: skip
            given = [n.value for n in ast.walk(script.kernel) if isinstance(n, ast.Assign) and [*map(ast.unparse, n.targets)] == [name]]  # fmt: skip
            own = name in {argument.arg for argument in script.kernel.args.args}
            return given if len(every) == len(given) == 1 and not own else []
        case ast.Call(args=args, keywords=[]):
            return args
        case ast.IfExp(body=body, orelse=other):
            return [body, other]
        case ast.BinOp(left=left, right=right):
            return [left, right]
    return []


def _constants(script: Script) -> set[str]:
    """Return the kernel's parameters that are constants of a launch."""
    return {
        argument.arg
        for argument in script.kernel.args.args
        if argument.annotation and "constexpr" in ast.unparse(argument.annotation)
    }


def _varying(script: Script) -> set[str]:
    """Return the names of the kernel that are no constants: its other parameters, and what it gives a value."""
    given = assigned_in(script.kernel)
    return (given | {argument.arg for argument in script.kernel.args.args}) - _constants(script)


def _rounds(given: list[ast.expr], scene: Scene) -> int | None:
    texts = [ast.unparse(one) for one in given]
    start, stop, step = ["0", *texts, "1"] if len(texts) == 1 else [*texts, "1"][:3]
    first, last, by = (scene.number(one) for one in (start, stop, step))
    return None if first is None or last is None or not by else -(-(last - first) // by)
