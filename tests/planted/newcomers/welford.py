"""Mean and variance of rows in one pass, by running means."""

import numpy as np

import hotloop as hl

A = """
__kernel void welford(__global const float *x, __global float *y, const int n, const int r) {
    const int i = get_global_id(0);
    if (i >= r) return;
    float m = 0, q = 0;
    for (int j = 0; j < n; ++j) { const float v = x[i * n + j], d = v - m; m += d / (j + 1); q += d * (v - m); }
    y[2 * i] = m;
    y[2 * i + 1] = q / n;
}
"""


@hl.kernel(
    problem=dict(r=100, n=5000),
    work=lambda p: hl.Work(flops=0, bytes=4 * p.r * p.n),
    awkward=lambda p: [dict(r=1, n=1), dict(r=2, n=61), dict(r=3, n=1009)],
    tolerance=hl.Tolerance(terms=lambda p: p.n, absolute=1e-4),
)
class welford:
    def inputs(p, rng):
        x = 5 + rng.standard_normal((p.r, p.n), "f4")
        return dict(x=x, y=hl.empty((p.r, 2)), n=np.int32(p.n), r=np.int32(p.r))

    def reference(p, x, y, n, r):
        v = x.astype("f8")
        return dict(y=np.stack([v.mean(axis=1), v.var(axis=1)], axis=1))

    a = hl.OpenCL(A, "welford", global_size=lambda p, c: (p.r,))


MUTANTS = []
