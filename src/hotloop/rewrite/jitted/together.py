"""Several rows for a program that takes one: what the rewrites for each dimension of the programs share."""

from __future__ import annotations

import ast
from math import log2, prod

from hotloop.rewrite.jitted.form import Edit, RefusedError, Script
from hotloop.rewrite.jitted.kinds import Rows
from hotloop.rewrite.jitted.scene import Scene

_EACH = 8
"""Elements that a thread has at least when it loads 16 bytes of half precision at once."""
_FULL = 8
"""Programs for each unit below which fewer of them would leave units idle."""


def apply(script: Script, value: int | str, axis: int, walker: type[Rows] = Rows) -> Script:
    """Give each program `value` rows, which are numbered by a dimension of the programs. Raises RefusedError."""
    assert isinstance(value, int)
    rows, inside, count = names(script)
    edits = walker(script, value, rows, inside, axis).walk()
    if not any(rows in edit.new for edit in edits):
        raise RefusedError("it does not ask for its program's number")
    first = next(
        statement
        for statement in script.kernel.body
        if any(script.is_call(n, "program_id") for n in ast.walk(statement))
    )
    tl, pad = script.tl, " " * first.col_offset
    head = (
        f"{rows} = {tl}.program_id({axis}) * {value} + {tl}.arange(0, {value})[:, None]\n{pad}"
        f"{inside} = {rows} < {count}\n{pad}"
    )
    return script.edited([*edits, Edit(first, head, "before"), script.parameter(count)])


def names(script: Script) -> tuple[str, str, str]:
    """Return names for the rows' numbers, their mask and their count."""
    return (
        script.fresh("rows", "row_numbers"),
        script.fresh("inside", "row_inside"),
        script.fresh("n_rows", "n_programs"),
    )


def expects(script: Script, scene: Scene, value: int | str, axis: int) -> tuple[float, float] | None:
    """Return more for rows that are narrower for the threads of a program."""
    assert isinstance(value, int)
    extents = [
        scene.number(ast.unparse(call.args[1])) for call in script.calls(script.kernel, "arange") if len(call.args) > 1
    ]
    sizes = [extent for extent in extents if extent]
    if not sizes:
        return 0.9, 1.1
    idle = scene.threads * _EACH / max(sizes)
    if axis >= len(scene.grid) or value > min(2 * idle, scene.grid[axis]):
        return None
    if prod(scene.grid) < value * _FULL * scene.units:
        return None
    return 0.95, 1.1 + 0.25 * log2(min(value, max(idle, 1.0)))
