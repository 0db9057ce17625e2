"""A program takes several rows instead of one.

What it changes: ``tl.program_id(0)`` becomes the numbers of several rows, one below the other; blocks get a dimension for rows in front,
reductions go along the other one, and loads and stores leave rows alone that there are not. The host launches fewer programs and says how
many there were.
When it applies: what depends on the program's number is addresses, masks and elements; nothing is decided or counted by it, and no two
programs write to one place.
What it costs: registers for every row. Narrow rows leave most threads of a program idle; wide ones need no company.
"""

from __future__ import annotations

from functools import partial

from hotloop.rewrite.jitted import together
from hotloop.rewrite.jitted.form import Example, Keeps, Rewrite
from hotloop.rewrite.jitted.scene import Relaunch

_BEFORE = """import triton
import triton.language as tl


@triton.jit
def shares(y, x, total, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    found = tl.load(x + row * cols + at, mask=at < cols, other=0.0)
    norm = tl.sum(found * found, axis=0)
    tl.store(total + row, norm)
    tl.store(y + row * cols + at, found / norm, mask=at < cols)
"""
_AFTER = """import triton
import triton.language as tl


@triton.jit
def shares(y, x, total, cols, BLOCK: tl.constexpr, n_rows):
    rows = tl.program_id(0) * 4 + tl.arange(0, 4)[:, None]
    inside = rows < n_rows
    row = rows
    at = tl.arange(0, BLOCK)[None, :]
    found = tl.load(x + row * cols + at, mask=(at < cols) & inside, other=0.0)
    norm = tl.sum(found * found, axis=1, keep_dims=True)
    tl.store(total + row, norm, mask=inside)
    tl.store(y + row * cols + at, found / norm, mask=(at < cols) & inside)
"""
_LOOP = """import triton
import triton.language as tl


@triton.jit
def greatest(
    y,
    x,
    cols,
    BLOCK: tl.constexpr = 16,
):
    x += tl.program_id(0) * cols
    most = -float("inf")
    for first in range(0, cols, BLOCK):
        at = first + tl.arange(0, BLOCK)
        most = tl.maximum(most, tl.max(tl.load(x + at, mask=at < cols, other=-float("inf"))))
    tl.store(y + tl.program_id(0), most)
"""

_LOOP_AFTER = (
    _LOOP.replace("16,\n", "16,\n    n_rows=None,\n")
    .replace(
        "    x += tl.program_id(0)",
        "    rows = tl.program_id(0) * 2 + tl.arange(0, 2)[:, None]\n    inside = rows < n_rows\n    x += rows",
    )
    .replace('most = -float("inf")', 'most = tl.full((2, 1), -float("inf"), tl.float32)')
    .replace("BLOCK)\n        most", "BLOCK)[None, :]\n        most")
    .replace("mask=at < cols", "mask=(at < cols) & inside")
    .replace('other=-float("inf"))))', 'other=-float("inf")), axis=1, keep_dims=True))')
    .replace("y + tl.program_id(0), most", "y + rows, most, mask=inside")
)

REWRITE = Rewrite(
    name="rows-per-program",
    text=__doc__,
    technique="work-per-item",
    keeps=Keeps.ROUNDING,
    values=(0, 4, 2, 8, 16),
    apply=partial(together.apply, axis=0),
    gain=(0.9, 1.3),
    expects=partial(together.expects, axis=0),
    relaunch=lambda script, value: Relaunch(argument=together.names(script)[2], by=int(value)),
    order=8,
    examples=(
        Example(_BEFORE, _AFTER, 4),
        Example(
            _LOOP,
            _LOOP_AFTER,
            2,
        ),
        Example(
            _BEFORE.replace("import triton\n", "import lang as tle\nimport triton\n").replace(
                "tl.program_id", "tle.program_id"
            ),
            _AFTER.replace("import triton\n", "import lang as tle\nimport triton\n").replace(
                "row = rows", "row = tl.cast(rows, tl.int64)"
            ),
            4,
        ),
        Example(
            _BEFORE.replace("    at =", "    if row >= total:\n        return\n    at ="),
            _AFTER.replace("    at =", "    inside = inside & ~(row >= total)\n    at ="),
            4,
        ),
        Example(
            _LOOP.replace('-float("inf")\n    for', "tl.zeros((), tl.float32)\n    for"),
            _LOOP_AFTER.replace('tl.full((2, 1), -float("inf"), tl.float32)', "tl.zeros((2, 1), tl.float32)"),
            2,
        ),
        Example(_BEFORE.replace("    at =", "    if row > 3:\n        total += 1\n    at ="), "", 4),
        Example(_BEFORE.replace("tl.store(total + row", "tl.store(total"), "", 4),
        Example(
            _BEFORE.replace("found / norm", "tl.cumsum(found, 0) + tl.cumprod(found)"),
            _AFTER.replace("found / norm", "tl.cumsum(found, 1) + tl.cumprod(found, axis=1)"),
            4,
        ),
        Example(_BEFORE.replace("found / norm", "tl.cumsum(found, 1)"), "", 4),
        Example(_BEFORE.replace("found / norm", "tl.sort(found)"), "", 4),
    ),
    twin=("tl.program_id(0) * 4", "tl.program_id(0) * 5"),
)
