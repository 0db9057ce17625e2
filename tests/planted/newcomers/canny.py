"""Edges thinned: magnitudes that are no maximum along their direction become zero, integers."""

import numpy as np

import hotloop as hl

A = """
__kernel void thin(__global const short *gx, __global const short *gy, __global int *o, const int w, const int h) {
    const int x = get_global_id(0), y = get_global_id(1);
    if (x >= w || y >= h) return;
    const int i = y * w + x, a = gx[i], b = gy[i], m = abs(a) + abs(b);
    if (x == 0 || y == 0 || x == w - 1 || y == h - 1) { o[i] = 0; return; }
    int dx, dy;
    if (2 * abs(b) < abs(a)) { dx = 1; dy = 0; }
    else if (2 * abs(a) < abs(b)) { dx = 0; dy = 1; }
    else { dx = 1; dy = (a ^ b) < 0 ? -1 : 1; }
    const int p = i + dy * w + dx, q = i - dy * w - dx;
    const int mp = abs((int)gx[p]) + abs((int)gy[p]), mq = abs((int)gx[q]) + abs((int)gy[q]);
    o[i] = m > mp && m >= mq ? m : 0;
}
"""


@hl.kernel(
    problem=dict(w=120, h=90),
    work=lambda p: hl.Work(flops=10 * p.w * p.h, bytes=8 * p.w * p.h),
    awkward=lambda p: [dict(w=1, h=1), dict(w=17, h=5), dict(w=3, h=40)],
)
class canny:
    def inputs(p, rng):
        draw = lambda: rng.integers(-32768, 32768, (p.h, p.w), dtype="i2")
        return dict(gx=draw(), gy=draw(), o=hl.empty((p.h, p.w), "i4"), w=p.w, h=p.h)

    def reference(p, gx, gy, o, w, h):
        a, b = gx.astype("i8"), gy.astype("i8")
        m = np.abs(a) + np.abs(b)
        dx = np.where(2 * np.abs(b) < np.abs(a), 1, np.where(2 * np.abs(a) < np.abs(b), 0, 1))
        dy = np.where(
            2 * np.abs(b) < np.abs(a), 0, np.where(2 * np.abs(a) < np.abs(b), 1, np.where((a ^ b) < 0, -1, 1))
        )
        y, x = np.indices((h, w))
        at = lambda s: m[np.clip(y + s * dy, 0, h - 1), np.clip(x + s * dx, 0, w - 1)]
        inner = (x > 0) & (y > 0) & (x < w - 1) & (y < h - 1)
        return dict(o=np.where(inner & (m > at(1)) & (m >= at(-1)), m, 0))

    a = hl.OpenCL(A, "thin", global_size=lambda p, c: (p.w, p.h))


MUTANTS = [
    ("a", "ties", "equal ones on both sides go", "m >= mq", "m > mq"),
    ("a", "type", "magnitudes in 16 bits", "m = abs(a) + abs(b);", "m = (short)(abs(a) + abs(b));"),
    ("a", "edge", "the last row has no border", "|| y == h - 1)", "|| y == h)"),
    ("a", "limit", "twice is not enough", "2 * abs(a) < abs(b)", "2 * abs(a) <= abs(b)"),
]
