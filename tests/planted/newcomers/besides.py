"""Sums of neighbours through local memory."""

import numpy as np

import hotloop as hl

A = """
__kernel void k(__global const float *x, __global float *y, const int n) {
    __local float a[66];
    __local uchar t[33];
    const int i = get_global_id(0), l = get_local_id(0);
    a[l + 1] = i < n ? x[i] : 0.0f;
    if (l == 0) a[0] = i > 0 ? x[i - 1] : 0.0f;
    if (l == 63) a[65] = i + 1 < n ? x[i + 1] : 0.0f;
    if (l < 33) t[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i >= n) return;
    y[i] = a[l] + a[l + 1] + a[l + 2] + t[l / 2];
}
"""


@hl.kernel(
    problem=dict(n=5000), work=lambda p: hl.Work(flops=0, bytes=8 * p.n), awkward=lambda p: [dict(n=1), dict(n=65)]
)
class besides:
    def inputs(p, rng):
        return dict(x=rng.standard_normal(p.n, "f4"), y=hl.empty(p.n), n=p.n)

    def reference(p, x, y, n):
        w = np.pad(x.astype("f8"), 1)
        return dict(y=w[:-2] + w[1:-1] + w[2:] + np.arange(n) % 64 // 2)

    a = hl.OpenCL(A, "k", global_size=lambda p, c: (-(-p.n // 64) * 64,), local_size=lambda p, c: (64,))


MUTANTS = [
    ("a", "overrun", "a float behind", "if (l == 63) a[65] =", "if (l == 62) a[66] = 1.0f; if (l == 63) a[65] ="),
    ("a", "overrun", "a byte behind", "if (l < 33) t[l] = l;", "if (l < 34) t[l] = l;"),
    ("a", "overrun", "a byte before", "if (l < 33) t[l] = l;", "if (l < 33) t[l] = l; if (l == 40) t[l - 41] = 1;"),
    ("a", "overrun", "a float before", "if (l < 33) t[l] = l;", "if (l < 33) t[l] = l; if (l == 40) a[l - 41] = 1;"),
    ("a", "shape", "array too short", "a[66]", "a[65]"),
    ("a", "shape", "bytes too short", "t[33]", "t[31]"),
]
