"""A program multiplies several rows with a matrix, as matrices, instead of one row by broadcasting it.

What it changes: as `rows-per-program`, and ``tl.sum(row[:, None] * matrix, axis=0)`` becomes ``tl.dot(rows, matrix, input_precision="ieee")``, with
``axis=1`` of the transposed matrix. Blocks that only address the matrix stay what they are for all rows.
When it applies: where several rows a program do, and the matrix is the same for every row.
What it costs: registers and shared memory for rows and matrix. It saves loading the matrix once for each row: that is most of what such a kernel does.
"""

from __future__ import annotations

from hotloop.rewrite.jitted import together
from hotloop.rewrite.jitted.form import Example, Keeps, RefusedError, Rewrite, Script
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


_BEFORE = """import triton
import triton.language as tl


@triton.jit
def turned(y, x, matrix, size, K: tl.constexpr, N: tl.constexpr, STEP: tl.constexpr):
    row = tl.program_id(0)
    n = tl.arange(0, N)
    found = tl.zeros([N], dtype=tl.float32)
    for first in range(0, K, STEP):
        k = first + tl.arange(0, STEP)
        part = tl.load(x + row * K + k, mask=k < size, other=0.0)
        tile = tl.load(matrix + k[:, None] * N + n[None, :], mask=k[:, None] < size, other=0.0)
        found += tl.sum(part[:, None] * tile, axis=0)
    tl.store(y + row * N + n, found)
"""
_AFTER = """import triton
import triton.language as tl


@triton.jit
def turned(y, x, matrix, size, K: tl.constexpr, N: tl.constexpr, STEP: tl.constexpr, n_rows):
    rows = tl.program_id(0) * 16 + tl.arange(0, 16)[:, None]
    inside = rows < n_rows
    row = rows
    n = tl.arange(0, N)[None, :]
    found = tl.zeros([16, N], dtype=tl.float32)
    for first in range(0, K, STEP):
        k = first + tl.arange(0, STEP)[None, :]
        part = tl.load(x + row * K + k, mask=(k < size) & inside, other=0.0)
        tile = tl.load(matrix + tl.trans(k) * N + n, mask=tl.trans(k) < size, other=0.0)
        found += tl.dot(part.to(tl.float32), tile.to(tl.float32), input_precision="ieee")
    tl.store(y + row * N + n, found, mask=inside)
"""

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
    examples=(
        Example(_BEFORE, _AFTER, 16),
        Example(
            _BEFORE.replace("part[:, None] * tile, axis=0", "tile * part[None, :], axis=1"),
            _AFTER.replace(", tile.to", ", tl.trans(tile).to"),
            16,
        ),
        Example(_BEFORE.replace(", other=0.0", ""), "", 16),
        Example(_BEFORE.replace("matrix + k", "matrix + row + k"), "", 16),
        Example(_BEFORE.replace("part[:, None] * tile, axis=0", "tile, axis=0"), "", 16),
        Example(_BEFORE.replace("part[:, None] * tile, axis=0", "part[:, None] + tile, axis=0"), "", 16),
        Example(_BEFORE.replace("tl.sum(part[:, None] * tile, axis=0)", "part"), "", 16),
    ),
    twin=("tl.program_id(0) * 16", "tl.program_id(0) * 17"),
)
