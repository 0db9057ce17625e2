"""A band matrix in LAPACK's storage times a vector."""

import numpy as np

import hotloop as hl

A = """
__kernel void gb(__global const float *a, __global const float *x, __global float *y, const float alpha, const float beta, const int m, const int n, const int lower, const int upper) {
    const int i = get_global_id(0);
    if (i >= m) return;
    float s = 0;
    for (int j = max(0, i - lower); j <= min(n - 1, i + upper); ++j) s += a[j * (lower + upper + 1) + upper + i - j] * x[j];
    y[i] = beta == 0 ? alpha * s : alpha * s + beta * y[i];
}
"""


@hl.kernel(
    problem=dict(m=700, n=650, lower=3, upper=5),
    work=lambda p: hl.Work(flops=0, bytes=4 * 9 * p.n),
    awkward=lambda p: [
        dict(m=1, n=1, lower=0, upper=0),
        dict(m=33, n=40, lower=2, upper=0),
        dict(m=64, n=9, lower=1, upper=4),
    ],
    linear=("a", "x"),
    tolerance=hl.Tolerance(terms=lambda p: p.lower + p.upper + 3),
)
class gbmv:
    def inputs(p, rng):
        return dict(
            a=rng.standard_normal((p.n, p.lower + p.upper + 1), "f4"),
            x=rng.standard_normal(p.n, "f4"),
            y=rng.standard_normal(p.m, "f4"),
            alpha=np.float32(rng.standard_normal()),
            beta=np.float32(rng.standard_normal()),
            m=p.m,
            n=p.n,
            lower=p.lower,
            upper=p.upper,
        )

    def reference(p, a, x, y, alpha, beta, m, n, lower, upper):
        out = beta * y.astype("f8") if beta else np.zeros(p.m)
        for j in range(p.n):
            for i in range(max(0, j - p.upper), min(p.m, j + p.lower + 1)):
                out[i] += float(alpha) * a[j, p.upper + i - j].astype("f8") * x[j]
        return dict(y=out)

    a = hl.OpenCL(A, "gb", global_size=lambda p, c: (p.m,))


MUTANTS = [
    ("a", "scalar", "beta is not applied", "alpha * s + beta * y[i]", "alpha * s + y[i]"),
    ("a", "bounds", "columns behind the last are read", "min(n - 1, i + upper)", "i + upper"),
    ("a", "edge", "the last upper diagonal is left out", "min(n - 1, i + upper)", "min(n - 1, i + max(upper - 1, 0))"),
    ("a", "nan", "the old result is read where beta is zero", "beta == 0 ? alpha * s : ", ""),
    ("a", "edge", "the lower diagonals begin one column late", "max(0, i - lower)", "max(0, i - lower + 1)"),
    ("a", "stride", "columns are as long as the matrix of 3 and 5 has them", "j * (lower + upper + 1)", "j * 9"),
]
