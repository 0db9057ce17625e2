"""Softmax of the rows of a matrix: two reductions and an exponential per element.

Starts GPU-style: a work-group per row reduces through local memory, with a barrier per halving. On a CPU local memory
is ordinary memory and a barrier ends a loop, so one work-item per row with wide vectors is what the loop arrives at.

    hotloop optimize examples/softmax.py
"""

import numpy as np

import hotloop as hl


@hl.kernel(
    problem=dict(rows=2048, columns=1024),
    work=lambda p: hl.Work(
        flops=5 * p.rows * p.columns, bytes=8 * p.rows * p.columns, convention="max, sub, exp, add, scale"
    ),
    # exp() of OpenCL may be off by 3 ulp (OpenCL C specification, relative error); the sum adds log2(columns) roundings.
    tolerance=hl.Tolerance(terms=lambda p: 8 + np.log2(p.columns), absolute=1e-12),
    awkward=lambda p: [dict(rows=1, columns=256), dict(rows=7, columns=512), dict(rows=33, columns=768)],
)
class softmax:
    def inputs(p, rng):
        return dict(
            x=rng.standard_normal((p.rows, p.columns), "f4") * np.float32(3),
            y=hl.empty((p.rows, p.columns)),
            columns=np.int32(p.columns),
        )

    def reference(p, x, y, columns):
        shifted = np.exp(x.astype("f8") - x.max(axis=1, keepdims=True))
        return dict(y=shifted / shifted.sum(axis=1, keepdims=True))

    opencl = hl.OpenCL(
        "softmax.cl",
        entry="softmax",
        params=dict(WG=[256, 64, 16, 4, 1], VW=[1, 2, 4, 8, 16]),
        techniques=dict(WG="workgroup-size", VW="vectorize"),
        constraints=[lambda c: c.WG * c.VW <= 256],
        global_size=lambda p, c: (c.WG * p.rows,),
        local_size=lambda p, c: (c.WG,),
        traits=lambda p, c, d: {
            "config.vector_elements": c.VW,
            "config.local_bytes": 4 * c.WG if c.WG > 1 else 0,
            "config.barriers": 2 * np.log2(c.WG) + 2 if c.WG > 1 else 0,
        },
    )
