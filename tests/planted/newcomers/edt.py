"""The squared distance along a row to the nearest set pixel, two sweeps; rows without one get the largest value."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void k(__global const uchar *f, __global int *d, const int rows, const int n) {
    const int r = get_global_id(0);
    if (r >= rows) return;
    int far = INT_MAX;
    for (int i = 0; i < n; ++i) {
        far = f[r * n + i] ? 0 : far == INT_MAX ? far : far + 1;
        d[r * n + i] = far;
    }
    far = INT_MAX;
    for (int i = n - 1; i >= 0; --i) {
        far = f[r * n + i] ? 0 : far == INT_MAX ? far : far + 1;
        const int near = min(far, d[r * n + i]);
        d[r * n + i] = near == INT_MAX ? near : near * near;
    }
}
"""
PIXEL = """
__kernel void k(__global const uchar *f, __global int *d, const int rows, const int n) {
    const int i = get_global_id(0), r = get_global_id(1);
    if (i >= n || r >= rows) return;
    for (int o = 0; o < n; ++o)
        if ((i - o >= 0 && f[r * n + i - o]) || (i + o < n && f[r * n + i + o])) { d[r * n + i] = o * o; return; }
    d[r * n + i] = INT_MAX;
}
"""


@hl.kernel(
    problem=dict(rows=60, n=400),
    work=lambda p: hl.Work(flops=4 * p.rows * p.n, bytes=5 * p.rows * p.n),
    awkward=lambda p: [dict(rows=1, n=1), dict(rows=5, n=33), dict(rows=2, n=64)],
    domain=dict(f="range"),
)
class edt:
    def inputs(p, rng):
        f = (rng.random((p.rows, p.n)) < 0.03).astype("u1")
        f[::6] = 0
        f[1::6, 1:] = 0
        f[1::6, 0] = 1
        return dict(f=f, d=hl.empty((p.rows, p.n), "i4"), rows=np.int32(p.rows), n=np.int32(p.n))

    def reference(p, f, d, rows, n):
        i = np.arange(p.n)
        left = np.maximum.accumulate(np.where(f > 0, i, -(10**6)), axis=1)
        right = np.minimum.accumulate(np.where(f > 0, i, 10**6)[:, ::-1], axis=1)[:, ::-1]
        near = np.minimum(i - left, right - i)
        return dict(d=np.where((f > 0).any(1)[:, None], near * near, 2**31 - 1))

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.rows,))
    pixel = hl.OpenCL(PIXEL, "k", global_size=lambda p, c: (p.n, p.rows))


MUTANTS = [
    (
        "plain",
        "overflow",
        "nothing yet is counted on",
        "        far = f[r * n + i] ? 0 : far == INT_MAX ? far : far + 1;\n        d[",
        "        far = f[r * n + i] ? 0 : far + 1;\n        d[",
    ),
    ("plain", "type", "distances in eight bits", "near * near;", "(uchar)near * (uchar)near;"),
    ("plain", "bounds", "the first pixel is left by the way back", "i >= 0; --i", "i > 0; --i"),
    ("pixel", "bounds", "the first pixel is not seen", "i - o >= 0", "i - o > 0"),
    ("pixel", "bounds", "one pixel of the next row is seen", "i + o < n", "i + o <= n"),
    ("pixel", "range", "nothing beyond 255", "o < n; ++o", "o < min(n, 256); ++o"),
]
