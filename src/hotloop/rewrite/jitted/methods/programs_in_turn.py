"""A few programs for each compute unit take all blocks in turn, and load the next one while they work on the last.

What it changes: the kernel's body becomes a function of a program's number, which the kernel calls in ``tl.range(tl.program_id(0), n,
tl.num_programs(0), num_stages=2)``; where matrices are multiplied with ``flatten=True`` instead, so that the loop within goes on ahead. The host
launches a few programs for each compute unit and says how many there were.
When it applies: the number of the first dimension is all that it asks of its programs, and it returns at its end only.
What it costs: shared memory for what is loaded ahead; units that are slower or shared wait for each other less well than the hardware's own order.
"""

from __future__ import annotations

import ast

from hotloop.rewrite.jitted.calls import axis_of
from hotloop.rewrite.jitted.form import Edit, Keeps, RefusedError, Rewrite, Script
from hotloop.rewrite.jitted.scene import Relaunch, Scene

_TURNS = 4
"""Blocks that a program must have in turn for loading ahead to matter."""
_HELD = 8192
"""Elements of a unit's programs below which too little is on its way from memory: on an H200 such launches took two to five times as long."""
_EACH, _WIDE = 8, 32
"""Elements of a thread where none are known, and from which on few programs share a unit, so that hardly one loads while another computes or stores."""
_PRODUCTS = 2
"""Programs for each unit at most where matrices are multiplied: their tiles fill its registers."""


def apply(script: Script, _value: int | str) -> Script:
    """Have the programs take the blocks in turn; how many they are is the launch's."""
    kernel = script.kernel
    numbers = _numbers(script)
    if any(isinstance(inner, ast.Return) for node in kernel.body for inner in ast.walk(node)):
        raise RefusedError("it returns before its end")
    if next(script.calls(kernel, "atomic_cas", "atomic_xchg"), None):
        raise RefusedError("its programs wait for each other")
    program, count = script.fresh("program", "program_number"), _count(script)
    edits = [Edit(number, script.numbered(number, program)) for number in numbers]
    return script.edited(
        [*edits, script.parameter(count), Edit(kernel.body[0], _head(script, program, count), "before")]
    )


def _count(script: Script) -> str:
    return script.fresh("n_programs", "n_programs_in_all")


def _numbers(script: Script) -> list[ast.Call]:
    """Return where it asks for its number. Raises RefusedError."""
    numbers = []
    for function in script.reached:
        for call in script.calls(function, "program_id", "num_programs"):
            axis = axis_of(call)
            if axis == 0:
                if not script.is_call(call, "program_id") or function is not script.kernel:
                    raise RefusedError("it asks how many programs there are, or what it calls asks for its number")
                numbers.append(call)
    if not numbers:
        raise RefusedError("it does not ask for its program's number")
    return numbers


def _head(script: Script, program: str, count: str) -> str:
    """Return the kernel's new body, and the beginning of the function that has the old one."""
    kernel, tl, pad = script.kernel, script.tl, " " * script.kernel.body[0].col_offset
    given = kernel.args
    plain = [None] * (len(given.args) - len(given.defaults))
    rows = [
        script.source(one) + (f"={script.source(default)}" if default is not None else "")
        for one, default in zip(given.args, [*plain, *given.defaults], strict=True)
    ]
    rows.append(f"{program}=None" if given.defaults else program)
    apart = len({argument.lineno for argument in given.args}) > 1
    signature = "".join(f"\n{pad}{row}," for row in rows) + "\n" if apart else ", ".join(rows)
    # the interpreter's loops count in plain numbers, which have no `to`
    names = ", ".join((*(argument.arg for argument in given.args), f"{tl}.cast({program}, {tl}.int32)"))
    hint = "flatten=True" if next(script.calls(kernel, "dot"), None) else "num_stages=2"
    numbers = f"{tl}.program_id(0), {count}, {tl}.num_programs(0), {hint}"
    return (
        f"for {program} in {tl}.range({numbers}):\n{pad}{pad}{kernel.name}_one({names})\n\n\n"
        f"@{_jit(script)}\ndef {kernel.name}_one({signature}):\n{pad}"
    )


def _jit(script: Script) -> str:
    """Return the decorator that makes it a kernel, without what it is told. Raises RefusedError."""
    for one in script.kernel.decorator_list:
        plain = one.func if isinstance(one, ast.Call) else one
        if script.source(plain).rpartition(".")[2] == "jit":
            return script.source(plain)
    raise RefusedError("its decorator is not known")


def expects(script: Script, scene: Scene, value: int | str) -> tuple[float, float] | None:
    """Return little where nothing is multiplied as matrices, and nothing where the programs would leave units half empty."""
    assert isinstance(value, int)
    kernel = script.kernel
    product = next(script.calls(kernel, "dot"), None) is not None
    few = scene.grid[0] < (2 if product else _TURNS) * value * scene.units
    if few or (len(scene.grid) > 1 and scene.grid[1] > 1) or (product and value > _PRODUCTS):
        return None
    if product:
        return 0.9, 1.25
    extents = [scene.number(ast.unparse(call.args[1])) for call in script.calls(kernel, "arange") if len(call.args) > 1]
    held = max(filter(None, extents), default=_EACH * scene.threads)
    if value * held < _HELD:
        return None
    return (0.85, 1.25) if held >= _WIDE * scene.threads else (0.7, 1.1)


REWRITE = Rewrite(
    name="programs-in-turn",
    text=__doc__,
    technique="persistent",
    keeps=Keeps.BITS,
    values=(0, 4, 2, 8, 1),
    apply=apply,
    gain=(0.85, 1.25),
    expects=expects,
    relaunch=lambda script, value: Relaunch(argument=_count(script), each=int(value)),
    reaches=True,
    order=60,
)
