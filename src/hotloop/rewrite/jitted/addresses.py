"""Where the loads and stores of a loop go: from which parameters their pointers stem, and the terms of their offsets."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from hotloop.rewrite.jitted.form import Script

UNKNOWN = ""
"""Among the parameters that a pointer may stem from: some other memory."""
_DEEP = 12
"""Variables put in for each other before an address is given up."""
_HINTS = ("multiple_of", "max_contiguous", "max_constancy", "cast")


def roots(script: Script, node: ast.expr, seen: frozenset[str] = frozenset()) -> frozenset[str]:
    r"""Return the parameters that an address's pointer may stem from, `UNKNOWN` among them where it may be another.

    >>> script = Script("def f(x, y, n):\n    p = x + 1 if n else y\n    p += n", "f")
    >>> sorted(roots(script, ast.parse("p + 3", mode="eval").body)), roots(script, ast.parse("f(x)", mode="eval").body)
    (['x', 'y'], frozenset({''}))
    """
    match node:
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub()):
            return roots(script, left, seen)
        case ast.IfExp(body=body, orelse=other):
            return roots(script, body, seen) | roots(script, other, seen)
        case ast.Call(func=ast.Attribute(value=value, attr="to")):
            return roots(script, value, seen)
        case ast.Call(args=[value, *_]) if script.is_call(node, *_HINTS):
            return roots(script, value, seen)
        case ast.Name(id=name):
            return frozenset() if name in seen else _named(script, name, seen | {name})
    return frozenset({UNKNOWN})


def _named(script: Script, name: str, seen: frozenset[str]) -> frozenset[str]:
    own = name in {argument.arg for argument in script.kernel.args.args}
    bases, plain = frozenset({name} if own else ()), 0
    for node in ast.walk(script.kernel):
        match node:
            case ast.Assign(targets=[ast.Name(id=given)], value=value) if given == name:
                bases, plain = bases | roots(script, value, seen), plain + 1
            case ast.AugAssign(target=ast.Name(id=given), op=ast.Add() | ast.Sub()) if given == name:
                plain += 1
    return bases if plain == stored(script.kernel, name) and bases else bases | {UNKNOWN}


def apart(body: list[ast.stmt], number: str, one: ast.AST, other: ast.AST) -> bool:
    """Tell whether a branch that is decided the same way in each round does only one of two things of a loop's body."""
    given = [node for statement in body for node in ast.walk(statement)]
    changed = {number} | {node.id for node in given if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    for node in given:
        if isinstance(node, ast.If):
            inside = list(ast.walk(node.test))
            fixed = not any(isinstance(part, ast.Call) or getattr(part, "id", "") in changed for part in inside)
            sides = [{part for statement in side for part in ast.walk(statement)} for side in (node.body, node.orelse)]
            if fixed and any(one in first and other in second for first, second in (sides, sides[::-1])):
                return True
    return False


def stored(within: ast.AST, name: str) -> int:
    """Return how often a variable is given a value."""
    nodes = (node for node in ast.walk(within) if isinstance(node, ast.Name) and node.id == name)
    return sum(isinstance(one.ctx, ast.Store) for one in nodes)


@dataclass(frozen=True, slots=True)
class Place:
    """An address as a sum."""

    terms: Counter[str]
    """Terms of the sum as text; those that are subtracted have a minus in front."""
    offset: int
    """Constants of the sum."""
    nodes: tuple[ast.expr, ...]


def place(node: ast.expr, meaning: Mapping[str, ast.expr]) -> Place:
    """Return an address with what variables stand for.

    >>> place(ast.parse("y + at - 3", mode="eval").body, {"at": ast.parse("i + 1", mode="eval").body}).offset
    -2
    """
    every = _signed(node, meaning, 1, 0)
    offset = sum(sign * one.value for sign, one in every if isinstance(one, ast.Constant) and isinstance(one.value, int))  # fmt: skip
    rest = [(sign, one) for sign, one in every if not (isinstance(one, ast.Constant) and isinstance(one.value, int))]
    terms = Counter(("-" if sign < 0 else "") + ast.unparse(one) for sign, one in rest)
    return Place(terms, offset, tuple(one for _, one in rest))


def _signed(node: ast.expr, meaning: Mapping[str, ast.expr], sign: int, depth: int) -> list[tuple[int, ast.expr]]:
    match node:
        case ast.Name(id=name) if name in meaning and depth < _DEEP:
            return _signed(meaning[name], meaning, sign, depth + 1)
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as op, right=right):
            other = sign if isinstance(op, ast.Add) else -sign
            return [*_signed(left, meaning, sign, depth), *_signed(right, meaning, other, depth)]
    return [(sign, node)]


def step(term: ast.expr, number: str) -> int:
    """Return by how much a term that is the loop's number, perhaps times a constant, rises in a round; 1 where it is none."""
    match term:
        case ast.BinOp(left=ast.Name(id=name), op=ast.Mult(), right=ast.Constant(value=int(by))) if name == number:
            return by
        case ast.BinOp(left=ast.Constant(value=int(by)), op=ast.Mult(), right=ast.Name(id=name)) if name == number:
            return by
    return 1


__all__ = ["UNKNOWN", "Place", "apart", "place", "roots", "step", "stored"]
