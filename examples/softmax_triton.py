"""Softmax of the rows of a matrix in Triton: an existing kernel, and what hotloop has to know about it.

Starts with one small block that walks along each row three times. The loop arrives at a row that stays in registers,
which is read once, with as many warps as it takes to keep the memory busy.

    hotloop check examples/softmax_triton.py      on any machine: Triton's interpreter where there is no GPU
    hotloop optimize examples/softmax_triton.py   on a GPU
"""

import numpy as np
import triton
import triton.language as tl

import hotloop as hl


@triton.jit
def softmax_kernel(y, x, columns, BLOCK: tl.constexpr, WHOLE: tl.constexpr):
    """Normalise one row in each program, BLOCK values at a time or as a whole."""
    row = tl.program_id(0).to(tl.int64) * columns
    places = tl.arange(0, BLOCK)
    if WHOLE:
        inside = places < columns
        values = tl.load(x + row + places, mask=inside, other=-float("inf"))
        weights = tl.exp(values - tl.max(values, 0))
        tl.store(y + row + places, weights / tl.sum(weights, 0), mask=inside)
    else:
        most = tl.full((BLOCK,), -float("inf"), tl.float32)
        for start in range(0, columns, BLOCK):
            inside = start + places < columns
            most = tl.maximum(most, tl.load(x + row + start + places, mask=inside, other=-float("inf")))
        top = tl.max(most, 0)
        total = tl.zeros((BLOCK,), tl.float32)
        for start in range(0, columns, BLOCK):
            inside = start + places < columns
            total += tl.exp(tl.load(x + row + start + places, mask=inside, other=-float("inf")) - top)
        scale = 1.0 / tl.sum(total, 0)
        for start in range(0, columns, BLOCK):
            inside = start + places < columns
            values = tl.load(x + row + start + places, mask=inside, other=-float("inf"))
            tl.store(y + row + start + places, tl.exp(values - top) * scale, mask=inside)


@hl.kernel(
    problem=dict(rows=4096, columns=4096),
    work=lambda p: hl.Work(
        flops=5 * p.rows * p.columns, bytes=8 * p.rows * p.columns, convention="max, sub, exp, add, scale"
    ),
    # exp() of a GPU is exp2() of a rounded product: the error grows with the argument, here up to about 20.
    tolerance=hl.Tolerance(terms=lambda p: 24 + np.log2(p.columns), absolute=1e-12),
    awkward=lambda p: [dict(rows=1, columns=256), dict(rows=7, columns=500), dict(rows=3, columns=1)],
)
class softmax:
    def inputs(p, rng):
        return dict(
            x=rng.standard_normal((p.rows, p.columns), "f4") * np.float32(3),
            y=hl.empty((p.rows, p.columns)),
            columns=p.columns,
        )

    def reference(p, x, y, columns):
        shifted = np.exp(x.astype("f8") - x.max(axis=1, keepdims=True))
        return dict(y=shifted / shifted.sum(axis=1, keepdims=True))

    triton = hl.Triton(
        softmax_kernel,
        params=dict(STEP=[128, 256, 512, 1024, 2048], WHOLE=[0, 1], num_warps=[1, 2, 4, 8, 16]),
        args=("y", "x", "columns"),
        # A row that is read as a whole needs a block that holds it; STEP is for rows that are walked along.
        constants=lambda p, c: dict(BLOCK=triton.next_power_of_2(p.columns) if c.WHOLE else c.STEP),
        grid=lambda p, c: (p.rows,),
        techniques=dict(STEP="work-per-item", WHOLE="cache-block"),
    )
