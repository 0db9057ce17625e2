"""A covariance matrix becomes one of correlations; a variable without variance has none with others, and one with itself."""

import numpy as np

import hotloop as hl

A = """
__kernel void corr(__global const float *c, __global float *r, const int n) {
    const int i = get_global_id(1), j = get_global_id(0);
    if (i >= n || j >= n) return;
    const float a = c[i * n + i], b = c[j * n + j];
    r[i * n + j] = i == j ? 1.0f : a > 0 && b > 0 ? c[i * n + j] / (sqrt(a) * sqrt(b)) : 0.0f;
}
"""


@hl.kernel(
    problem=dict(n=70),
    work=lambda p: hl.Work(flops=4 * p.n * p.n, bytes=8 * p.n * p.n),
    awkward=lambda p: [dict(n=1), dict(n=3), dict(n=65)],
    tolerance=hl.Tolerance(terms=8),
)
class cov2corr:
    def inputs(p, rng):
        f = rng.standard_normal((p.n, p.n + 3)).astype("f4")
        f[rng.random(p.n) < 0.1] = 0
        return dict(c=(f @ f.T).astype("f4"), r=hl.empty((p.n, p.n), "f4"), n=p.n)

    def reference(p, c, r, n):
        d = np.diag(c).astype("f8")
        s = np.sqrt(np.where(d > 0, d, 1.0))
        some = (d > 0)[:, None] & (d > 0)[None, :]
        out = np.where(some, c.astype("f8") / s[:, None] / s[None, :], 0.0)
        out[np.arange(p.n), np.arange(p.n)] = 1.0
        return dict(r=out)

    a = hl.OpenCL(A, "corr", global_size=lambda p, c: (p.n, p.n))


MUTANTS = [
    (
        "a",
        "special",
        "no variance gives NaN",
        "a > 0 && b > 0 ? c[i * n + j] / (sqrt(a) * sqrt(b)) : 0.0f",
        "c[i * n + j] / (sqrt(a) * sqrt(b))",
    ),
    ("a", "special", "the diagonal is divided, too", "i == j ? 1.0f : ", ""),
    ("a", "index", "one variance for both", "b = c[j * n + j]", "b = c[i * n + i]"),
    ("a", "bounds", "the last column is lost", "j >= n) return", "j >= n - (n > 1)) return"),
    ("a", "operator", "not rooted", "sqrt(a) * sqrt(b)", "sqrt(a) * b"),
]
