"""Means of 96 rows of numbers near a thousand, added up one by one in float32."""

import numpy as np

import hotloop as hl

A = """
__kernel void offsetmean(__global const float *x, __global float *y, const int n, const int r) {
    const int i = get_global_id(0);
    if (i >= r) return;
    float s = 0;
    for (int j = 0; j < n; ++j) s += x[i * n + j];
    y[i] = s / n;
}
"""


@hl.kernel(
    problem=dict(r=96, n=16384),
    work=lambda p: hl.Work(flops=0, bytes=4 * p.r * p.n),
    awkward=lambda p: [dict(r=1, n=1), dict(r=2, n=61), dict(r=70, n=1009)],
    tolerance=hl.Tolerance(terms=lambda p: p.n),
)
class offsetmean:
    def inputs(p, rng):
        x = (1000 + rng.random((p.r, p.n))).astype("f4")
        return dict(x=x, y=hl.empty(p.r), n=np.int32(p.n), r=np.int32(p.r))

    def reference(p, x, y, n, r):
        return dict(y=x.astype("f8").mean(axis=1))

    a = hl.OpenCL(A, "offsetmean", global_size=lambda p, c: (p.r,))


MUTANTS = []
