"""A product of matrices that is written as a sum of broadcast products becomes one.

What it changes: ``tl.sum(a[:, :, None] * b[None, :, :], axis=1)`` becomes ``tl.dot(a, b, input_precision="ieee")`` in single precision, with factors
transposed where the dimensions stand otherwise.
When it applies: each factor lacks one dimension, and the sum goes along the one that both have; the numbers surely have a point. Blocks narrower
than 16 do not compile as products, and are refused then.
What it costs: shared memory for both factors. It saves the registers of a block of three dimensions, and a reduction across threads.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from hotloop.rewrite.jitted.flow import real
from hotloop.rewrite.jitted.form import Edit, Keeps, RefusedError, Rewrite, Script

_RANK = 3
_AXES = frozenset(map(str, range(-_RANK, _RANK)))


def apply(script: Script, _value: int | str) -> Script:
    """Multiply as matrices."""
    edits = [
        Edit(call, new)
        for one in script.reached
        for call in script.calls(one, "sum")
        if (new := _product(script, call))
    ]
    if not edits:
        raise RefusedError("it sums no products of two blocks that lack a dimension each")
    return script.edited(edits)


def _product(script: Script, call: ast.Call) -> str:
    """Return the product for a sum; empty where it is none."""
    named = {keyword.arg: keyword.value for keyword in call.keywords}
    given = call.args[1] if len(call.args) > 1 else named.get("axis")
    if set(named) - {"axis"} or given is None or ast.unparse(given) not in _AXES:
        return ""
    axis = int(ast.unparse(given)) % _RANK
    match call.args[0]:
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            one, other = _lacks(left), _lacks(right)
            if one is None or other is None or len({one, other, axis}) < _RANK:
                return ""
            if not real(script, left) and not real(script, right):
                return ""
            row, column = sorted((one, other))
            first, second = (left, right) if other < one else (right, left)
            assert isinstance(first, ast.Subscript)
            assert isinstance(second, ast.Subscript)
            return _dot(script, (first.value, axis < row), (second.value, axis > column))
    return ""


def _dot(script: Script, first: tuple[ast.expr, bool], second: tuple[ast.expr, bool]) -> str:
    """Return the product of a factor that has the result's rows, and one that has its columns, each with whether it must be turned."""
    left, right = (_placed(script, node, turned=turned) for node, turned in (first, second))
    return f'{script.tl}.dot({left}, {right}, input_precision="ieee")'


def _placed(script: Script, node: ast.expr, *, turned: bool) -> str:
    """Return a factor as single precision, transposed where its dimensions stand the other way round."""
    text = script.source(node)
    single = f"{text if isinstance(node, ast.Name | ast.Call | ast.Attribute) else f'({text})'}.to({script.tl}.float32)"
    return f"{script.tl}.trans({single})" if turned else single


def _lacks(node: ast.expr) -> int | None:
    """Return which of three dimensions a block is spread along, as ``b[None, :, :]`` is along the first; None for another form."""
    if not isinstance(node, ast.Subscript) or not isinstance(node.slice, ast.Tuple) or len(node.slice.elts) != _RANK:
        return None
    missing = list(_missing(node.slice.elts))
    return missing[0] if len(missing) == 1 else None


def _missing(elements: list[ast.expr]) -> Iterator[int]:
    for place, one in enumerate(elements):
        whole = isinstance(one, ast.Slice) and one.lower is one.upper is one.step is None
        if isinstance(one, ast.Constant) and one.value is None:
            yield place
        elif not whole:
            yield from (-1, -1)


REWRITE = Rewrite(
    name="broadcast-product",
    text=__doc__,
    technique="matrix-instructions",
    keeps=Keeps.ROUNDING,
    values=(0, 1),
    apply=apply,
    gain=(0.8, 4.0),
    reaches=True,
    order=5,
)  # fmt: skip
