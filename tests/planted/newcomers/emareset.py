"""Exponential means along rows that begin anew where a flag stands."""

import numpy as np

import hotloop as hl

A = """
__kernel void k(__global const float *x, __global const uchar *f, __global float *o, const int rows, const int n, const float a) {
    int r = get_global_id(0);
    if (r >= rows) return;
    float m = 0;
    for (int j = 0; j < n; ++j) { float v = x[r * n + j]; m = j == 0 || f[r * n + j] ? v : m + a * (v - m); o[r * n + j] = m; }
}
"""
B = """
__kernel void k(__global const float *x, __global const uchar *f, __global float *o, const int rows, const int n, const float a) {
    int j = get_global_id(0), r = get_global_id(1);
    if (j >= n || r >= rows) return;
    int b = j;
    while (b > 0 && !f[r * n + b]) --b;
    float m = x[r * n + b];
    for (int q = b + 1; q <= j; ++q) m = fma(a, x[r * n + q] - m, m);
    o[r * n + j] = m;
}
"""


def _means(v, f, a):
    out = v.copy()
    for j in range(1, v.shape[1]):
        out[:, j] = np.where(f[:, j], v[:, j], out[:, j - 1] + a * (v[:, j] - out[:, j - 1]))
    return out


@hl.kernel(
    problem=dict(rows=40, n=200),
    work=lambda p: hl.Work(flops=3 * p.rows * p.n, bytes=9 * p.rows * p.n),
    awkward=lambda p: [dict(rows=1, n=1), dict(rows=9, n=33)],
    tolerance=hl.Tolerance(terms=lambda p: 3.0 * p.n),
)
class emareset:
    def inputs(p, rng):
        return dict(
            x=rng.standard_normal((p.rows, p.n), dtype="f4"),
            f=(rng.random((p.rows, p.n)) < 0.1).astype("u1"),
            o=hl.empty((p.rows, p.n)),
            rows=p.rows,
            n=p.n,
            a=np.float32(rng.uniform(0.05, 0.5)),
        )

    def reference(p, x, f, o, rows, n, a):
        return dict(o=_means(x.astype("f8"), f, float(a)))

    def magnitude(p, x, f, o, rows, n, a):
        return dict(o=_means(np.abs(x.astype("f8")), f, float(a)))

    a = hl.OpenCL(A, "k", global_size=lambda p, c: (p.rows,))
    b = hl.OpenCL(B, "k", global_size=lambda p, c: (p.n, p.rows))


MUTANTS = [
    ("a", "case", "a flag is no beginning", "j == 0 || f[r * n + j] ?", "j == 0 ?"),
    ("a", "index", "the flag of the one before", "f[r * n + j] ?", "f[r * n + j - 1] ?"),
    ("a", "scalar", "the weight is a constant", "m + a * (v - m)", "m + 0.25f * (v - m)"),
    ("a", "order", "the mean goes a step back", "o[r * n + j] = m; }", "o[r * n + j] = m - a * (v - m); }"),
    ("a", "scalar", "weights the other way round", "m + a * (v - m)", "v + a * (m - v)"),
    ("b", "limit", "a row goes on from the one before", "b > 0 &&", "b > -r * n &&"),
    ("b", "limit", "the last is left out", "q <= j", "q < j"),
    ("b", "sign", "minus", "x[r * n + q] - m, m", "x[r * n + q] + m, m"),
]
