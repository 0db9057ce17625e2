"""A dot product of two long vectors of positive numbers, one by one in float32."""

import numpy as np

import hotloop as hl

A = """
__kernel void longdot(__global const float *x, __global const float *v, __global float *y, const int n) {
    float s = 0;
    for (int j = 0; j < n; ++j) s += x[j] * v[j];
    y[0] = s;
}
"""


@hl.kernel(
    problem=dict(n=1500000),
    work=lambda p: hl.Work(flops=0, bytes=8 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=61), dict(n=1009)],
    tolerance=hl.Tolerance(terms=lambda p: p.n),
)
class longdot:
    def inputs(p, rng):
        return dict(
            x=rng.uniform(0.9, 1.1, p.n).astype("f4"),
            v=rng.uniform(0.9, 1.1, p.n).astype("f4"),
            y=hl.empty(1),
            n=np.int32(p.n),
        )

    def reference(p, x, v, y, n):
        return dict(y=np.array([np.dot(x.astype("f8"), v.astype("f8"))]))

    a = hl.OpenCL(A, "longdot", global_size=lambda p, c: (1,))


MUTANTS = []
