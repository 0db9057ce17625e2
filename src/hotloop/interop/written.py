"""Lists of values as tuners' users write them in Python: literal lists, `range`, `list(range(...))`, comprehensions over these, and sums of lists.

Other tools evaluate such texts as Python; here only whole and real numbers, their arithmetic and loops of limited length are understood, and
nothing of the text is executed.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hotloop.interop.recording import Json

MOST_VALUES = 100_000
_MOST_BITS = 1024
"""Size of numbers up to which powers, products and shifts are computed: no tuning parameter is larger, and a text must not fill the memory."""
_BINARY: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.LShift: operator.lshift,
}
_GROWING = (ast.Pow, ast.LShift)


def values(text: str) -> list[Json]:
    """Return the values that a text lists.

    >>> values("list(range(1, 4))"), values("[2**i for i in range(3)]"), values("[16, 'a', True]")
    ([1, 2, 3], [1, 2, 4], [16, 'a', True])
    >>> values("[1, 2] + [8 * i for i in range(1, 3)]"), values("[1, *range(4, 6)]")
    ([1, 2, 8, 16], [1, 4, 5])

    Raises:
        ValueError: the text is no such list.
    """
    try:
        found = _several(ast.parse(text.strip(), mode="eval").body, {})
    except (SyntaxError, TypeError, ArithmeticError, RecursionError, MemoryError) as error:
        raise ValueError(str(error)) from None
    return found


def _several(node: ast.expr, known: Mapping[str, Any]) -> list[Any]:
    match node:
        case ast.List(elts=elements) | ast.Tuple(elts=elements):
            return [value for element in elements for value in _inside(element, known)]
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _several(left, known) + _several(right, known)
        case ast.Call(func=ast.Name(id="list" | "tuple"), args=[inner], keywords=[]):
            return _several(inner, known)
        case ast.Call(func=ast.Name(id="range"), args=bounds, keywords=[]):
            return _limited(range(*(_one(bound, known) for bound in bounds)))
        case ast.ListComp(elt=each, generators=[loop]) | ast.GeneratorExp(elt=each, generators=[loop]):
            return [_one(each, names) for names in _rounds(loop, known)]
    raise ValueError("this is no list")


def _inside(element: ast.expr, known: Mapping[str, Any]) -> list[Any]:
    """Return the values that an element of a list stands for: several where it has a star."""
    return _several(element.value, known) if isinstance(element, ast.Starred) else [_one(element, known)]


def _rounds(loop: ast.comprehension, known: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return what names stand for in each round of a comprehension's loop."""
    if not isinstance(loop.target, ast.Name) or loop.ifs or loop.is_async:
        raise ValueError("only loops over one name without a condition are understood")
    return [{**known, loop.target.id: value} for value in _several(loop.iter, known)]


def _limited(numbers: range) -> list[int]:
    if len(numbers) > MOST_VALUES:
        raise ValueError("there are too many values")
    return list(numbers)


def _one(node: ast.expr, known: Mapping[str, Any]) -> Any:  # noqa: ANN401 - whatever JSON can hold
    match node:
        case ast.Name(id=name) if name in known:
            return known[name]
        case ast.BinOp(left=left, op=sign, right=right) if type(sign) in _BINARY:
            return _computed(sign, _one(left, known), _one(right, known))
    if known and isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_one(node.operand, known)
    return ast.literal_eval(node)


def _computed(sign: ast.operator, left: Any, right: Any) -> Any:  # noqa: ANN401 - numbers, of any kind
    if not all(isinstance(side, int | float) for side in (left, right)):
        raise ValueError("only numbers are computed with")
    if isinstance(sign, _GROWING) and (abs(right) > _MOST_BITS or abs(left) > _MOST_BITS):
        raise ValueError("the number is too large")
    if isinstance(number := _BINARY[type(sign)](left, right), complex):
        raise ValueError("roots of negative numbers are no values")
    return number
