"""One step of the Haar transform along rows of even length."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void k(__global const float *x, __global float *o, const int n, const int m) {
    const int j = get_global_id(0), r = get_global_id(1);
    if (j >= m || r >= n) return;
    const float a = x[r * 2 * m + 2 * j], b = x[r * 2 * m + 2 * j + 1];
    o[r * 2 * m + j] = (a + b) * 0.70710678f;
    o[r * 2 * m + m + j] = (a - b) * 0.70710678f;
}
"""
VECTOR = """
__kernel void k(__global const float2 *x, __global float *o, const int n, const int m) {
    const int at = get_global_id(0), r = at / m, j = at - r * m;
    if (r >= n) return;
    const float2 v = x[at] * 0.70710678f;
    o[2 * r * m + j] = v.x + v.y;
    o[(2 * r + 1) * m + j] = v.x - v.y;
}
"""


@hl.kernel(
    problem=dict(n=50, m=60),
    work=lambda p: hl.Work(flops=4 * p.n * p.m, bytes=16 * p.n * p.m),
    awkward=lambda p: [dict(n=1, m=1), dict(n=65, m=3), dict(n=7, m=33)],
    tolerance=hl.Tolerance(terms=lambda p: 4, absolute=1e-6),
)
class haar:
    def inputs(p, rng):
        return dict(
            x=rng.standard_normal((p.n, 2 * p.m), "f4"), o=hl.empty((p.n, 2 * p.m)), n=np.int32(p.n), m=np.int32(p.m)
        )

    def reference(p, x, o, n, m):
        v = x.astype("f8")
        a, b = v[:, ::2], v[:, 1::2]
        return dict(o=np.concatenate([a + b, a - b], axis=1) * np.sqrt(0.5))

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.m, p.n))
    vector = hl.OpenCL(VECTOR, "k", global_size=lambda p, c: (p.n * p.m,))


MUTANTS = [
    ("plain", "scale", "halves", "(a + b) * 0.70710678f", "(a + b) * 0.5f"),
    ("plain", "constant", "a digit of the constant", "(a - b) * 0.70710678f", "(a - b) * 0.7071f"),
    ("plain", "sign", "differences turned round", "(a - b)", "(b - a)"),
    ("plain", "layout", "sums and differences in turn", "o[r * 2 * m + m + j]", "o[r * 2 * m + j + 1]"),
    ("plain", "index", "the neighbour of the pair before", "2 * j + 1]", "abs(2 * j - 1)]"),
    ("vector", "index", "another row", "(2 * r + 1) * m + j", "(2 * r + 1) * m + (j + 1) % m"),
    ("vector", "lost-tail", "the last row is left out", "if (r >= n) return;", "if (r >= n - 1 && n > 1) return;"),
]
