"""The inverse of a permutation, written where it points."""

import numpy as np

import hotloop as hl

A = """
__kernel void invperm(__global const int *p, __global int *y, const int n) {
    const int i = get_global_id(0);
    if (i < n) y[p[i]] = i;
}
"""


@hl.kernel(
    problem=dict(n=50000),
    work=lambda p: hl.Work(flops=0, bytes=8 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=65)],
)
class invperm:
    def inputs(p, rng):
        return dict(p=rng.permutation(p.n).astype("i4"), y=hl.empty(p.n, "i4"), n=np.int32(p.n))

    def reference(problem, p, y, n):
        return dict(y=np.argsort(p).astype("i4"))

    a = hl.OpenCL(A, "invperm", global_size=lambda p, c: (p.n,))


MUTANTS = []
