"""Images sampled at places between -1 and 1, zeros outside, corners not aligned."""

import numpy as np

import hotloop as hl

A = """
float at(__global const float *x, int h, int w, int i, int j) { return i < 0 || j < 0 || i >= h || j >= w ? 0.0f : x[i * w + j]; }
__kernel void sample(__global const float *x, __global const float *g, __global float *o, const int h, const int w, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const float u = ((g[2 * i] + 1.0f) * w - 1.0f) * 0.5f, v = ((g[2 * i + 1] + 1.0f) * h - 1.0f) * 0.5f;
    const int c = (int)floor(u), r = (int)floor(v);
    const float a = u - c, b = v - r;
    o[i] = (1 - b) * ((1 - a) * at(x, h, w, r, c) + a * at(x, h, w, r, c + 1)) + b * ((1 - a) * at(x, h, w, r + 1, c) + a * at(x, h, w, r + 1, c + 1));
}
"""


@hl.kernel(
    problem=dict(h=40, w=56, n=3000),
    work=lambda p: hl.Work(flops=20 * p.n, bytes=12 * p.n),
    awkward=lambda p: [dict(h=1, w=1, n=1), dict(h=3, w=17, n=77)],
    tolerance=hl.Tolerance(terms=16, absolute=2e-4),
    domain=dict(g="range"),
)
class gridsample:
    def inputs(p, rng):
        return dict(
            x=rng.standard_normal((p.h, p.w), "f4"),
            g=rng.uniform(-1.2, 1.2, (p.n, 2)).astype("f4"),
            o=hl.empty(p.n),
            h=p.h,
            w=p.w,
            n=p.n,
        )

    def reference(p, x, g, o, h, w, n):
        u = ((g[:, 0].astype("f8") + 1) * w - 1) / 2
        v = ((g[:, 1].astype("f8") + 1) * h - 1) / 2
        big = np.zeros((h + 2, w + 2))
        big[1:-1, 1:-1] = x

        def at(r, c):
            return big[np.clip(r + 1, 0, h + 1), np.clip(c + 1, 0, w + 1)]

        c, r = np.floor(u).astype(int), np.floor(v).astype(int)
        a, b = u - c, v - r
        return dict(
            o=(1 - b) * ((1 - a) * at(r, c) + a * at(r, c + 1)) + b * ((1 - a) * at(r + 1, c) + a * at(r + 1, c + 1))
        )

    a = hl.OpenCL(A, "sample", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("a", "rounding", "cut towards zero instead of down", "const int c = (int)floor(u)", "const int c = (int)u"),
    ("a", "bounds", "no look at the last column", "|| j >= w ?", "?"),
    (
        "a",
        "corners",
        "corners are aligned",
        "((g[2 * i] + 1.0f) * w - 1.0f) * 0.5f",
        "(g[2 * i] + 1.0f) * (w - 1) * 0.5f",
    ),
    (
        "a",
        "weights",
        "weights exchanged in the lower row",
        "b * ((1 - a) * at(x, h, w, r + 1, c) + a * at(x, h, w, r + 1, c + 1))",
        "b * (a * at(x, h, w, r + 1, c) + (1 - a) * at(x, h, w, r + 1, c + 1))",
    ),
    (
        "a",
        "edge",
        "outside is the border",
        "i < 0 || j < 0 || i >= h || j >= w ? 0.0f : x[i * w + j]",
        "x[clamp(i, 0, h - 1) * w + clamp(j, 0, w - 1)]",
    ),
]
