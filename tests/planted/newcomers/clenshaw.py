"""Chebyshev series by Clenshaw's recurrence, one set of coefficients for each channel."""

import numpy as np

import hotloop as hl

A = """
__kernel void clenshaw(__global const float *c, __global const float *x, __global float *y, const int terms, const int points) {
    const int i = get_global_id(0), channel = get_global_id(1);
    if (i >= points) return;
    __global const float *own = c + channel * terms;
    const float v = x[i], twice = 2.0f * v;
    float one = 0.0f, two = 0.0f;
    for (int k = terms - 1; k >= 1; --k) {
        const float next = fma(twice, one, own[k] - two);
        two = one;
        one = next;
    }
    y[channel * points + i] = fma(v, one, own[0] - two);
}
"""


@hl.kernel(
    problem=dict(channels=6, terms=20, points=1500),
    work=lambda p: hl.Work(flops=3 * p.channels * p.terms * p.points, bytes=4 * p.channels * p.points),
    awkward=lambda p: [
        dict(channels=1, terms=1, points=1),
        dict(channels=3, terms=2, points=65),
        dict(channels=2, terms=7, points=257),
    ],
    tolerance=hl.Tolerance(terms=lambda p: 4 * p.terms),
    linear=("c",),
    domain=dict(x="range"),
)
class clenshaw:
    def inputs(p, rng):
        return dict(
            c=rng.standard_normal((p.channels, p.terms)).astype("f4"), x=rng.uniform(-1, 1, p.points).astype("f4"),
            y=hl.empty((p.channels, p.points)), terms=p.terms, points=p.points,
        )  # fmt: skip

    def reference(p, c, x, y, terms, points):
        return dict(y=c.astype("f8") @ np.polynomial.chebyshev.chebvander(x.astype("f8"), terms - 1).T)

    def magnitude(p, c, x, y, terms, points):
        return dict(y=np.abs(c.astype("f8")).sum(1, keepdims=True) * np.ones(points) * terms)

    a = hl.OpenCL(A, "clenshaw", global_size=lambda p, c: (p.points, p.channels))


MUTANTS = [
    ("a", "lost-tail", "the last coefficient is left out", "int k = terms - 1; k >= 1", "int k = terms - 2; k >= 1"),
    (
        "a",
        "wrong",
        "the first is doubled as the others are",
        "fma(v, one, own[0] - two)",
        "fma(twice, one, own[0] - two)",
    ),
    (
        "a",
        "stride",
        "coefficients of channels are as many as points",
        "c + channel * terms",
        "c + channel * min(terms, points)",
    ),
    ("a", "uninitialised", "the recurrence starts anywhere", "float one = 0.0f, two = 0.0f;", "float one, two = 0.0f;"),
    (
        "a",
        "swap",
        "the older value is one step late",
        "        two = one;\n        one = next;",
        "        one = next;\n        two = one;",
    ),
    (
        "a",
        "index",
        "results of channels exchanged",
        "y[channel * points + i]",
        "y[(get_global_size(1) - 1 - channel) * points + i]",
    ),
]
