"""A row that fits in a block is loaded once and kept, not loaded again by every loop over it.

What it changes: loops ``for i in range(0, n, BLOCK)`` over one row become ``for i in tl.static_range(1)``: one round each. What a later loop
loads from an address that an earlier one has loaded from is taken from there.
When it applies: two such loops load from one address, nothing is stored there in between, and ``n <= BLOCK`` holds, which the host ensures and
``tl.device_assert`` says.
What it costs: the row's registers from its first use to its last.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass

from hotloop.rewrite.jitted.form import Edit, Keeps, RefusedError, Rewrite, Script
from hotloop.rewrite.jitted.kinds import pointer
from hotloop.rewrite.jitted.names import names_in
from hotloop.rewrite.jitted.scene import Scene

_ROUND = "_round"
"""Stands for a loop's own variable where two loops are compared."""
_CACHED = 40 << 20
"""Bytes of rows in flight beyond which the second loop finds little in the last cache, as on an H200."""


@dataclass(frozen=True, slots=True)
class _Loop:
    node: ast.For
    meaning: dict[str, ast.expr]
    """Expression of each variable that the body assigns once."""


def apply(script: Script, _value: int | str) -> Script:
    """Unwind the loops over the row, and load once."""
    loops = _loops(script)
    edits = [Edit(loop.node.iter, f"{script.tl}.static_range(1)") for loop in loops]
    kept = list(_pairs(script, loops))
    if not kept:
        raise RefusedError("no two loops over one row load from the same address")
    names: dict[int, str] = {}
    for first, again in kept:
        if id(first) not in names:
            names[id(first)] = _name(script, first, set(names.values()))
            statement = next(one for loop in loops for one in loop.node.body if first in ast.walk(one))
            head = f"{names[id(first)]} = {script.source(first)}\n{' ' * statement.col_offset}"
            edits += [Edit(statement, head, "before"), Edit(first, names[id(first)])]
        edits.append(Edit(again, names[id(first)]))
    start = next(one for one in script.kernel.body if loops[0].node in ast.walk(one))
    said = f"{script.tl}.device_assert({guard(script, 1)})\n{' ' * start.col_offset}"
    return script.edited([Edit(start, said, "before"), *edits])


def guard(script: Script, _value: int | str) -> str:
    """Return the condition under which one round is all there is."""
    _, stop, step = _loops(script)[0].node.iter.args  # type: ignore[attr-defined]
    return f"{script.source(stop)} <= {script.source(step)}"


def _loops(script: Script) -> list[_Loop]:
    """Return the loops over the row that is gone through most often. Raises RefusedError."""
    alike: dict[tuple[str, ...], list[_Loop]] = {}
    for node in ast.walk(script.kernel):
        match node:
            case ast.For(
                target=ast.Name(), iter=ast.Call(func=func, args=[ast.Constant(value=0), stop, step]), orelse=[]
            ) if ast.unparse(func) in ("range", f"{script.tl}.range"):
                if not any(isinstance(inner, ast.For | ast.While) for inner in ast.walk(node) if inner is not node):
                    alike.setdefault((ast.unparse(stop), ast.unparse(step)), []).append(
                        _Loop(node, _meaning(node.body))
                    )
    most = max(alike.values(), key=len, default=[])
    if len(most) < 2:
        raise RefusedError("it does not go through a row twice")
    return sorted(most, key=lambda one: one.node.lineno)


def _meaning(body: list[ast.stmt]) -> dict[str, ast.expr]:
    """Return what the variables of a body stand for that it assigns once, at its top level."""
    given = [inner for node in body for inner in ast.walk(node)]
    names = [one.id for one in given if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)]
    meaning = {}
    for node in body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if names.count(name) == 1:
                meaning[name] = value
    return meaning


def _pairs(script: Script, loops: list[_Loop]) -> Iterator[tuple[ast.Call, ast.Call]]:
    """Yield a load and a later one, in another loop, of the same."""
    taken: set[int] = set()
    for at, early in enumerate(loops):
        for first in _top(script, early):
            for late in loops[at + 1 :]:
                for again in script.calls(late.node, "load"):
                    if (
                        id(again) not in taken
                        and id(first) not in taken
                        and _same(script, (early, first), (late, again))
                    ):
                        taken.add(id(again))
                        yield first, again


def _top(script: Script, loop: _Loop) -> Iterator[ast.Call]:
    """Yield the loads that every round makes."""
    for node in loop.node.body:
        if isinstance(node, ast.Assign | ast.AugAssign | ast.Expr):
            yield from script.calls(node, "load")


def _same(script: Script, one: tuple[_Loop, ast.Call], other: tuple[_Loop, ast.Call]) -> bool:
    (early, first), (late, again) = one, other
    if len(first.args) != 1 or len(again.args) != 1 or not _seen(script, early.node, late.node):
        return False
    address, mask, beyond = _read(early, first)
    later = _read(late, again)
    if (address, mask) != later[:2] or later[2] not in ("", beyond):
        return False
    names = names_in(ast.parse(address)) - {_ROUND}
    return _still(script, names, early.node, again)


def _seen(script: Script, early: ast.For, late: ast.For) -> bool:
    """Tell whether every way to the later loop leads through the earlier one."""
    around = [
        body
        for node in ast.walk(script.kernel)
        for body in (getattr(node, "body", None), getattr(node, "orelse", None))
        if isinstance(body, list) and early in body
    ]
    return any(late in ast.walk(statement) for body in around for statement in body)


def _read(loop: _Loop, call: ast.Call) -> tuple[str, str, str]:
    """Return address, mask and what stands for the rest, each in terms of what is known before the loop."""
    given = {keyword.arg: keyword.value for keyword in call.keywords}
    mask, beyond = (_expanded(loop, given[name]) if name in given else "" for name in ("mask", "other"))
    return _expanded(loop, call.args[0]), mask, beyond


def _expanded(loop: _Loop, node: ast.expr) -> str:
    """Return an expression with the body's variables put in; the loop's own variable has one name everywhere."""

    class Put(ast.NodeTransformer):
        depth = 0

        def visit_Name(self, name: ast.Name) -> ast.expr:
            if name.id == loop.node.target.id:  # type: ignore[attr-defined]
                return ast.Name(_ROUND, ast.Load())
            if name.id in loop.meaning and self.depth < 20:
                self.depth += 1
                made: ast.expr = self.visit(copy.deepcopy(loop.meaning[name.id]))
                self.depth -= 1
                return made
            return name

    made: ast.expr = Put().visit(copy.deepcopy(node))
    return ast.unparse(made)


def _still(script: Script, names: set[str], first: ast.For, again: ast.Call) -> bool:
    """Tell whether no name of an address gets another value, or is stored to, from a loop to a later load."""
    for node in ast.walk(script.kernel):
        if not first.lineno <= getattr(node, "lineno", 0) < again.lineno:
            continue
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id in names:
            return False
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
            writes = script.is_call(node, "store") or node.func.attr.startswith("atomic_")
            if writes and names & names_in(node.args[0]) & _pointers(script):
                return False
    return True


def _pointers(script: Script) -> set[str]:
    """Return names that loads and stores have leftmost in their addresses."""
    addresses = (call.args[0] for call in script.calls(script.kernel, "load", "store") if call.args)
    return {name for address in addresses if (name := pointer(address))}


def _name(script: Script, load: ast.Call, taken: set[str]) -> str:
    root = pointer(load.args[0]) or "row"
    names = (script.fresh(f"{root}_kept" if number == 1 else f"{root}_kept_{number}") for number in range(1, 99))
    return next(name for name in names if name not in taken)


def expects(script: Script, scene: Scene, _value: int | str) -> tuple[float, float] | None:
    """Return more where all rows in flight are more than the last cache holds."""
    stop = scene.number(guard(script, 1).partition(" <= ")[0])
    if stop is None or scene.grid[0] < 2:
        return 0.95, 1.15
    flight = min(scene.grid[0], 2 * scene.units) * stop * scene.bytes // max(1, stop * scene.grid[0])
    return (1.0, 1.5) if flight > _CACHED else (0.98, 1.3)


REWRITE = Rewrite(
    name="row-kept",
    text=__doc__,
    technique="operands-in-registers",
    keeps=Keeps.BITS,
    values=(0, 1),
    apply=apply,
    gain=(0.98, 1.3),
    expects=expects,
    guard=guard,
    order=3,
)
