"""Pairs of a row turned by an angle that grows with the position."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void k(__global const float *x, __global const float *angle, __global float *o, const int n, const int h) {
    const int j = get_global_id(0), r = get_global_id(1);
    if (j >= h || r >= n) return;
    const float a = angle[r * h + j], u = x[r * 2 * h + j], v = x[r * 2 * h + h + j];
    o[r * 2 * h + j] = u * cos(a) - v * sin(a);
    o[r * 2 * h + h + j] = v * cos(a) + u * sin(a);
}
"""
BOTH = """
__kernel void k(__global const float *x, __global const float *angle, __global float *o, const int n, const int h) {
    const int at = get_global_id(0), r = at / h, j = at % h;
    if (r >= n) return;
    float c;
    const float s = sincos(angle[at], &c), u = x[2 * r * h + j], v = x[(2 * r + 1) * h + j];
    o[2 * r * h + j] = fma(u, c, -v * s);
    o[(2 * r + 1) * h + j] = fma(v, c, u * s);
}
"""


@hl.kernel(
    problem=dict(n=100, h=40),
    work=lambda p: hl.Work(flops=10 * p.n * p.h, bytes=20 * p.n * p.h),
    awkward=lambda p: [dict(n=1, h=1), dict(n=7, h=33), dict(n=64, h=2)],
    tolerance=hl.Tolerance(terms=lambda p: 8, absolute=1e-5),
    domain=dict(angle="range"),
)
class rope:
    def inputs(p, rng):
        return dict(
            x=rng.standard_normal((p.n, 2 * p.h), "f4"),
            angle=rng.uniform(0, 100, (p.n, p.h)).astype("f4"),
            o=hl.empty((p.n, 2 * p.h)),
            n=np.int32(p.n),
            h=np.int32(p.h),
        )

    def reference(p, x, angle, o, n, h):
        u, v, a = x[:, : p.h].astype("f8"), x[:, p.h :].astype("f8"), angle.astype("f8")
        return dict(o=np.concatenate([u * np.cos(a) - v * np.sin(a), v * np.cos(a) + u * np.sin(a)], axis=1))

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.h, p.n))
    both = hl.OpenCL(BOTH, "k", global_size=lambda p, c: (p.n * p.h,))


MUTANTS = [
    ("plain", "sign", "turned the other way", "u * cos(a) - v * sin(a)", "u * cos(a) + v * sin(a)"),
    ("plain", "layout", "pairs beside each other", "x[r * 2 * h + h + j]", "x[r * 2 * h + min(j + 1, h)]"),
    (
        "plain",
        "precision",
        "angles in half",
        "const float a = angle[r * h + j]",
        "const float a = as_float(as_uint(angle[r * h + j]) & 0xffffe000u)",
    ),
    ("plain", "index", "angles of the first row", "angle[r * h + j]", "angle[j]"),
    ("plain", "range", "a sine of few terms", "v * cos(a) + u * sin(a)", "v * cos(a) + u * (a - a * a * a / 6.0f)"),
    ("both", "index", "another row", "x[(2 * r + 1) * h + j]", "x[(2 * r + 1) * h + j % max(h - 1, 1)]"),
    ("both", "lost-tail", "the last row is left out", "if (r >= n) return;", "if (r >= n - 1 && n > 1) return;"),
    ("both", "order", "the new value is used", "fma(v, c, u * s)", "fma(v, c, o[2 * r * h + j] * s)"),
]
