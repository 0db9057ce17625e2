"""Present values of payments under a rate for each row, by Horner's rule."""

import numpy as np

import hotloop as hl

A = """
__kernel void npv(__global const float *pay, __global const float *rate, __global float *o, const int rows, const int years) {
    const int r = get_global_id(0);
    if (r >= rows) return;
    const float d = 1.0f / (1.0f + rate[r]);
    float s = 0;
    for (int t = years - 1; t >= 0; --t) s = (s + pay[r * years + t]) * d;
    o[r] = s;
}
"""


@hl.kernel(
    problem=dict(rows=500, years=30),
    work=lambda p: hl.Work(flops=0, bytes=4 * p.rows * p.years),
    awkward=lambda p: [dict(rows=1, years=1), dict(rows=65, years=7), dict(rows=9, years=40)],
    linear=("pay",),
    domain=dict(rate="range"),
    tolerance=hl.Tolerance(terms=lambda p: 3 * p.years),
)
class npv:
    def inputs(p, rng):
        return dict(
            pay=(1000 * rng.standard_normal((p.rows, p.years))).astype("f4"),
            rate=rng.uniform(0.0, 0.2, p.rows).astype("f4"),
            o=hl.empty(p.rows, "f4"),
            rows=p.rows,
            years=p.years,
        )

    def reference(p, pay, rate, o, rows, years):
        return dict(o=(pay.astype("f8") / (1 + rate.astype("f8"))[:, None] ** np.arange(1, p.years + 1)).sum(1))

    a = hl.OpenCL(A, "npv", global_size=lambda p, c: (p.rows,))


MUTANTS = [
    (
        "a",
        "steps",
        "the first payment is not discounted",
        "s = (s + pay[r * years + t]) * d;",
        "s = t ? (s + pay[r * years + t]) * d : s * d + pay[r * years];",
    ),
    ("a", "tail", "the last payment is lost", "t = years - 1;", "t = max(0, years - 2);"),
    (
        "a",
        "precision",
        "the factor in half",
        "const float d = 1.0f / (1.0f + rate[r]);",
        "const float d = (float)(int)(1.0f / (1.0f + rate[r]) * 4096 + 0.5f) / 4096;",
    ),
    ("a", "scalar", "one rate for all", "rate[r]", "rate[0]"),
    ("a", "uninitialised", "the sum is not set", "float s = 0;", "float s;"),
    ("a", "stride", "rows are thirty years long", "pay[r * years + t]", "pay[r * 30 + t]"),
]
