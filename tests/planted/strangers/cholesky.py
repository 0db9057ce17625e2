"""Cholesky factors of many small positive definite matrices."""

import numpy as np

import hotloop as hl

ROWS = """
__kernel void factor(__global const float *a, __global float *l, const int batch, const int n) {
    const int b = get_global_id(0);
    if (b >= batch) return;
    __global const float *m = a + b * n * n;
    __global float *f = l + b * n * n;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            if (j > i) { f[i * n + j] = 0.0f; continue; }
            float sum = m[i * n + j];
            for (int k = 0; k < j; ++k) sum -= f[i * n + k] * f[j * n + k];
            f[i * n + j] = i == j ? sqrt(sum) : sum / f[j * n + j];
        }
}
"""
COLUMNS = """
__kernel void factor(__global const float *a, __global float *l, const int batch, const int n) {
    const int b = get_global_id(0);
    if (b >= batch) return;
    __global const float *m = a + b * n * n;
    __global float *f = l + b * n * n;
    for (int j = 0; j < n; ++j) {
        float d = m[j * n + j];
        for (int k = 0; k < j; ++k) { d -= f[j * n + k] * f[j * n + k]; f[k * n + j] = 0.0f; }
        d = sqrt(d);
        f[j * n + j] = d;
        for (int i = j + 1; i < n; ++i) {
            float sum = m[i * n + j];
            for (int k = 0; k < j; ++k) sum -= f[i * n + k] * f[j * n + k];
            f[i * n + j] = sum / d;
        }
    }
}
"""


@hl.kernel(
    problem=dict(batch=60, n=12),
    work=lambda p: hl.Work(flops=p.batch * p.n**3 / 3, bytes=8 * p.batch * p.n**2),
    awkward=lambda p: [dict(batch=1, n=1), dict(batch=7, n=3), dict(batch=2, n=17)],
    tolerance=hl.Tolerance(terms=lambda p: 8 * p.n, absolute=1e-5),
)
class cholesky:
    def inputs(p, rng):
        g = rng.standard_normal((p.batch, p.n, p.n))
        a = (g @ g.transpose(0, 2, 1) + p.n * np.eye(p.n)).astype("f4")
        return dict(
            a=(a + a.transpose(0, 2, 1)) / 2, l=hl.empty((p.batch, p.n, p.n)), batch=np.int32(p.batch), n=np.int32(p.n)
        )  # fmt: skip

    def reference(p, a, l, batch, n):
        return dict(l=np.linalg.cholesky(a.astype("f8")))

    rows = hl.OpenCL(ROWS, "factor", global_size=lambda p, c: (p.batch,))
    columns = hl.OpenCL(COLUMNS, "factor", global_size=lambda p, c: (p.batch,))


MUTANTS = [
    ("rows", "upper", "the upper half is not cleared", "{ f[i * n + j] = 0.0f; continue; }", "continue;"),
    ("rows", "root", "no root on the diagonal", "sqrt(sum)", "sum"),
    ("rows", "short", "one product less", "k < j; ++k", "k < j - 1; ++k"),
    ("columns", "divide", "not divided by the diagonal", "sum / d", "sum"),
    ("columns", "last", "the last row is left out", "i = j + 1; i < n", "i = j + 1; i < n - 1"),
    ("columns", "precision", "roots of 12 bits", "d = sqrt(d);", "d = rint(sqrt(d) * 512) / 512;"),
]
