"""Quotients of complex numbers by Smith's rule, without overflow where a plain formula has it."""

import numpy as np

import hotloop as hl

A = """
__kernel void k(__global const float2 *a, __global const float2 *b, __global float2 *o, int n) {
    int i = get_global_id(0);
    if (i >= n) return;
    float2 x = a[i], y = b[i];
    if (fabs(y.x) >= fabs(y.y)) {
        float r = y.y / y.x, d = y.x + y.y * r;
        o[i] = (float2)((x.x + x.y * r) / d, (x.y - x.x * r) / d);
    } else {
        float r = y.x / y.y, d = y.x * r + y.y;
        o[i] = (float2)((x.x * r + x.y) / d, (x.y * r - x.x) / d);
    }
}
"""
B = """
__kernel void k(__global const float2 *a, __global const float2 *b, __global float2 *o, int n) {
    for (int i = get_global_id(0); i < n; i += get_global_size(0)) {
        float2 y = b[i];
        const int e = ilogb(fmax(fabs(y.x), fabs(y.y)));
        y = ldexp(y, -e);
        const float s = y.x * y.x + y.y * y.y;
        const float2 x = a[i];
        o[i] = ldexp((float2)((x.x * y.x + x.y * y.y) / s, (x.y * y.x - x.x * y.y) / s), -e);
    }
}
"""


@hl.kernel(
    problem=dict(n=4000),
    work=lambda p: hl.Work(flops=10 * p.n, bytes=24 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=50)],
    tolerance=hl.Tolerance(terms=8),
    domain=dict(b="range", a="range"),
)
class cdivide:
    def inputs(p, rng):
        def one():
            m = 2.0 ** rng.uniform(-40, 40, p.n)
            t = rng.uniform(0, 2 * np.pi, p.n)
            return np.stack([m * np.cos(t), m * np.sin(t)], -1).astype("f4")

        return dict(a=one(), b=one(), o=hl.empty((p.n, 2)), n=p.n)

    def reference(p, a, b, o, n):
        q = (a[:, 0] + 1j * a[:, 1].astype("f8")) / (b[:, 0] + 1j * b[:, 1].astype("f8"))
        return dict(o=np.stack([q.real, q.imag], -1))

    def magnitude(p, a, b, o, n):
        q = np.hypot(*a.astype("f8").T) / np.hypot(*b.astype("f8").T)
        return dict(o=np.stack([q, q], -1))

    a = hl.OpenCL(A, "k", global_size=lambda p, c: (p.n,))
    b = hl.OpenCL(B, "k", global_size=lambda p, c: (777,))


MUTANTS = [
    ("a", "sign", "a sign of the second way", "(x.y * r - x.x) / d", "(x.y * r + x.x) / d"),
    ("a", "limit", "the smaller part leads", "fabs(y.x) >= fabs(y.y)", "fabs(y.x) < fabs(y.y)"),
    ("a", "abs", "signs choose the way", "fabs(y.x) >= fabs(y.y)", "y.x >= y.y"),
    (
        "a",
        "precision",
        "a rough quotient",
        "float r = y.y / y.x,",
        "float r = as_float(as_uint(y.y / y.x) & 0xfffff000u),",
    ),
    ("b", "scale", "scaled once only", "(x.y * y.x - x.x * y.y) / s), -e)", "(x.y * y.x - x.x * y.y) / s), 0)"),
    ("b", "swap", "conjugate the other way", "(x.x * y.x + x.y * y.y) / s", "(x.x * y.x - x.y * y.y) / s"),
    ("b", "range", "scale held to eight bits", "y = ldexp(y, -e);", "y = ldexp(y, -clamp(e, -32, 32));"),
]
