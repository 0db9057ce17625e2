"""The innermost loops over memory do several rounds in one, so that their loads are under way together.

What it changes: ``range(...)`` or ``tl.range(...)`` of a loop that loads gets ``loop_unroll_factor=N``.
When it applies: a loop that loads, has no loop and no product of matrices in it, and does not say so already.
What it costs: registers for every round, and code.
"""

from __future__ import annotations

import ast

from hotloop.rewrite.jitted import rounds
from hotloop.rewrite.jitted.form import Edit, Keeps, RefusedError, Rewrite, Script
from hotloop.rewrite.jitted.scene import Scene

_BUSY = 4
"""Programs for each unit from which other programs hide what one waits for."""


def apply(script: Script, value: int | str) -> Script:
    """Have every such loop of the kernel do so many rounds in one."""
    edits = []
    for node in ast.walk(script.kernel):
        if isinstance(node, ast.For) and isinstance(node.iter, ast.Call) and _plain(script, node):
            edits.append(Edit(node.iter.func, f"{script.tl}.range"))
            last = max((keyword.value for keyword in node.iter.keywords), key=_end, default=node.iter.args[-1])
            edits.append(Edit(last, f", loop_unroll_factor={value}", "behind"))
    if not edits:
        raise RefusedError("it has no innermost loop that loads and multiplies no matrices")
    return script.edited(edits)


def _end(node: ast.expr) -> tuple[int, int]:
    return node.end_lineno or 0, node.end_col_offset or 0


def _plain(script: Script, loop: ast.For) -> bool:
    call = loop.iter
    assert isinstance(call, ast.Call)
    named = isinstance(call.func, ast.Name) and call.func.id == "range"
    if not (named or script.is_call(call, "range")) or not call.args:
        return False
    if {keyword.arg for keyword in call.keywords} & {None, "loop_unroll_factor"}:
        return False
    inner = [node for node in ast.walk(loop) if isinstance(node, ast.For | ast.While) and node is not loop]
    return not inner and any(script.calls(loop, "load")) and not any(script.calls(loop, "dot"))


def expects(script: Script, scene: Scene, value: int | str) -> tuple[float, float] | None:
    """Return more where few programs share the device: each must have more loads under way."""
    assert isinstance(value, int)
    if (rounds.most(script, scene) or value) < value:
        return None
    return (0.98, 1.45) if scene.grid[0] <= _BUSY * scene.units else (0.95, 1.1)


REWRITE = Rewrite(
    name="loop-unrolling",
    text=__doc__,
    technique="unroll",
    keeps=Keeps.BITS,
    values=(0, 2, 4),
    apply=apply,
    gain=(0.95, 1.2),
    expects=expects,
    order=41,
)
