"""Arrays of a fixed length in a kernel's text: sizes that no longer fit one are none that its author meant.

``__local float row[1024]`` says that rows have 1024 elements at most, although no file says so. An array bounds a size when it
is long enough for every size that the file names, and too short for the one in question.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hotloop.model.problem import Problem
    from hotloop.model.program import Program

_ARRAY = re.compile(
    r"\b(?!return\b|else\b|case\b|goto\b)[A-Za-z_]\w*[\s*]+[A-Za-z_]\w*((?:\s*\[[^\]\[;{}]+\])+)\s*[;,=]"
)
_EXTENT = re.compile(r"\[([^\]]+)\]")
_DEFINED = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)[ \t]+(.+?)[ \t]*$", re.MULTILINE)
_OPTION = re.compile(r"-D\s*(\w+)=(.+)")
_NAME = re.compile(r"[A-Za-z_]\w*")
_DEPTH = 8
_OPERATIONS: Mapping[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.floordiv, ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
}  # fmt: skip


def outgrown(program: Program, asked: Problem, other: Problem, named: Iterable[Problem]) -> bool:
    """Tell whether a size of a made-up problem is larger than all that were named, and than an array that holds those."""
    limits = extents(program)
    for name, value in other.sizes.items():
        sizes = [one.sizes.get(name) for one in (asked, *named)]
        largest = max((size for size in sizes if isinstance(size, int)), default=0)
        if isinstance(value, int) and any(largest <= extent < value for extent in limits):
            return True
    return False


def extents(program: Program) -> frozenset[int]:
    r"""Return the lengths of arrays that are declared in a text: of each dimension, and of the whole.

    >>> from hotloop.model.program import Program
    >>> sorted(extents(Program("opencl", "#define T 8\nvoid f() { __local float a[T + 2][2 * T]; int i; }", ("-DK=3",))))
    [10, 16, 160]
    """
    macros: dict[str, str] = dict(_DEFINED.findall(program.source))
    macros |= {match[1]: match[2] for match in map(_OPTION.fullmatch, program.options) if match}
    bounds = set[int]()
    for declared in _ARRAY.finditer(program.source):
        lengths = [_number(text, macros) for text in _EXTENT.findall(declared[1])]
        whole = 1
        for length in lengths:
            whole *= length or 0
        bounds.update(length for length in (*lengths, whole) if length)
    return frozenset(bounds)


def _number(text: str, known: Mapping[str, str]) -> int | None:
    """Return the value of a constant expression of integers and macros, None of anything else."""
    for _ in range(_DEPTH):
        if not (names := set(_NAME.findall(text)) & known.keys()):
            break
        text = _NAME.sub(lambda match: f"({known[match[0]]})" if match[0] in names else match[0], text)
    try:
        return _value(ast.parse(text.strip(), mode="eval").body)
    except (SyntaxError, ValueError, ZeroDivisionError, OverflowError, RecursionError, MemoryError):
        return None


def _value(node: ast.expr) -> int:
    """Return what an expression comes to. Raises ValueError for what is no sum or product of integers."""
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return node.value
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATIONS:
        left, right = _value(node.left), _value(node.right)
        if isinstance(node.op, ast.LShift) and right > 64:
            raise ValueError(right)
        return _OPERATIONS[type(node.op)](left, right)
    raise ValueError(ast.dump(node))
