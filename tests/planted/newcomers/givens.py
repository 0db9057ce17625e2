"""Rotations that make the second of two numbers zero: cosine, sine and length with the sign of the first; nothing to do is (1, 0)."""

import numpy as np

import hotloop as hl

FLAT = """
__kernel void k(__global const float *a, __global const float *b, __global float *c, __global float *s, __global float *r, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const float f = a[i], g = b[i];
    if (g == 0.0f) { c[i] = 1.0f; s[i] = 0.0f; r[i] = f; return; }
    if (f == 0.0f) { c[i] = 0.0f; s[i] = g > 0.0f ? 1.0f : -1.0f; r[i] = fabs(g); return; }
    const float big = fmax(fabs(f), fabs(g));
    const float u = f / big, v = g / big;
    const float d = copysign(sqrt(u * u + v * v), f);
    c[i] = u / d;
    s[i] = v / d;
    r[i] = d * big;
}
"""


@hl.kernel(
    problem=dict(n=6000),
    work=lambda p: hl.Work(flops=12 * p.n, bytes=20 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=65), dict(n=777)],
    tolerance=hl.Tolerance(terms=lambda p: 16),
)
class givens:
    def inputs(p, rng):
        a = (10.0 ** rng.uniform(-25, 25, p.n) * rng.choice([-1, 1], p.n)).astype("f4")
        b = (a * 10.0 ** rng.uniform(-3, 3, p.n) * rng.choice([-1, 1], p.n)).astype("f4")
        a[rng.random(p.n) < 0.1] = 0
        b[rng.random(p.n) < 0.1] = 0
        return dict(a=a, b=b, c=hl.empty(p.n), s=hl.empty(p.n), r=hl.empty(p.n), n=np.int32(p.n))

    def reference(p, a, b, c, s, r, n):
        f, g = a.astype("f8"), b.astype("f8")
        d = np.where(f < 0, -1, 1) * np.hypot(f, g)
        safe = np.where(d == 0, 1, d)
        return dict(c=np.where(g == 0, 1, f / safe), s=np.where(g == 0, 0, g / safe), r=np.where(g == 0, f, d))

    flat = hl.OpenCL(FLAT, "k", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("flat", "overflow", "not scaled", "const float big = fmax(fabs(f), fabs(g));", "const float big = 1.0f;"),
    ("flat", "sign", "the length is never negative", "copysign(sqrt(u * u + v * v), f)", "sqrt(u * u + v * v)"),
    ("flat", "zero", "the sine of (0, g) is one", "g > 0.0f ? 1.0f : -1.0f", "1.0f"),
    ("flat", "zero", "a zero first gives a zero length", "r[i] = fabs(g); return;", "r[i] = f; return;"),
    (
        "flat",
        "precision",
        "a fast reciprocal root",
        "copysign(sqrt(u * u + v * v), f)",
        "copysign(half_sqrt(u * u + v * v) * 1.0001f, f)",
    ),
]
