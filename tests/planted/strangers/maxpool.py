"""Largest of 3 x 3 neighbours, stride 2, -inf beyond the edges."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void pool(__global const float *x, __global float *y, const int h, const int w, const int oh, const int ow) {
    const int j = get_global_id(0), i = get_global_id(1);
    if (i >= oh || j >= ow) return;
    float top = -INFINITY;
    for (int a = -1; a <= 1; ++a)
        for (int b = -1; b <= 1; ++b) {
            const int r = 2 * i + a, c = 2 * j + b;
            if (r >= 0 && r < h && c >= 0 && c < w) top = fmax(top, x[r * w + c]);
        }
    y[i * ow + j] = top;
}
"""
ROWS = """
__kernel void pool(__global const float *x, __global float *y, const int h, const int w, const int oh, const int ow) {
    const int i = get_global_id(0);
    if (i >= oh) return;
    for (int j = 0; j < ow; ++j) {
        const int r0 = max(2 * i - 1, 0), r1 = min(2 * i + 1, h - 1), c0 = max(2 * j - 1, 0), c1 = min(2 * j + 1, w - 1);
        float top = x[r0 * w + c0];
        for (int r = r0; r <= r1; ++r)
            for (int c = c0; c <= c1; ++c) top = max(top, x[r * w + c]);
        y[i * ow + j] = top;
    }
}
"""


@hl.kernel(
    problem=dict(h=96, w=130),
    work=lambda p: hl.Work(flops=0, bytes=5 * p.h * p.w),
    awkward=lambda p: [dict(h=1, w=1), dict(h=7, w=10), dict(h=2, w=33)],
)
class maxpool:
    def inputs(p, rng):
        oh, ow = (p.h + 1) // 2, (p.w + 1) // 2
        return dict(
            x=rng.standard_normal((p.h, p.w), "f4"), y=hl.empty((oh, ow)), h=np.int32(p.h), w=np.int32(p.w),
            oh=np.int32(oh), ow=np.int32(ow),
        )  # fmt: skip

    def reference(p, x, y, h, w, oh, ow):
        padded = np.full((p.h + 2, p.w + 2), -np.inf)
        padded[1:-1, 1:-1] = x
        parts = [padded[a : a + p.h : 2, b : b + p.w : 2] for a in range(3) for b in range(3)]
        return dict(y=np.maximum.reduce(parts))

    plain = hl.OpenCL(PLAIN, "pool", global_size=lambda p, c: ((p.w + 1) // 2, (p.h + 1) // 2))
    rows = hl.OpenCL(ROWS, "pool", global_size=lambda p, c: ((p.h + 1) // 2,))


MUTANTS = [
    ("plain", "start", "starts at zero", "float top = -INFINITY", "float top = 0.0f"),
    ("plain", "start", "starts at the smallest positive number", "float top = -INFINITY", "float top = FLT_MIN"),
    ("plain", "edge", "the last column is never read", "c < w)", "c < w - 1)"),
    ("plain", "window", "two columns only", "b <= 1; ++b", "b <= 0; ++b"),
    ("rows", "edge", "reads one row beyond the last", "min(2 * i + 1, h - 1)", "2 * i + 1"),
    ("rows", "edge", "reads one column beyond the last", "min(2 * j + 1, w - 1)", "2 * j + 1"),
]
