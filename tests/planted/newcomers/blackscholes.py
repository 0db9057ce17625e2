"""Prices of call options."""

import numpy as np

import hotloop as hl

PLAIN = """
float cdf(float x) { return 0.5f * erfc(-x * 0.70710678f); }
__kernel void k(__global const float *s, __global const float *x, __global const float *t, __global float *o, const float r, const float v, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const float q = v * sqrt(t[i]), d = (log(s[i] / x[i]) + (r + 0.5f * v * v) * t[i]) / q;
    o[i] = s[i] * cdf(d) - x[i] * exp(-r * t[i]) * cdf(d - q);
}
"""


@hl.kernel(
    problem=dict(n=3000),
    work=lambda p: hl.Work(flops=60 * p.n, bytes=16 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=65), dict(n=128)],
    tolerance=hl.Tolerance(terms=lambda p: 16, absolute=2e-4),
    domain=dict(s="range", x="range", t="range"),
)
class blackscholes:
    def inputs(p, rng):
        u = lambda a, b: rng.uniform(a, b, p.n).astype("f4")
        return dict(
            s=u(5, 30),
            x=u(1, 100),
            t=u(0.25, 10),
            o=hl.empty(p.n),
            r=np.float32(0.02),
            v=np.float32(0.3),
            n=np.int32(p.n),
        )

    def reference(p, s, x, t, o, r, v, n):
        from math import erfc

        s, x, t, r, v = s.astype("f8"), x.astype("f8"), t.astype("f8"), float(r), float(v)
        q = v * np.sqrt(t)
        d = (np.log(s / x) + (r + 0.5 * v * v) * t) / q
        cdf = np.vectorize(lambda z: 0.5 * erfc(-z / np.sqrt(2)))
        return dict(o=s * cdf(d) - x * np.exp(-r * t) * cdf(d - q))

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("plain", "scalar", "the interest is dropped", "(r + 0.5f * v * v)", "(0.5f * v * v)"),
    ("plain", "scalar", "the volatility is written as a constant", "v * sqrt(t[i])", "0.3f * sqrt(t[i])"),
    (
        "plain",
        "approximation",
        "a polynomial for the error function",
        "return 0.5f * erfc(-x * 0.70710678f);",
        "return 1.0f / (1.0f + exp(-1.702f * x));",
    ),
    ("plain", "sign", "not discounted", "exp(-r * t[i])", "exp(r * t[i])"),
    ("plain", "index", "time of the first", "* t[i]) / q", "* t[0]) / q"),
    ("plain", "term", "the other price", "s[i] * cdf(d) - x[i]", "s[i] * cdf(d - q) - x[i]"),
]
