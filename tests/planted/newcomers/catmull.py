"""Rows resampled to another length by Catmull and Rom's cubic, ends clamped; places in float."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void k(__global const float *x, __global float *y, const int rows, const int n, const int m) {
    const int j = get_global_id(0), r = get_global_id(1);
    if (j >= m || r >= rows) return;
    const int p = 2 * j * n + n - m, q = 2 * m;
    const int i = p >= 0 ? p / q : -1;
    const float t = (float)(p - i * q) / q;
    __global const float *f = x + (long)r * n;
    const float a = f[clamp(i - 1, 0, n - 1)], b = f[clamp(i, 0, n - 1)], c = f[clamp(i + 1, 0, n - 1)], d = f[clamp(i + 2, 0, n - 1)];
    y[(long)r * m + j] = b + 0.5f * t * (c - a + t * (2.0f * a - 5.0f * b + 4.0f * c - d + t * (3.0f * (b - c) + d - a)));
}
"""


@hl.kernel(
    problem=dict(rows=30, n=90, m=140),
    work=lambda p: hl.Work(flops=20 * p.rows * p.m, bytes=4 * p.rows * (p.n + p.m)),
    awkward=lambda p: [dict(rows=1, n=1, m=1), dict(rows=2, n=7, m=3), dict(rows=3, n=2, m=33)],
    tolerance=hl.Tolerance(terms=20, absolute=1e-5),
)
class catmull:
    def inputs(p, rng):
        return dict(
            x=rng.standard_normal((p.rows, p.n), "f4"),
            y=hl.empty((p.rows, p.m)),
            rows=np.int32(p.rows),
            n=np.int32(p.n),
            m=np.int32(p.m),
        )

    def reference(p, x, y, rows, n, m):
        at = (2 * np.arange(p.m) * p.n + p.n - p.m) / (2 * p.m)
        i = np.floor(at).astype("i8")
        t = at - i
        f = x.astype("f8")
        a, b, c, d = (f[:, np.clip(i + o, 0, p.n - 1)] for o in (-1, 0, 1, 2))
        return dict(y=b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a))))

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.m, p.rows))


MUTANTS = [
    ("plain", "negative", "places before the first are rounded towards zero", "p >= 0 ? p / q : -1", "p / q"),
    (
        "plain",
        "bounds",
        "the last neighbour is one short",
        "f[clamp(i + 2, 0, n - 1)]",
        "f[clamp(i + 2, 0, max(n - 2, 0))]",
    ),
    ("plain", "scalar", "centres are not aligned", "2 * j * n + n - m", "2 * j * n"),
    ("plain", "bounds", "the first neighbour is not clamped", "f[clamp(i - 1, 0, n - 1)]", "f[min(i - 1, n - 1)]"),
    ("plain", "precision", "places in sixteenths", "(float)(p - i * q) / q", "rint(16.0f * (p - i * q) / q) / 16"),
]
