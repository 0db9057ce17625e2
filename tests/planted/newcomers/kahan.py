"""Sums of numbers of very different size, compensated (Kahan and Babuska)."""

import numpy as np

import hotloop as hl

A = """
#pragma OPENCL FP_CONTRACT OFF
__kernel void kahan(__global const float *x, __global float *y, const int n) {
    const int i = get_global_id(0);
    float s = 0, c = 0;
    for (int j = 0; j < n; ++j) {
        const float v = x[i * n + j], t = s + v;
        c += fabs(s) >= fabs(v) ? (s - t) + v : (v - t) + s;
        s = t;
    }
    y[i] = s + c;
}
"""


@hl.kernel(
    problem=dict(r=8, n=20000),
    work=lambda p: hl.Work(flops=0, bytes=4 * p.r * p.n),
    awkward=lambda p: [dict(r=1, n=1), dict(r=2, n=61), dict(r=3, n=1009)],
    tolerance=hl.Tolerance(terms=lambda p: 2, absolute=1e-2),
)
class kahan:
    def inputs(p, rng):
        x = rng.standard_normal((p.r, p.n)) * 10.0 ** rng.integers(-3, 5, (p.r, p.n))
        return dict(x=x.astype("f4"), y=hl.empty(p.r), n=np.int32(p.n))

    def reference(p, x, y, n):
        return dict(y=x.astype("f8").sum(axis=1))

    a = hl.OpenCL(A, "kahan", global_size=lambda p, c: (p.r,))


MUTANTS = []
