"""Edges of an 8-bit image: gradient by absolute values, cut at 255."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void k(__global const uchar *x, __global uchar *o, const int h, const int w) {
    const int c = get_global_id(0), r = get_global_id(1);
    if (c >= w || r >= h) return;
    int v[3][3];
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            v[i][j] = x[clamp(r + i - 1, 0, h - 1) * w + clamp(c + j - 1, 0, w - 1)];
    const int gx = v[0][2] + 2 * v[1][2] + v[2][2] - v[0][0] - 2 * v[1][0] - v[2][0];
    const int gy = v[2][0] + 2 * v[2][1] + v[2][2] - v[0][0] - 2 * v[0][1] - v[0][2];
    o[r * w + c] = (uchar)min(255, (int)(abs(gx) + abs(gy)));
}
"""
SAT = """
__kernel void k(__global const uchar *x, __global uchar *o, const int h, const int w) {
    const int c = get_global_id(0), r = get_global_id(1);
    if (c >= w || r >= h) return;
    const int u = max(r - 1, 0) * w, m = r * w, d = min(r + 1, h - 1) * w, a = max(c - 1, 0), b = min(c + 1, w - 1);
    const int gx = (x[u + b] - x[u + a]) + 2 * (x[m + b] - x[m + a]) + (x[d + b] - x[d + a]);
    const int gy = (x[d + a] - x[u + a]) + 2 * (x[d + c] - x[u + c]) + (x[d + b] - x[u + b]);
    o[r * w + c] = convert_uchar_sat(abs(gx) + abs(gy));
}
"""


@hl.kernel(
    problem=dict(h=70, w=90),
    work=lambda p: hl.Work(flops=20 * p.h * p.w, bytes=2 * p.h * p.w),
    awkward=lambda p: [dict(h=1, w=1), dict(h=2, w=33), dict(h=17, w=5)],
)
class sobel:
    def inputs(p, rng):
        return dict(
            x=rng.integers(0, 256, (p.h, p.w), dtype="u1"),
            o=hl.empty((p.h, p.w), "uint8"),
            h=np.int32(p.h),
            w=np.int32(p.w),
        )

    def reference(p, x, o, h, w):
        q = np.pad(x.astype("i4"), 1, mode="edge")
        s = lambda i, j: q[i : i + p.h, j : j + p.w]
        gx = s(0, 2) + 2 * s(1, 2) + s(2, 2) - s(0, 0) - 2 * s(1, 0) - s(2, 0)
        gy = s(2, 0) + 2 * s(2, 1) + s(2, 2) - s(0, 0) - 2 * s(0, 1) - s(0, 2)
        return dict(o=np.minimum(255, np.abs(gx) + np.abs(gy)))

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.w, p.h))
    sat = hl.OpenCL(SAT, "k", global_size=lambda p, c: (p.w, p.h))


MUTANTS = [
    (
        "plain",
        "saturation",
        "results wrap round",
        "(uchar)min(255, (int)(abs(gx) + abs(gy)))",
        "(uchar)(abs(gx) + abs(gy))",
    ),
    ("plain", "saturation", "cut at 254", "min(255,", "min(254,"),
    ("plain", "border", "the border wraps round", "clamp(c + j - 1, 0, w - 1)", "((c + j - 1 + w) % w)"),
    ("plain", "constant", "no weight in the middle", "2 * v[2][1]", "v[2][1]"),
    ("plain", "term", "signs are lost later", "abs(gx) + abs(gy)", "abs(gx + gy)"),
    ("sat", "narrow", "gradients of 8 bits", "const int gy =", "const int gy = (char)"),
    ("sat", "index", "rows of the height", "min(r + 1, h - 1) * w", "min(r + 1, w - 1) * h"),
    ("sat", "border", "the last row is that before it", "min(r + 1, h - 1)", "min(r + 1, h - 2)"),
]
