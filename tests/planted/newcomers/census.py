"""Stereo by the census transform: the shift at which the 24 comparisons with a pixel's neighbours differ least; of equals the smallest."""

import numpy as np

import hotloop as hl

PLAIN = """
uint census(__global const ushort *a, int y, int x, int h, int w) {
    const ushort mid = a[y * w + x];
    uint bits = 0;
    for (int dy = -2; dy <= 2; ++dy)
        for (int dx = -2; dx <= 2; ++dx)
            if (dy != 0 || dx != 0) bits = bits << 1 | (a[clamp(y + dy, 0, h - 1) * w + clamp(x + dx, 0, w - 1)] < mid);
    return bits;
}
__kernel void k(__global const ushort *left, __global const ushort *right, __global uchar *o, const int h, const int w, const int most) {
    const int x = get_global_id(0), y = get_global_id(1);
    if (x >= w || y >= h) return;
    const uint here = census(left, y, x, h, w);
    int best = 25, at = 0;
    for (int d = 0; d < most && d <= x; ++d) {
        const int cost = popcount(here ^ census(right, y, x - d, h, w));
        if (cost < best) { best = cost; at = d; }
    }
    o[y * w + x] = at;
}
"""


def _census(a):
    e = np.pad(a, 2, mode="edge")
    h, w = a.shape
    return np.stack([e[dy : dy + h, dx : dx + w] < a for dy in range(5) for dx in range(5) if (dy, dx) != (2, 2)])


@hl.kernel(
    problem=dict(h=60, w=100, most=12),
    work=lambda p: hl.Work(flops=50 * p.most * p.h * p.w, bytes=5 * p.h * p.w),
    awkward=lambda p: [dict(h=1, w=1, most=1), dict(h=3, w=5, most=9), dict(h=17, w=31, most=7)],
)
class census:
    def inputs(p, rng):
        left = rng.integers(0, 1 << 16, (p.h, p.w), dtype="u2")
        right = np.roll(left, -3, axis=1)
        right[rng.random((p.h, p.w)) < 0.2] = 7
        return dict(
            left=left,
            right=right,
            o=hl.empty((p.h, p.w), "u1"),
            h=np.int32(p.h),
            w=np.int32(p.w),
            most=np.int32(p.most),
        )

    def reference(p, left, right, o, h, w, most):
        a, b = _census(left), _census(right)
        cost = np.full((p.most, p.h, p.w), 99)
        for d in range(min(p.most, p.w)):
            cost[d, :, d:] = (a[:, :, d:] != b[:, :, : p.w - d]).sum(0)
        return dict(o=cost.argmin(0))

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.w, p.h))


MUTANTS = [
    ("plain", "ties", "equal neighbours count as smaller", "< mid)", "<= mid)"),
    ("plain", "order", "of equal costs the last shift", "if (cost < best)", "if (cost <= best)"),
    ("plain", "bounds", "the shift to the left edge is not tried", "d <= x", "d < max(x, 1)"),
    (
        "plain",
        "type",
        "values compared as signed",
        "const ushort mid = a[y * w + x];",
        "const short mid = a[y * w + x];",
    ),
    (
        "plain",
        "index",
        "the right image is looked at on the other side",
        "y, x - d, h, w",
        "y, min(x + d, w - 1), h, w",
    ),
    ("plain", "bounds", "one row of neighbours too few", "dy <= 2", "dy <= 1"),
]
