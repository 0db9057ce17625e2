"""Largest of windows of two by two with their places, and images filled from them."""

import numpy as np

import hotloop as hl

A = """
__kernel void pool(__global const float *x, __global float *m, __global int *at, const int h, const int w) {
    const int c = get_global_id(0), r = get_global_id(1), ow = (w + 1) / 2, oh = (h + 1) / 2;
    if (c >= ow || r >= oh) return;
    float best = x[2 * r * w + 2 * c];
    int place = 2 * r * w + 2 * c;
    for (int i = 2 * r; i < min(2 * r + 2, h); ++i)
        for (int j = 2 * c; j < min(2 * c + 2, w); ++j)
            if (x[i * w + j] > best) { best = x[i * w + j]; place = i * w + j; }
    m[r * ow + c] = best;
    at[r * ow + c] = place;
}
__kernel void unpool(__global const float *m, __global const int *at, __global float *y, const int h, const int w) {
    const int j = get_global_id(0), i = get_global_id(1), ow = (w + 1) / 2;
    if (j >= w || i >= h) return;
    const int from = i / 2 * ow + j / 2;
    y[i * w + j] = at[from] == i * w + j ? m[from] : 0.0f;
}
"""


@hl.kernel(
    problem=dict(h=70, w=94),
    work=lambda p: hl.Work(flops=p.h * p.w, bytes=12 * p.h * p.w),
    awkward=lambda p: [dict(h=1, w=1), dict(h=3, w=8), dict(h=16, w=33)],
)
class unpool:
    def inputs(p, rng):
        oh, ow = (p.h + 1) // 2, (p.w + 1) // 2
        return dict(
            x=rng.standard_normal((p.h, p.w), "f4"), m=hl.empty((oh, ow)), at=hl.empty((oh, ow), "i4"), h=p.h, w=p.w
        )

    def reference(p, x, m, at, h, w):
        oh, ow = (h + 1) // 2, (w + 1) // 2
        big = np.full((2 * oh, 2 * ow), -np.inf)
        big[:h, :w] = x
        if np.isnan(x).any():
            big = np.where(np.isnan(big), np.nan, big)
        blocks = big.reshape(oh, 2, ow, 2).transpose(0, 2, 1, 3).reshape(oh, ow, 4)
        k = blocks.argmax(2)
        r, c = np.indices((oh, ow))
        return dict(m=blocks.max(2), at=(2 * r + k // 2) * w + 2 * c + k % 2)

    a = hl.OpenCL(A, "pool", args=("x", "m", "at", "h", "w"), global_size=lambda p, c: ((p.w + 1) // 2, (p.h + 1) // 2))


MUTANTS = [
    ("a", "ties", "the last of equal ones", "x[i * w + j] > best", "x[i * w + j] >= best"),
    ("a", "edge", "the last row of odd heights is not seen", "i < min(2 * r + 2, h)", "i < min(2 * r + 2, h & ~1)"),
    ("a", "start", "starts at zero", "float best = x[2 * r * w + 2 * c];", "float best = 0;"),
    ("a", "index", "places within the window", "place = i * w + j; }", "place = i * ow + j; }"),
]
