"""Savitzky and Golay: five points smoothed by a parabola, the ends as they are."""

import numpy as np

import hotloop as hl

A = """
__kernel void k(__global const float *x, __global float *o, const int n) {
    int i = get_global_id(0);
    if (i >= n) return;
    o[i] = i < 2 || i >= n - 2 ? x[i] : (-3 * (x[i - 2] + x[i + 2]) + 12 * (x[i - 1] + x[i + 1]) + 17 * x[i]) / 35;
}
"""
B = """
__kernel void k(__global const float *x, __global float *o, const int n) {
    __local float t[68];
    int g = get_group_id(0) * 64 - 2, l = get_local_id(0), i = get_global_id(0);
    for (int j = l; j < 68; j += 64) t[j] = x[clamp(g + j, 0, n - 1)];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i >= n) return;
    float s = 17 * t[l + 2] + 12 * (t[l + 1] + t[l + 3]) - 3 * (t[l] + t[l + 4]);
    o[i] = min(i, n - 1 - i) < 2 ? t[l + 2] : s / 35;
}
"""


@hl.kernel(
    problem=dict(n=4000),
    work=lambda p: hl.Work(flops=8 * p.n, bytes=8 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=4), dict(n=5), dict(n=129)],
    tolerance=hl.Tolerance(terms=lambda p: 6.0),
)
class savgol:
    def inputs(p, rng):
        return dict(x=rng.standard_normal(p.n, dtype="f4"), o=hl.empty(p.n), n=p.n)

    def reference(p, x, o, n):
        v = x.astype("f8")
        s = v.copy()
        if n > 4:
            s[2:-2] = (17 * v[2:-2] + 12 * (v[1:-3] + v[3:-1]) - 3 * (v[:-4] + v[4:])) / 35
        return dict(o=s)

    def magnitude(p, x, o, n):
        v = np.abs(x.astype("f8"))
        s = v.copy()
        if n > 4:
            s[2:-2] = (17 * v[2:-2] + 12 * (v[1:-3] + v[3:-1]) + 3 * (v[:-4] + v[4:])) / 35
        return dict(o=s)

    a = hl.OpenCL(A, "k", global_size=lambda p, c: (p.n,))
    b = hl.OpenCL(B, "k", global_size=lambda p, c: (-(-p.n // 64) * 64,), local_size=lambda p, c: (64,))


MUTANTS = [
    ("a", "limit", "the last but one is smoothed", "i >= n - 2", "i >= n - 1"),
    ("a", "limit", "the third is left", "i < 2", "i < 3"),
    ("a", "sign", "the outer ones are added", "-3 * (x", "3 * (x"),
    ("a", "constant", "a rough divisor", "/ 35", "/ 35.0001f"),
    ("b", "race", "no barrier", "    barrier(CLK_LOCAL_MEM_FENCE);\n", ""),
    ("b", "limit", "the tile lacks its last column", "j < 68", "j < 67"),
    ("b", "index", "one neighbour twice", "t[l] + t[l + 4]", "t[l] + t[l + 3]"),
    ("b", "bounds", "the tile reads behind the end", "clamp(g + j, 0, n - 1)", "max(g + j, 0)"),
]
