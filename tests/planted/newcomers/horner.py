"""A polynomial of complex numbers by Horner."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void k(__global const float2 *z, __global const float2 *c, __global float2 *o, const int n, const int d) {
    const int i = get_global_id(0);
    if (i >= n) return;
    float2 s = c[d];
    for (int q = d - 1; q >= 0; --q)
        s = (float2)(s.x * z[i].x - s.y * z[i].y, s.x * z[i].y + s.y * z[i].x) + c[q];
    o[i] = s;
}
"""
POWERS = """
__kernel void k(__global const float2 *z, __global const float2 *c, __global float2 *o, const int n, const int d) {
    const int i = get_global_id(0);
    if (i >= n) return;
    float2 s = c[0], p = (float2)(1.0f, 0.0f);
    const float2 v = z[i];
    for (int q = 1; q <= d; ++q) {
        p = (float2)(p.x * v.x - p.y * v.y, p.x * v.y + p.y * v.x);
        s += (float2)(p.x * c[q].x - p.y * c[q].y, p.x * c[q].y + p.y * c[q].x);
    }
    o[i] = s;
}
"""


@hl.kernel(
    problem=dict(n=3000, d=12),
    work=lambda p: hl.Work(flops=8 * p.n * p.d, bytes=16 * p.n),
    awkward=lambda p: [dict(n=1, d=1), dict(n=65, d=2), dict(n=7, d=20)],
    tolerance=hl.Tolerance(terms=lambda p: 8 * p.d, absolute=1e-4),
    domain=dict(z="range"),
)
class horner:
    def inputs(p, rng):
        z = rng.uniform(-0.8, 0.8, (p.n, 2)).astype("f4")
        return dict(
            z=z, c=rng.standard_normal((p.d + 1, 2), "f4"), o=hl.empty((p.n, 2)), n=np.int32(p.n), d=np.int32(p.d)
        )

    def reference(p, z, c, o, n, d):
        v, w = z.astype("f8") @ [1, 1j], c.astype("f8") @ [1, 1j]
        s = np.polyval(w[::-1], v)
        return dict(o=np.stack([s.real, s.imag], axis=1))

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.n,))
    powers = hl.OpenCL(POWERS, "k", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("plain", "sign", "the conjugate", "s.x * z[i].x - s.y * z[i].y", "s.x * z[i].x + s.y * z[i].y"),
    ("plain", "bounds", "without the constant", "q >= 0", "q > 0"),
    ("plain", "bounds", "without the highest", "s = c[d]", "s = c[d - 1]"),
    ("plain", "index", "the first number for all", "z[i].y, s.x", "z[0].y, s.x"),
    ("plain", "degree", "the degree is written as a constant", "q = d - 1", "q = 11"),
    (
        "powers",
        "order",
        "the old real part is replaced",
        "p = (float2)(p.x * v.x - p.y * v.y, p.x * v.y + p.y * v.x);",
        "p.x = p.x * v.x - p.y * v.y; p.y = p.x * v.y + p.y * v.x;",
    ),
    ("powers", "start", "the constant twice", "s = c[0], p", "s = 2.0f * c[0], p"),
    ("powers", "lost-tail", "the highest power is left out", "q <= d", "q < d"),
]
