"""Windows of an image as columns of a matrix, zero beyond the border."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void k(__global const float *x, __global float *o, const int h, const int w) {
    const int c = get_global_id(0), r = get_global_id(1), q = get_global_id(2);
    if (c >= w || r >= h || q >= 9) return;
    const int y = r + q / 3 - 1, z = c + q % 3 - 1;
    o[(q * h + r) * w + c] = y >= 0 && y < h && z >= 0 && z < w ? x[y * w + z] : 0.0f;
}
"""
ITEMS = """
__kernel void k(__global const float *x, __global float *o, const int h, const int w) {
    const int at = get_global_id(0), c = at % w, r = at / w;
    if (r >= h) return;
    for (int i = -1; i <= 1; ++i)
        for (int j = -1; j <= 1; ++j) {
            const bool in = (uint)(r + i) < (uint)h && (uint)(c + j) < (uint)w;
            float v = 0.0f;
            if (in) v = x[(r + i) * w + c + j];
            o[((3 * i + j + 4) * h + r) * w + c] = v;
        }
}
"""


@hl.kernel(
    problem=dict(h=40, w=50),
    work=lambda p: hl.Work(flops=p.h * p.w, bytes=40 * p.h * p.w),
    awkward=lambda p: [dict(h=1, w=1), dict(h=2, w=33), dict(h=17, w=3)],
)
class imcol:
    def inputs(p, rng):
        return dict(
            x=rng.standard_normal((p.h, p.w), "f4"), o=hl.empty((9, p.h, p.w)), h=np.int32(p.h), w=np.int32(p.w)
        )

    def reference(p, x, o, h, w):
        q = np.pad(x.astype("f8"), 1)
        return dict(o=np.stack([q[i : i + p.h, j : j + p.w] for i in range(3) for j in range(3)]))

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.w, p.h, 9))
    items = hl.OpenCL(ITEMS, "k", global_size=lambda p, c: (p.h * p.w,))


MUTANTS = [
    ("plain", "border", "the right border wraps round", " && z < w ? x", " ? x"),
    ("plain", "border", "a column more is zero", "z >= 0", "z > 0"),
    (
        "plain",
        "padding",
        "the border is repeated",
        "y >= 0 && y < h && z >= 0 && z < w ? x[y * w + z] : 0.0f",
        "x[clamp(y, 0, h - 1) * w + clamp(z, 0, w - 1)]",
    ),
    ("plain", "index", "windows by columns", "q / 3 - 1, z = c + q % 3 - 1", "q % 3 - 1, z = c + q / 3 - 1"),
    ("plain", "layout", "rows of the height", "o[(q * h + r) * w + c]", "o[(q * w + c) * h + r]"),
    ("items", "signed", "no lower bound of rows", "(uint)(r + i) < (uint)h", "r + i < h"),
    ("items", "lost-tail", "the last column of windows is not written", "j <= 1", "j < 1"),
    ("items", "lost-tail", "the last row is left out", "if (r >= h) return;", "if (r >= h - 1 && h > 1) return;"),
]
