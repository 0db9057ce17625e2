"""Matrix transposition: no arithmetic at all, only the order in which memory is touched matters.

Starts with one work-item per element, which writes with a stride of a whole row; ends with blocks that fit the cache.

    hotloop optimize examples/transpose.py
"""

import numpy as np

import hotloop as hl


@hl.kernel(
    problem=dict(rows=4096, columns=4096),
    work=lambda p: hl.Work(flops=0, bytes=8 * p.rows * p.columns, convention="each element read once, written once"),
    awkward=lambda p: [dict(rows=64, columns=64), dict(rows=64, columns=192), dict(rows=320, columns=128)],
)
class transpose:
    def inputs(p, rng):
        return dict(
            x=rng.standard_normal((p.rows, p.columns), "f4"),
            y=hl.empty((p.columns, p.rows)),
            rows=np.int32(p.rows),
            columns=np.int32(p.columns),
        )

    def reference(p, x, y, rows, columns):
        return dict(y=x.T.astype("f8"))

    opencl = hl.OpenCL(
        "transpose.cl",
        entry="transpose",
        params=dict(BLOCK=[1, 2, 4, 8, 16, 32, 64], MICRO=[1, 4, 8], WG=[64, 16, 4, 1]),
        techniques=dict(BLOCK="work-per-item", MICRO="vectorize", WG="workgroup-size"),
        constraints=[lambda c: c.BLOCK % c.MICRO == 0, lambda c: c.WG * c.BLOCK <= 64],
        global_size=lambda p, c: (p.columns // c.BLOCK, p.rows // c.BLOCK),
        local_size=lambda p, c: (c.WG, 1),
        traits=lambda p, c, d: {
            "config.contiguous_bytes": 4 * c.BLOCK,
            "config.stride_bytes": 4 * p.rows,
            "config.vector_elements": c.MICRO,
        },
    )
