"""The four largest of every row, in order."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void k(__global const float *x, __global float *o, const int n, const int m) {
    const int r = get_global_id(0);
    if (r >= n) return;
    float a = -INFINITY, b = a, c = a, d = a;
    for (int j = 0; j < m; ++j) {
        const float v = x[r * m + j];
        if (v > a) { d = c; c = b; b = a; a = v; }
        else if (v > b) { d = c; c = b; b = v; }
        else if (v > c) { d = c; c = v; }
        else if (v > d) d = v;
    }
    vstore4((float4)(a, b, c, d), r, o);
}
"""
NET = """
__kernel void k(__global const float *x, __global float *o, const int n, const int m) {
    const int r = get_global_id(0);
    if (r >= n) return;
    float t[4] = {-INFINITY, -INFINITY, -INFINITY, -INFINITY};
    for (int j = 0; j < m; ++j) {
        float v = x[r * m + j];
        for (int q = 0; q < 4; ++q) {
            const float big = fmax(t[q], v), small = fmin(t[q], v);
            t[q] = big;
            v = small;
        }
    }
    for (int q = 0; q < 4; ++q) o[4 * r + q] = t[q];
}
"""


@hl.kernel(
    problem=dict(n=500, m=60),
    work=lambda p: hl.Work(flops=4 * p.n * p.m, bytes=4 * p.n * p.m),
    awkward=lambda p: [dict(n=1, m=4), dict(n=65, m=5), dict(n=3, m=33)],
    domain=dict(x="finite"),
)
class topfour:
    def inputs(p, rng):
        return dict(x=rng.standard_normal((p.n, p.m), "f4"), o=hl.empty((p.n, 4)), n=np.int32(p.n), m=np.int32(p.m))

    def reference(p, x, o, n, m):
        return dict(o=np.sort(x.astype("f8"), axis=1)[:, ::-1][:, :4])

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.n,))
    net = hl.OpenCL(NET, "k", global_size=lambda p, c: (p.n,))


MUTANTS = [
    (
        "plain",
        "ties",
        "equal ones count once",
        "else if (v > b) { d = c; c = b; b = v; }",
        "else if (v > b && v < a) { d = c; c = b; b = v; } else if (v == a) {}",
    ),
    ("plain", "start", "nothing is below zero", "float a = -INFINITY", "float a = 0.0f"),
    ("plain", "start", "nothing is below -10", "float a = -INFINITY", "float a = -10.0f"),
    ("plain", "shift", "the fourth is lost", "{ d = c; c = v; }", "{ c = v; }"),
    ("plain", "lost-tail", "the last is left out", "j < m;", "j < m - 1;"),
    ("net", "order", "three rounds", "for (int q = 0; q < 4; ++q) {", "for (int q = 0; q < 3; ++q) {"),
    (
        "net",
        "order",
        "the smallest are kept",
        "const float big = fmax(t[q], v), small = fmin(t[q], v)",
        "const float big = fmax(t[q], v), small = v",
    ),
    ("net", "index", "rows of three", "o[4 * r + q]", "o[3 * r + q]"),
]
