"""A program takes several numbers of its launch's last dimension instead of one, such as several heads of a token.

What it changes: ``tl.program_id(2)``, or ``tl.program_id(1)`` where there is no third dimension, becomes the numbers of several programs, one below
the other; blocks get a dimension for them in front. The host launches fewer programs in that dimension and says how many there were.
When it applies: as for several rows a program, whose dimension is the first.
What it costs: registers for every one of them. It is for launches of very many programs that have a few elements for each thread only.
"""

from __future__ import annotations

from hotloop.rewrite.jitted import together
from hotloop.rewrite.jitted.calls import constant_axis
from hotloop.rewrite.jitted.form import Keeps, RefusedError, Rewrite, Script
from hotloop.rewrite.jitted.scene import Relaunch, Scene


def apply(script: Script, value: int | str) -> Script:
    """Give each program `value` numbers of the last dimension."""
    return together.apply(script, value, _last(script))


def _last(script: Script) -> int:
    """Return the last dimension whose number it asks for, behind the first. Raises RefusedError."""
    numbers = [0, *(constant_axis(call) or 0 for call in script.calls(script.kernel, "program_id"))]
    if max(numbers) == 0:
        raise RefusedError("its programs have one dimension")
    return max(numbers)


def expects(script: Script, scene: Scene, value: int | str) -> tuple[float, float] | None:
    """Return more the fewer elements a thread has."""
    return together.expects(script, scene, value, _last(script))


REWRITE = Rewrite(
    name="heads-per-program",
    text=__doc__,
    technique="work-per-item",
    keeps=Keeps.ROUNDING,
    values=(0, 4, 2, 8, 16),
    apply=apply,
    gain=(0.9, 1.5),
    expects=expects,
    relaunch=lambda script, value: Relaunch(argument=together.names(script)[2], by=int(value), axis=_last(script)),
    order=9,
)
