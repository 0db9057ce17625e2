"""Cross entropy of every row against its class."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void k(__global const float *x, __global const int *t, __global float *o, const int n, const int m) {
    const int r = get_global_id(0);
    if (r >= n) return;
    float top = -INFINITY, s = 0.0f;
    for (int j = 0; j < m; ++j) top = fmax(top, x[r * m + j]);
    for (int j = 0; j < m; ++j) s += exp(x[r * m + j] - top);
    o[r] = log(s) + top - x[r * m + t[r]];
}
"""
ONLINE = """
__kernel void k(__global const float *x, __global const int *t, __global float *o, const int n, const int m) {
    const int r = get_global_id(0);
    if (r >= n) return;
    float top = x[r * m], s = 1.0f;
    for (int j = 1; j < m; ++j) {
        const float v = x[r * m + j];
        if (v > top) { s = s * exp(top - v) + 1.0f; top = v; }
        else s += exp(v - top);
    }
    o[r] = log(s) + (top - x[r * m + t[r]]);
}
"""


@hl.kernel(
    problem=dict(n=300, m=100),
    work=lambda p: hl.Work(flops=8 * p.n * p.m, bytes=4 * p.n * p.m),
    awkward=lambda p: [dict(n=1, m=1), dict(n=65, m=3), dict(n=17, m=129)],
    tolerance=hl.Tolerance(terms=lambda p: p.m, absolute=2e-5),
    domain=dict(t="indices"),
)
class crossent:
    def inputs(p, rng):
        return dict(
            x=rng.standard_normal((p.n, p.m), "f4"),
            t=rng.integers(0, p.m, p.n, dtype="i4"),
            o=hl.empty(p.n),
            n=np.int32(p.n),
            m=np.int32(p.m),
        )

    def reference(p, x, t, o, n, m):
        v = x.astype("f8")
        top = v.max(axis=1, keepdims=True)
        return dict(o=np.log(np.exp(v - top).sum(axis=1)) + top[:, 0] - v[np.arange(p.n), t])

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.n,))
    online = hl.OpenCL(ONLINE, "k", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("plain", "overflow", "the largest is not subtracted", "exp(x[r * m + j] - top)", "exp(x[r * m + j]) * exp(-top)"),
    ("plain", "start", "the largest starts at zero", "top = -INFINITY", "top = 0.0f"),
    ("plain", "index", "the class of the next row", "t[r]]", "t[(r + 1) % n]]"),
    ("plain", "term", "the largest is not added again", "log(s) + top -", "log(s) -"),
    (
        "plain",
        "lost-tail",
        "the last class is left out",
        "for (int j = 0; j < m; ++j) s +=",
        "for (int j = 0; j < m - 1; ++j) s +=",
    ),
    ("online", "rescale", "the sum is not rescaled", "s = s * exp(top - v) + 1.0f", "s = s + 1.0f"),
    ("online", "start", "the first is counted twice", "int j = 1; j < m", "int j = 0; j < m"),
    (
        "online",
        "order",
        "the largest is replaced first",
        "s = s * exp(top - v) + 1.0f; top = v;",
        "top = v; s = s * exp(top - v) + 1.0f;",
    ),
    ("online", "base", "logarithms of base two", "log(s) + (", "log2(s) + ("),
]
