"""Harmonic numbers, from the largest term on, in float32."""

import numpy as np

import hotloop as hl

A = """
__kernel void harmonic(__global const int *k, __global float *y, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    float s = 0;
    for (int j = 1; j <= k[i]; ++j) s += 1.0f / j;
    y[i] = s;
}
"""


@hl.kernel(
    problem=dict(n=300),
    work=lambda p: hl.Work(flops=0, bytes=8 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=65)],
    tolerance=hl.Tolerance(terms=lambda p: 20000),
)
class harmonic:
    def inputs(p, rng):
        return dict(k=rng.integers(0, 20001, p.n, dtype="i4"), y=hl.empty(p.n), n=np.int32(p.n))

    def reference(p, k, y, n):
        return dict(y=np.concatenate([[0.0], np.cumsum(1 / np.arange(1, 20001))])[k])

    a = hl.OpenCL(A, "harmonic", global_size=lambda p, c: (p.n,))


MUTANTS = []
