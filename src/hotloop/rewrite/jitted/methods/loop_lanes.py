"""A loop over scalars becomes a loop over blocks: a program's threads take its rounds side by side instead of all doing each of them.

What it changes: ``for i in range(n)`` that loads, computes and stores one element a round goes through blocks of `LANES` rounds, with masks for
the rounds that there are; branches become masks, sums over the rounds are taken of a block. Functions that return one of several values choose by
``tl.where``. Where a constant bounds the number of rounds, the loop goes that far, so that it does not depend on the program any more.
When it applies: no round needs what another computes, except for sums, and each stores to a place of its own.
What it costs: registers for the blocks; sums are taken in another order.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from hotloop.rewrite.jitted.flow import behind, blocks, loads, stores
from hotloop.rewrite.jitted.form import Edit, Keeps, RefusedError, Rewrite, Script
from hotloop.rewrite.jitted.lanes import Lanes
from hotloop.rewrite.jitted.rounds import bound
from hotloop.rewrite.jitted.scene import Scene

_LOOPS = ("range", "static_range")
_PLACES = ("arg1", "arg2", "start", "end", "stop", "step", None)
"""Bounds of a loop that are given by name."""
_GAIN = 0.5
"""Share of the lanes that a program is expected to gain by at least: other programs on a unit wait meanwhile, too."""


def apply(script: Script, value: int | str) -> Script:
    """Give the rounds of every loop over scalars to lanes."""
    assert isinstance(value, int)
    edits: list[Edit] = []
    selected: dict[str, ast.FunctionDef] = {}
    reasons = []
    for loop in _loops(script):
        try:
            edits += _widened(script, loop, value, selected)
        except RefusedError as reason:
            reasons.append(str(reason))
    if not edits:
        raise RefusedError(next(iter(reasons), "it has no loop over scalars"))
    for function in selected.values():
        edits.append(_choosing(script, function))
    return script.edited(edits)


def _loops(script: Script) -> Iterator[ast.For]:
    """Yield the innermost loops that count by one."""
    for node in ast.walk(script.kernel):
        match node:
            case ast.For(target=ast.Name(), iter=ast.Call(args=[_, *rest]) as call, orelse=[]) if len(rest) < 2:
                inner = [child for statement in node.body for child in ast.walk(statement)]
                counted = script.is_call(call, *_LOOPS) or ast.unparse(call.func) == "range"
                if counted and not any(isinstance(one, ast.For | ast.While) for one in inner):
                    yield node


def _widened(script: Script, loop: ast.For, lanes: int, selected: dict[str, ast.FunctionDef]) -> list[Edit]:
    """Return the edits for one loop. Raises RefusedError."""
    assert isinstance(loop.target, ast.Name)
    assert isinstance(loop.iter, ast.Call)
    number = loop.target.id
    if loads(loop) & blocks(script) or any(script.calls(loop, "arange", "dot", "zeros", "full")):
        raise RefusedError("its loops have blocks already")
    if any(keyword.arg in _PLACES for keyword in loop.iter.keywords) or any(script.calls(loop.iter, "load")):
        raise RefusedError("its loop does not count by one to a number that stands fast")
    if loads(loop.iter) & stores(loop.body):
        raise RefusedError("its body changes how far its loop goes")
    touched = [call for call in script.calls(loop, "load", "store") if call.args]
    if not touched:
        raise RefusedError("its loop loads and stores nothing")
    mask = script.fresh("there", "round_there")
    outside = stores(statement for statement in script.kernel.body if statement.lineno < loop.lineno)
    made = Lanes(script, number, mask, outside | {argument.arg for argument in script.kernel.args.args})
    made.walk(loop.body)
    if not any(loads(call.args[0]) & made.wide for call in touched):
        raise RefusedError("its loop reaches the same places in each round")
    if left := made.wide & behind(script, loop):
        raise RefusedError(f"{min(left)} is used after the loop")
    selected.update(made.selected)
    if "load" in {
        call.func.attr
        for call in touched
        if isinstance(call.func, ast.Attribute) and not loads(call.args[0]) & made.wide
    }:
        further = False  # what all rounds load may not be there where there is no round
    else:
        further = not (stores(loop.body) - made.sums) & behind(script, loop)
    return [*_head(script, loop, lanes, mask, further=further), *_changed(script, made)]


def _head(script: Script, loop: ast.For, lanes: int, mask: str, *, further: bool) -> list[Edit]:
    """Return what the loop goes through now, and what it begins with."""
    assert isinstance(loop.target, ast.Name)
    assert isinstance(loop.iter, ast.Call)
    *start, stop = loop.iter.args
    begin = script.source(start[0]) if start else "0"
    end, tl, pad = script.source(stop), script.tl, " " * loop.body[0].col_offset
    most = (bound(script, stop) or end) if begin == "0" and further else end
    first, number = script.fresh(f"{loop.target.id}_first"), loop.target.id
    head = f"{number} = {first} + {tl}.arange(0, {lanes})\n{pad}{mask} = {number} < {end}\n{pad}"
    return [
        Edit(loop.target, first),
        Edit(loop.iter, f"range({begin}, {most}, {lanes})"),
        Edit(loop.body[0], head, "before"),
    ]


def _changed(script: Script, made: Lanes) -> Iterator[Edit]:
    """Yield the statements that are others now; comments and the rest stay as they stand."""
    for node, new in made.made:
        lines = [line for one in new for line in ast.unparse(ast.fix_missing_locations(one)).splitlines()]
        if lines != ast.unparse(node).splitlines():
            if isinstance(node, ast.If) and script.source(node).startswith("elif"):
                lines = ["else:", *(f"    {line}" for line in lines)]
            yield Edit(node, f"\n{' ' * node.col_offset}".join(lines))


def _choosing(script: Script, function: ast.FunctionDef) -> Edit:
    """Return a function's body that chooses among its values where it returned one of them. Raises RefusedError."""
    body = [
        statement
        for statement in function.body
        if not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant))
    ]
    plain = [statement for statement in body if isinstance(statement, ast.Assign)]
    rest = body[len(plain) :]
    if body[: len(plain)] != plain or not rest:
        raise RefusedError(f"{function.name} decides in another form")
    cases = [*_cases(function, rest)]
    *tests, (_, last) = cases
    chosen, tl = "chosen" if "chosen" not in loads(function) else "chosen_value", script.tl
    lines = [f"{chosen} = {script.source(last)}"]
    for test, value in reversed(tests):
        assert test is not None
        lines.append(f"{chosen} = {tl}.where({script.source(test)}, {script.source(value)}, {chosen})")
    lines.append(f"return {chosen}")
    return Edit(_span(rest[0], rest[-1]), f"\n{' ' * rest[0].col_offset}".join(lines))


def _cases(function: ast.FunctionDef, body: list[ast.stmt]) -> Iterator[tuple[ast.expr | None, ast.expr]]:
    """Yield tests with the values that they return, the last without a test. Raises RefusedError."""
    match body:
        case [ast.Return(value=ast.expr() as value)]:
            yield None, value
            return
        case [ast.If(test=test, body=[ast.Return(value=ast.expr() as value)], orelse=other), *rest] if other or rest:
            if not any(isinstance(node, ast.Call) and isinstance(node.func, ast.Name) for node in ast.walk(test)):
                yield test, value
                yield from _cases(function, [*other, *rest])
                return
    raise RefusedError(f"{function.name} decides in another form")


def _span(first: ast.stmt, last: ast.stmt) -> ast.stmt:
    """Return what stands for all statements from one to another, so that they can be exchanged."""
    place = ast.Pass()
    place.lineno, place.col_offset = first.lineno, first.col_offset
    place.end_lineno, place.end_col_offset = last.end_lineno, last.end_col_offset
    return place


def expects(script: Script, scene: Scene, value: int | str) -> tuple[float, float] | None:
    """Return about as much as lanes have rounds; nothing for more lanes than twice the rounds."""
    assert isinstance(value, int)
    rounds = max((n for loop in _loops(script) if (n := _rounds(script, loop, scene))), default=value)
    if value >= 2 * max(rounds, scene.threads // 4):
        return None
    lanes = min(value, rounds, scene.threads)
    return max(1.0, _GAIN * lanes**0.5), 1.0 + lanes


def _rounds(script: Script, loop: ast.For, scene: Scene) -> int | None:
    assert isinstance(loop.iter, ast.Call)
    stop = loop.iter.args[-1]
    if rounds := scene.number(script.source(stop)):
        return rounds
    most = ast.parse(bound(script, stop) or "0", mode="eval").body
    either = (most.body, most.orelse) if isinstance(most, ast.IfExp) else (most,)
    return min(filter(None, (scene.number(ast.unparse(one)) for one in either)), default=None)


REWRITE = Rewrite(
    name="loop-lanes",
    text=__doc__,
    technique="coalesce",
    keeps=Keeps.ROUNDING,
    values=(0, 32, 64, 128, 512),
    apply=apply,
    gain=(2.0, 30.0),
    expects=expects,
    opens=True,
    order=2,
)
