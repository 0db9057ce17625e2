"""Constants that count a loop's rounds where another constant says how far a round goes: the host divided something by the one to get the other."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import TypeGuard

from hotloop.rewrite.jitted.form import Script
from hotloop.rewrite.jitted.inlined import inlined
from hotloop.rewrite.jitted.lengths import lengths
from hotloop.rewrite.jitted.names import names_in


@lru_cache(maxsize=256)
def counted(script: Script) -> Mapping[str, str]:
    r"""Return by count of rounds the extent of a round: where a loop has `N` rounds and goes on by `B`, half of `B` takes twice as many.

    A count that the text uses otherwise, too, and one whose loops go on by several extents are not among them.

    >>> text = "import triton.language as tl\ndef f(x, N: tl.constexpr, B: tl.constexpr):\n    for i in range(N):\n"
    >>> dict(counted(Script(text + "        at = i * B + tl.arange(0, B)\n        tl.store(x + at, 0)", "f")))
    {'N': 'B'}
    >>> dict(counted(Script(text + "        tl.store(x + i * B + tl.arange(0, B), N)", "f")))
    {}
    """
    whole = inlined(script)
    constants = {
        arg.arg for arg in whole.kernel.args.args if arg.annotation and "constexpr" in ast.unparse(arg.annotation)
    }
    ranged = {name for call in whole.calls(whole.kernel, "arange") for name in names_in(call)} & constants - lengths(
        script
    )
    extents: dict[str, set[str]] = {}
    ends: list[ast.AST] = []
    for loop in (node for node in ast.walk(whole.kernel) if isinstance(node, ast.For)):
        for name in _counts(whole, loop) & constants:
            extents[name] = extents.get(name, set()) | (_steps(loop) & ranged)
            ends += ast.walk(loop.iter)
    ends += [node.left for node in ast.walk(whole.kernel) if _any(node)]
    loose = {
        node.id
        for node in ast.walk(whole.kernel)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node not in ends
    }
    return {name: next(iter(one)) for name, one in extents.items() if len(one) == 1 and name not in loose}


def _counts(script: Script, loop: ast.For) -> set[str]:
    """Return the name that says how many rounds a loop has, forwards or backwards."""
    call = loop.iter
    if (
        not isinstance(call, ast.Call)
        or call.keywords
        or not (script.is_call(call, "range", "static_range") or ast.unparse(call.func) == "range")
    ):
        return set()
    match call.args:
        case [ast.Name(id=name)] | [ast.Constant(value=0), ast.Name(id=name)]:
            return {name}
        case [ast.BinOp(left=ast.Name(id=name), op=ast.Sub(), right=ast.Constant(value=1)), *rest]:
            return {name} if [ast.unparse(one) for one in rest] == ["-1", "-1"] else set()
    return set()


def _any(node: ast.AST) -> TypeGuard[ast.Compare]:
    """Tell whether it asks for there being any: ``N > 0``."""
    return isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Gt) and ast.unparse(node.comparators[0]) == "0"


def _steps(loop: ast.For) -> set[str]:
    """Return what a loop goes on by: factors of its number, and of what is added to pointers in each round."""
    number = ast.unparse(loop.target)
    names: set[str] = set()
    for node in _own(loop):
        match node:
            case ast.BinOp(op=ast.Mult(), left=left, right=right) if number in names_in(left) | names_in(right):
                names |= names_in(left) | names_in(right)
            case ast.AugAssign(op=ast.Add() | ast.Sub(), value=ast.Name() | ast.BinOp(op=ast.Mult()) as value):
                names |= names_in(value)
    return names - {number}


def _own(loop: ast.For) -> Iterator[ast.AST]:
    """Yield what stands in a loop, and in no loop within it."""
    inner = {node for one in ast.walk(loop) if isinstance(one, ast.For) and one is not loop for node in ast.walk(one)}
    yield from (node for statement in loop.body for node in ast.walk(statement) if node not in inner)


def rounds(script: Script, own: Mapping[str, object], config: Mapping[str, object]) -> dict[str, int]:
    """Return how many rounds loops have for other extents of a round, by the constants that count them.

    Args:
        script: the text as it was found.
        own: the launch's constants.
        config: what may have other extents.
    """
    made: dict[str, int] = {}
    for count, extent in counted(script).items():
        many, before, new = own.get(count), own.get(extent), config.get(extent)
        if isinstance(many, int) and isinstance(before, int) and isinstance(new, int) and min(many, before, new) > 0:
            made[count] = -(-many * before // new)
    return made


__all__ = ["counted", "rounds"]
