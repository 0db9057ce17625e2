"""A loop adds block by block, and the lanes are summed once behind it instead of in every round.

What it changes: ``acc += tl.sum(x)`` in a loop becomes ``acc_lanes += x`` with a block of sums, and ``acc += tl.sum(acc_lanes)`` behind the loop; the
greatest and the least of a row likewise. A reduction over a program's warps goes through shared memory and two barriers each time.
When it applies: the loop has the sum in no other place, and what is summed is a block of one dimension whose extent is known.
What it costs: registers for a block of sums each; sums are taken in another order.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from hotloop.rewrite.jitted.flow import loads, start_type
from hotloop.rewrite.jitted.form import Edit, Keeps, RefusedError, Rewrite, Script
from hotloop.rewrite.jitted.rounds import most
from hotloop.rewrite.jitted.scene import Scene

_DEEP = 12
"""Variables put in for each other before an extent is given up."""
_SHAPES = (
    "make_block_ptr",
    "dot",
    "trans",
    "reshape",
    "expand_dims",
    "view",
    "permute",
    "join",
    "interleave",
    "cat",
    "broadcast_to",
)
"""Functions whose blocks have other extents than the ranges that they stem from."""
_BEYOND = {"max": "-float('inf')", "min": "float('inf')"}
_PAIRS = {"maximum": "max", "minimum": "min", "max": "max", "min": "min"}


@dataclass(frozen=True, slots=True)
class _Sum:
    loop: ast.For
    statement: ast.Assign | ast.AugAssign
    name: str
    word: str
    """Name of the reduction: ``sum``, ``max`` or ``min``."""
    block: ast.expr
    extent: str
    kind: str
    """Type of the sum."""


def apply(script: Script, _value: int | str) -> Script:
    """Take the sums behind their loops."""
    edits: list[Edit] = []
    for one in _sums(script):
        lanes, tl = script.fresh(f"{one.name}_lanes"), script.tl
        pad, kind = " " * one.loop.col_offset, one.kind
        begin = f"{tl}.zeros(({one.extent},), {kind})"
        if one.word != "sum":
            begin = f"{tl}.full(({one.extent},), {_BEYOND[one.word]}, {kind})"
        edits.append(Edit(one.loop, f"{lanes} = {begin}\n{pad}", "before"))
        edits.append(Edit(one.statement, _round(script, one, lanes)))
        edits.append(Edit(one.loop, f"\n{pad}{_whole(script, one, lanes)}", "behind"))
    if not edits:
        raise RefusedError("no loop of it sums a block of one dimension that nothing else in the loop asks for")
    return script.edited(edits)


def _round(script: Script, one: _Sum, lanes: str) -> str:
    """Return what a round does now."""
    block = script.source(one.block)
    if one.word != "sum":
        return f"{lanes} = {script.tl}.{one.word}imum({lanes}, {block})"
    minus = isinstance(one.statement, ast.AugAssign) and isinstance(one.statement.op, ast.Sub)
    return f"{lanes} {'-' if minus else '+'}= {block}"


def _whole(script: Script, one: _Sum, lanes: str) -> str:
    reduced = f"{script.tl}.{one.word}({lanes}, axis=0)"
    if one.word == "sum":
        return f"{one.name} += {reduced}"
    return f"{one.name} = {script.tl}.{one.word}imum({one.name}, {reduced})"


def _sums(script: Script) -> Iterator[_Sum]:
    for loop in ast.walk(script.kernel):
        if isinstance(loop, ast.For) and not loop.orelse:
            for node in loop.body:
                if isinstance(node, ast.Assign | ast.AugAssign) and (made := _sum(script, loop, node)):
                    yield made


def _sum(script: Script, loop: ast.For, node: ast.Assign | ast.AugAssign) -> _Sum | None:
    match node:
        case ast.AugAssign(target=ast.Name(id=name), op=ast.Add() | ast.Sub(), value=call):
            word, uses = "sum", 1
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.BinOp(left=ast.Name(id=left), op=ast.Add(), right=call)):
            word, uses = "sum", 2 if left == name else 0
        case ast.Assign(
            targets=[ast.Name(id=name)], value=ast.Call(args=[ast.Name(id=left), call], keywords=[]) as pair
        ):
            called = pair.func.attr if isinstance(pair.func, ast.Attribute) else getattr(pair.func, "id", "")
            word, uses = _PAIRS.get(called, ""), 2 if left == name else 0
        case _:
            return None
    every = sum(isinstance(inner, ast.Name) and inner.id == name for inner in ast.walk(loop))
    block = _reduced(script, call, word) if word and uses == every else None
    extent = _extent(script, block) if block is not None else None
    kind = start_type(script, name)
    if block is None or not extent or kind is None or (word != "sum" and "int" in kind):
        return None
    return _Sum(loop, node, name, word, block, extent, kind)


def _reduced(script: Script, call: ast.expr, word: str) -> ast.expr | None:
    """Return the block of a reduction along its only dimension."""
    if not isinstance(call, ast.Call) or not script.is_call(call, word) or not call.args:
        return None
    named = {keyword.arg: keyword.value for keyword in call.keywords}
    axis = call.args[1] if len(call.args) > 1 else named.get("axis")
    plain = axis is None or (isinstance(axis, ast.Constant) and axis.value in (0, None))
    return call.args[0] if plain and len(call.args) < 3 and not set(named) - {"axis"} else None


def _extent(script: Script, block: ast.expr) -> str | None:
    """Return the extent of a block of one dimension; None where it is not known or has more dimensions."""
    names, extents, seen = loads(block), set(), set[str]()
    parts: list[ast.AST] = [block]
    for _ in range(_DEEP):
        for part in parts:
            for one in ast.walk(part):
                if isinstance(one, ast.Subscript) or (isinstance(one, ast.Call) and script.is_call(one, *_SHAPES)):  # fmt: skip
                    return None
            for call in script.calls(part, "arange"):
                if len(call.args) != 2 or ast.unparse(call.args[0]) != "0":
                    return None
                extents.add(ast.unparse(call.args[1]))
        new = names - seen
        seen |= new
        parts = [node.value for node in ast.walk(script.kernel) if isinstance(node, ast.Assign) and node.value and _given(node) & new]  # fmt: skip
        names = {name for part in parts for name in loads(part)}
        if not parts:
            break
    return extents.pop() if len(extents) == 1 else None


def _given(node: ast.Assign) -> set[str]:
    return {inner.id for target in node.targets for inner in ast.walk(target) if isinstance(inner, ast.Name)}


def expects(script: Script, scene: Scene, _value: int | str) -> tuple[float, float] | None:
    """Return more for more warps; nothing for a loop of one round."""
    rounds = most(script, scene)
    if rounds is not None and rounds < 2:
        return None
    return (0.97, 1.12) if scene.values.get("num_warps") == 1 else (0.97, 1.3)


REWRITE = Rewrite(
    name="lane-sums",
    text=__doc__,
    technique="lane-reduction",
    keeps=Keeps.ROUNDING,
    values=(0, 1),
    apply=apply,
    gain=(0.97, 1.3),
    expects=expects,
    order=4,
)
