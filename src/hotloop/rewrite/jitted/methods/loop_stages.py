"""The innermost loops over memory say themselves how many of their rounds are loaded ahead.

What it changes: ``range(...)`` of a loop that loads becomes ``tl.range(..., num_stages=N)``.
When it applies: a loop that loads, has no loop in it, and does not say so already, ``range`` or ``tl.range``. Other loops keep what the launch says.
What it costs: registers or shared memory for every stage.
"""

from __future__ import annotations

import ast

from hotloop.rewrite.jitted import rounds
from hotloop.rewrite.jitted.form import Edit, Keeps, RefusedError, Rewrite, Script
from hotloop.rewrite.jitted.scene import Scene

_BOUNDS = 3
"""Arguments of a range that are no options."""
_MANY = 8
"""Stages where a loop waits for each of its loads, and blocks are small."""
_BUSY = 4
"""Programs for each unit from which other programs hide what one waits for."""


def apply(script: Script, value: int | str) -> Script:
    """Give every such loop of the kernel so many stages."""
    edits = []
    for node in ast.walk(script.kernel):
        if isinstance(node, ast.For) and (call := _silent(script, node.iter)) and _loads(script, node):
            given = [
                *map(script.source, call.args),
                *(f"{keyword.arg}={script.source(keyword.value)}" for keyword in call.keywords),
            ]
            edits.append(Edit(call, f"{script.tl}.range({', '.join(given)}, num_stages={value})"))
    if not edits:
        raise RefusedError("it has no innermost loop that loads")
    return script.edited(edits)


def _silent(script: Script, node: ast.expr) -> ast.Call | None:
    """Return the call that a loop goes through where it says nothing of stages."""
    if (
        not isinstance(node, ast.Call)
        or len(node.args) > _BOUNDS
        or any(keyword.arg in (None, "num_stages") for keyword in node.keywords)
    ):
        return None
    plain = isinstance(node.func, ast.Name) and node.func.id == "range" and not node.keywords
    return node if plain or script.is_call(node, "range") else None


def _loads(script: Script, loop: ast.For) -> bool:
    inner = [node for node in ast.walk(loop) if isinstance(node, ast.For | ast.While) and node is not loop]
    return not inner and any(True for _ in script.calls(loop, "load"))


def expects(script: Script, scene: Scene, value: int | str) -> tuple[float, float] | None:
    """Return more where few programs share the device, and where no product of matrices has the compiler load ahead anyway."""
    if (rounds.most(script, scene) or _BUSY) < 2:  # one round: nothing to load ahead
        return None
    plain = not any(True for _ in script.calls(script.kernel, "dot"))
    if value == _MANY and not plain:  # matrices would not fit
        return None
    few = scene.grid[0] <= _BUSY * scene.units
    return (0.98, 1.5 if plain else 1.2) if few else (0.95, 1.15)


REWRITE = Rewrite(
    name="loop-stages",
    text=__doc__,
    technique="prefetch",
    keeps=Keeps.BITS,
    values=(0, 3, 2, 4, 5, _MANY),
    apply=apply,
    gain=(0.95, 1.3),
    expects=expects,
    order=40,
)
