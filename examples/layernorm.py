"""Layer normalisation in CUDA C++: two reductions per row, bound by memory. The same text runs as HIP C++ on AMD's GPUs.

Starts as it is usually written first: one float per access, the row read three times, sums through shared memory with a
barrier per halving.

    hotloop optimize examples/layernorm.py
    hotloop optimize examples/layernorm.py --implementation hip
"""

import numpy as np

import hotloop as hl

DECLARED = dict(
    source="layernorm.cu",
    entry="layernorm",
    params=dict(THREADS=[32, 64, 128, 256, 512, 1024], VEC=[1, 2, 4], UNROLL=[1, 2, 4, 8], HELD=[0, 1], SHUFFLE=[0, 1]),
    techniques=dict(
        THREADS="workgroup-size", VEC="vectorize", UNROLL="unroll", HELD="cache-block", SHUFFLE="lane-reduction"
    ),
    start=dict(THREADS=256),
    constraints=[lambda c: c.HELD == 0 or c.UNROLL == 1],
    args=["x", "scale", "shift", "y"],
    defines=lambda p, c: dict(COLUMNS=p.columns, EPSILON="1e-5f"),
    grid=lambda p, c: (p.rows,),
    block=lambda p, c: (c.THREADS,),
    traits=lambda p, c, d: {
        "config.vector_elements": c.VEC,
        "config.contiguous_bytes": 4 * c.VEC,
        "config.local_bytes": 4 * c.THREADS,
        "config.barriers": 4 if c.SHUFFLE else 4 + 2 * np.log2(c.THREADS),
    },
)


@hl.kernel(
    problem=dict(rows=4096, columns=4096),
    work=lambda p: hl.Work(
        flops=7 * p.rows * p.columns,
        bytes=8 * p.rows * p.columns + 8 * p.columns,
        convention="add; subtract, square, add; scale twice, shift",
    ),
    # Sums in float32 in some order: the error grows like the logarithm of a row's length.
    tolerance=hl.Tolerance(terms=lambda p: 8 + 2 * np.log2(p.columns), absolute=1e-6),
    awkward=lambda p: [dict(rows=1, columns=1), dict(rows=7, columns=127), dict(rows=33, columns=1030)],
)
class layernorm:
    def inputs(p, rng):
        return dict(
            x=rng.standard_normal((p.rows, p.columns), "f4") + np.float32(0.5),
            scale=rng.standard_normal(p.columns, "f4"),
            shift=rng.standard_normal(p.columns, "f4"),
            y=hl.empty((p.rows, p.columns)),
        )

    def reference(p, x, scale, shift, y):
        wide = x.astype("f8")
        centred = wide - wide.mean(axis=1, keepdims=True)
        deviation = np.sqrt((centred**2).mean(axis=1, keepdims=True) + 1e-5)
        return dict(y=centred / deviation * scale + shift)

    cuda = hl.CUDA(**DECLARED)
    hip = hl.HIP(**DECLARED)
