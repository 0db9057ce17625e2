"""What a value of a kernel depends on, and rows that are taken apart for a while, as numbers that are packed into words or scaled in groups are.

A row that ``tl.reshape`` lays out in two dimensions is folded: with rows in front it has three. A folded value meets only its like and what is the same
for all, since a block of fewer dimensions would be put beside it from behind; a reduction, ``tl.split`` or another ``tl.reshape`` leads back to a row.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from enum import IntFlag
from functools import reduce
from operator import or_

from hotloop.rewrite.jitted.form import Edit, RefusedError, Script


class Kind(IntFlag):
    """What a value depends on: the row, a place in it, or a place in the row laid out in two dimensions."""

    UNIFORM = 0
    ROW = 1
    BLOCK = 2
    FOLD = 4


MIXED = Kind.BLOCK | Kind.FOLD
"""What no value can be: it was folded on one way through the kernel only."""


def met(node: ast.AST, *kinds: Kind) -> Kind:
    """Return the kind of what is made of values of some kinds. Raises RefusedError where a folded one meets another form."""
    whole = reduce(or_, kinds, Kind.UNIFORM)
    if whole & Kind.FOLD and any(kind and (kind & MIXED) != Kind.FOLD for kind in kinds):
        raise RefusedError(f"a row in two dimensions meets a value in another form (line {getattr(node, 'lineno', 0)})")
    return whole


def either(one: Kind, other: Kind) -> Kind:
    """Return the kind of a variable that has one kind on one way and another on the other."""
    apart = bool(one and other and (one ^ other) & Kind.FOLD)
    return one | other | (MIXED if apart else Kind.UNIFORM)


def reshaped(script: Script, call: ast.Call, kind: Kind, count: int) -> tuple[Kind, Edit]:
    """Return the kind of ``tl.reshape(value, shape)`` for a value of a kind, and the edit that puts rows in front. Raises RefusedError."""
    if not kind & MIXED or len(call.args) != 2 or call.keywords:
        raise RefusedError(f"line {call.lineno} lays out a block in another form")
    shape, lead = call.args[1], count if kind & Kind.ROW else 1
    extents = shape.elts if isinstance(shape, ast.Tuple | ast.List) else [shape]
    if len(extents) not in (1, 2) or not all(_extent(script, one) for one in extents):
        raise RefusedError(f"line {call.lineno} lays out a block in another form")
    made = (kind & Kind.ROW) | (Kind.FOLD if len(extents) == 2 else Kind.BLOCK)
    if isinstance(shape, ast.Tuple | ast.List):
        return made, Edit(extents[0], f"{lead}, ", "before")
    return made, Edit(shape, f"({lead}, {script.source(shape)})")


def _extent(script: Script, node: ast.expr) -> bool:
    """Tell whether an expression is surely one number: made of numbers and the kernel's constants."""
    constants = {
        argument.arg
        for argument in script.kernel.args.args
        if argument.annotation and "constexpr" in ast.unparse(argument.annotation)
    }
    given = {one.id for one in ast.walk(script.kernel) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
    allowed = ast.Name | ast.Load | ast.Constant | ast.BinOp | ast.operator
    return all(
        isinstance(one, allowed) and (not isinstance(one, ast.Name) or one.id in constants - given)
        for one in ast.walk(node)
    )


def halves(call: ast.Call, kind: Kind) -> Kind:
    """Return the kind of both results of ``tl.split``. Raises RefusedError for what is not folded."""
    if kind and kind & MIXED != Kind.FOLD:
        raise RefusedError(f"line {call.lineno} takes apart a row that is not laid out in pairs")
    return (kind & Kind.ROW) | Kind.BLOCK if kind else kind


def joined(call: ast.Call, kinds: Sequence[Kind]) -> Kind:
    """Return the kind of ``tl.join`` of two rows. Raises RefusedError for anything else."""
    if call.keywords or len(kinds) != 2 or any(kind & MIXED != Kind.BLOCK for kind in kinds):
        raise RefusedError(f"line {call.lineno} joins what is no row")
    return (reduce(or_, kinds) & Kind.ROW) | Kind.FOLD


def reduced(call: ast.Call, axis: ast.expr | None, kind: Kind) -> tuple[Kind, Edit]:
    """Return the kind of a reduction along one dimension of a folded row, and the edit that counts rows in. Raises RefusedError."""
    named = {keyword.arg: keyword.value for keyword in call.keywords}
    kept = named.get("keep_dims")
    known = isinstance(axis, ast.Constant) and axis.value in (0, 1) and not isinstance(axis.value, bool)
    plain = kept is None or (isinstance(kept, ast.Constant) and isinstance(kept.value, bool))
    if not known or not plain or len(call.args) > 2 or set(named) - {"axis", "keep_dims"}:
        raise RefusedError(f"its reduction in line {call.lineno} has another form")
    assert isinstance(axis, ast.Constant)
    assert isinstance(axis.value, int)
    stays = isinstance(kept, ast.Constant) and kept.value is True
    return (kind & Kind.ROW) | (Kind.FOLD if stays else Kind.BLOCK), Edit(axis, str(axis.value + 1))


__all__ = ["MIXED", "Kind", "either", "halves", "joined", "met", "reduced", "reshaped"]
