"""Which dimension of a launch a block's extent divides, as the text says it: a program's number times the extent is where its block begins."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import lru_cache

from hotloop.rewrite.jitted.calls import constant_axis
from hotloop.rewrite.jitted.form import Script
from hotloop.rewrite.jitted.inlined import inlined
from hotloop.rewrite.jitted.scene import Divided

PART = -1
"""Stands where a dimension's number would: the index is computed from several dimensions, or divided into several."""
_DEEP = 8


@lru_cache(maxsize=256)
def divided(script: Script) -> Mapping[str, int]:
    r"""Return by constant the dimension whose number it is multiplied with, or `PART`.

    Constants of kernels that ask how many programs there are in that dimension are not among them: those go on by that number.
    Where a program has a place in memory by its number alone, such as a row's sum, the block is the row.

    >>> text = "import triton.language as tl\ndef f(x, B: tl.constexpr):\n    pid = tl.program_id(1)\n    at = pid * B + tl.arange(0, B)"
    >>> divided(Script(text, "f"))
    {'B': 1}
    """
    script = inlined(script)
    meaning = _meaning(script)
    names = {argument.arg for argument in script.kernel.args.args}
    counted = {_dimension(call) for call in script.calls(script.kernel, "num_programs")}
    axes: dict[str, int] = {}
    for node in ast.walk(script.kernel):
        match node:
            case ast.BinOp(left=left, op=ast.Mult(), right=right):
                for one, other in ((left, right), (right, left)):
                    axis = _axis(script, other, meaning, 0)
                    if isinstance(one, ast.Name) and one.id in names and axis is not None and axis not in counted:
                        axes[one.id] = axis if axes.get(one.id, axis) == axis else PART
    rows = _rows(script, meaning) if axes else set()
    return {name: PART if axis in rows else axis for name, axis in axes.items()}


def followed(
    script: Script, own: Mapping[str, object], dimensions: int, config: Mapping[str, object]
) -> tuple[Divided, ...]:
    """Return what of a grid that is no function of its constants follows the extents of blocks.

    Args:
        script: the text as it was found.
        own: the launch's constants.
        dimensions: of the launch.
        config: what may have other constants.

    Raises:
        ValueError: a changed extent divides something else than a dimension of the launch.
    """
    parts: dict[int, Divided] = {}
    for name, axis in divided(script).items():
        before, new = own.get(name), config.get(name)
        if before != new and isinstance(before, int) and isinstance(new, int) and min(before, new) > 0:
            if not 0 <= axis < dimensions:
                raise ValueError(f"how many programs there are for {name}={new} is not known")
            parts[axis] = Divided(constant=name, own=before, new=new, axis=axis)
    for group in together(script):
        pairs = [(own.get(name), config.get(name)) for name in group]
        ratios = {new / old for old, new in pairs if isinstance(old, int) and isinstance(new, int) and old}
        if len(ratios) > 1:
            raise ValueError(
                f"{' and '.join(group)} are counted by one number of programs: they grow and shrink together"
            )
    return tuple(parts.values())


@lru_cache(maxsize=256)
def together(script: Script) -> tuple[tuple[str, ...], ...]:
    r"""Return the constants that are extents of blocks of one dimension's programs, where that are several.

    >>> text = "import triton.language as tl\ndef f(x, A, B):\n    p = tl.program_id(0)\n    a = p * A + tl.arange(0, A)\n"
    >>> together(Script(text + "    b = p * B + tl.arange(0, B)", "f"))
    (('A', 'B'),)
    """
    whole = inlined(script)
    ranged = {
        ast.unparse(call.args[1])
        for function in whole.reached
        for call in whole.calls(function, "arange")
        if len(call.args) > 1
    }
    axes: dict[int, list[str]] = {}
    for name, axis in divided(script).items():
        if axis != PART and name in ranged:
            axes.setdefault(axis, []).append(name)
    return tuple(tuple(group) for group in axes.values() if len(group) > 1)


def _meaning(script: Script) -> dict[str, ast.expr | None]:
    """Return by variable the only expression that it stands for, or None where there are several."""
    meaning: dict[str, ast.expr | None] = {}
    for node in ast.walk(script.kernel):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                meaning[name] = value if name not in meaning else None
            case ast.AugAssign(target=ast.Name(id=name)):
                meaning[name] = None
    return meaning


def _rows(script: Script, meaning: Mapping[str, ast.expr | None]) -> set[int]:
    r"""Return the dimensions whose number is a place in memory as it is.

    >>> text = "import triton.language as tl\ndef f(x, s, B):\n    p = tl.program_id(0)\n    tl.store(s + p, tl.sum(tl.load(x + p * B + tl.arange(0, B))))"
    >>> divided(Script(text, "f"))
    {'B': -1}
    """
    places = [call.args[0] for call in script.calls(script.kernel, "load", "store") if call.args]
    terms = [term for place in places for term in _terms(place, meaning, 0)]
    axes = {_axis(script, term, meaning, 0) for term in terms if not isinstance(term, ast.BinOp)}
    return {axis for axis in axes if axis is not None and axis != PART}


def _terms(node: ast.expr, meaning: Mapping[str, ast.expr | None], depth: int) -> Iterator[ast.expr]:
    """Yield what a place is the sum of, through the variables that it is made of."""
    meant = meaning.get(node.id) if isinstance(node, ast.Name) else None
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        yield from _terms(node.left, meaning, depth)
        yield from _terms(node.right, meaning, depth)
    elif isinstance(meant, ast.BinOp) and isinstance(meant.op, ast.Add) and depth < _DEEP:
        yield from _terms(meant, meaning, depth + 1)
    else:
        yield node


def _axis(script: Script, node: ast.expr, meaning: Mapping[str, ast.expr | None], depth: int) -> int | None:
    """Return the dimension whose number an expression is, `PART` where it is made of one, None where it has nothing of one."""
    if depth > _DEEP:
        return PART
    if isinstance(node, ast.Call) and script.is_call(node, "program_id"):
        return _dimension(node)
    match node:
        case ast.Name(id=name):
            meant = meaning.get(name)
            return None if meant is None else _axis(script, meant, meaning, depth + 1)
        case ast.Call(func=ast.Attribute(value=value, attr="to")):
            return _axis(script, value, meaning, depth + 1)
        case ast.Call(args=[value, *_]) if script.is_call(node, "cast"):
            return _axis(script, value, meaning, depth + 1)
        case ast.BinOp(
            op=ast.Sub() | ast.Add(), left=left, right=ast.Constant()
        ):  # where the next program's block begins
            return _axis(script, left, meaning, depth + 1)
        case ast.BinOp(op=ast.FloorDiv() | ast.Mod() | ast.Sub() | ast.Add(), left=left, right=right):
            parts = (_axis(script, left, meaning, depth + 1), _axis(script, right, meaning, depth + 1))
            return None if parts == (None, None) else PART
    return None


def _dimension(call: ast.Call) -> int:
    axis = constant_axis(call)
    return PART if axis is None else axis


__all__ = ["PART", "divided", "followed", "together"]
