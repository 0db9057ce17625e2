"""Programs of a two-dimensional grid are taken group by group, so that neighbours in time share what they load.

What it changes: behind ``i = tl.program_id(0)`` and ``j = tl.program_id(1)`` both are numbered anew by ``tl.swizzle2d``: a group of
rows, column after column.
When it applies: two variables are the program's numbers of a grid of two dimensions and nothing is computed of one before both are there.
What it costs: a few integer operations for each program. It changes no result, only which program computes it.
"""

from __future__ import annotations

import ast

from hotloop.rewrite.jitted.calls import axis_of
from hotloop.rewrite.jitted.form import Edit, Keeps, RefusedError, Rewrite, Script


def apply(script: Script, value: int | str) -> Script:
    """Number the programs anew, in groups of `value` rows."""
    numbers = _numbers(script)
    if set(numbers) != {0, 1}:
        raise RefusedError("its programs are not numbered by two variables")
    first, second = sorted(numbers.values(), key=lambda one: one.lineno)
    _between(script, first, second)
    names = [node.targets[0].id for _, node in sorted(numbers.items())]  # type: ignore[attr-defined]
    tl, pad = script.tl, " " * second.col_offset
    # the hardware counts the first number fastest, swizzle2d its second argument
    new = (
        f"\n{pad}{names[1]}, {names[0]} = {tl}.swizzle2d({names[1]}, {names[0]}, "
        f"{tl}.num_programs(1), {tl}.num_programs(0), {value})"
    )
    return script.edited([Edit(second, new, "behind")])


def _numbers(script: Script) -> dict[int, ast.Assign]:
    """Return by dimension the statement that names a program's number. Raises RefusedError where it is asked for again."""
    by_axis: dict[int, ast.Assign] = {}
    calls = list(script.calls(script.kernel, "program_id", "num_programs"))
    for node in script.kernel.body:
        match node:
            case ast.Assign(targets=[ast.Name()], value=ast.Call() as call) if script.is_call(call, "program_id"):
                by_axis[axis_of(call)] = node
                calls.remove(call)
    if calls or any(script.numbered(one.value, "") for one in by_axis.values() if isinstance(one.value, ast.Call)):
        raise RefusedError("it asks for its program's number in other places, too, or in 64 bits")
    if any(
        script.calls(one, "program_id") for one in script.reached if one is not script.kernel and _asks(script, one)
    ):
        raise RefusedError("what it calls asks for the program's number")
    return by_axis


def _asks(script: Script, function: ast.FunctionDef) -> bool:
    return any(True for _ in script.calls(function, "program_id"))


def _between(script: Script, first: ast.Assign, second: ast.Assign) -> None:
    """Raise RefusedError where the kernel uses the first program number between the statements that ask for the first and the second."""
    name = first.targets[0].id  # type: ignore[attr-defined]
    body = script.kernel.body
    for node in body[body.index(first) + 1 : body.index(second)]:
        if any(isinstance(inner, ast.Name) and inner.id == name for inner in ast.walk(node)):
            raise RefusedError(f"{name} is used before both numbers are known")


REWRITE = Rewrite(
    name="grouped-order",
    text=__doc__,
    technique="rasterize",
    keeps=Keeps.BITS,
    values=(0, 8, 4, 16),
    apply=apply,
    gain=(0.95, 1.3),
    reaches=True,
    order=2,
)
