"""Modulus and angle of complex numbers; the angle of -1 is pi or -pi by the sign of its zero."""

import numpy as np

import hotloop as hl

PAIR = """
__kernel void k(__global const float2 *z, __global float *m, __global float *a, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    m[i] = hypot(z[i].x, z[i].y);
    a[i] = atan2(z[i].y, z[i].x);
}
"""


@hl.kernel(
    problem=dict(n=10000),
    work=lambda p: hl.Work(flops=30 * p.n, bytes=16 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=99), dict(n=2049)],
    tolerance=hl.Tolerance(terms=lambda p: 16),
    domain=dict(z="any"),
)
class polarform:
    def inputs(p, rng):
        z = rng.standard_normal((p.n, 2)).astype("f4")
        z[rng.random(z.shape) < 0.1] = 0
        return dict(z=z, m=hl.empty(p.n), a=hl.empty(p.n), n=np.int32(p.n))

    def reference(p, z, m, a, n):
        x, y = z[:, 0].astype("f8"), z[:, 1].astype("f8")
        return dict(m=np.hypot(x, y), a=np.arctan2(y, x))

    pair = hl.OpenCL(PAIR, "k", global_size=lambda p, c: (p.n,))


MUTANTS = [
    (
        "pair",
        "overflow",
        "the square root of the squares",
        "hypot(z[i].x, z[i].y)",
        "sqrt(z[i].x * z[i].x + z[i].y * z[i].y)",
    ),
    ("pair", "zero", "the sign of a zero is lost", "atan2(z[i].y, z[i].x)", "atan2(z[i].y + 0.0f, z[i].x)"),
    ("pair", "quadrant", "the angle by a quotient", "atan2(z[i].y, z[i].x)", "atan(z[i].y / z[i].x)"),
    (
        "pair",
        "infinity",
        "angles of two infinities are NaN",
        "a[i] = atan2(z[i].y, z[i].x);",
        "a[i] = isinf(z[i].x) && isinf(z[i].y) ? NAN : atan2(z[i].y, z[i].x);",
    ),
    ("pair", "tail", "the last pair is left", "if (i >= n) return;", "if (i >= n - (n & 1)) return;"),
]
