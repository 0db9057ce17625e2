"""Means over windows of 3 with step 2 and padding 1, sizes rounded up as in ceil mode; windows that begin beyond the padded input are none, padding does not count."""

import numpy as np

import hotloop as hl


def length(n):
    o = -(-(n + 2 - 3) // 2) + 1
    return o - 1 if (o - 1) * 2 >= n + 1 else o


A = """
__kernel void k(__global const float *x, __global float *o, int c, int n, int m) {
    int i = get_global_id(0), ch = get_global_id(1);
    if (i >= m) return;
    int a = max(2 * i - 1, 0), b = min(2 * i + 2, n);
    float s = 0;
    for (int j = a; j < b; ++j) s += x[ch * n + j];
    o[ch * m + i] = s / (b - a);
}
"""
B = """
__kernel void k(__global const float *x, __global float *o, int c, int n, int m) {
    int g = get_global_id(0);
    if (g >= c * m) return;
    int ch = g / m, i = g % m;
    float s = 0; int k = 0;
    for (int d = -1; d < 2; ++d) {
        int j = 2 * i + d;
        if (j >= 0 && j < n) { s += x[ch * n + j]; ++k; }
    }
    o[g] = k == 3 ? s * (1.0f / 3) : k == 2 ? s * 0.5f : s;
}
"""


@hl.kernel(
    problem=dict(c=16, n=255),
    work=lambda p: hl.Work(flops=2 * p.c * p.n, bytes=6 * p.c * p.n),
    awkward=lambda p: [dict(c=1, n=2), dict(c=3, n=64), dict(c=5, n=31)],
    tolerance=hl.Tolerance(terms=4, absolute=1e-6),
)
class avgceil:
    def inputs(p, rng):
        m = length(p.n)
        return dict(x=rng.standard_normal((p.c, p.n), dtype="f4"), o=hl.empty((p.c, m)), c=p.c, n=p.n, m=m)

    def reference(p, x, o, c, n, m):
        e = np.pad(x.astype("f8"), ((0, 0), (1, 3)), constant_values=np.nan)
        with np.errstate(all="ignore"):
            return dict(
                o=np.stack(
                    [
                        np.nansum(e[:, 2 * i : 2 * i + 3], axis=1) / (min(2 * i + 2, n) - max(2 * i - 1, 0))
                        for i in range(m)
                    ],
                    1,
                )
            )

    a = hl.OpenCL(A, "k", global_size=lambda p, c: (length(p.n), p.c))
    b = hl.OpenCL(B, "k", global_size=lambda p, c: (p.c * length(p.n),))


MUTANTS = [
    ("a", "mean", "padding counts", "s / (b - a)", "s / 3"),
    ("a", "edge", "the first window starts late", "max(2 * i - 1, 0)", "max(2 * i, 0)"),
    ("a", "bounds", "the last window reads on", "min(2 * i + 2, n)", "2 * i + 2"),
    ("a", "stride", "channels lie m apart", "x[ch * n + j]", "x[ch * m + j]"),
    ("b", "mean", "two count as three", "k == 2 ? s * 0.5f : s", "s"),
    ("b", "bounds", "the last element never counts", "j < n)", "j < n - 1)"),
    ("b", "exact", "a rough third", "(1.0f / 3)", "0.33333f"),
]
