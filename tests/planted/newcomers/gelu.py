"""Derivative of the tanh form of GELU, times what comes from above."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void k(__global const float *x, __global const float *g, __global float *o, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const float v = x[i], u = 0.7978845608f * (v + 0.044715f * v * v * v), t = tanh(u);
    o[i] = g[i] * (0.5f * (1.0f + t) + 0.5f * v * (1.0f - t * t) * 0.7978845608f * (1.0f + 3.0f * 0.044715f * v * v));
}
"""
FOURS = """
__kernel void k(__global const float *x, __global const float *g, __global float *o, const int n) {
    const int i = 4 * get_global_id(0);
    for (int j = i; j < min(i + 4, n); ++j) {
        const float v = x[j], t = tanh(0.7978845608f * fma(0.044715f * v * v, v, v));
        const float d = 0.7978845608f * fma(0.134145f * v, v, 1.0f);
        o[j] = g[j] * 0.5f * (1.0f + t + v * (1.0f - t * t) * d);
    }
}
"""


@hl.kernel(
    problem=dict(n=5000),
    work=lambda p: hl.Work(flops=20 * p.n, bytes=12 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=65), dict(n=256)],
    tolerance=hl.Tolerance(terms=lambda p: 16, absolute=1e-5),
)
class gelu:
    def inputs(p, rng):
        g = rng.standard_normal
        return dict(x=g(p.n, "f4"), g=g(p.n, "f4"), o=hl.empty(p.n), n=np.int32(p.n))

    def reference(p, x, g, o, n):
        v, w = x.astype("f8"), g.astype("f8")
        t = np.tanh(0.7978845608 * (v + 0.044715 * v**3))
        return dict(o=w * (0.5 * (1 + t) + 0.5 * v * (1 - t * t) * 0.7978845608 * (1 + 3 * 0.044715 * v * v)))

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.n,))
    fours = hl.OpenCL(FOURS, "k", global_size=lambda p, c: (-(-p.n // 4),))


MUTANTS = [
    ("plain", "constant", "another cubic term", "0.044715f * v * v * v", "0.04f * v * v * v"),
    ("plain", "term", "the chain rule is cut", "* (1.0f + 3.0f * 0.044715f * v * v)", ""),
    ("plain", "term", "what comes from above is dropped", "g[i] * (", "1.0f * ("),
    ("plain", "sign", "the square of tanh with the other sign", "1.0f - t * t", "1.0f + t * t"),
    (
        "plain",
        "approximation",
        "tanh by a quotient of polynomials",
        "t = tanh(u)",
        "t = clamp(u * (27.0f + u * u) / (27.0f + 9.0f * u * u), -1.0f, 1.0f)",
    ),
    ("fours", "lost-tail", "the rest is not written", "j < min(i + 4, n)", "j < min(i + 4, n / 4 * 4)"),
    ("fours", "constant", "one digit of a constant", "0.134145f", "0.143145f"),
    (
        "fours",
        "overflow",
        "tanh by exponentials",
        "tanh(0.7978845608f * fma(0.044715f * v * v, v, v))",
        "(exp(2.0f * 0.7978845608f * fma(0.044715f * v * v, v, v)) - 1.0f) / (exp(2.0f * 0.7978845608f * fma(0.044715f * v * v, v, v)) + 1.0f)",
    ),
]
