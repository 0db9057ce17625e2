"""Moments of grey images up to the second degree, in whole numbers; a group an image, or an item."""

import numpy as np

import hotloop as hl

GROUP = """
__kernel void moments(__global const uchar *x, __global long *y, const int w, const int h) {
    __local long part[6][32];
    const int image = get_group_id(0), t = get_local_id(0);
    long s[6] = {0, 0, 0, 0, 0, 0};
    for (int k = t; k < w * h; k += 32) {
        const long v = x[(long)image * w * h + k], i = k % w, j = k / w;
        s[0] += v; s[1] += i * v; s[2] += j * v; s[3] += i * i * v; s[4] += i * j * v; s[5] += j * j * v;
    }
    for (int q = 0; q < 6; ++q) part[q][t] = s[q];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t < 6) {
        long all = 0;
        for (int k = 0; k < 32; ++k) all += part[t][k];
        y[image * 6 + t] = all;
    }
}
"""
ITEM = """
__kernel void moments(__global const uchar *x, __global long *y, const int w, const int h) {
    const int image = get_global_id(0), t = get_global_id(1);
    const int px = t == 1 || t == 4 ? 1 : t == 3 ? 2 : 0, py = t == 2 || t == 4 ? 1 : t == 5 ? 2 : 0;
    long all = 0;
    for (int j = 0; j < h; ++j)
        for (int i = 0; i < w; ++i) {
            const long a = px == 0 ? 1 : px == 1 ? i : (long)i * i, b = py == 0 ? 1 : py == 1 ? j : (long)j * j;
            all += a * b * x[(image * h + j) * w + i];
        }
    y[image * 6 + t] = all;
}
"""


@hl.kernel(
    problem=dict(m=12, w=61, h=40),
    work=lambda p: hl.Work(flops=0, bytes=p.m * p.w * p.h),
    awkward=lambda p: [dict(m=1, w=1, h=1), dict(m=2, w=7, h=3), dict(m=3, w=2, h=70)],
    domain=dict(x="any"),
)
class moments:
    def inputs(p, rng):
        return dict(x=rng.integers(0, 256, (p.m, p.h, p.w), dtype="u1"), y=hl.empty((p.m, 6), "i8"), w=p.w, h=p.h)

    def reference(p, x, y, w, h):
        j, i = np.mgrid[: p.h, : p.w].astype("i8")
        v = x.astype("i8")
        return dict(y=np.stack([(v * f).sum((1, 2)) for f in (i * 0 + 1, i, j, i * i, i * j, j * j)], 1))

    group = hl.OpenCL(GROUP, "moments", global_size=lambda p, c: (32 * p.m,), local_size=lambda p, c: (32,))
    item = hl.OpenCL(ITEM, "moments", global_size=lambda p, c: (p.m, 6))


MUTANTS = [
    ("group", "type", "partial sums of 32 bits", "long s[6]", "int s[6]"),
    ("group", "barrier", "no barrier", "    barrier(CLK_LOCAL_MEM_FENCE);\n", ""),
    ("group", "index", "places within a row by the height", "i = k % w, j = k / w", "i = k % h, j = k / h"),
    ("item", "bounds", "places from one", "px == 1 ? i :", "px == 1 ? i + 1 :"),
    ("item", "type", "sums of 32 bits", "long all = 0", "int all = 0"),
    ("group", "tail", "the last pixels are lost", "k < w * h; k", "k < w * h / 32 * 32; k"),
]
