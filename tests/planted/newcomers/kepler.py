"""Kepler's equation by Newton's steps: eccentric anomalies of orbits."""

import numpy as np

import hotloop as hl

A = """
__kernel void solve(__global const float *mean, __global const float *e, __global float *o, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const float m = mean[i], c = e[i];
    float a = m + c * sin(m);
    for (int t = 0; t < 6; ++t) a -= (a - c * sin(a) - m) / (1.0f - c * cos(a));
    o[i] = a;
}
"""


@hl.kernel(
    problem=dict(n=4000),
    work=lambda p: hl.Work(flops=100 * p.n, bytes=12 * p.n),
    tolerance=hl.Tolerance(terms=8, absolute=2e-6),
    domain=dict(mean="range", e="range"),
)
class kepler:
    def inputs(p, rng):
        return dict(
            mean=rng.uniform(0, 6.28, p.n).astype("f4"), e=rng.uniform(0, 0.7, p.n).astype("f4"), o=hl.empty(p.n), n=p.n
        )

    def reference(p, mean, e, o, n):
        m, c = mean.astype("f8"), e.astype("f8")
        a = m + c * np.sin(m)
        for _ in range(50):
            a = a - (a - c * np.sin(a) - m) / (1 - c * np.cos(a))
        return dict(o=a)

    a = hl.OpenCL(A, "solve", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("a", "steps", "one step", "t < 6", "t < 1"),
    ("a", "formula", "the slope has a plus", "(1.0f - c * cos(a))", "(1.0f + c * cos(a))"),
    ("a", "start", "sines by their first terms", "a - c * sin(a) - m", "a - c * (a - a * a * a / 6) - m"),
    ("a", "index", "eccentricities one later", "c = e[i]", "c = e[min(i + 1, n - 1)]"),
]
