"""A scalar Kalman filter along rows, with missing measurements as NaN."""

import numpy as np

import hotloop as hl

A = """
__kernel void kf(__global const float *z, __global float *m, __global float *s, const float q, const float noise, const int rows, const int n) {
    const int r = get_global_id(0);
    if (r >= rows) return;
    float x = 0.0f, p = 1.0f;
    for (int t = 0; t < n; ++t) {
        p += q;
        const float v = z[r * n + t];
        if (!isnan(v)) {
            const float k = p / (p + noise);
            x += k * (v - x);
            p *= 1.0f - k;
        }
        m[r * n + t] = x;
        s[r * n + t] = p;
    }
}
"""


@hl.kernel(
    problem=dict(rows=80, n=70),
    work=lambda p: hl.Work(flops=0, bytes=12 * p.rows * p.n),
    awkward=lambda p: [dict(rows=1, n=1), dict(rows=3, n=2), dict(rows=33, n=9)],
    tolerance=hl.Tolerance(terms=200, absolute=1e-5),
    domain=dict(n="fixed"),
)
class kalman:
    def inputs(p, rng):
        z = np.cumsum(rng.standard_normal((p.rows, p.n), "f4"), 1)
        z[rng.random((p.rows, p.n)) < 0.2] = np.nan
        return dict(
            z=z.astype("f4"),
            m=hl.empty((p.rows, p.n)),
            s=hl.empty((p.rows, p.n)),
            q=float(rng.uniform(0.05, 2)),
            noise=float(rng.uniform(0.1, 3)),
            rows=p.rows,
            n=p.n,
        )

    def reference(p, z, m, s, q, noise, rows, n):
        x, c = np.zeros(p.rows), np.ones(p.rows)
        xs, cs = np.zeros((p.rows, p.n)), np.zeros((p.rows, p.n))
        for t in range(p.n):
            c = c + q
            v = z[:, t].astype("f8")
            k = np.where(np.isnan(v), 0, c / (c + noise))
            with np.errstate(invalid="ignore"):
                x = np.where(np.isnan(v), x, x + k * (v - x))
            c = c * (1 - k)
            xs[:, t], cs[:, t] = x, c
        return dict(m=xs, s=cs)

    a = hl.OpenCL(A, "kf", global_size=lambda p, c: (p.rows,))


MUTANTS = [
    (
        "a",
        "nan",
        "missing ones by a factor of zero",
        "if (!isnan(v)) {\n            const float k = p / (p + noise);",
        "{\n            const float k = isnan(v) ? 0.0f : p / (p + noise);",
    ),
    ("a", "order", "the variance grows after the measurement", "        p += q;\n", ""),
    ("a", "scalar", "the noise is one", "(p + noise)", "(p + 1.0f)"),
    ("a", "scalar", "the drift is dropped for the first", "p += q;", "p += t ? q : 0.0f;"),
    (
        "a",
        "order",
        "the gain after the variance",
        "            x += k * (v - x);\n            p *= 1.0f - k;",
        "            p *= 1.0f - k;\n            x += p / (p + noise) * (v - x);",
    ),
    (
        "a",
        "state",
        "missing ones begin anew",
        "        m[r * n + t] = x;",
        "        if (isnan(v)) x = 0.0f;\n        m[r * n + t] = x;",
    ),
    (
        "a",
        "aliasing",
        "the variance is stored before the measurement",
        "        m[r * n + t] = x;\n        s[r * n + t] = p;",
        "        m[r * n + t] = x;\n        s[r * n + t] = isnan(v) ? p : p + 0.0f * q + 1e-3f;",
    ),
    (
        "a",
        "nan",
        "missing ones repeat the one before",
        "if (!isnan(v)) {",
        "const float w = t ? z[r * n + t - 1] : v;\n        if (!isnan(v) || !isnan(w)) {",
    ),
    ("a", "lost-tail", "the last measurement", "t < n; ++t", "t < n - (n > 8); ++t"),
]
