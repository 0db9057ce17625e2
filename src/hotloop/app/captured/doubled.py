"""A captured text read with doubles: single and half precision redefined, and what would keep a number single said otherwise."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from hotloop.rewrite.jitted.form import Edit, RefusedError, Script

_NARROW = re.compile(r"\b((?:\w+\.)*)(?:float16|bfloat16|float32)\b")
_BITS = re.compile(r"bitcast\s*=\s*True|inline_asm|\.view\(|tl\.(?:u?int(?:8|16|32)),\s*bitcast|\brand(?:n|int)?\w*\(")
"""Code that reads numbers as bits or draws random numbers: in double precision it would be another program."""
_ACCUMULATOR = 2
"""Place of a product's accumulator among its arguments."""


def doubles(text: str) -> bool:
    """Tell whether a text may be read with doubles."""
    return not _BITS.search(text)


def widened(text: str) -> str:
    """Return a text in which single and half precision are double.

    >>> widened("acc = tl.zeros((M,), dtype=tl.float32)")
    'acc = tl.zeros((M,), dtype=tl.float64)'
    """
    return _NARROW.sub(r"\1float64", text)


def doubled(text: str) -> str:
    r"""Return a module's text with doubles, also where Triton takes single precision unless it is told.

    That is for products that are added to an accumulator, and for plain numbers that a loop changes.

    >>> head = "import triton.language as tl\ndef f(x, n):\n"
    >>> print(doubled(head + "    a = 0.0\n    for k in range(n):\n        a += k\n    b = tl.dot(x, x, acc=a)").partition(":\n")[2])
        a = tl.full((), 0.0, tl.float64)
        for k in range(n):
            a += k
        b = tl.dot(x, x, acc=a, out_dtype=tl.float64)
    """
    try:
        script = Script(text, "")
        return widened(script.edited([*_products(script), *_numbers(script)]).text)
    except RefusedError:
        return widened(text)


def _products(script: Script) -> Iterator[Edit]:
    """Yield what says to products with an accumulator that their result is double."""
    for function in script.functions:
        for call in script.calls(function, "dot"):
            named = {keyword.arg for keyword in call.keywords}
            last = call.keywords[-1].value if call.keywords else call.args[-1] if call.args else None
            added = len(call.args) > _ACCUMULATOR or "acc" in named
            if added and last is not None and not named & {"out_dtype", None}:
                yield Edit(last, f", out_dtype={script.tl}.float64", "behind")


def _numbers(script: Script) -> Iterator[Edit]:
    """Yield doubles for plain numbers with which a variable starts that a loop gives other values."""
    for function in script.functions:
        changed = {
            part.id
            for loop in ast.walk(function)
            if isinstance(loop, ast.For | ast.While)
            for statement in loop.body
            for part in ast.walk(statement)
            if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
        }
        for node in ast.walk(function):
            match node:
                case ast.Assign(targets=[ast.Name(id=name)], value=value) if name in changed and _plain(value):
                    yield Edit(value, f"{script.tl}.full((), {script.source(value)}, {script.tl}.float64)")


def _plain(node: ast.expr) -> bool:
    """Tell whether an expression is a number with a point, or what ``float`` makes of a word."""
    match node:
        case ast.Constant(value=float()):
            return True
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return _plain(operand)
        case ast.Call(func=ast.Name(id="float"), args=[ast.Constant()]):
            return True
    return False


__all__ = ["doubled", "doubles", "widened"]
