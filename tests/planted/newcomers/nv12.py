"""Colours to NV12: brightness of each pixel, and of each square of four the mean chroma, interleaved; edges repeat."""

import numpy as np

import hotloop as hl

A = """
__kernel void nv12(__global const uchar *rgb, __global uchar *luma, __global uchar *chroma, const int w, const int h) {
    const int bx = get_global_id(0), by = get_global_id(1);
    if (2 * bx >= w || 2 * by >= h) return;
    int u = 0, v = 0;
    for (int k = 0; k < 4; ++k) {
        const int x = 2 * bx + (k & 1), y = 2 * by + (k >> 1);
        const int at = 3 * (min(y, h - 1) * w + min(x, w - 1));
        const int r = rgb[at], g = rgb[at + 1], b = rgb[at + 2];
        if (x < w && y < h) luma[y * w + x] = ((66 * r + 129 * g + 25 * b + 128) >> 8) + 16;
        u += ((-38 * r - 74 * g + 112 * b + 128) >> 8) + 128;
        v += ((112 * r - 94 * g - 18 * b + 128) >> 8) + 128;
    }
    const int cw = (w + 1) / 2;
    chroma[2 * (by * cw + bx)] = (u + 2) >> 2;
    chroma[2 * (by * cw + bx) + 1] = (v + 2) >> 2;
}
"""


@hl.kernel(
    problem=dict(w=97, h=51),
    work=lambda p: hl.Work(flops=0, bytes=5 * p.w * p.h),
    awkward=lambda p: [dict(w=1, h=1), dict(w=2, h=5), dict(w=7, h=2)],
    domain=dict(rgb="any"),
)
class nv12:
    def inputs(p, rng):
        return dict(
            rgb=rng.integers(0, 256, (p.h, p.w, 3), dtype="u1"), luma=hl.empty((p.h, p.w), "u1"),
            chroma=hl.empty(((p.h + 1) // 2, (p.w + 1) // 2, 2), "u1"), w=p.w, h=p.h,
        )  # fmt: skip

    def reference(p, rgb, luma, chroma, w, h):
        r, g, b = (rgb[..., k].astype("i4") for k in range(3))
        u, v = ((-38 * r - 74 * g + 112 * b + 128) >> 8) + 128, ((112 * r - 94 * g - 18 * b + 128) >> 8) + 128
        wide = [(0, p.h % 2), (0, p.w % 2)]
        four = [
            sum(q[i::2, j::2] for i in (0, 1) for j in (0, 1)) for q in (np.pad(s, wide, mode="edge") for s in (u, v))
        ]
        return dict(
            luma=((66 * r + 129 * g + 25 * b + 128) >> 8) + 16, chroma=np.stack([(q + 2) >> 2 for q in four], -1)
        )

    a = hl.OpenCL(A, "nv12", global_size=lambda p, c: ((p.w + 1) // 2, (p.h + 1) // 2))


MUTANTS = [
    ("a", "rounding", "the mean is truncated", "(u + 2) >> 2", "u >> 2"),
    ("a", "rounding", "brightness is truncated", "25 * b + 128) >> 8", "25 * b) >> 8"),
    ("a", "bounds", "the last column of an odd width is lost", "2 * bx >= w ||", "2 * bx + 1 >= w + (w == 1) ||"),
    ("a", "bounds", "half a width rounded down", "(w + 1) / 2", "w / 2 + (w == 1)"),
    (
        "a",
        "index",
        "chroma planes are exchanged",
        "chroma[2 * (by * cw + bx)] = (u + 2) >> 2;\n    chroma[2 * (by * cw + bx) + 1] = (v + 2) >> 2;",
        "chroma[2 * (by * cw + bx) + 1] = (u + 2) >> 2;\n    chroma[2 * (by * cw + bx)] = (v + 2) >> 2;",
    ),
    (
        "a",
        "operator",
        "division of a negative sum",
        "((-38 * r - 74 * g + 112 * b + 128) >> 8) + 128",
        "(-38 * r - 74 * g + 112 * b + 128) / 256 + 128",
    ),
]
