"""Integrals of sampled rows by Simpson's rule; with an even number of points the last step is a trapezium."""

import numpy as np

import hotloop as hl

A = """
__kernel void simpson(__global const float *y, __global float *s, const float step, const int m, const int n) {
    const int i = get_global_id(0);
    if (i >= m) return;
    const int odd = n % 2 ? n : n - 1;
    float sum = 0;
    for (int k = 0; k + 2 < odd; k += 2) sum += y[i * n + k] + 4 * y[i * n + k + 1] + y[i * n + k + 2];
    sum /= 3;
    if (odd < n) sum += (y[i * n + n - 2] + y[i * n + n - 1]) / 2;
    s[i] = sum * step;
}
"""


@hl.kernel(
    problem=dict(m=90, n=200),
    work=lambda p: hl.Work(flops=3 * p.m * p.n, bytes=4 * p.m * p.n),
    awkward=lambda p: [dict(m=1, n=1), dict(m=3, n=2), dict(m=5, n=33), dict(m=65, n=4)],
    tolerance=hl.Tolerance(terms=lambda p: p.n + 4),
    linear=("y",),
)
class simpson:
    def inputs(p, rng):
        return dict(y=rng.standard_normal((p.m, p.n), "f4"), s=hl.empty(p.m, "f4"), step=0.125, m=p.m, n=p.n)

    def reference(p, y, s, step, m, n):
        w = np.zeros(p.n)
        odd = p.n if p.n % 2 else p.n - 1
        for k in range(0, odd - 2, 2):
            w[k : k + 3] += np.array([1, 4, 1]) / 3
        if odd < p.n:
            w[-2:] += 0.5
        return dict(s=y.astype("f8") @ w * np.float32(step))

    a = hl.OpenCL(A, "simpson", global_size=lambda p, c: (p.m,))


MUTANTS = [
    ("a", "tail", "the trapezium is lost", "if (odd < n) sum", "if (odd < n - 1) sum"),
    ("a", "bounds", "the last pair is lost", "k + 2 < odd", "k + 4 < odd"),
    ("a", "scalar", "the step is a constant", "sum * step", "sum * 0.125f"),
    ("a", "weight", "middle points count three", "4 * y[i * n + k + 1]", "3 * y[i * n + k + 1]"),
    (
        "a",
        "index",
        "the trapezium of the first points",
        "(y[i * n + n - 2] + y[i * n + n - 1]) / 2",
        "(y[i * n] + y[i * n + 1]) / 2",
    ),
]
