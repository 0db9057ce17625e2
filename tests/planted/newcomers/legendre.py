"""Sums of Legendre polynomials with given coefficients at many places, by their recurrence."""

import numpy as np

import hotloop as hl

A = """
__kernel void legendre(__global const float *x, __global const float *c, __global float *y, const int degree, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const float v = x[i];
    float before = 1.0f, now = v, sum = c[0];
    if (degree > 0) sum = fma(c[1], v, sum);
    for (int k = 2; k <= degree; ++k) {
        const float next = ((2 * k - 1) * v * now - (k - 1) * before) / k;
        before = now;
        now = next;
        sum = fma(c[k], now, sum);
    }
    y[i] = sum;
}
"""


@hl.kernel(
    problem=dict(degree=20, n=6000),
    work=lambda p: hl.Work(flops=8 * p.degree * p.n, bytes=8 * p.n),
    awkward=lambda p: [dict(degree=0, n=1), dict(degree=1, n=65), dict(degree=2, n=7), dict(degree=7, n=100)],
    tolerance=hl.Tolerance(terms=lambda p: 8 * p.degree + 8, absolute=1e-5),
    domain=dict(x="range"),
)
class legendre:
    def inputs(p, rng):
        return dict(
            x=(2 * rng.random(p.n, "f4") - 1),
            c=rng.standard_normal(p.degree + 1, "f4"),
            y=hl.empty(p.n),
            degree=p.degree,
            n=p.n,
        )

    def reference(p, x, c, y, degree, n):
        return dict(y=np.polynomial.legendre.legval(x.astype("f8"), c.astype("f8")))

    a = hl.OpenCL(A, "legendre", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("a", "lost", "the last degree", "k <= degree;", "k < degree;"),
    ("a", "bounds", "a constant has a slope", "if (degree > 0) sum", "sum"),
    (
        "a",
        "shift",
        "whole numbers are divided",
        "(2 * k - 1) * v * now - (k - 1) * before) / k",
        "(2 * k - 1) / k * v * now - (k - 1) / k * before)",
    ),
    ("a", "scalar", "another recurrence", "(k - 1) * before) / k", "k * before) / k"),
    ("a", "swap", "what was before is lost", "before = now;", "before = next;"),
    ("a", "bounds", "the last place", "if (i >= n)", "if (i >= n - 1)"),
]
