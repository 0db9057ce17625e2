"""Integer expressions over `lane` and loop variables, parsed by Python's own parser and walked; nothing is executed.

Operators: ``+ - * // / % ^ & | << >> ~``, parentheses, ``min(a, b)`` and ``max(a, b)``. Division is floor division,
whichever way it is written.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from hotloop.errors import UsageError

_BINARY: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Div: operator.floordiv,
    ast.Mod: operator.mod,
    ast.BitXor: operator.xor,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
}
_UNARY: dict[type[ast.unaryop], Callable[[int], int]] = {
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Invert: operator.invert,
}
_CALLS: dict[str, Callable[..., int]] = {"min": min, "max": max}
_LIMIT = 1 << 40
"""Largest value of an expression: more than any address; it keeps a mistyped shift from filling memory."""
_LENGTH = 1000


@dataclass(frozen=True, slots=True)
class Expression:
    """A checked expression."""

    text: str
    tree: ast.expr

    def __call__(self, values: Mapping[str, int]) -> int:
        """Return the value. Raises UsageError for division by zero and absurd sizes."""
        try:
            return _value(self.tree, values)
        except ZeroDivisionError:
            raise UsageError(f"{self.text!r} divides by zero at {dict(values)}.") from None
        except _TooLargeError:
            raise UsageError(f"{self.text!r} becomes larger than any address at {dict(values)}.") from None


def parse(text: str, variables: tuple[str, ...] = ("lane",)) -> Expression:
    """Return an expression in which only `variables` occur.

    Raises:
        UsageError: no expression, or something that is not integer arithmetic.
    """
    if len(text) > _LENGTH:
        raise UsageError(f"an expression may have {_LENGTH} characters, this one has {len(text)}.")
    try:
        tree = ast.parse(text.strip(), mode="eval").body
        _check(tree, text, frozenset(variables))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise UsageError(
            f"{text!r} is not an expression; write something like 'lane % 16 * 260 + 8 * (lane // 16)'."
        ) from None
    return Expression(text, tree)


class _TooLargeError(Exception):
    """A value beyond any address."""


def _check(node: ast.expr, text: str, variables: frozenset[str]) -> None:
    match node:
        case ast.Constant(value=int() as value) if not isinstance(value, bool) and abs(value) < _LIMIT:
            return
        case ast.Name(id=name):
            if name not in variables:
                names = ", ".join(sorted(variables))
                raise UsageError(f"{text!r} uses {name!r}; known here: {names}.")
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
            _check(left, text, variables)
            _check(right, text, variables)
        case ast.UnaryOp(op=op, operand=operand) if type(op) in _UNARY:
            _check(operand, text, variables)
        case ast.Call(func=ast.Name(id=name), args=[_, *_] as arguments, keywords=[]) if (
            name in _CALLS and len(arguments) > 1
        ):
            for argument in arguments:
                _check(argument, text, variables)
        case _:
            raise UsageError(
                f"{text!r} has {ast.unparse(node)!r}; only integer arithmetic, min and max are understood."
            )


def _value(node: ast.expr, values: Mapping[str, int]) -> int:
    match node:
        case ast.Constant(value=int() as value):
            return value
        case ast.Name(id=name):
            return values[name]
        case ast.UnaryOp(op=op, operand=operand):
            return _UNARY[type(op)](_value(operand, values))
        case ast.BinOp(left=left, op=op, right=right):
            return _bounded(op, _value(left, values), _value(right, values))
        case ast.Call(func=ast.Name(id=name), args=arguments):
            return _CALLS[name](*(_value(argument, values) for argument in arguments))
    raise AssertionError(node)


def _bounded(op: ast.operator, left: int, right: int) -> int:
    if isinstance(op, ast.LShift | ast.RShift) and not 0 <= right <= _LIMIT.bit_length():
        raise _TooLargeError
    value = _BINARY[type(op)](left, right)
    if abs(value) >= _LIMIT:
        raise _TooLargeError
    return value
