"""Running means that forget: each is a part of the new number and the rest of the mean before."""

import numpy as np

import hotloop as hl

A = """
__kernel void ewma(__global const float *x, __global float *y, const float a, const int n, const int r) {
    const int i = get_global_id(0);
    if (i >= r) return;
    float m = x[i * n];
    y[i * n] = m;
    for (int j = 1; j < n; ++j) { m = m + a * (x[i * n + j] - m); y[i * n + j] = m; }
}
"""


@hl.kernel(
    problem=dict(r=64, n=2000),
    work=lambda p: hl.Work(flops=0, bytes=8 * p.r * p.n),
    awkward=lambda p: [dict(r=1, n=1), dict(r=2, n=61), dict(r=3, n=1009)],
    tolerance=hl.Tolerance(terms=lambda p: 32, absolute=1e-5),
)
class ewma:
    def inputs(p, rng):
        return dict(
            x=rng.standard_normal((p.r, p.n), "f4"),
            y=hl.empty((p.r, p.n)),
            a=np.float32(rng.uniform(0.05, 0.3)),
            n=np.int32(p.n),
            r=np.int32(p.r),
        )

    def reference(p, x, y, a, n, r):
        v, m = x.astype("f8"), np.empty((p.r, p.n))
        m[:, 0] = v[:, 0]
        for j in range(1, p.n):
            m[:, j] = m[:, j - 1] + float(a) * (v[:, j] - m[:, j - 1])
        return dict(y=m)

    a = hl.OpenCL(A, "ewma", global_size=lambda p, c: (p.r,))


MUTANTS = [
    ("a", "init", "starts at zero", "float m = x[i * n]", "float m = 0"),
    ("a", "bounds", "the last is left out", "j < n; ++j", "j < n - 1; ++j"),
    ("a", "value", "the share is a constant", "m + a *", "m + 0.15f *"),
    ("a", "index", "the number before", "x[i * n + j] - m", "x[i * n + j - 1] - m"),
    ("a", "sign", "a sum for a difference", "+ j] - m)", "+ j] + m)"),
    (
        "a",
        "precision",
        "means in half",
        "m = m + a * (x[i * n + j] - m);",
        "m = m + a * (x[i * n + j] - m); m = as_float(as_uint(m) & 0xfffff000u);",
    ),
]
