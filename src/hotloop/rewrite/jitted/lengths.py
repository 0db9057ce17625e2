"""Where ranges of a text end, and which of its names are lengths in memory: of rows, and of what loaded numbers count."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import lru_cache

from hotloop.rewrite.jitted.form import Script
from hotloop.rewrite.jitted.inlined import inlined
from hotloop.rewrite.jitted.names import names_in

_DEEP = 4
"""Variables that are made of each other before ranges in them are given up."""


def ends(script: Script, node: ast.AST) -> set[str]:
    """Return where the ranges in an expression end."""
    return {ast.unparse(call.args[-1]) for call in script.calls(node, "arange") if call.args}


def ranges(script: Script, function: ast.FunctionDef) -> Mapping[str, set[str]]:
    """Return by variable where ranges end which it was made of, through other variables, as the text says it."""
    made: dict[str, set[str]] = {}
    for _ in range(_DEEP):
        for node in ast.walk(function):
            if isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign) and node.value is not None:
                sizes = ends(script, node.value)
                sizes |= {size for name in names_in(node.value) for size in made.get(name, ())}
                for target in node.targets if isinstance(node, ast.Assign) else (node.target,):
                    for name in names_in(target):
                        made.setdefault(name, set()).update(sizes)
    return made


@lru_cache(maxsize=256)
def lengths(script: Script) -> frozenset[str]:
    r"""Return the names that ranges of other extents, or loaded numbers, are multiplied with.

    They lay out memory, or say how much a number that is stored there counts, such as a page of a table: the problem's, not a block's, also
    where programs are counted by them.

    >>> text = "import triton.language as tl\ndef f(x, t, A, B, C):\n    at = tl.arange(0, A)[:, None] * B + tl.arange(0, B)[None, :]\n"
    >>> sorted(lengths(Script(text + "    page = tl.load(t)\n    tl.store(x + page * C + at, A * at)", "f")))
    ['B', 'C']
    """
    text = inlined(script)
    return frozenset(name for function in text.reached for name in _lengths(text, function))


def _lengths(script: Script, function: ast.FunctionDef) -> Iterator[str]:
    inside, read = ranges(script, function), _loaded(script, function)
    for node in ast.walk(function):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
            for one, other in ((node.left, node.right), (node.right, node.left)):
                if isinstance(one, ast.Name):
                    until = ends(script, other) | {end for name in names_in(other) for end in inside.get(name, ())}
                    names = {name for end in until for name in names_in(ast.parse(end, mode="eval"))}
                    if (until and one.id not in names) or (isinstance(other, ast.Name) and other.id in read):
                        yield one.id


def _loaded(script: Script, function: ast.FunctionDef) -> set[str]:
    """Return the variables that are nothing but a number which is loaded."""
    return {
        node.targets[0].id
        for node in ast.walk(function)
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Name)
        and script.is_call(node.value, "load")
        and not ends(script, node.value)
    }


__all__ = ["ends", "lengths", "ranges"]
