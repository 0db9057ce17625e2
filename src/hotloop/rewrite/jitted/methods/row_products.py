"""A program multiplies several rows with a matrix, as matrices, instead of one row by broadcasting it.

What it changes: as `rows-per-program`, and ``tl.sum(row[:, None] * matrix, axis=0)`` becomes ``tl.dot(rows, matrix, input_precision="ieee")``, with
``axis=1`` of the transposed matrix. Blocks that only address the matrix stay what they are for all rows.
When it applies: where several rows a program do, and the matrix is the same for every row.
What it costs: registers and shared memory for rows and matrix. It saves loading the matrix once for each row: that is most of what such a kernel does.
"""

from __future__ import annotations

from hotloop.rewrite.jitted import together
from hotloop.rewrite.jitted.form import Keeps, RefusedError, Rewrite, Script
from hotloop.rewrite.jitted.matrices import Matrices
from hotloop.rewrite.jitted.scene import Relaunch, Scene

_PRODUCT = 'input_precision="ieee")'
_FULL = 2
"""Programs for each unit below which fewer of them would leave units idle."""


def apply(script: Script, value: int | str) -> Script:
    """Give each program rows enough for a product. Raises RefusedError."""
    made = together.apply(script, value, 0, Matrices)
    if made.text.count(_PRODUCT) == script.text.count(_PRODUCT):
        raise RefusedError("it multiplies no row with a matrix that is the same for all rows")
    return made


def expects(_script: Script, scene: Scene, value: int | str) -> tuple[float, float] | None:
    """Return much: without it each row loads the whole matrix."""
    assert isinstance(value, int)
    return (1.2, 8.0) if scene.grid[0] >= value * _FULL * scene.units else None


REWRITE = Rewrite(
    name="row-products",
    text=__doc__,
    technique="matrix-instructions",
    keeps=Keeps.ROUNDING,
    values=(0, 16, 32, 64),
    apply=apply,
    gain=(1.2, 8.0),
    expects=expects,
    relaunch=lambda script, value: Relaunch(argument=together.names(script)[2], by=int(value)),
    order=7,
)
